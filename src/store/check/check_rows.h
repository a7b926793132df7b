/* Compares every published row with its digest, for `stockact check`. Private to src/store/check.
 */
#pragma once

#include "db/db.h"
#include "store/check/check_found.h"

struct progress_hook;

/* Adds to *findings, and tells `progress` (may be NULL) the rows. */
enum err check_rows(
    struct db *db, check_found *found, void *ctx, const struct progress_hook *progress,
    int64_t *findings, struct fail *fail);
