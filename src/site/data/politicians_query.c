/* The query of members; see politicians_query.h. */
#include "site/data/politicians_query.h"

#include "site/frame/reader.h"

bool politicians_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct feed_people_filter *ret_filter)
{
    *ret_filter = FEED_PEOPLE_FILTER_NONE;
    if (!list_query_read(call, path, &feed_people_params, CURSOR_POLITICIANS, ret))
        return false;
    feed_people_read(ret->values, call->arena, ret_filter);
    ret_filter->until_ms = reader_until(call);
    ret_filter->total = true;
    if (!feed_rank_fits(ret_filter->rank, list_query_after(ret)))
        list_query_damaged(call->query_form);
    return !form_is_faulty(call->query_form);
}
