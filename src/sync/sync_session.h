/*
 * A session on the Senate's site (sources.md 2). The site shows nothing until its agreement is
 * accepted, and may end the session at any time. Private to src/sync.
 */
#pragma once

#include "sync/sync_parts.h"

struct session_question {
    struct str path; /* after the base URL */
    struct str form; /* null: GET a page; otherwise POST it, and the answer is JSON */
};

/* Accepts the agreement first if needed. If the answer shows that the session has ended, starts
 * another session and repeats the request once; the second time is a wall. */
enum err session_ask(
    struct sync *s, const struct session_question *question, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail);

/* The token in the hidden form field of the page; null: missing or malformed. Points into the
 * page. */
struct str session_token(struct str page);
