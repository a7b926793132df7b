/*
 * The ruled lines of a straight page, each with the pieces that the scanner left of it. Private to
 * src/scan.
 */
#pragma once

#include "scan/picture.h"

/* A stretch of a line: along its direction, and where it stands across at both ends. */
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

/* Lines that run across the page (`upright` false) or down. None if there are too many pieces, as
 * on a page of noise. */
struct rules rules_find(PIX *binary, bool upright, struct arena *arena);

/* Where the line stands across, at this place along it. */
int rule_at(const struct page_rule *rule, int along);

/* How many of the dots from `from` to `to` along the line are drawn. */
int rule_covered(const struct page_rule *rule, int from, int to);

/* Degrees that the page must turn, clockwise, so that the lines that run across it are level. 0 if
 * there are too few. */
float rules_slope(const struct rules *across);
