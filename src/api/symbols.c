/* GET /api/v1/tickers: symbols with counts, from the feed (decision 40). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"

void symbols_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct feed_tickers_filter filter;
    MEM_UNFILLED struct feed_tickers_page page;
    struct list_end end;
    struct buf *body = http_body(call->x);

    feed_tickers_read(params->filters, http_arena(call->x), &filter);
    if (!feed_rank_fits(filter.rank, list_after(params))) {
        reply_error(call, ERROR_INVALID_CURSOR, STR_NULL);
        return;
    }
    feed_tickers(call->api->config.feed, &filter, list_after(params), list_limit(params), &page);
    list_end(page.more ? &page.next : NULL, &end);
    buf_str(body, STR("{\"data\":["));
    for (size_t i = 0; i < page.count; i++) {
        if (i)
            buf_char(body, ',');
        shape_object_json(body, &shape_ticker_summary, &page.rows[i]);
    }
    buf_str(body, end.after);
    reply_complete(call, MEDIA_JSON);
    list_link(call, &end);
}
