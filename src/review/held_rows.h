/*
 * How many rows of a public filing are held back: what a trade needs is not stated. The number is
 * the one of a publication, as the history of the draft has it. An open draft does not change it.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"

struct db;

/* Before before_ms (INT64_MAX: now), as a reader sees it who sees the trades disclosed before that
 * instant. A publication without new trades is seen at once, unless one with new trades that is not
 * seen precedes it. So the number changes when trades become visible, or with a change notice. A
 * filing without a draft has none. */
enum err held_rows_count(
    struct db *db, struct str filing_id, int64_t before_ms, int64_t *ret, struct fail *fail);

/* What a publication did, as a line in the history of the draft. */

struct published_line {
    size_t added, corrected, withdrawn, linked, held, overtaken;
};

/* "2 added, 0 corrected, 0 withdrawn, 0 linked, 1 held, 0 overtaken"; in the arena. */
struct str published_line_make(const struct published_line *line, struct arena *arena);

/* The same of bulk history, which only adds: "2 added as bulk history, 1 held". */
struct str published_line_bulk(const struct published_line *line, struct arena *arena);

/* The number before "added" or "held" in such a line; 0: none. */
int64_t published_line_count(struct str text, struct str what);
