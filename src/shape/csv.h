/*
 * Trades as CSV (spec 4.1, decision 15): RFC 4180 with CRLF, a header line, 17 columns, null and
 * the empty string both as nothing, quotes only around what holds a comma, a quote, CR or LF.
 *
 * The columns are the scalars of a Trade's head in the order in which the head prints them, less
 * amountRange.label; so a row is made from the head's bytes, and nothing else need be kept.
 */
#pragma once

#include "base/buf.h"

enum { SHAPE_CSV_COLUMNS = 17 };

void shape_trade_csv_header(struct buf *b);
void shape_trade_csv(struct buf *b, struct str head); /* one line, of shape_trade_head's bytes */
