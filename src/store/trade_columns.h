/* The columns of a trade and of what it takes from its filing, for statements that read both.
 * Tables: `t` trade, `f` its filing, `m` the filing's member. Private to src/store. */
#pragma once

#include "core/model.h"
#include "store/db/db.h"

#define TRADE_COLUMNS                                                                              \
    "t.id, t.ticker, t.asset_name, t.asset_type, t.side, t.amount_bucket, t.trade_day,"            \
    " t.owner_type, t.disclosed_at"
#define TRADE_FILING_COLUMNS                                                                       \
    "f.url, f.chamber, f.member_party, f.member_state, m.slug, f.member_name"

enum { TRADE_COLUMN_COUNT = 9, TRADE_FILING_COLUMN_COUNT = 6 };

/* Sets the members that the columns from `at` on have. Strings belong to the query's row. */
void trade_columns_read(const struct query *q, int at, struct trade *t);
void trade_columns_read_filing(const struct query *q, int at, struct trade *t);
