/* The Filing (spec 2.4) as it looks outside. */
#pragma once

#include "core/model.h"
#include "wire/field.h"

extern const struct wire_object wire_filing;

void wire_filing_json(struct buf *b, const struct filing *filing);
