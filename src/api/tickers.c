/* GET /api/v1/tickers/{symbol}: recent trades and aggregates (spec 4.3, decision 10). */
#include "api/context.h"
#include "api/list.h"
#include "api/reply.h"
#include "api/resources.h"
#include "market/industry.h"

enum { BEFORE_SIZE_MAX = 16 * 1024, AFTER_SIZE = 512 };

static struct str industry_name(const struct company *company)
{
    return company && company->industry ? industry_get(company->industry)->name : STR_NULL;
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

    const struct feed_ticker_shown shown = {
        .row =
            {
                .symbol = ticker.symbol,
                .company_name = ticker.company ? ticker.company->name : STR_NULL,
                .industry = industry_name(ticker.company),
                .counts = ticker.counts,
                .politicians = ticker.politicians,
            },
        .companies = ticker.companies,
        .company_count = ticker.company_count,
    };
    char space[AFTER_SIZE];
    BUF_SCOPED(before, BEFORE_SIZE_MAX);
    struct buf after = buf_over(space, sizeof space);
    buf_str(&before, STR("{\"data\":"));
    shape_before_json(&before, &shape_ticker_activity, &shown);
    shape_after_json(&after, &shape_ticker_activity, &shown);
    buf_char(&after, '}');

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
}
