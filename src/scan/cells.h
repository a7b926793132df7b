/*
 * The cells of a table in the image, their printed boxes, and the ink in them. Private to src/scan.
 */
#pragma once

#include "scan/upright.h"

/* A rectangle of dots, from left and top up to right and bottom. */
struct area {
    int left, top, right, bottom;
};

/* The printed boxes of a form. */
struct boxes {
    bool found;
    bool fill;        /* they fill their cells: the narrow form */
    bool stray;       /* the asset's column has one: the line beside the types is missing */
    struct area *box; /* without their edges, by band and column of the table */
};

/* The cell without its lines. */
struct area cell_inside(
    const struct bitmap *map, const struct page_table *table, int band, int column);

/* The cell from line to line, for the image without ruled lines. */
struct area cell_between(
    const struct bitmap *map, const struct page_table *table, int band, int column);

/* Looks for boxes in the columns of types and amounts of these bands. */
struct boxes boxes_find(
    const struct bitmap *map, const struct page_table *table, int first_band, struct arena *arena);

/* Whether the edges of boxes cross the middle of the band, as if it were two lines. */
bool boxes_are_doubled(const struct bitmap *map, const struct page_table *table, int band);

/* Where a mark can be: inside the printed box, or inside the cell if there are no boxes. */
struct area cell_mark_area(
    const struct bitmap *map, const struct page_table *table, const struct boxes *boxes, int band,
    int column);

/* Thousandths of the area that are ink. */
int area_ink(const struct bitmap *map, struct area area);
