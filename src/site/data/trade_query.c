/* Reads the query of a page of trades; see trade_query.h. */
#include "site/data/trade_query.h"

#include "feed/trade_filter.h"
#include "site/frame/reader.h"

bool trade_query_read(struct page_call *call, struct str path, struct trade_query *ret)
{
    struct list_query *list = ARENA_NEW(call->arena, struct list_query);
    bool valid = list_query_read(call, path, &trade_filter_params, CURSOR_TRADES, list);
    trade_query_of(call, list, ret);
    return valid;
}

void trade_query_of(struct page_call *call, const struct list_query *list, struct trade_query *ret)
{
    *ret = (struct trade_query){
        .filter = FEED_FILTER_NONE,
        .given_count = list->given_count,
        .has_cursor = list->has_cursor,
        .cursor = list->cursor,
    };
    memcpy(ret->given, list->given, sizeof ret->given);
    for (size_t i = 0; i < trade_filter_params.count; i++)
        if (list->is_given[i])
            trade_filter_add(trade_filter_at(i), &list->values[i], &ret->filter, ret->tests);
    ret->filter.line_ms = reader_until(call);
}

struct str trade_query_since(const struct page_call *call, int32_t days)
{
    char text[INSTANT_TEXT_SIZE];
    int32_t today = instant_day_new_york(call->now_ms);
    instant_print(instant_from_new_york(today - days, 0), text);
    return arena_str(call->arena, str_of(text, sizeof text));
}
