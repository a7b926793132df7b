/* The closed lists of core/model.h as tables of members name them. */
#pragma once

#include "wire/field.h"

extern const struct wire_list wire_chambers;
extern const struct wire_list wire_sides;
extern const struct wire_list wire_owners;
extern const struct wire_list wire_asset_types;
extern const struct wire_list wire_brackets;
extern const struct wire_list wire_filing_states;
extern const struct wire_list wire_reviews;
extern const struct wire_list wire_correction_kinds;
