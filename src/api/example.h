/* One invented trade, filing, politician and ticker, for the examples of OpenAPI and the docs. */
#pragma once

#include "base/buf.h"

/* The whole body that an operation with this schema sends. */
void example_answer(struct buf *b, struct str schema);
