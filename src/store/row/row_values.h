/*
 * The columns that rows of drafts and trades have in common (struct row_values), in this order:
 * ticker, asset_name, asset_type, side, amount_bucket, trade_day, owner_type, details.
 *
 * In `details` an empty text is none. Step 14 of the schema filled the rows from before the column
 * existed.
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"

/* The columns for row_values_read, of table T. */
#define ROW_VALUES_COLUMNS(T)                                                                      \
#T ".ticker, " #T ".asset_name, " #T ".asset_type, " #T ".side, " #T ".amount_bucket, " #T     \
       ".trade_day, " #T ".owner_type, " #T ".details"

enum {
    ROW_VALUES_PARAM_COUNT = 8,
    ROW_VALUES_COLUMN_COUNT = 8, /* of ROW_VALUES_COLUMNS */
};

/* The next ROW_VALUES_PARAM_COUNT parameters of the statement. */
void row_values_bind(struct query *q, const struct row_values *values);

/* The next ROW_VALUES_COLUMN_COUNT values of the row. */
struct bulk;
void row_values_put(struct bulk *bulk, const struct row_values *values);

/* Their values from cells, the first of which is the ticker. */
struct row_cell;
struct row_values row_values_of(const struct row_cell *cells);

/* The column cap_gains, which both have besides. */
void cap_gains_bind(struct query *q, enum cap_gains gains);
enum cap_gains cap_gains_read(const struct query *q, int column);

/* The columns from `first` on. The texts are the query's, until its next row. */
struct row_values row_values_read(const struct query *q, int first);
