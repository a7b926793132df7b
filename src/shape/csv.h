/*
 * Trades as CSV (spec 4.1, decision 15): RFC 4180 with CRLF, a header line, null and the empty
 * string both empty, quotes only around values with a comma, a quote, CR or LF.
 *
 * The columns are the scalars of a Trade's head in its order, except amountRange.label. So a row is
 * made from the head's bytes, and nothing else is stored.
 */
#pragma once

#include "base/buf.h"

void shape_trade_csv_header(struct buf *b);
void shape_trade_csv(struct buf *b, struct str head); /* one line, from shape_trade_head's bytes */
