/* /trades.csv and /conflicts.csv: the whole filtered list of trades, or of flagged trades, as CSV,
 * with the columns of the API's. */
#include "site/handlers.h"

#include "shape/csv.h"
#include "site/list_csv.h"
#include "site/list_forms.h"
#include "site/trade_query.h"

static bool put(
    const struct list_csv *csv, const struct cursor *after, struct buf *b, struct cursor *ret_next)
{
    MEM_UNFILLED struct feed_page page;
    feed_trades(csv->feed, csv->filter, after, FEED_PAGE_MAX, &page);
    for (size_t i = 0; i < page.count; i++)
        shape_trade_csv_guarded(b, page.rows[i].head);
    if (page.more)
        *ret_next = page.next;
    return page.more;
}

static enum err load(struct page_call *call, const char *name, bool flagged, struct fail *fail)
{
    struct trade_query *query = ARENA_NEW(call->arena, struct trade_query);
    if (!list_csv_may(call))
        return OK;
    if (!trade_query_read(call, str_from(call->page->path), query))
        return list_forms_fault(call, arena_fmt(call->arena, "/%s", name), fail);
    query->filter.conflicts_only |= flagged;
    list_csv_reply(
        call, &(struct list_csv){
                  .name = name,
                  .feed = call->config->feed,
                  .filter = &query->filter,
                  .put_header = shape_trade_csv_header,
                  .put = put,
              });
    return OK;
}

enum err trades_csv_load(struct page_call *call, struct fail *fail)
{
    return load(call, "trades", false, fail);
}

enum err conflicts_csv_load(struct page_call *call, struct fail *fail)
{
    return load(call, "conflicts", true, fail);
}
