/* Words for editors instead of codes: self-checks, doubts, how a field of a scan was read, the
 * effect of publishing a row, and actions. */
#pragma once

#include "paper/cell/cell_source.h"
#include "review/difference.h"

/* "as many rows as the page counts", for a name of rule/self_check.c; of an unknown one the name.
 */
struct str review_check_words(struct str name);

/* The reason of a draft with the words of its failed checks instead of their names: "failed check:
 * it was signed on the filing date of the index (01/14/2025)". In the arena. */
struct str review_reason_words(struct str reason, struct arena *arena);

/* "the trade (09/15/2016) is after the report was filed", for a doubt of paper/read_row.c: its
 * code, or "CODE: DETAIL". Of an unknown one the text itself. In the arena. */
struct str review_doubt_words(struct str doubt, struct arena *arena);

/* How a field of a scanned page was read: "read from a box", "not read: two boxes are marked",
 * "read, but not sure: some letters may be others". A field that a person has set to no value is
 * "entered by hand: the page states none". In the arena. */
struct str review_source_words(
    const struct cell_source *source, struct str value, struct arena *arena);

/* What a person or the program did to a draft, for the history: "changed", of "set"; of an unknown
 * action its name. */
struct str review_action_words(struct str action);

/* "adds a trade" */
struct str review_does_words(enum difference_kind kind);

/* The texts of a JSON array of texts, such as the doubts of a row; in the arena. */
size_t review_texts(struct str json, struct arena *arena, struct str *ret, size_t max);
