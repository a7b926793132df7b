/* `stockact check`: checks the database's integrity and the rules that no constraint can state. */
#pragma once

#include "store/db/db.h"

/* Called for each problem, with one line of text for a person. */
typedef void check_found(void *ctx, struct str what);

/* *ret_findings is the number of problems; 0: the database is sound. Also compares every published
 * row with its digest and verifies the whole chain over publications (chain_check.h). Reads only.
 */
enum err check_run(
    struct db *db, check_found *found, void *ctx, int64_t *ret_findings,
    struct fail *fail) MUST_CHECK;

/* The same with a head of the chain that was noted earlier; NULL: none. *ret_head is the present
 * one. */
struct chain_head;
enum err check_run_against(
    struct db *db, const struct chain_head *noted, check_found *found, void *ctx,
    int64_t *ret_findings, struct chain_head *ret_head, struct fail *fail) MUST_CHECK;
