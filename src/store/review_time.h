/*
 * How long reviewers take for a clean draft on the desk: from the page that showed it to its
 * acceptance. Kept without names and without the filing.
 */
#pragma once

#include "store/db/db.h"

enum {
    REVIEW_TIME_MAX_MS = 10 * 60 * 1000, /* a longer one was a break */
    REVIEW_TIME_ROWS_MAX = 10,           /* of the drafts in the median */
};

/* Records the time of the newest draft of the filing, if it is clean. Call it inside the
 * transaction of the acceptance. A time below 0 or above the maximum is not recorded. */
enum err review_time_add(
    struct db *db, struct str filing_id, int64_t took_ms, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

struct review_median {
    int64_t count;   /* of acceptances */
    int64_t took_ms; /* their median; 0: there are none */
};

/* Of drafts of up to REVIEW_TIME_ROWS_MAX rows that were accepted since then. */
enum err review_time_median(
    struct db *db, int64_t since_ms, struct review_median *ret, struct fail *fail) MUST_CHECK;
