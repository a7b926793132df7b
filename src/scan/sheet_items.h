/*
 * Chooses the texts of a page for the sheet, and their looks. Private to src/scan.
 */
#pragma once

#include "scan/marks.h"
#include "scan/scan_row.h"
#include "scan/sheet.h"

/*
 * The filled lines of a table and their marks. Skips the head, the printed example, empty lines,
 * bars and titles.
 */

struct filled_line {
    int band;                           /* of the table */
    int number;                         /* below the head and the example, from 1 */
    bool at_example;                    /* where a first page of the House has its example */
    struct scan_mark mark[COLUMNS_MAX]; /* of types and amounts */
    bool text[COLUMNS_MAX];             /* of the others: whether something stands in the cell */
    bool touched[COLUMNS_MAX];          /* of dates: whether it touches a line of the table */
};

/* A filled line that is no row. */
struct line_left_out {
    int number;
    enum left_out_why {
        LEFT_OUT_TALL,    /* taller than a row */
        LEFT_OUT_EXAMPLE, /* it stands where the form has its example */
        LEFT_OUT_NAME,    /* it has a name and too few other marks */
        LEFT_OUT_WHYS
    } why;
};

struct filled {
    enum scan_form form;
    int head; /* the band with the names of the columns; negative: not on this page */
    struct boxes boxes;
    struct filled_line *line;
    int count;
    struct line_left_out *left_out; /* filled lines that are no rows */
    int left_out_count;
    bool more; /* lines behind SCAN_ROWS_MAX others were left out */
};

/* Splits bands of the table that are two lines. */
struct filled filled_find(const struct bitmap *map, struct page_table *table, struct arena *arena);

/* The looks of a date, and those of the name of an asset. */
enum { DATE_LOOKS = 5, ASSET_LOOKS = 2 };
extern const enum sheet_look sheet_date_looks[DATE_LOOKS];

/* The sheet of the filled lines' texts, in the arena. `names`: with the names of the types in the
 * table's head. `map` is the page without lines. */
struct text_sheet sheet_items_make(
    const struct bitmap *map, const struct page_table *table, const struct filled *filled,
    bool names, struct arena *arena);

/*
 * Parses the words that tesseract read on the sheet (TSV), and assigns them to the texts of the
 * sheet. The TSV is not trusted: malformed lines are skipped.
 */

enum { SHEET_WORDS_MAX = 4000, SHEET_TEXT_SIZE_MAX = 300 };

/* The reading of one text of the sheet. */
struct sheet_reading {
    struct str text; /* words with single spaces between them; null: none */
    int least;       /* percent: confidence in the least certain word */
    int mean;        /* of all its letters */
};

/* One reading for each text of the sheet, in the arena. */
struct sheet_reading *sheet_words_read(
    const struct text_sheet *sheet, struct str tsv, struct arena *arena);
