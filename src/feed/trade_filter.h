/*
 * The filters of GET /trades as one table (spec 4.1, decision 41). A row has the parameter (its
 * names, format, description and example) and the functions that narrow a page. The table parses
 * requests, prints links to next pages, OpenAPI and the reference, and narrows the feed. To add a
 * filter, add a row.
 *
 * A filter chooses posting lists or bounds of the walk (`seek`), tests bit slices (`test`), or does
 * either, depending on the value. Both functions are pure and run inside a read of the feed.
 */
#pragma once

#include "feed/filter.h"
#include "feed/series.h"

struct edition;
struct listed_test;

struct trade_filter {
    struct param param; /* first: trade_filter_params reads the table as parameters */

    /* Sets the field of the filter for the value. false: the value needs `test`. NULL: this filter
     * has no list. */
    bool (*seek)(const struct param_value *value, struct feed_filter *filter);

    /* Called once per page: the test of the rows' codes for the value. false: no trade of the
     * edition can match. NULL: `seek` serves every value. */
    bool (*test)(const struct edition *e, const struct param_value *value, struct slice_test *ret);

    /* The same for what lists say of the trade (listed.h): sets its part of *ret. */
    bool (*list)(const struct edition *e, const struct param_value *value, struct listed_test *ret);

    bool of_signals; /* pages look at the signals of all flagged trades */
};

/* Chooses the trades whose lateness some readers know later. It has no parameter. */
extern const struct trade_filter trade_filter_by_reader;

extern const struct param_table trade_filter_params;

/* Finds the row with this name or alias; NULL: none. For tests. */
const struct trade_filter *trade_filter_named(struct str name);
const struct trade_filter *trade_filter_at(size_t i); /* i < trade_filter_params.count */

/* Adds a parsed value to *filter: to its indexed fields, or as the next item of `tests`,
 * to which filter->tests must point. */
void trade_filter_add(
    const struct trade_filter *row, const struct param_value *value, struct feed_filter *filter,
    struct feed_test tests[static PARAM_TABLE_MAX]);

/* Returns true if posting lists or bounds alone serve the value: a page takes the same time with it
 * as without. */
bool trade_filter_is_listed(const struct trade_filter *row, const struct param_value *value);
