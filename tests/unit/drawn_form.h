/*
 * Paper forms drawn dot by dot, for the tests of src/scan: a page with lines for names, and below
 * them a table with a head, the printed example, and empty lines to write on.
 */
#pragma once

#include "base/mem.h"
#include "scan/scan_page.h"

/* In dots. */
enum {
    DRAWN_WIDTH = 2200,
    DRAWN_HEIGHT = 1700,
    DRAWN_LEFT = 120, /* of the table */
    DRAWN_TOP = 500,
    DRAWN_HEAD = 280, /* heights */
    DRAWN_EXAMPLE = 46,
    DRAWN_LINE = 76,
    DRAWN_THICK = 3, /* lines */
    DRAWN_COLUMNS = 20,
    DRAWN_WHITE = 255,
};

/* Widths of columns, up to a 0: owner, asset, types, dates, amounts. */
extern const int drawn_boxes[], drawn_ruled[], drawn_list[], drawn_senate[];

struct drawing {
    int width, height;
    uint8_t *dots;
    int left[DRAWN_COLUMNS + 1]; /* of the columns */
    int columns;
};

/* An empty form; release its dots with mem_free(). `boxes`: of the columns of `drawn_boxes`. */
struct drawing drawn_form(const int *widths, int lines, bool boxes);

/* Where a line begins; from 0. */
int drawn_top(int line);

void drawn_ink(struct drawing *d, int left, int top, int width, int height);
void drawn_blank(struct drawing *d, int left, int top, int width, int height);
void drawn_cross(struct drawing *d, int left, int top, int side);

/* A pattern like letters, 18 dots high. */
void drawn_text(struct drawing *d, int left, int top, int width);

/* On a line of the form: the name of an asset; a cross; a text in a column. */
void drawn_name(struct drawing *d, int line);
void drawn_mark(struct drawing *d, int line, int column);
void drawn_date(struct drawing *d, int line, int column);

/* What is read of it. The places of all rows are valid. */
struct scan_page drawn_measure(const struct drawing *d, struct arena *arena);
