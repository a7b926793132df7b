/*
 * Trades over time as a chart of bars: bought, sold and exchanged per quarter or year of the trade
 * date. Private to src/site.
 */
#pragma once

#include "rule/model.h"
#include "site/frame/page_call.h"

enum { ACTIVITY_QUARTERS_MAX = 160, ACTIVITY_SERIES = 3 };

/* Zero at first. Trades are added in any order. */
struct activity {
    int64_t quarters[ACTIVITY_QUARTERS_MAX][ACTIVITY_SERIES]; /* from 2008 on */
    int64_t left_out;                                         /* trades that are in no quarter */
};

/* A trade without a plausible date is left out: a year after that of the report is a slip of the
 * pen. */
void activity_add(struct activity *activity, int32_t traded, int32_t filed, enum side side);

/* Adds a chart with this name (html/chart.h), from the first trade to this day (DAY_NONE: no bound)
 * or the end of this year; by quarter if these are few. `leftOut`: the number of trades that it
 * leaves out; null: none. */
void activity_put(
    struct page_call *call, const char *name, const struct activity *activity, int32_t to);
