/*
 * Trades over time as a chart of bars: bought, sold and exchanged per quarter or year of the trade
 * date, in a period. Private to src/site.
 */
#pragma once

#include "feed/feed.h"
#include "site/frame/page_call.h"

/* The days of a period, the last one included; DAY_NONE: no bound. */
struct activity_period {
    int32_t from, to;
};

enum { ACTIVITY_BARS_MAX = 30, ACTIVITY_SERIES = 3 };

/* Years, or quarters if they are few. Trades are added in any order. */
struct activity {
    bool quarters;
    size_t count;
    struct activity_bar {
        int32_t from, to; /* the last day included */
        int year, month;
        int64_t values[ACTIVITY_SERIES];
    } bars[ACTIVITY_BARS_MAX];
    int64_t left_out; /* trades that are in no bar */
};

/* `counts` are those of all trades, also of those outside the period. */
void activity_begin(
    const struct page_call *call, const struct feed_counts *counts, struct activity_period period,
    struct activity *ret);

/* A trade without a date (DAY_NONE) or outside the bars is left out. */
void activity_add(struct activity *activity, int32_t traded, enum side side);

/* Adds a chart with this name (html/chart.h), without the empty bars at its beginning. `leftOut`:
 * the number of trades that it leaves out; null: none. */
void activity_put(struct page_call *call, const char *name, const struct activity *activity);
