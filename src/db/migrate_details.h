/*
 * Step 14: fills column `details` of trades and draft rows where it is NULL, from `printed`. Rows
 * without details get the empty text (store/row/row_values.h), so no NULL remains.
 */
#pragma once

#include "db/db.h"

struct progress_hook;

/* Call inside the transaction of the step. Memory does not grow with the number of rows. `progress`
 * (may be NULL) receives MIGRATE_ROWS. */
enum err migrate_details(struct db *db, const struct progress_hook *progress, struct fail *fail);
