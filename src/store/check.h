/* `stockact check`: checks the database's integrity and the rules that no constraint can state. */
#pragma once

#include "store/db/db.h"

/* Called for each problem, with one line of text for a person. */
typedef void check_found(void *ctx, struct str what);

/* *ret_findings is the number of problems; 0: the database is sound. Reads only. */
enum err check_run(
    struct db *db, check_found *found, void *ctx, int64_t *ret_findings,
    struct fail *fail) MUST_CHECK;
