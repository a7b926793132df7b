/*
 * What was read on one scanned page (scan/scan_page.h) as a reading: the form in which it leaves
 * the confined child.
 */
#pragma once

#include "paper/reading.h"
#include "scan/scan_page.h"

/* One page and its rows, numbered from 1. Rows without a place on the page are left out, and so are
 * cells that no reading may have. Strings are borrowed or live in the arena. */
void scan_reading(
    const struct scan_page *page, int number, struct arena *arena, struct reading *ret);
