/*
 * Rows of a page of text: a line with a name, one or two dates and an amount is one, as in a list
 * typed without ruled lines. Private to src/scan.
 */
#pragma once

#include "scan/scan_row.h"
#include "scan/sheet_words.h"
#include "scan/text_page.h"

/* Whether the looks of a line agree that it is a row; then writes its cells. Fields on
 * which they disagree are not read. The name is never read: nothing shows where it ends. */
bool text_row_read(
    const struct sheet_reading *const looks[static TEXT_LOOKS], struct arena *arena,
    struct scan_row *ret);
