/*
 * The bands of a straight page. A band is the area between two neighbouring long horizontal lines,
 * with the vertical lines that cross it. Each row of a table is a band, and so is each part of its
 * head. Private to src/scan.
 */
#pragma once

#include "scan/rules.h"

enum { BAND_LINES_MAX = 40 };

struct band {
    const struct page_rule *above, *below;
    int top, bottom; /* at the middle of the page */
    int count;
    const struct page_rule *line[BAND_LINES_MAX]; /* from left to right */
    int at[BAND_LINES_MAX];                       /* where they cross the middle of the band */
};

struct bands {
    struct band *band; /* from top to bottom */
    int count;
};

struct bands bands_find(const struct rules *across, const struct rules *down, struct arena *arena);
