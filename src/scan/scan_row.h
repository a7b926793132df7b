/*
 * The known forms of scanned pages, and a row that was read from one.
 */
#pragma once

#include "paper/cell/cell_source.h"

enum scan_form {
    SCAN_FORM_NONE,         /* no known form on the page */
    SCAN_FORM_HOUSE_BOXES,  /* a box for each type and amount; amounts in labels of two lines */
    SCAN_FORM_HOUSE_NARROW, /* the same with narrow columns and boxes that fill their cells */
    SCAN_FORM_HOUSE_RULED,  /* lines only; a mark stands in the cell */
    SCAN_FORM_HOUSE_LIST,   /* a typed table of the same columns, attached by the filer */
    SCAN_FORM_SENATE,       /* lines only; one date */
    SCAN_FORM_LINES,        /* no form: a list of lines of text, without ruled lines */
    SCAN_FORM_COUNT
};

/* "house-boxes", "house-narrow", "house-ruled", "house-list", "senate", "lines"; null for none. */
struct str scan_form_name(enum scan_form form);

enum { SCAN_ROWS_MAX = 200 }; /* of a page */

struct scan_row {
    struct page_place place; /* on the turned and straightened page, which keeps its size */
    /* In the words of electronic reports: "P", "S (partial)", "$1,001 - $15,000", "04/27/2021",
     * "SP". Null: not read, or the row has none. */
    struct str cell[CELL_COUNT];
    struct cell_source source[CELL_COUNT];
};
