/*
 * The text of a table cell of the Senate's pages: tags out, entities decoded, white space folded to
 * single spaces (non-breaking ones too). Not a parser of pages: cells are short and flat.
 */
#pragma once

#include "base/mem.h"
#include "base/str.h"

enum html_cell_part {
    HTML_CELL_ALL,
    HTML_CELL_HEAD,       /* without the detail lines (<div class="text-muted">) */
    HTML_CELL_FIRST_LINE, /* up to the first <br> */
};

/* In the arena. A tag or an entity that is not closed stands as it is. */
struct str html_cell_text(struct arena *arena, struct str cell, enum html_cell_part part);
