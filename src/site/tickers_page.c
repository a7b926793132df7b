/* /tickers: the symbols of published trades, with what was done. */
#include "site/handlers.h"

#include "html/table.h"
#include "site/list_query.h"
#include "site/page_query.h"
#include "site/reader.h"
#include "site/trade_view.h"

enum { ROWS = 50 };

static void put_row(struct view *row, const struct feed_ticker_row *ticker)
{
    view_str(row, "symbol", ticker->symbol);
    trade_path_put(row, "href", "/tickers/", ticker->symbol);
    view_str(row, "company", ticker->company_name);
    view_str(row, "industry", ticker->industry);
    view_count(row, "trades", ticker->counts.trades);
    view_count(row, "bought", ticker->counts.buys);
    view_count(row, "sold", ticker->counts.sells);
    view_count(row, "members", ticker->politicians);
    view_count(row, "flagged", ticker->counts.conflicts);
    view_bool(row, "anyFlagged", ticker->counts.conflicts > 0);
}

static void put_rows(
    struct page_call *call, const struct feed_tickers_filter *filter, struct str q,
    const struct cursor *after)
{
    static const struct table_column columns[] = {
        {"Symbol", false}, {"Company", false}, {"Trades", true}, {"Bought", true},
        {"Sold", true},    {"Members", true},  {"Flagged", true}};
    struct feed_tickers_page *page = ARENA_NEW(call->arena, struct feed_tickers_page);
    const struct link_param filters[] = {{STR("q"), q}};
    struct view *table = table_begin(
        call->view, "tickers", columns, sizeof columns / sizeof *columns,
        str_is_null(q) ? "No trade with a symbol is published yet."
                       : "No symbol or company with trades has this name.");
    rcu_read_begin();
    feed_tickers(call->config->feed, filter, after, ROWS, page);
    for (size_t i = 0; i < page->count; i++)
        put_row(table_row(table), &page->rows[i]);
    rcu_read_end();
    page_cursor_links(call, table, STR("/tickers"), filters, 1, page->more ? &page->next : NULL);
}

enum err tickers_page_load(struct page_call *call, struct fail *fail)
{
    static const struct param fields[] = {{.name = STR_INIT("q"), .type = PARAM_TYPE_SEARCH}};
    static const struct param_table params = PARAM_TABLE(fields);
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    struct list_query query;
    if (!list_query_read(call, STR("/tickers"), &params, CURSOR_TICKERS, &query))
        return OK;
    struct str q = query.is_given[0] ? query.values[0].text : STR_NULL;
    if (query.is_given[0])
        (void)param_fold(q, call->arena, &filter.q);
    filter.has_trades = FEED_YES;
    filter.until_ms = reader_until(call);
    view_str(call->view, "q", q);
    put_rows(call, &filter, q, list_query_after(&query));
    page_surrogate(call, "list", STR("trades"));
    page_alternate(call, "application/json", STR("/api/v1/tickers"), "The same list as JSON");
    return OK;
}
