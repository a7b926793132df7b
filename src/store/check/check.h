/* `stockact check`: checks the database's integrity and the rules that no constraint can state. */
#pragma once

#include "db/db.h"
#include "store/check/check_found.h"

struct progress_hook;

enum check_phase {
    CHECK_RULES,
    CHECK_ROWS,
    CHECK_CHAIN /* entries of the chain over publications */
};

/* *ret_findings is the number of problems; 0: the database is sound. Also compares every published
 * row with its digest and verifies the whole chain over publications (chain_check.h). Reads only.
 * `progress` may be NULL. */
enum err check_run(
    struct db *db, check_found *found, void *ctx, const struct progress_hook *progress,
    int64_t *ret_findings, struct fail *fail);

/* How many rows that give access or are shown have no digest (db/row_digest.h): an older program
 * changed them, or something else did. */
enum err check_unsealed(struct db *db, int64_t *ret, struct fail *fail);
