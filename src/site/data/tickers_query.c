/* The query of symbols; see tickers_query.h. */
#include "site/data/tickers_query.h"

#include "noun/lists.h"
#include "site/frame/reader.h"

bool tickers_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct feed_tickers_filter *ret_filter)
{
    static const struct param fields[] = {
        {.name = STR_INIT("q"), .type = PARAM_TYPE_SEARCH},
        {.name = STR_INIT("has_trades"), .type = PARAM_TYPE_LISTED, .list = &shape_truths}};
    static const struct param_table params = PARAM_TABLE(fields);
    bool valid = list_query_read(call, path, &params, CURSOR_TICKERS, ret);
    *ret_filter = FEED_TICKERS_FILTER_NONE;
    if (ret->is_given[0])
        (void)param_fold(ret->values[0].text, call->arena, &ret_filter->q);
    ret_filter->has_trades = ret->is_given[1] ? (enum feed_asked)ret->values[1].number : FEED_YES;
    ret_filter->until_ms = reader_until(call);
    return valid;
}
