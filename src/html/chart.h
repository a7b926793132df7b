/*
 * Bar charts as SVG in the page, for the partial `chart`, with a title, a description, and the same
 * numbers as a table. Only the bars are SVG: labels are text of the page, so that they keep their
 * size on a narrow screen. Colours and sizes are the stylesheet's.
 */
#pragma once

#include "html/view.h"

enum { CHART_SERIES_MAX = 4 };

/* How a part of a bar looks: never the only sign, since each part is named too. CHART_OPEN: the
 * whole is not known. */
enum chart_tone { CHART_MAIN, CHART_QUIET, CHART_WARNING, CHART_BAD, CHART_OPEN };

struct chart_series {
    const char *label; /* "delivered" */
    enum chart_tone tone;
};

struct chart {
    const char *id;    /* of the drawing's title and description in the page; NULL: the name */
    const char *title; /* "Requests a day" */
    const char *axis;  /* what a bar is: "Day" */
    const char *empty; /* the sentence if all values are 0 */
    const struct chart_series *series; /* of a bar, from the bottom */
    size_t series_count;
    unsigned hangs; /* bits of series that hang from the axis in the middle; 0: all stand below */
    const struct str *labels; /* of the bars, from the left */
    const struct str *links;  /* addresses of what the bars count; NULL: none */
    const int64_t *values;    /* series_count of each bar; not negative */
    size_t count;
    bool small; /* without labels and table, for a list */
};

/* Adds an object with this name: title, axis, empty, any, small, svg, high, middle, low (of
 * the scale), labels (of the axis), labelled (each bar has one), series, rows (label, href,
 * values). */
void chart_bars(struct view *view, const char *name, const struct chart *chart);
