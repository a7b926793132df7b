/*
 * What a person must look at twice in a row of a draft. The row of a scan says of each field how it
 * was read (paper/cell/cell_source.h).
 */
#pragma once

#include "review/obstacle.h"

/* A field of a scan that was read with a doubt, or that was not read. */
struct unsure_field {
    enum cell cell;
    struct cell_source source;
};

/* The fields of a row of a scan that are not sure, in the order of forms: those with a reason, and
 * a trade date that was not read for no stated reason, since every trade has one. Other fields may
 * be empty on the page. None if the row was removed or is not of a scan. store/desk/draft_tally.c
 * counts the same. */
size_t unsure_fields(
    const struct draft_row_stored *row, struct arena *arena,
    struct unsure_field ret[static CELL_COUNT]);

/* A doubt, a reason to hold the row, a field that is not sure, or an obstacle. False for a public
 * trade without a row. */
bool row_needs_look(
    const struct difference_item *item, const struct obstacle_list *obstacles, struct arena *arena);
