/*
 * The filters of GET /trades as one table (spec 4.1, decision 41). A row has the parameter (its
 * names, form, description and example) and the functions that narrow a page. Requests are parsed
 * by this table, the links to next pages, OpenAPI and the reference are printed from it, and the
 * feed narrows by it. To add a filter, add a row.
 *
 * A filter is answered by an index (`seek`), by looking at rows (`keeps`), or by one or the other,
 * depending on the value. Both functions are pure and run inside a read of the feed.
 */
#pragma once

#include "feed/filter.h"
#include "feed/series.h"

struct edition;

struct trade_filter {
    struct param param; /* first: trade_filter_params reads the table as parameters */

    /* Sets the field of the filter that answers the value. false: the value needs `keeps`. NULL: no
     * index answers this filter. */
    bool (*seek)(const struct param_value *value, struct feed_filter *filter);

    /* Called once per page: replaces the value by what `keeps` compares with, such as the edition's
     * own number for a name. false: no trade of the edition passes. NULL: the value stays. */
    bool (*resolve)(const struct edition *e, struct param_value *value);

    /* Whether the page shows the row. `tail` is the row's conflict tail (tails.h). NULL: the index
     * answers every value. */
    bool (*keeps)(
        const struct param_value *value, const struct series_record *record, uint32_t tail);
};

extern const struct param_table trade_filter_params;

/* The row with this name or alias; NULL: none. */
const struct trade_filter *trade_filter_named(struct str name);
const struct trade_filter *trade_filter_at(size_t i); /* i < trade_filter_params.count */

/* Adds a parsed value to *filter: to its indexed fields, or as the next one of `tests`, which
 * filter->tests must point to and which has room for PARAM_TABLE_MAX. */
void trade_filter_add(
    const struct trade_filter *row, const struct param_value *value, struct feed_filter *filter,
    struct feed_test tests[static PARAM_TABLE_MAX]);

/* Whether an index answers the value. Otherwise pages look at rows. */
bool trade_filter_is_indexed(const struct trade_filter *row, const struct param_value *value);
