/*
 * Trades as CSV (spec 4.1, decision 15): RFC 4180 with CRLF, a header line, null and the empty
 * string both empty, quotes only around values with a comma, a quote, CR or LF.
 *
 * The columns are the scalars of a Trade's head in its order, except amountRange.label. So a row is
 * made from the head's bytes, and nothing else is stored.
 */
#pragma once

#include "base/buf.h"

/* A value of a line for people, guarded as in shape_trade_csv_guarded. */
void shape_csv_value_guarded(struct buf *b, struct str value);

void shape_trade_csv_header(struct buf *b);
void shape_trade_csv(struct buf *b, struct str head); /* one line, from shape_trade_head's bytes */

/* The same line for people, who open it in a spreadsheet: an apostrophe stands before each
 * formula (base/formula.h). */
void shape_trade_csv_guarded(struct buf *b, struct str head);

/* The same with the columns of details behind the others (decision 48). `details` is an object from
 * shape_details_json, or empty. */
void shape_trade_csv_header_with_details(struct buf *b);
void shape_trade_csv_with_details(struct buf *b, struct str head, struct str details);
