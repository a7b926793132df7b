/*
 * The filled lines of a table and their marks. Skips the head, the printed example, empty lines,
 * bars and titles. Private to src/scan.
 */
#pragma once

#include "scan/marks.h"
#include "scan/scan_row.h"

struct filled_line {
    int band;                           /* of the table */
    int number;                         /* below the head and the example, from 1 */
    bool at_example;                    /* where a first page of the House has its example */
    struct scan_mark mark[COLUMNS_MAX]; /* of types and amounts */
    bool text[COLUMNS_MAX];             /* of the others: whether something stands in the cell */
};

struct filled {
    enum scan_form form;
    int head; /* the band with the names of the columns; negative: not on this page */
    struct boxes boxes;
    struct filled_line *line;
    int count;
    int *tall; /* numbers of filled lines that were left out: each is taller than a row */
    int tall_count;
    int example; /* number of a line left out: it stands where the form has its example; 0: none */
    bool more;   /* lines behind SCAN_ROWS_MAX others were left out */
};

struct filled filled_find(
    const struct bitmap *map, const struct page_table *table, struct arena *arena);
