/*
 * The sheet: an image with all texts of a page below each other, enlarged and without lines, for
 * the OCR program; and the cell of each text. Private to src/scan.
 */
#pragma once

#include "paper/cell/cell.h"
#include "scan/cells.h"

/* How a text is drawn. If several looks give the same text, it is probably right. */
enum sheet_look {
    LOOK_SOFT,  /* its corners rounded */
    LOOK_HEAVY, /* blurred, to close gaps in strokes */
    LOOK_THIN,  /* the middle of the strokes, to separate ink that ran together */
    LOOK_RAW,   /* as it stands on the page */
    LOOK_WIDE,  /* stretched along its line */
    LOOK_LARGE,
    LOOK_SLANT, /* like italics */
    LOOK_COUNT
};

/* A text on the sheet. */
struct sheet_text {
    int row;        /* of the page's rows; SHEET_HEAD: of the table's head */
    enum cell cell; /* of the row */
    int column;     /* of the table */
    enum sheet_look look;
    struct area area;
};

enum { SHEET_HEAD = -1, SHEET_SIDE_MAX = 20000 };

struct text_sheet {
    struct gray gray; /* height 0: nothing is on it */
    struct sheet_text *text;
    int count;
};

/* What to put on the sheet; `next` stays on the same line as the one before. */
struct sheet_item {
    struct sheet_text text; /* its area is that on the page */
    bool next;
};

/* Lays out the items in order, as many as fit. Turns text of the head that is printed vertically.
 * `scale` enlarges them, in tenths. */
struct text_sheet sheet_make(
    const struct bitmap *map, const struct sheet_item *items, int count, int scale,
    struct arena *arena);
