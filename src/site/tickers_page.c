/* /tickers: the symbols of published trades, with what was done. */
#include "site/handlers.h"

#include "html/table.h"
#include "shape/param.h"
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
    static const struct page_query_name names[] = {{"q", NULL}, {"cursor", NULL}};
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    struct cursor cursor;
    struct form *form = page_query_form(call, STR("/tickers"), names, 2);
    if (!form)
        return OK;
    struct str q = form_value(form, "q"), after = form_value(form, "cursor");
    if (!str_is_null(q) && !param_fold(q, call->arena, &filter.q))
        form_fault_text(form, "q", "Type a symbol, or words of a company's name.");
    if (!str_is_null(after) && !cursor_decode(after, CURSOR_TICKERS, &cursor))
        form_fault_text(form, NULL, "The address of this page is damaged. Begin again.");
    form_show(call->view, form, "q", STR(""));
    view_str(call->view, "q", q);
    filter.has_trades = FEED_YES;
    filter.until_ms = reader_until(call);
    if (!form_is_faulty(form))
        put_rows(call, &filter, q, str_is_null(after) ? NULL : &cursor);
    page_surrogate(call, "list", STR("trades"));
    page_alternate(call, "application/json", STR("/api/v1/tickers"), "The same list as JSON");
    return OK;
}
