/* /tickers.atom and /tickers.json: the symbols of the list whose trades were published last, for
 * readers of news. */
#include "site/frame/handlers.h"

#include "site/data/list_forms.h"
#include "site/data/list_newest.h"
#include "site/data/tickers_query.h"

static void add(struct page_call *call, struct list_newest *newest, const struct feed_ticker_row *t)
{
    struct arena *arena = call->arena;
    struct list_newest_row *row = list_newest_place(newest, t->symbol, &t->counts);
    if (!row)
        return;
    *row = (struct list_newest_row){
        .key = arena_str(arena, t->symbol),
        .name = t->company_name.n
                    ? arena_fmt(arena, "%.*s (%.*s)", STR_ARG(t->company_name), STR_ARG(t->symbol))
                    : arena_str(arena, t->symbol),
        .label = arena_str(arena, t->industry),
        .counts = t->counts};
}

static void find_newest(
    struct page_call *call, const struct feed_tickers_filter *filter, struct list_newest *ret)
{
    struct feed_tickers_page *page = ARENA_NEW(call->arena, struct feed_tickers_page);
    const struct cursor *after = NULL;
    struct cursor next;
    RCU_READ();
    do {
        feed_tickers(call->config->feed, filter, after, FEED_PAGE_MAX, page);
        for (size_t i = 0; i < page->count; i++)
            add(call, ret, &page->rows[i]);
        next = page->next;
        after = &next;
    } while (page->more);
}

static void choose(struct correction_range *range, struct str symbol)
{
    range->ticker = symbol;
}

enum err tickers_feed_load(struct page_call *call, struct fail *fail)
{
    static const struct list_newest_kind kind = {
        STR_INIT("/tickers"), STR_INIT("Symbols that members of Congress traded"), "t", choose};
    struct list_newest *newest = ARENA_NEW(call->arena, struct list_newest);
    struct list_query query;
    struct feed_tickers_filter filter;
    if (!tickers_query_read(call, str_from(call->page->path), &query, &filter))
        return list_forms_fault(call, kind.list, fail);
    newest->count = 0;
    if (filter.has_trades != FEED_NO) {
        filter.has_trades = FEED_YES;
        filter.rank = (struct feed_rank){0};
        find_newest(call, &filter, newest);
    }
    page_surrogate(call, "list", STR("trades"));
    return list_newest_reply(call, &kind, newest, query.given, query.given_count, fail);
}
