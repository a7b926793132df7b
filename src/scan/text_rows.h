/*
 * Rows of a page of text, as in a list typed without ruled lines: each line with a name, one or two
 * dates and an amount. Private to src/scan.
 */
#pragma once

#include "scan/scan_row.h"
#include "scan/sheet.h"
#include "scan/sheet_items.h"

/*
 * A page of text without a known form: turned upright and straightened by its letters. Has the
 * lines that look like rows of columns.
 */

struct text_page {
    struct bitmap map; /* upright and straight, with its margin, without ruled lines */
    int turn;          /* by 0, 90, 180 or 270 degrees clockwise, */
    float skew;        /* and then by these degrees clockwise */
    float steps;   /* changes of ink from each line of dots to the next: many if text runs along the
                      lines */
    bool reversed; /* more letters reach down than up: it is upside down */
    struct area *line; /* from top to bottom; those with columns, far across the page */
    int count;
};

enum { TEXT_LINES_MAX = 80, TEXT_LOOKS = 3 };

extern const enum sheet_look text_page_looks[TEXT_LOOKS];

/* false: there is no line of text. */
bool text_page_find(const struct gray *gray, struct arena *arena, struct text_page *ret);

/* A sheet with each line in each look; its rows are the lines. */
struct text_sheet text_page_sheet(const struct text_page *page, struct arena *arena);

/* If the looks of a line agree that it is a row, writes its cells and returns true. Fields on which
 * the looks disagree are not read. The name is never read, because its end cannot be found. */
bool text_row_read(
    const struct sheet_reading *const looks[static TEXT_LOOKS], struct arena *arena,
    struct scan_row *ret);
