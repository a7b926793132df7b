/* /tickers: the symbols of published trades, with what was done. */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "site/data/list_forms.h"
#include "site/data/tickers_query.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"

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
    trade_flag_counts_put(row, &ticker->counts);
}

static void put_rows(
    struct page_call *call, const struct feed_tickers_filter *filter,
    const struct list_query *query)
{
    struct feed_tickers_page *page = ARENA_NEW(call->arena, struct feed_tickers_page);
    rcu_read_begin();
    struct view *table = table_begin(
        call->view, "tickers", "Symbol|Company|#Trades|#Bought|#Sold|#Members|#Flagged",
        str_is_null(filter->q)
            ? reader_empty(call, &FEED_FILTER_NONE, "No trade with a symbol is published yet.")
            : "No symbol or company with trades has this name.");
    feed_tickers(call->config->feed, filter, list_query_after(query), ROWS, page);
    for (size_t i = 0; i < page->count; i++)
        put_row(table_row(table), &page->rows[i]);
    rcu_read_end();
    view_count(call->view, "total", page->total);
    list_query_sorts(call, STR("/tickers"), &feed_tickers_params, query);
    page_cursor_links(
        call, table, STR("/tickers"), query->given, query->given_count,
        page->more ? &page->next : NULL);
}

enum err tickers_page_load(struct page_call *call, struct fail *fail)
{
    struct feed_tickers_filter filter;
    struct list_query query;
    if (!tickers_query_read(call, STR("/tickers"), &query, &filter))
        return OK;
    put_rows(call, &filter, &query);
    page_surrogate(call, "list", STR("trades"));
    /* The API lists symbols without trades too, unless it is asked. */
    struct link_param asked[PARAM_TABLE_MAX + 1] = {{STR("has_trades"), STR("true")}};
    size_t count = query.is_given[1] ? 0 : 1;
    for (size_t i = 0; i < query.given_count; i++)
        asked[count++] = query.given[i];
    list_forms_json(
        call, STR("/tickers"), link_make(call->arena, STR("/api/v1/tickers"), asked, count),
        query.given, query.given_count);
    return OK;
}
