/*
 * The details of a Trade (decision 48): one flat object, or null. Not a member of the Trade of the
 * specification; callers ask for it.
 */
#pragma once

#include "core/details.h"
#include "shape/field.h"

extern const struct shape_object shape_details;

/* From a line of core/details.h: the object; `null` for the null string, and for a text that is not
 * a line. */
void shape_details_json(struct buf *b, struct str line);
