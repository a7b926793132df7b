/* The closed lists of a trade in words for people, on pages and in e-mails. The API's names are in
 * rule/model.h. */
#pragma once

#include "rule/model.h"

struct str words_side(enum side side);          /* "bought", "sold", "sold in part", "exchanged" */
struct str words_owner(enum owner owner);       /* "filer", "spouse"; null: not stated */
struct str words_chamber(enum chamber chamber); /* "House", "Senate" */
struct str words_asset_type(enum asset_type type, struct arena *arena); /* "municipal bond" */

/* "municipal_bond" as "municipal bond"; null as null. */
struct str words_of_code(struct str code, struct arena *arena);
