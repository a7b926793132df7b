/* The doubts about the dates of a row, after a person changed one of them. */
#pragma once

#include "base/mem.h"
#include "store/desk/draft_row.h"

/* The row's doubts (a JSON array) without those about its dates, and with those that hold now, as a
 * reader of the page states them (paper/read_row.c). A printed date that cannot be read is doubted
 * until the row has a date. `filed_day`: DAY_NONE if it is not known. In
 * the arena. */
struct str row_doubts_renew(
    const struct draft_row_stored *row, int32_t filed_day, struct arena *arena);
