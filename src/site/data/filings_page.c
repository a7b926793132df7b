/* /filings: the published filings, newest publication first. */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "site/data/filing_view.h"
#include "site/data/filings_query.h"
#include "site/data/list_forms.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"

enum { ROWS = 25 };

enum err filings_page_load(struct page_call *call, struct fail *fail)
{
    MEM_UNFILLED struct feed_page page;
    struct list_query query;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    const struct str path = STR("/filings");
    if (!filings_query_read(call, path, &query, &filter))
        return OK;
    struct feed_filter trades = FEED_FILTER_NONE;
    trades.politician = filter.politician;
    trades.chamber = filter.chamber;
    rcu_read_begin();
    struct view *table = table_begin(
        call->view, "filings", "Filing|Member|#Trades|Of these|Symbols|Filed|Disclosed",
        reader_empty(
            call, &trades,
            query.given_count ? "No filing matches." : "No filing is published yet."));
    feed_filings(call->config->feed, &filter, list_query_after(&query), ROWS, &page);
    for (size_t i = 0; i < page.count; i++)
        filing_view_put(call, table_row(table), &page.rows[i]);
    rcu_read_end();
    page_cursor_links(
        call, table, path, query.given, query.given_count, page.more ? &page.next : NULL);
    page_surrogate(call, "list", STR("filings"));
    list_forms(call, path, query.given, query.given_count);
    return OK;
}
