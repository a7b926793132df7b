/* /tickers/{symbol}: who traded it, when, and which company it was. */
#include "site/handlers.h"

#include <stdlib.h>

#include "core/industry.h"
#include "html/table.h"
#include "shape/trade_read.h"
#include "site/activity_view.h"
#include "site/day_view.h"
#include "site/list_feed.h"
#include "site/page_query.h"
#include "site/reader.h"
#include "site/trade_view.h"
#include "site/trade_words.h"

enum { ROWS = 25, WALKED_MAX = 2000, MEMBERS_MAX = 600, SHOWN_MAX = 20, FORMER_MAX = 8 };

/* What the newest trades say about who traded, and under which symbols. */
struct traders {
    size_t walked, count;
    bool more; /* there are older trades, which are not counted */
    struct trader {
        struct politician_ref member;
        int64_t trades, bought, sold, flagged;
        int32_t last; /* day of the newest trade with a date */
    } items[MEMBERS_MAX];
    size_t former_count;
    struct str former[FORMER_MAX];
};

static struct trader *trader_of(struct traders *t, const struct politician_ref *member)
{
    for (size_t i = 0; i < t->count; i++)
        if (str_eq(t->items[i].member.slug, member->slug))
            return &t->items[i];
    if (t->count == MEMBERS_MAX)
        return NULL;
    struct trader *added = &t->items[t->count++];
    *added = (struct trader){.member = *member, .last = DAY_NONE};
    return added;
}

static void add_former(struct traders *t, struct str symbol)
{
    for (size_t i = 0; i < t->former_count; i++)
        if (str_eq(t->former[i], symbol))
            return;
    if (t->former_count < FORMER_MAX)
        t->former[t->former_count++] = symbol;
}

static void add_trade(struct traders *t, const struct trade *trade, struct str symbol)
{
    enum side side = trade->values.side;
    struct trader *trader = trader_of(t, &trade->politician);
    t->walked++;
    if (!str_eq(trade->values.ticker, symbol))
        add_former(t, trade->values.ticker);
    if (!trader)
        return;
    trader->trades++;
    trader->bought += side == SIDE_BUY;
    trader->sold += side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
    trader->flagged += !str_is_null(trade->conflict_reason);
    if (trade->values.trade_date > trader->last)
        trader->last = trade->values.trade_date;
}

static void walk(
    struct page_call *call, const struct feed_filter *filter, struct str symbol,
    struct traders *ret)
{
    MEM_UNFILLED struct feed_page page;
    struct cursor cursor;
    const struct cursor *after = NULL;
    *ret = (struct traders){.count = 0};
    do {
        feed_trades(call->config->feed, filter, after, FEED_PAGE_MAX, &page);
        for (size_t i = 0; i < page.count; i++) {
            struct trade trade;
            shape_trade_read(page.rows[i].head, page.rows[i].tail, call->arena, &trade);
            add_trade(ret, &trade, symbol);
        }
        cursor = page.next;
        after = &cursor;
        ret->more = page.more;
    } while (page.more && ret->walked < WALKED_MAX);
}

static int by_trades(const void *a, const void *b)
{
    const struct trader *x = a, *y = b;
    if (x->trades != y->trades)
        return x->trades < y->trades ? 1 : -1;
    return str_cmp(x->member.slug, y->member.slug);
}

static void put_traders(struct page_call *call, struct traders *t, struct str symbol)
{
    static const struct table_column columns[] = {{"Member", false}, {"Trades", true},
                                                  {"Bought", true},  {"Sold", true},
                                                  {"Flagged", true}, {"Last traded", false}};
    struct view *table = table_begin(
        call->view, "traders", columns, sizeof columns / sizeof *columns, "Nobody yet.");
    qsort(t->items, t->count, sizeof *t->items, by_trades);
    for (size_t i = 0; i < t->count && i < SHOWN_MAX; i++) {
        const struct trader *trader = &t->items[i];
        struct view *row = table_row(table);
        trade_politician_put(view_object(row, "politician"), &trader->member);
        const struct link_param link[] = {
            {STR("politician_slug"), trader->member.slug}, {STR("ticker"), symbol}};
        view_str(row, "href", link_make(call->arena, STR("/trades"), link, 2));
        view_count(row, "trades", trader->trades);
        view_count(row, "bought", trader->bought);
        view_count(row, "sold", trader->sold);
        view_count(row, "flagged", trader->flagged);
        view_bool(row, "anyFlagged", trader->flagged > 0);
        day_view_put(row, "last", trader->last);
    }
    view_bool(call->view, "moreTraders", t->count > SHOWN_MAX);
    view_count(call->view, "otherTraders", (int64_t)(t->count - SHOWN_MAX));
    view_bool(call->view, "partly", t->more);
    view_count(call->view, "walked", (int64_t)t->walked);
    struct view *former = view_list(call->view, "former");
    for (size_t i = 0; i < t->former_count; i++) {
        view_item_str(former, t->former[i]);
        page_surrogate(call, "t", t->former[i]); /* its trades count here */
    }
    view_bool(call->view, "hasFormer", t->former_count > 0);
}

