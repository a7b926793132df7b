/* The columns that rows of drafts and trades have in common (struct row_values), in this order:
 * ticker, asset_name, asset_type, side, amount_bucket, trade_day, owner_type. */
#pragma once

#include "core/model.h"
#include "store/db/db.h"

enum { ROW_VALUES_COLUMN_COUNT = 7 };

/* The next ROW_VALUES_COLUMN_COUNT parameters of the statement. */
void row_values_bind(struct query *q, const struct row_values *values);

/* The columns from `first` on; the texts are the query's, until its next row. */
struct row_values row_values_read(const struct query *q, int first);
