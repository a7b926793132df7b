/*
 * The table of a straight page: the columns that most of its bands agree on, and those bands.
 * Private to src/scan.
 */
#pragma once

#include "scan/bands.h"
#include "scan/columns.h"

struct page_table {
    struct columns columns;
    const struct band **band; /* the bands that the column lines cross, from top to bottom */
    int band_count;           /* there is room for twice as many */
    int above;     /* long lines above the first of them: a first page has a head of its own */
    bool reversed; /* the page is upside down; places are given on the page as it is */
};

/* false: no band has the columns of a form. */
bool table_find(const struct bands *bands, int width, struct arena *arena, struct page_table *ret);

/* Makes two bands of one, of equal height: the rule between them is missing on the page. */
void table_split(struct page_table *table, int band, struct arena *arena);

/* Where the left line of the column stands in the band; `column` up to the count: the last line. */
int table_column_at(const struct page_table *table, const struct band *band, int column);