/* A symbol may have been another company's before. */
static void put_companies(struct page_call *call, const struct feed_ticker *ticker)
{
    struct view *list = view_list(call->view, "companies");
    for (size_t i = 0; i < ticker->company_count; i++) {
        const struct company *company = &ticker->companies[i];
        struct view *item = view_item(list);
        view_str(item, "name", company->name);
        view_str(
            item, "industry", company->industry ? industry_get(company->industry)->name : STR_NULL);
        day_view_put(item, "from", company->from);
        day_view_put(item, "to", company->to);
    }
    view_bool(call->view, "manyCompanies", ticker->company_count > 1);
}

static void put_head(struct page_call *call, const struct feed_ticker *ticker)
{
    const struct company *company = ticker->company;
    view_str(call->view, "symbol", ticker->symbol);
    view_str(call->view, "company", company ? company->name : STR_NULL);
    view_str(
        call->view, "industry",
        company && company->industry ? industry_get(company->industry)->name : STR_NULL);
    view_count(call->view, "count", ticker->counts.trades);
    view_count(call->view, "bought", ticker->counts.buys);
    view_count(call->view, "sold", ticker->counts.sells);
    view_count(call->view, "members", ticker->politicians);
    view_count(call->view, "flagged", ticker->counts.conflicts);
    put_companies(call, ticker);
}

static void put_trades(struct page_call *call, const struct feed_filter *filter)
{
    MEM_UNFILLED struct feed_page page;
    const struct link_param link[] = {{STR("ticker"), filter->ticker}};
    feed_trades(call->config->feed, filter, NULL, ROWS, &page);
    trade_table_put(
        call, "trades", &page, STR("/trades"), link, 1, "No trade in it is published yet.");
}

static void put_all(struct page_call *call, const struct feed_ticker *ticker)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    struct traders *traders = ARENA_NEW(call->arena, struct traders);
    filter.ticker = ticker->symbol;
    filter.until_ms = reader_until(call);
    put_head(call, ticker);
    walk(call, &filter, ticker->symbol, traders);
    put_traders(call, traders, ticker->symbol);
    activity_chart_put(call, "activity", &filter, &ticker->counts);
    put_trades(call, &filter);
}

enum err ticker_page_load(struct page_call *call, struct fail *fail)
{
    struct feed_ticker ticker;
    char space[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(call->segments[0], space);
    struct str symbol = arena_str(call->arena, str_of(space, n));
    if (n && !str_eq(symbol, call->segments[0])) {
        page_redirect(call, trade_path(call->arena, "/tickers/", symbol), FLASH_NONE);
        return OK;
    }
    rcu_read_begin();
    bool found = n && feed_ticker(call->config->feed, symbol, reader_until(call), &ticker);
    if (found)
        put_all(call, &ticker);
    rcu_read_end();
    if (!found)
        return fail_set(fail, ERR_NOT_FOUND, "no such symbol");
    page_title(call, arena_fmt(call->arena, "Trades in %.*s", STR_ARG(symbol)));
    page_surrogate(call, "t", symbol);
    const struct link_param filter[] = {{STR("ticker"), symbol}};
    list_feed_alternates(call, STR("/trades"), filter, 1);
    page_alternate(
        call, "application/json", trade_path(call->arena, "/api/v1/tickers/", symbol),
        "This symbol as JSON");
    return OK;
}
