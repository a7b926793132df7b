/*
 * Decides on dates that were read in several looks, because small digits are misread in some looks
 * and not in others. A date counts if all looks agree. It also counts if two agree, at most one
 * disagrees, and three other rows of the column surely have the same date. It does not count if as
 * many rows surely have a date that is easily confused with it. On a page of blurred letters, no
 * date counts that only one row has. Private to src/scan.
 */
#pragma once

#include "scan/scan_row.h"
#include "scan/sheet_items.h"

/* Sets both dates of the rows of which the sheet has any, with the reason if one is not read. */
void date_votes_read(
    const struct text_sheet *sheet, const struct sheet_reading *readings, struct scan_row *rows,
    size_t count, bool blurred, struct arena *arena);
