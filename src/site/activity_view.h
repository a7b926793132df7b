/*
 * Trades over time as a chart of bars: bought, sold and exchanged per quarter or year of the trade
 * date, in a period. Private to src/site.
 */
#pragma once

#include "feed/feed.h"
#include "site/page_call.h"

/* The days of a period, the last one included; DAY_NONE: no bound. */
struct activity_period {
    int32_t from, to;
};

/* Adds a chart with this name (html/chart.h) of the trades that the filter chooses and that were
 * made in the period; the filter has no tests, and `counts` are its counts. A trade without a date
 * is in no bar. Inside a read of the feed. */
void activity_chart_put(
    struct page_call *call, const char *name, const struct feed_filter *filter,
    const struct feed_counts *counts, struct activity_period period);
