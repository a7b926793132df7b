/*
 * The closed lists of a trade in words for people. The API's names are in core/model.h. Private to
 * src/site.
 */
#pragma once

#include "base/mem.h"
#include "core/model.h"
#include "shape/param.h"

struct str words_side(enum side side);          /* "bought", "sold", "sold in part", "exchanged" */
struct str words_owner(enum owner owner);       /* "filer", "spouse"; null: not stated */
struct str words_chamber(enum chamber chamber); /* "House", "Senate" */
struct str words_asset_type(enum asset_type type, struct arena *arena); /* "municipal bond" */

/* A value of the list as the choice of a form says it: "Sold in part", "Municipal bond". */
struct str words_choice(const struct shape_list *list, int value, struct arena *arena);
