/* The query of symbols; see tickers_query.h. */
#include "site/data/tickers_query.h"

#include "site/frame/reader.h"

bool tickers_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct feed_tickers_filter *ret_filter)
{
    *ret_filter = FEED_TICKERS_FILTER_NONE;
    if (!list_query_read(call, path, &feed_tickers_params, CURSOR_TICKERS, ret))
        return false;
    feed_tickers_read(ret->values, call->arena, ret_filter);
    if (ret_filter->has_trades == FEED_ANY)
        ret_filter->has_trades = FEED_YES;
    ret_filter->until_ms = reader_until(call);
    ret_filter->total = true;
    if (!feed_rank_fits(ret_filter->rank, list_query_after(ret)))
        list_query_damaged(call->query_form);
    return !form_is_faulty(call->query_form);
}
