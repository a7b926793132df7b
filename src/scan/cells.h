/*
 * The cells of a table in the image, their printed boxes, and the ink in them. Private to src/scan.
 */
#pragma once

#include "scan/picture.h"
#include "scan/table.h"

/*
 * The page turned upright and straightened, with its table. The table decides which way is up,
 * because asset names are at its left.
 */

struct upright {
    PIX *binary; /* with its margin; upright_finish frees it */
    int turn;    /* by 0, 90, 180 or 270 degrees clockwise, */
    float skew;  /* and then by these degrees clockwise */
    bool found;  /* a table; otherwise the page is as it was, and the rest is not set */
    struct bands bands;
    struct page_table table;
};

/* false: the picture does not have the size or the shape of a page. */
bool upright_find(const struct gray *gray, struct arena *arena, struct upright *ret);
void upright_finish(struct upright *upright);

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
