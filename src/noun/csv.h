/*
 * Trades as CSV (spec 4.1, decision 15): RFC 4180 with CRLF, a header line, null and the empty
 * string both empty, quotes only around values with a comma, a quote, CR or LF.
 *
 * The columns are the scalars of a Trade's head in its order, except amountRange.label. So a row is
 * made from the head's bytes, and nothing else is stored.
 */
#pragma once

#include "noun/extra.h"

/* A value of a line. */
void shape_csv_value(struct buf *b, struct str value);

/* The columns of an object with scalar members, or their names if `value` is NULL. */
void shape_object_csv(struct buf *b, const struct shape_object *object, const void *value);

/* A value of a line for people, guarded as in shape_trade_csv. */
void shape_csv_value_guarded(struct buf *b, struct str value);

/* Calls fn for each column, in order. `required`: the object that has the field is always there. */
typedef void shape_csv_column_fn(void *ctx, const struct shape_field *field, bool required);
void shape_csv_each(int64_t fields, shape_csv_column_fn *fn, void *ctx);

/* The columns of a Trade, and behind them those of the optional objects in `fields`
 * (noun/extra.h). Lines are without their end, so that callers can add columns. */
void shape_trade_csv_header(struct buf *b, int64_t fields);

/* One line from shape_trade_head's bytes. `guarded`: for people, who open it in a spreadsheet: an
 * apostrophe stands before each formula (base/formula.h). */
void shape_trade_csv(struct buf *b, struct str head, const struct shape_extra *extra, bool guarded);

void shape_csv_end(struct buf *b);
