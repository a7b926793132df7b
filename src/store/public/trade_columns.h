/* The columns of a trade and of what it takes from its filing, for statements that read both.
 * Tables: `t` trade, `f` its filing, `m` the filing's member. Private to src/store/public. */
#pragma once

#include "db/row_digest.h"
#include "store/row/row_values.h"

/* id, disclosed_at, the values, filing_no, publication_no, withdrawn_at and the digests. */
#define TRADE_COLUMNS ROW_DIGEST_TRADE_COLUMNS ", t.digest"
#define TRADE_FILING_COLUMNS                                                                       \
    "f.url, f.chamber, f.member_party, f.member_state, m.slug, f.member_name"

enum { TRADE_COLUMN_COUNT = ROW_DIGEST_TRADE_COUNT + 1, TRADE_FILING_COLUMN_COUNT = 6 };

struct trade_others {
    int64_t filing_no, publication_no;
    int64_t withdrawn_at; /* INSTANT_NONE: public */
    bool damaged;         /* the columns do not give the digest */
};

/* Set the members that the columns from `at` on have. Strings belong to the query's row. */
void trade_columns_read(
    const struct query *q, int at, struct trade *t, struct trade_others *ret_others);
void trade_columns_read_filing(const struct query *q, int at, struct trade *t);
