/* How the database is: what `stockact doctor` and `stockact status` ask it. Nothing is changed. */
#pragma once

#include "db/db.h"

struct vitals {
    bool standby;          /* it follows a primary, and takes no writes */
    int64_t clock_ms;      /* its clock; INSTANT_NONE: it is this machine's */
    int64_t sessions_left; /* for programs like this one; -1: no limit */
};

enum err vitals_read(struct db *db, struct vitals *ret, struct fail *fail);

/* The smallest question, to see how long an answer takes. */
enum err vitals_ask(struct db *db, struct fail *fail);

/* Whether it takes writes: begins one that changes no row, and takes it back. */
enum err vitals_try_write(struct db *db, struct fail *fail);

/* *ret: for how many milliseconds commits have waited for a standby, 0 if none is connected and no
 * commit waits yet, -1 if commits do not wait. A wait under five seconds is a slow standby's. */
enum err vitals_commit_wait(struct db *db, int64_t *ret, struct fail *fail);
