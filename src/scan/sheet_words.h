/*
 * Parses the words that tesseract read on the sheet (TSV), and assigns them to the texts of the
 * sheet. The TSV is not trusted: malformed lines are skipped. Private to src/scan.
 */
#pragma once

#include "scan/sheet.h"

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
