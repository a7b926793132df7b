/*
 * What the server has shown of a draft, and to whom: pages of its document, and rows. An acceptance
 * is judged by it (review/desk/desk_act.c). Functions are called inside a write transaction.
 */
#pragma once

#include "db/db.h"
#include "rule/number_set.h"

enum {
    DRAFT_LOOK_GAP_MAX_MS = 5 * 60 * 1000
}; /* of the time between two answers; more is a break */

struct draft_look {
    struct number_set pages, opened; /* pages shown, rows opened */
    int64_t ms;                      /* the time between the answers, each gap limited */
};

/* One answer of the server. */
struct draft_look_event {
    struct str by; /* e-mail address; empty: a command wrote a picture */
    int page, row; /* 0: none */
    int64_t at;
};

/* Adds it to what that person saw of the newest draft of the filing; without one, does nothing. A
 * gap counts for the draft only if the person opened no other meanwhile. */
enum err draft_look_add(
    struct db *db, struct str filing_id, const struct draft_look_event *event, struct fail *fail);

/* What that person saw of the draft until `at`, which is now; zero: nothing. */
enum err draft_look_end(
    struct db *db, int64_t draft_no, struct str by, int64_t at, struct draft_look *ret,
    struct fail *fail);

/* The person changes the draft: the others have not opened its rows as they are now. */
enum err draft_look_forget_rows(struct db *db, int64_t draft_no, struct str by, struct fail *fail);
