/*
 * The query of a page of trades: the filters of the API (feed/trade_filter.h) and `cursor`, as
 * list_query.h reads them. Private to src/site.
 */
#pragma once

#include "feed/feed.h"
#include "html/link.h"
#include "noun/param.h"
#include "site/data/list_query.h"
#include "site/frame/page_call.h"

struct trade_query {
    struct feed_filter filter; /* with the visitor's delay as upper bound (site/frame/reader.h) */
    struct feed_test tests[PARAM_TABLE_MAX];
    struct link_param given[PARAM_TABLE_MAX]; /* the filters as given, for links */
    size_t given_count;
    bool has_cursor;
    struct cursor cursor;
};

/* Reads the query and puts the form into the view: fields.NAME for each filter. `path` is the
 * address of the page. False: the query is faulty, or the reply is a redirect; the handler returns
 * OK without rows. */
bool trade_query_read(struct page_call *call, struct str path, struct trade_query *ret);

/* The same of a list whose first parameters are trade_filter_params. */
void trade_query_of(struct page_call *call, const struct list_query *list, struct trade_query *ret);

/* A value of `since`: the begin of the day in Washington that many days ago. */
struct str trade_query_since(const struct page_call *call, int32_t days);

/* The position after which the page begins; NULL: at the newest. */
static inline const struct cursor *trade_query_after(const struct trade_query *query)
{
    return query->has_cursor ? &query->cursor : NULL;
}
