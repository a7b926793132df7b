/*
 * Dates that were read in several looks. Digits of small type are misread in one look and not in
 * another, so a date counts if all looks agree; or if two do, at most one disagrees, and three
 * other rows of the column have the same date for sure. A date is not read if one that it is easily
 * taken for stands in as many rows for sure. Private to src/scan.
 */
#pragma once

#include "scan/scan_row.h"
#include "scan/sheet_words.h"

/* Sets both dates of the rows of which the sheet has any, with the reason if one is not read. */
void date_votes_read(
    const struct text_sheet *sheet, const struct sheet_reading *readings, struct scan_row *rows,
    size_t count, struct arena *arena);
