/* GET /api/v1/tickers/{symbol}: recent trades and aggregates (spec 4.3, decision 10). */
#include "api/context.h"
#include "api/counts.h"
#include "api/list.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/json_out.h"
#include "market/industry.h"

enum { BEFORE_SIZE_MAX = 16 * 1024, AFTER_SIZE = 512 };

static void put_aggregates(struct buf *b, const struct feed_ticker *t)
{
    struct json_out j;
    json_init(&j, b);
    counts_put_ticker(&j, &t->counts, t->politicians);
}

static struct str industry_name(const struct company *company)
{
    return company && company->industry ? industry_get(company->industry)->name : STR_NULL;
}

static void put_companies(struct buf *b, const struct feed_ticker *t)
{
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    for (size_t i = 0; i < t->company_count; i++) {
        json_object_begin(&j);
        JSON_KEY_STR(&j, "name", t->companies[i].name);
        JSON_KEY_STR(&j, "industry", industry_name(&t->companies[i]));
        json_key(&j, STR("from"));
        json_day(&j, t->companies[i].from);
        json_key(&j, STR("to"));
        json_day(&j, t->companies[i].to);
        json_object_end(&j);
    }
    json_array_end(&j);
}

static void put_text(struct buf *b, struct str key, struct str value)
{
    struct json_out j;
    json_init(&j, b);
    buf_str(b, key);
    json_str(&j, value);
}

void tickers_answer(struct api_call *call)
{
    const struct feed *feed = call->api->config.feed;
    struct feed_ticker ticker;
    char normal[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(call->segment, normal);
    if (n == 0 || !feed_ticker(feed, str_of(normal, n), INSTANT_NONE, &ticker)) {
        reply_error(
            call, ERROR_NOT_FOUND,
            STR("No symbol list and no trade has this symbol. Trades whose symbol is unknown have "
                "a null ticker."));
        return;
    }

    MEM_UNFILLED struct feed_page recent;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.ticker = ticker.symbol;
    feed_trades(feed, &filter, NULL, FEED_RECENT, &recent);

    struct buf before;
    buf_init(&before, BEFORE_SIZE_MAX);
    put_text(&before, STR("{\"data\":{\"ticker\":"), ticker.symbol);
    put_text(&before, STR(",\"companyName\":"), ticker.company ? ticker.company->name : STR_NULL);
    put_text(&before, STR(",\"industry\":"), industry_name(ticker.company));
    buf_str(&before, STR(",\"companies\":"));
    put_companies(&before, &ticker);
    buf_str(&before, STR(",\"recentTrades\":["));

    char space[AFTER_SIZE];
    struct buf after = buf_over(space, sizeof space);
    buf_str(&after, STR("],\"aggregates\":"));
    put_aggregates(&after, &ticker);
    buf_str(&after, STR("}}"));

    reply_page(
        call, &(struct reply_page){
                  .before = buf_view(&before),
                  .rows = recent.rows,
                  .count = recent.count,
                  .after = buf_view(&after),
                  .fields = list_fields(&call->params),
              });
    if (!recent.count)
        list_waiting(call, STR_NULL);
    buf_finish(&before);
}
