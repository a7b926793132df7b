/* GET /api/v1/politicians: profiles with counts, from the feed (decision 40). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"

void people_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct feed_people_filter filter;
    MEM_UNFILLED struct feed_people_page page;
    struct list_end end;
    struct buf *body = http_body(call->x);

    if (!list_values_pass(call, true))
        return;
    feed_people_read(params->filters, http_arena(call->x), &filter);
    if (!feed_rank_fits(filter.rank, list_after(params))) {
        reply_error(call, ERROR_INVALID_CURSOR, STR_NULL);
        return;
    }
    feed_people(
        call->api->config.feed, &filter, list_after(params), list_limit(params),
        instant_day_utc(http_now_ms(call->x)), &page);
    list_end(page.more ? &page.next : NULL, &end);
    buf_str(body, STR("{\"data\":["));
    for (size_t i = 0; i < page.count; i++) {
        if (i)
            buf_char(body, ',');
        list_ongoing(&page.rows[i], http_arena(call->x));
        shape_object_json(body, &shape_politician_summary, &page.rows[i]);
    }
    buf_str(body, end.after);
    reply_complete(call, MEDIA_JSON);
    list_link(call, &end);
}
