/* /filings: the published filings, newest publication first. */
#include "site/handlers.h"

#include "html/table.h"
#include "site/filing_view.h"
#include "site/filings_query.h"
#include "site/list_feed.h"
#include "site/page_query.h"
#include "site/reader.h"

enum { ROWS = 25 };

enum err filings_page_load(struct page_call *call, struct fail *fail)
{
    static const struct table_column columns[] = {
        {"Filing", false},  {"Member", false}, {"Trades", true},    {"Of these", false},
        {"Symbols", false}, {"Filed", false},  {"Published", false}};
    MEM_UNFILLED struct feed_page page;
    struct list_query query;
    const struct str path = STR("/filings");
    if (!list_query_read(call, path, &filings_query_params, CURSOR_FILINGS, &query))
        return OK;
    struct view *table = table_begin(
        call->view, "filings", columns, sizeof columns / sizeof *columns,
        "No filing is published yet.");
    rcu_read_begin();
    feed_filings(
        call->config->feed, filings_query_chamber(&query), reader_until(call),
        list_query_after(&query), ROWS, &page);
    for (size_t i = 0; i < page.count; i++)
        filing_view_put(call, table_row(table), &page.rows[i]);
    rcu_read_end();
    page_cursor_links(
        call, table, path, query.given, query.given_count, page.more ? &page.next : NULL);
    page_surrogate(call, "list", STR("filings"));
    page_alternate(
        call, "application/json",
        link_make(call->arena, STR("/api/v1/filings"), query.given, query.given_count),
        "The same list as JSON");
    list_feed_alternates(call, path, query.given, query.given_count);
    return OK;
}
