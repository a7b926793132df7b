/*
 * A stored HTML page as a person reads it: its texts in the order of the file, one line for each
 * block, and for each row of a table its cells. It knows nothing about reports and shares no rule
 * with the reader of rows (paper/senate_page.c), so what the reader got wrong shows beside it.
 *
 * The result is text, never HTML. Any bytes are a page.
 */
#pragma once

#include "base/mem.h"

enum {
    PAGE_TEXT_LINES_MAX = 4000,
    PAGE_TEXT_CELLS_MAX = 16,      /* more of a row are one with the last */
    PAGE_TEXT_BYTES_MAX = 1 << 20, /* of the page: what follows is left out */
};

struct page_line {
    struct str *cells; /* UTF-8; a line outside of tables has one */
    size_t count;
    bool of_table, is_title; /* a row of a table; one with titles of columns */
};

struct page_text {
    struct page_line *lines;
    size_t count;
    bool is_cut; /* the page goes on */
};

/* All in the arena, also after the page is gone. */
void page_text_read(struct str html, struct arena *arena, struct page_text *ret);

/* The row of a table that begins with this number: its place in `lines`. -1: none or several do. */
ptrdiff_t page_text_find(const struct page_text *page, int64_t number);
