/*
 * A drawing on an axis of days, as SVG in the page, for the partial `timeline`: rows of spans, and
 * below them lanes of marks. Each mark is a link. A mark can belong to rows; if it is strong, those
 * rows show a tick on its day.
 *
 * Positions are shares of the width, and everything else is in pixels: the drawing has no scale, so
 * that text and marks keep their size on a phone and on paper. Marks that would cover each other
 * are piled up. Where the pile would be too high, all marks of that stretch of the axis become one
 * bar with their number, strong ones as a part of it. A bar leads to its stretch, as a year
 * of the axis does, so that a reader can look closer. However many marks there are, the drawing
 * has at most a few hundred elements.
 *
 * Colours are the stylesheet's. The same data must be on the page as tables.
 */
#pragma once

#include "html/view.h"

enum {
    TIMELINE_LANES_MAX = 3,
    TIMELINE_ROWS_MAX = 9,
    TIMELINE_SIZES = 11,
};

struct timeline_span {
    int32_t from;
    int32_t to; /* the first day after it; DAY_NONE: it goes on */
};

struct timeline_row {
    struct str key;   /* a letter that the tables use too; its anchor is ID-row-KEY */
    struct str label; /* long ones are cut */
    struct str title; /* of a label that is cut, for a pointer and a screen reader */
    bool minor;       /* a thin bar */
    const struct timeline_span *spans; /* ascending */
    size_t span_count;
};

enum timeline_shape { TIMELINE_UP, TIMELINE_DOWN, TIMELINE_DIAMOND };

struct timeline_lane {
    const char *label;
    enum timeline_shape shape;
    bool hollow;
    bool down; /* marks hang from the axis, instead of standing on it */
};

struct timeline_mark {
    int32_t day;
    uint8_t lane;
    uint8_t size; /* below TIMELINE_SIZES */
    bool strong;  /* in another colour, and with a ring */
    bool underlined;
    uint16_t rows; /* bits: the rows that it belongs to */
};

struct timeline_link {
    struct str href;
    struct str title; /* its name; plain text */
};

struct timeline {
    const char *id; /* prefix of all ids in the drawing */
    struct str title, description;
    int32_t from, to; /* the axis; `to` is the first day after it */
    const struct timeline_row *rows;
    size_t row_count;
    const struct timeline_lane *lanes;
    size_t lane_count;
    const struct timeline_mark *marks; /* by day; those outside the axis are left out */
    size_t mark_count;

    /* The link of marks[index]. */
    struct timeline_link (*mark_link)(void *ctx, struct arena *arena, size_t index);
    /* The page for the days from..to, the last one included, of one lane (-1: all). Null: no
     * link. */
    struct str (*period_href)(void *ctx, struct arena *arena, int32_t from, int32_t to, int lane);
    void *ctx;

    /* Stretches of which nothing is known, ascending: the axis is hatched there. */
    const struct timeline_span *gaps;
    size_t gap_count;
    const char *gap_label; /* of the legend */

    const char *strong_noun;       /* of bars: "flagged" */
    const char *strong_label;      /* of the legend */
    const char *underlined_label;  /* of the legend */
    const struct str *size_labels; /* TIMELINE_SIZES of them, for the legend */
};

/* Adds an object with this name: svg, merged (there are bars), legend (sample, label). */
void timeline_put(struct view *view, const char *name, const struct timeline *timeline);
