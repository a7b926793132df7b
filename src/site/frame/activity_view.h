/*
 * Trades over time as a chart of bars, bought ones up and sold ones down: a bar for each year, or
 * for each month within one. Private to src/site.
 */
#pragma once

#include "html/link.h"
#include "site/frame/page_call.h"

struct activity {
    const struct feed_filter *filter;
    struct str path; /* of the page: a year leads to it with its days */
    const struct link_param
        *links; /* filters of /trades with the same trades: a month leads there */
    size_t link_count;
    int32_t from, to; /* days of the period; DAY_NONE: no bound */
};

/* Adds a chart with this name (html/chart.h). `leftOut`: the number of trades that it leaves out,
 * because no day of this year or before is stated; null: none. Call it inside a read of the
 * feed. */
void activity_put(struct page_call *call, const char *name, const struct activity *activity);
