/*
 * A visit to the Senate's site (sources.md 2): it shows nothing before its agreement was accepted,
 * and it may forget that at any time. Private to src/sync.
 */
#pragma once

#include "sync/sync_parts.h"

struct session_question {
    struct str path; /* behind the base */
    struct str form; /* null: a page; otherwise what is posted, and JSON comes back */
};

/* Agrees first where that was not done yet. Where the answer is that the session has ended, begins
 * another one and asks once more; a second time is a wall. */
enum err session_ask(
    struct sync *s, const struct session_question *question, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail) MUST_CHECK;

/* The token in the hidden field of a page with a form; null: there is none, or it is not of the
 * form of a token. Points into the page. */
struct str session_token(struct str page);
