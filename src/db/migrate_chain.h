/* The part of schema step 15 that is not SQL: computes digests of the published rows, and the
 * chain. */
#pragma once

#include "db/db.h"

struct progress_hook;

/* `progress` (may be NULL) receives MIGRATE_ROWS. */
enum err migrate_chain(struct db *db, const struct progress_hook *progress, struct fail *fail);
