/*
 * Reads a page of a scanned report by its form (docs/adr/0031-scans-by-form.md). The forms of both
 * chambers are tables with ruled lines: a person marks one type and one amount in each row. So the
 * page is turned upright and straightened, its table is found by its lines and recognised by the
 * widths of its columns, and the ink in each cell is measured. What stands in the other cells is
 * text: they are copied to a sheet, which a program reads (tesseract), and its words are given back
 * to their cells.
 *
 * Two steps, both in a confined child: scan_page_measure, then scan_page_text with the program's
 * output. A cell whose ink or text is not clear is not read, with the reason; nothing is guessed.
 * Rows that are no trades (the printed example, empty lines, "nothing to report") are left out. A
 * filled line that is left out for another reason is named in the reason of the page.
 */
#pragma once

#include "scan/gray.h"
#include "scan/scan_row.h"

/* How the program that reads the sheet must be told to see it. */
#define SCAN_SHEET_DPI "300"
#define SCAN_SHEET_PSM "6" /* lines of text below each other */

struct scan_work; /* what the second step needs of the first */

struct scan_page {
    enum scan_form form;
    int turn;          /* 0, 90, 180 or 270 degrees clockwise make the page upright */
    int skew;          /* hundredths of a degree clockwise, about the middle: then it is straight */
    struct str reason; /* why nothing, or not all of it, was read; null */
    struct scan_row *rows;
    size_t row_count;
    struct gray sheet; /* the texts of the page; height 0: there are none */
    struct scan_work *work;
};

/* Measures the page: form, turn, skew, rows, marks, and the sheet. Everything in *ret lives in the
 * arena. A page of any content is fine; time and memory grow with its dots only. */
void scan_page_measure(const struct gray *page, struct arena *arena, struct scan_page *ret);

/* Gives the words of the sheet to the cells, once: later calls do nothing. Drops a row that turns
 * out to be the printed example, and says so in the reason. `tsv` is the program's output; null:
 * there is none, and the cells with text are not read. */
void scan_page_text(struct scan_page *page, struct str tsv, struct arena *arena);
