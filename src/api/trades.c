/* GET /api/v1/trades: the feed, as JSON or CSV (spec 4.1, decision 15). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "wire/csv.h"

static struct feed_filter filter_of(const struct param_values *params)
{
    return (struct feed_filter){
        .ticker = params->at[PARAM_TICKER].text,
        .politician = params->at[PARAM_POLITICIAN].text,
        .chamber = (enum chamber)params->at[PARAM_CHAMBER].number,
        .since_ms = params->at[PARAM_SINCE].number,
        .until_ms = INSTANT_NONE,
    };
}

static void answer_csv(struct call *call, const struct feed_page *page, const struct list_end *end)
{
    struct buf *body = http_body(call->x);
    wire_trade_csv_header(body);
    for (size_t i = 0; i < page->count; i++)
        wire_trade_csv(body, page->rows[i].head);
    reply_whole(call, MEDIA_CSV);
    http_head(call->x, STR("Content-Disposition"), STR("attachment; filename=\"trades.csv\""));
    if (!str_is_null(end->next))
        http_head(call->x, header_info(HEADER_NEXT_CURSOR)->name, end->next);
    list_link(call, end);
}

void trades_answer(struct call *call)
{
    const struct param_values *params = &call->params;
    struct feed_filter filter = filter_of(params);
    MEM_UNFILLED struct feed_page page;
    struct list_end end;

    feed_trades(
        call->api->config.feed, &filter, list_after(params), (size_t)params->at[PARAM_LIMIT].number,
        &page);
    list_end(&page, &end);
    if (params->at[PARAM_FORMAT].number == PARAM_FORMAT_CSV)
        answer_csv(call, &page, &end);
    else
        list_reply(call, &page, &end);
}
