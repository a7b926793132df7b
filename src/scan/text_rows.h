/*
 * Rows of a page of text, as in a list typed without ruled lines: each line with a name, one or two
 * dates and an amount. Private to src/scan.
 */
#pragma once

#include "scan/scan_row.h"
#include "scan/sheet_words.h"
#include "scan/text_page.h"

/* If the looks of a line agree that it is a row, writes its cells and returns true. Fields on which
 * the looks disagree are not read. The name is never read, because its end cannot be found. */
bool text_row_read(
    const struct sheet_reading *const looks[static TEXT_LOOKS], struct arena *arena,
    struct scan_row *ret);
