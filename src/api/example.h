/* One invented trade, filing, politician and ticker, for the examples of OpenAPI and the docs. */
#pragma once

#include "base/buf.h"

void example_trade(struct buf *b);                     /* a Trade */
void example_cursor(struct buf *b);                    /* a cursor behind it, without quotes */
void example_answer(struct buf *b, struct str schema); /* what an operation that answers with this
                                                          schema sends: the whole body */
