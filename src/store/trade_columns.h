/* The columns of a trade and of what it takes from its filing, for statements that read both.
 * Tables: `t` trade, `f` its filing, `m` the filing's member. Private to src/store. */
#pragma once

#include "store/row_values.h"

#define TRADE_COLUMNS "t.id, t.disclosed_at, " ROW_VALUES_COLUMNS(t)
#define TRADE_FILING_COLUMNS                                                                       \
    "f.url, f.chamber, f.member_party, f.member_state, m.slug, f.member_name"

enum { TRADE_COLUMN_COUNT = 2 + ROW_VALUES_COLUMN_COUNT, TRADE_FILING_COLUMN_COUNT = 6 };

/* Set the members that the columns from `at` on have. Strings belong to the query's row. */
void trade_columns_read(const struct query *q, int at, struct trade *t);
void trade_columns_read_filing(const struct query *q, int at, struct trade *t);
