/*
 * Step 14: fills column `details` of trades and draft rows where it is NULL, from `printed`. Rows
 * without details get the empty text (store/row_values.h), so no NULL remains.
 */
#pragma once

#include "store/db/db.h"

/* Call inside the transaction of the step. Memory does not grow with the number of rows. */
enum err migrate_details(struct db *db, struct fail *fail) MUST_CHECK;
