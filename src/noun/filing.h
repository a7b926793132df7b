/* The shape of the Filing (spec 2.4). */
#pragma once

#include "noun/field.h"
#include "rule/model.h"

extern const struct shape_object shape_filing;

void shape_filing_json(struct buf *b, const struct filing *filing);

/* A Filing as a value again, from the JSON that noun/filing.h wrote (a row of the feed). */

/* Strings of *ret live in the arena, with hidden characters shown (base/hidden.h). published_at is
 * INSTANT_NONE: the JSON does not have it. */
void shape_filing_read(struct str json, struct arena *arena, struct filing *ret);
