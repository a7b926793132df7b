/*
 * Checks the dates of a page against each other: a misread digit often gives an impossible date.
 * Private to src/scan.
 */
#pragma once

#include "scan/scan_row.h"

/* Discards inconsistent dates: a trade after its notice or long before it, a year far from those of
 * the other rows, a notice day that differs by one digit from that of most rows. */
void row_dates_check(struct scan_row *rows, size_t count);
