/* The shape of the Filing (spec 2.4). */
#pragma once

#include "noun/field.h"
#include "rule/model.h"

extern const struct shape_object shape_filing;

void shape_filing_json(struct buf *b, const struct filing *filing);
