/* `stockact check`: is the database whole, and do the rules that no constraint can state hold? */
#pragma once

#include "store/db/db.h"

/* Called for each finding, one line for a person. */
typedef void check_found(void *ctx, struct str what);

/* *ret_findings = how many there were; OK with 0 means sound. Reads only. */
enum err check_run(
    struct db *db, check_found *found, void *ctx, int64_t *ret_findings,
    struct fail *fail) MUST_CHECK;
