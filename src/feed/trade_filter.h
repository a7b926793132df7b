/*
 * The filters of GET /trades as one table (spec 4.1, decision 41). A row has the parameter (its
 * names, format, description and example) and the functions that narrow a page. The table parses
 * requests, prints links to next pages, OpenAPI and the reference, and narrows the feed. To add a
 * filter, add a row.
 *
 * A filter uses an index (`seek`), tests rows (`keeps`), or does either, depending on the value.
 * Both functions are pure and run inside a read of the feed.
 */
#pragma once

#include "feed/filter.h"
#include "feed/series.h"

struct edition;

struct trade_filter {
    struct param param; /* first: trade_filter_params reads the table as parameters */

    /* Sets the field of the filter for the value. false: the value needs `keeps`. NULL: this filter
     * has no index. */
    bool (*seek)(const struct param_value *value, struct feed_filter *filter);

    /* Called once per page: replaces the value with the one that `keeps` compares, such as the
     * edition's number for a name. false: no trade of the edition can match. NULL: the value
     * stays. */
    bool (*resolve)(const struct edition *e, struct param_value *value);

    /* Returns true if the page shows the row. `tail` is the row's conflict tail (tails.h). NULL:
     * the index serves every value. */
    bool (*keeps)(
        const struct param_value *value, const struct series_record *record, uint32_t tail);
};

extern const struct param_table trade_filter_params;

/* Finds the row with this name or alias; NULL: none. For tests. */
const struct trade_filter *trade_filter_named(struct str name);
const struct trade_filter *trade_filter_at(size_t i); /* i < trade_filter_params.count */

/* Adds a parsed value to *filter: to its indexed fields, or as the next item of `tests`,
 * to which filter->tests must point. */
void trade_filter_add(
    const struct trade_filter *row, const struct param_value *value, struct feed_filter *filter,
    struct feed_test tests[static PARAM_TABLE_MAX]);

/* Returns true if an index serves the value. Otherwise pages test rows. */
bool trade_filter_is_indexed(const struct trade_filter *row, const struct param_value *value);
