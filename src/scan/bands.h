/*
 * The bands of a straight page. A band is the area between two neighbouring long horizontal lines,
 * with the vertical lines that cross it. Each row of a table is a band, and so is each part of its
 * head. Private to src/scan.
 */
#pragma once

#include "scan/picture.h"

/*
 * The ruled lines of a straight page, each with its pieces, because scans interrupt lines. Private
 * to src/scan.
 */

/* A piece of a line: its range along the line, and its position across at both ends. */
struct rule_piece {
    int from, to;
    int at_from, at_to;
};

struct page_rule {
    struct rule_piece *pieces; /* ascending */
    int count;
    int from, to; /* of the first and the last piece */
    int covered;  /* dots of all pieces */
    int at;       /* across, at the middle */
};

struct rules {
    struct page_rule *rule; /* ascending `at` */
    int count;
};

/* The horizontal (`upright` false) or vertical lines of the page. None if there are too many
 * pieces, as in noise. */
struct rules rules_find(PIX *binary, bool upright, struct arena *arena);

/* The position of the line across, at this position along it. */
int rule_at(const struct page_rule *rule, int along);

/* Clockwise degrees that make the horizontal lines level. 0 if there are too few lines. */
float rules_slope(const struct rules *across);

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
