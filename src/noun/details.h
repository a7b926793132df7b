/*
 * The details of a Trade (decision 48): one flat object, or null. Not a member of the Trade of the
 * specification; callers ask for it.
 */
#pragma once

#include "noun/field.h"
#include "paper/cell/details.h"

#define SHAPE_CAP_GAINS                                                                            \
    "Whether the box \"Cap. gains > $200?\" of a row of a House report is checked: the filer "     \
    "states "                                                                                      \
    "a capital gain of more than $200. Null: not read, or the form has no such box, such as the "  \
    "Senate's."

extern const struct shape_object shape_details;

/* From a line of paper/cell/details.h and the box of a House row: the object; `null` if the line is
 * null, or is none, and the box was not read. */
void shape_details_json(struct buf *b, struct str line, enum cap_gains gains);
