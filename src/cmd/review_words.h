/* What editors read instead of codes: self-checks, doubts, and what publishing does to a row. */
#pragma once

#include "base/mem.h"
#include "review/difference.h"

/* "as many rows as the page counts", for a name of core/self_check.c; of an unknown one the name.
 */
struct str review_check_words(struct str name);

/* "the trade (09/15/2016) is after the report was filed", for a doubt of paper/read_row.c: its
 * code, or "CODE: DETAIL". Of an unknown one the text itself. In the arena. */
struct str review_doubt_words(struct str doubt, struct arena *arena);

/* "adds a trade" */
struct str review_does_words(enum difference_kind kind);

/* The texts of a JSON array of texts, such as the doubts of a row; in the arena. */
size_t review_texts(struct str json, struct arena *arena, struct str *ret, size_t max);
