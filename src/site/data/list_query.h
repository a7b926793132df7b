/*
 * The query of a page with a list: filters of a table of parameters, as the API has them, and
 * `cursor`, read from a form with method GET, as in page_query.h. Values that the API refuses are
 * faults beside their fields.
 *
 * Private to src/site/data.
 */
#pragma once

#include "html/link.h"
#include "noun/param.h"
#include "rule/cursor.h"
#include "site/frame/page_call.h"

struct list_query {
    struct param_value values[PARAM_TABLE_MAX]; /* by row of the table */
    bool is_given[PARAM_TABLE_MAX];             /* and valid */
    struct link_param given[PARAM_TABLE_MAX];   /* the filters as given, for links */
    size_t given_count;
    bool has_cursor;
    struct cursor cursor;
};

/* Reads the query and puts the form into the view: fields.NAME for each filter, and `filtered`.
 * `path` is the address of the page. The title says the filters, and `chips` has them: words, href
 * (the page without the filter). False: the query is faulty (call->query_form), or the reply is
 * a redirect (no query_form); the handler returns OK without rows. */
bool list_query_read(
    struct page_call *call, struct str path, const struct param_table *params,
    enum cursor_resource resource, struct list_query *ret);

/* The given filters, without what says only how the list is shown. Returns their number. */
size_t list_query_filters(
    const struct param_table *params, const struct list_query *query,
    struct link_param ret[static PARAM_TABLE_MAX]);

/* Shows the orders of a list whose parameters have one (the list's `sort`): `sorts` has label,
 * href, current. Each keeps the filters and begins at the first page. */
void list_query_sorts(
    struct page_call *call, struct str path, const struct param_table *params,
    const struct list_query *query);

/* The trades that valid filters choose: "Senators' sales in NVDA, 24 Jan to 20 Mar 2020". */
struct str list_query_sentence(
    struct page_call *call, const struct param_table *params, const struct list_query *query);

/* Adds a fault: the cursor does not belong to this list. */
void list_query_damaged(struct form *form);

/* The position after which the page begins; NULL: at the first page. */
static inline const struct cursor *list_query_after(const struct list_query *query)
{
    return query->has_cursor ? &query->cursor : NULL;
}
