/*
 * The sheet: the texts of a page below each other, enlarged and without lines, for a program that
 * reads text; and which cell each came from. Private to src/scan.
 */
#pragma once

#include "core/cell.h"
#include "scan/cells.h"

/* How a text is drawn. What is read alike in several looks was hardly misread. */
enum sheet_look {
    LOOK_SOFT,  /* its corners rounded */
    LOOK_HEAVY, /* blurred, so that gaps in strokes close */
    LOOK_THIN,  /* the middle of its strokes, so that ink that ran together comes apart */
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

/* Lays the items out in their order, as many as fit. A text of the head that is printed upwards is
 * turned, so that it can be read. `scale` enlarges them, in tenths. */
struct text_sheet sheet_make(
    const struct bitmap *map, const struct sheet_item *items, int count, int scale,
    struct arena *arena);
