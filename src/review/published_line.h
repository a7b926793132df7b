/* What a publication did, as a line in the history of the draft. */
#pragma once

#include "base/mem.h"

struct published_line {
    size_t added, corrected, withdrawn, linked, held, overtaken;
};

/* "2 added, 0 corrected, 0 withdrawn, 0 linked, 1 held, 0 overtaken"; in the arena. */
struct str published_line_make(const struct published_line *line, struct arena *arena);

/* The same of bulk history, which only adds: "2 added as bulk history, 1 held". */
struct str published_line_bulk(const struct published_line *line, struct arena *arena);

/* The number before "added" or "held" in such a line; 0: none. */
int64_t published_line_count(struct str text, struct str what);
