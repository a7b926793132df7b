/* A Filing as a value again, from the JSON that noun/filing.h wrote (a row of the feed). */
#pragma once

#include "base/mem.h"
#include "rule/model.h"

/* Strings of *ret live in the arena, with hidden characters shown (base/hidden.h). published_at is
 * INSTANT_NONE: the JSON does not have it. */
void shape_filing_read(struct str json, struct arena *arena, struct filing *ret);
