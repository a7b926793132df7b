/*
 * What a page of trades is narrowed to (spec 4.1, decision 41). The fields of struct feed_filter
 * are answered by an index: a posting list, or bounds of the walk. All else is row tests, made from
 * the table of filters (trade_filter.h): each row of the walk is looked at, at most
 * FEED_EXAMINED_MAX of them for a page.
 */
#pragma once

#include "base/instant.h"
#include "core/model.h"
#include "shape/param.h"

struct trade_filter;

/* A value and the filter whose row test it is for. */
struct feed_test {
    const struct trade_filter *filter;
    struct param_value value;
};

/* All of it must hold. Strings and tests must outlive the call that takes the filter. */
struct feed_filter {
    struct str ticker;     /* from ticker_normalize; matches dated predecessors too (decision 13) */
    struct str politician; /* slug or id */
    enum chamber chamber;
    bool conflicts_only;
    int64_t since_ms; /* inclusive (decision 4); INSTANT_NONE: from the beginning */
    int64_t until_ms; /* exclusive; INSTANT_NONE: to the end */
    const struct feed_test *tests;
    size_t test_count;
};

#define FEED_FILTER_NONE                                                                           \
    ((struct feed_filter){                                                                         \
        .ticker = STR_NULL,                                                                        \
        .politician = STR_NULL,                                                                    \
        .since_ms = INSTANT_NONE,                                                                  \
        .until_ms = INSTANT_NONE,                                                                  \
    })
