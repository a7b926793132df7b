/* Compares every published row with its digest, for `stockact check`. Private to src/store. */
#pragma once

#include "store/check_found.h"
#include "store/db/db.h"

/* Adds to *findings. */
enum err check_rows(
    struct db *db, check_found *found, void *ctx, int64_t *findings, struct fail *fail) MUST_CHECK;
