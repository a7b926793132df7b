/* GET /api/v1/trades: the feed, as JSON or CSV (spec 4.1, decisions 15 and 41). */
#include "api/trades.h"

#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "feed/trade_filter.h"
#include "noun/csv.h"

void trades_read_filters(
    const struct param_values *params, struct feed_filter *filter,
    struct feed_test tests[static PARAM_TABLE_MAX])
{
    for (size_t i = 0; i < trade_filter_params.count; i++)
        if (!str_is_null(params->filters[i].text))
            trade_filter_add(trade_filter_at(i), &params->filters[i], filter, tests);
}

static void answer_csv(
    struct api_call *call, const struct feed_page *page, const struct list_end *end)
{
    struct buf *body = http_body(call->x);
    int64_t fields = list_fields(&call->params);
    shape_trade_csv_header(body, fields);
    shape_csv_end(body);
    for (size_t i = 0; i < page->count; i++) {
        const struct shape_extra extra = feed_row_extra(&page->rows[i], fields);
        shape_trade_csv(body, page->rows[i].head, &extra, false);
        shape_csv_end(body);
    }
    reply_complete(call, MEDIA_CSV);
    http_head(
        call->x, header_info(HEADER_DISPOSITION)->name, STR("attachment; filename=\"trades.csv\""));
    if (!str_is_null(end->next))
        http_head(call->x, header_info(HEADER_NEXT_CURSOR)->name, end->next);
    list_link(call, end);
}

void trades_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct feed_filter filter = FEED_FILTER_NONE;
    MEM_UNFILLED struct feed_test tests[PARAM_TABLE_MAX];
    MEM_UNFILLED struct feed_page page;
    struct list_end end;

    if (!list_values_pass(call, false))
        return;
    trades_read_filters(params, &filter, tests);
    feed_trades_sorted(
        call->api->config.feed, &filter, (enum feed_order)params_order(params), list_after(params),
        list_limit(params), &page);
    list_end(page.more ? &page.next : NULL, &end);
    if (params->page[PAGE_PARAM_FORMAT].number == PARAM_FORMAT_CSV)
        answer_csv(call, &page, &end);
    else
        list_reply(call, &page, &end);
    if (!page.count)
        list_waiting(call, filter.politician);
}
