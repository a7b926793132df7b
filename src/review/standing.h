/* The public data that a draft is compared with: the trades of its filing and of the report that it
 * repeats. If rows are marked as amended or deleted, or name a trade, it includes the member's
 * other trades. Accepted drafts that are published first count as public. */
#pragma once

#include "review/difference.h"
#include "store/desk/draft.h"

/* Compares the rows with the public data. Sets draft->is.amends if it can be determined. */
enum err standing_compare(
    struct db *db, struct draft *draft, struct arena *arena, struct draft_row_list *ret_rows,
    struct difference *ret, struct fail *fail);

/* The text of difference_put, in the arena. */
struct str standing_text(const struct difference *difference, struct arena *arena);
