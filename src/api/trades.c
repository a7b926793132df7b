/* GET /api/v1/trades: the feed, as JSON or CSV (spec 4.1, decisions 15 and 41). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "shape/csv.h"

static struct feed_filter filter_of(const struct param_values *params)
{
    return (struct feed_filter){
        .ticker = params->at[PARAM_TICKER].text,
        .politician = params->at[PARAM_POLITICIAN].text,
        .chamber = (enum chamber)params->at[PARAM_CHAMBER].number,
        .conflicts_only = params->at[PARAM_CONFLICT].number == PARAM_CONFLICT_TRUE,
        .since_ms = params->at[PARAM_SINCE].number,
        .until_ms = params->at[PARAM_UNTIL].number,
    };
}

/* Parameters that no posting list answers. */
static const uint32_t narrowing = PARAM_BIT(PARAM_TRADED_FROM) | PARAM_BIT(PARAM_TRADED_TO) |
                                  PARAM_BIT(PARAM_SIDE) | PARAM_BIT(PARAM_OWNER) |
                                  PARAM_BIT(PARAM_ASSET_TYPE) | PARAM_BIT(PARAM_PARTY) |
                                  PARAM_BIT(PARAM_STATE) | PARAM_BIT(PARAM_AMOUNT_MIN);

static bool is_narrowed(const struct param_values *params)
{
    return (params->given & narrowing) || params->at[PARAM_CONFLICT].number == PARAM_CONFLICT_FALSE;
}

static struct feed_narrow narrow_of(const struct param_values *params)
{
    return (struct feed_narrow){
        .traded_from = (int32_t)params->at[PARAM_TRADED_FROM].number,
        .traded_to = (int32_t)params->at[PARAM_TRADED_TO].number,
        .side = (enum side)params->at[PARAM_SIDE].number,
        .owner = (enum owner)params->at[PARAM_OWNER].number,
        .asset_type = (enum asset_type)params->at[PARAM_ASSET_TYPE].number,
        .party = params->at[PARAM_PARTY].text,
        .state = params->at[PARAM_STATE].text,
        .amount_min = params->at[PARAM_AMOUNT_MIN].number,
        .without_conflict = params->at[PARAM_CONFLICT].number == PARAM_CONFLICT_FALSE,
    };
}

static void answer_csv(struct call *call, const struct feed_page *page, const struct list_end *end)
{
    struct buf *body = http_body(call->x);
    shape_trade_csv_header(body);
    for (size_t i = 0; i < page->count; i++)
        shape_trade_csv(body, page->rows[i].head);
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
    struct feed_narrow narrow;

    if (is_narrowed(params)) {
        narrow = narrow_of(params);
        filter.narrow = &narrow;
    }
    feed_trades(
        call->api->config.feed, &filter, list_after(params), (size_t)params->at[PARAM_LIMIT].number,
        &page);
    list_end(page.more ? &page.next : NULL, &end);
    if (params->at[PARAM_FORMAT].number == PARAM_FORMAT_CSV)
        answer_csv(call, &page, &end);
    else
        list_reply(call, &page, &end);
}
