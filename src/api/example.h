/* Examples for OpenAPI and the docs: an invented trade, filing, politician and ticker. */
#pragma once

#include "base/buf.h"

/* Writes the complete body of an operation with this schema. */
void example_answer(struct buf *b, struct str schema);

/* Writes the beginning of a stream of trades. */
void example_stream(struct buf *b);

/* Writes the trade as a line of an export in JSON. */
void example_line(struct buf *b);

/* Writes a page of trades as CSV: the header line and the trade. */
void example_csv(struct buf *b);
