/* GET /api/v1/tickers: symbols with counts, from the feed (decision 40). */
#include <assert.h>

#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "noun/lists.h"

enum { FILTER_Q, FILTER_HAS_TRADES };

static const struct param filters[] = {
    PARAM(
        FILTER_Q, PARAM_TYPE_SEARCH, "q",
        "Only symbols that contain each of these words or parts of words in the symbol or in the "
        "names of its companies, the best match first: the symbol itself, symbols that begin with "
        "them, whole words, beginnings, other parts. If there are none, names that are spelled or "
        "sound alike.",
        "northwind"),
    PARAM(
        FILTER_HAS_TRADES, PARAM_TYPE_LISTED, "has_trades",
        "true: only symbols with published trades. false: only those without.", "true",
        .list = &shape_truths),
};

const struct param_table symbols_params = PARAM_TABLE(filters);

void symbols_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    MEM_UNFILLED struct feed_tickers_page page;
    struct list_end end;
    struct buf *body = http_body(call->x);

    struct str q = params->filters[FILTER_Q].text;
    if (!str_is_null(q) && !param_fold(q, http_arena(call->x), &filter.q))
        assert(!"params_read checked that q can be folded");
    filter.has_trades = (enum feed_asked)params->filters[FILTER_HAS_TRADES].number;
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
