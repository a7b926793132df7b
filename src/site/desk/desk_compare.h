/* Comparison of a draft with public trades, in three columns, and the trades that a row may refer
 * to. Private to src/site/desk. */
#pragma once

#include "review/desk/desk.h"
#include "site/frame/page_call.h"

/* A field of a trade in words: "bought", "$1,001 – $15,000"; null for null. In the arena. */
struct str desk_field_words(
    const struct row_values *values, enum row_field field, struct arena *arena);

/* `compare` of the view, if the draft changes or repeats public trades: a table with an item for
 * each trade that changes. Columns: public now, this report, the result. */
void desk_compare_put(struct page_call *call, const struct desk_view *view);

/* Into `form` of the view: `candidates`, the trades that the row may refer to, and `chooses` if
 * there is anything to choose. `chosen` is the value of the field `trade`. */
void desk_candidates_put(
    struct page_call *call, const struct desk_view *view, const struct difference_item *item,
    struct str chosen);
