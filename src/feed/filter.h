/*
 * The filter of a page of trades (spec 4.1, decision 41). The fields of struct feed_filter choose a
 * posting list or bounds of the walk. All other filters are tests of bit slices, made from the
 * table of filters (trade_filter.h).
 */
#pragma once

#include "noun/param.h"
#include "rule/model.h"

struct trade_filter;

/* A value and the filter that tests for it. */
struct feed_test {
    const struct trade_filter *filter;
    struct param_value value;
};

enum { FILTER_VALUES_MAX = 50 /* tickers, and politicians */ };

/* All conditions must hold. Strings and tests must outlive the call that gets the filter. */
struct feed_filter {
    struct str ticker; /* from ticker_normalize; also matches dated predecessors (decision 13) */
    struct str politician;           /* slug or id */
    struct str tickers, politicians; /* instead: several, with commas between them */
    struct str filing;               /* id */
    enum chamber chamber;
    bool conflicts_only;
    int industry;         /* of the signal, with conflicts_only; 0: any */
    struct str committee; /* of the signal, with conflicts_only: an id in capital letters */
    int64_t since_ms;     /* inclusive (decision 4); INSTANT_NONE: from the beginning */
    int64_t until_ms;     /* exclusive; INSTANT_NONE: to the end */
    int64_t line_ms; /* the same, of all that the reader knows: trades, and what is told of them */
    const struct feed_test *tests;
    size_t test_count;
};

#define FEED_FILTER_NONE                                                                           \
    ((struct feed_filter){                                                                         \
        .ticker = STR_NULL,                                                                        \
        .politician = STR_NULL,                                                                    \
        .tickers = STR_NULL,                                                                       \
        .politicians = STR_NULL,                                                                   \
        .filing = STR_NULL,                                                                        \
        .committee = STR_NULL,                                                                     \
        .since_ms = INSTANT_NONE,                                                                  \
        .until_ms = INSTANT_NONE,                                                                  \
        .line_ms = INSTANT_NONE,                                                                   \
    })

/* Where the trades end. */
static inline int64_t filter_until(const struct feed_filter *filter)
{
    bool line = filter->until_ms == INSTANT_NONE ||
                (filter->line_ms != INSTANT_NONE && filter->line_ms < filter->until_ms);
    return line ? filter->line_ms : filter->until_ms;
}

/* Whether it chooses by no more than a politician, a ticker, signals and an end in time: the feed
 * keeps some counts of these. */
static inline bool filter_has_kept_counts(const struct feed_filter *filter)
{
    return !filter->test_count && str_is_null(filter->tickers) &&
           str_is_null(filter->politicians) && filter->chamber == CHAMBER_NONE &&
           str_is_null(filter->filing) && filter->since_ms == INSTANT_NONE;
}
