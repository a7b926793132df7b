/*
 * The dates of a page against each other: a misread digit often makes a date that cannot be.
 * Private to src/scan.
 */
#pragma once

#include "scan/scan_row.h"

/* Takes back dates that were read and do not go together: a trade after its notice or long before
 * it, a year far from those of the other rows, a day of notice that differs by one digit from the
 * one that most rows state. */
void row_dates_check(struct scan_row *rows, size_t count);
