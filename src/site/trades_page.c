/* /trades: the list of trades, with the filters of the API as a form. */
#include "site/handlers.h"
#include "site/list_feed.h"
#include "site/reader.h"
#include "site/trade_query.h"
#include "site/trade_view.h"

enum { ROWS = 25 };

enum err trades_page_load(struct page_call *call, struct fail *fail)
{
    MEM_UNFILLED struct feed_page page;
    struct trade_query *query = ARENA_NEW(call->arena, struct trade_query);
    const struct str path = STR("/trades");
    if (!trade_query_read(call, path, query))
        return OK;
    rcu_read_begin();
    feed_trades(call->config->feed, &query->filter, trade_query_after(query), ROWS, &page);
    trade_table_put(
        call, "trades", &page, path, query->given, query->given_count,
        query->given_count ? "No trade matches these filters." : "No trade is published yet.");
    rcu_read_end();
    page_surrogate(call, "list", STR("trades"));
    view_str(
        call->view, "csv",
        reader_has_csv(call)
            ? link_make(call->arena, STR("/trades.csv"), query->given, query->given_count)
            : STR_NULL);
    view_str(
        call->view, "json",
        link_make(call->arena, STR("/api/v1/trades"), query->given, query->given_count));
    page_alternate(
        call, "application/json",
        link_make(call->arena, STR("/api/v1/trades"), query->given, query->given_count),
        "The same list as JSON");
    list_feed_alternates(call, path, query->given, query->given_count);
    return OK;
}
