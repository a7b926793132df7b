/*
 * Extracts the text of a table cell of the Senate's pages: removes tags, decodes entities, folds
 * white space (non-breaking too) to single spaces. Not an HTML parser: cells are short and flat.
 */
#pragma once

#include "base/mem.h"

enum html_cell_part {
    HTML_CELL_ALL,
    HTML_CELL_HEAD,        /* without the detail lines (<div class="text-muted">) */
    HTML_CELL_DETAIL,      /* the detail lines alone */
    HTML_CELL_FIRST_LINE,  /* up to the first <br> */
    HTML_CELL_OTHER_LINES, /* after the first <br> */
    HTML_CELL_PART_COUNT
};

/* In the arena; empty, but never null, for a part that the cell lacks. An unclosed tag or an
 * unknown entity is kept as it is. */
struct str html_cell_text(struct arena *arena, struct str cell, enum html_cell_part part);

/* Decodes entities in text without tags whose white space is folded, as html_cell_text does, which
 * also decodes what was encoded twice. In the arena. */
struct str html_cell_decode(struct arena *arena, struct str text);
