/* GET /api/v1/politicians/{slug}: profile, recent trades, counts (spec 4.2, decision 9). */
#include "api/context.h"
#include "api/list.h"
#include "api/reply.h"
#include "api/resources.h"

enum { BEFORE_SIZE_MAX = 256 * 1024, AFTER_SIZE = 512 };

void politicians_answer(struct api_call *call)
{
    const struct feed *feed = call->api->config.feed;
    struct feed_politician politician;
    struct str key;
    if (!param_politician(call->segment, http_arena(call->x), &key) ||
        !feed_politician(
            feed, key, instant_day_utc(http_now_ms(call->x)), INSTANT_NONE, &politician)) {
        reply_error(
            call, ERROR_NOT_FOUND,
            STR("No politician has this slug or id. /api/v1/politicians lists them."));
        return;
    }

    MEM_UNFILLED struct feed_page recent;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.politician = politician.id;
    feed_trades(feed, &filter, NULL, FEED_RECENT, &recent);

    BUF_SCOPED(before, BEFORE_SIZE_MAX);
    char space[AFTER_SIZE];
    struct buf after = buf_over(space, sizeof space);
    buf_str(&before, STR("{\"data\":"));
    list_ongoing(&politician, http_arena(call->x));
    shape_before_json(&before, &shape_politician_activity, &politician);
    shape_after_json(&after, &shape_politician_activity, &politician);
    buf_char(&after, '}');

    reply_page(
        call, &(struct reply_page){
                  .before = buf_view(&before),
                  .rows = recent.rows,
                  .count = recent.count,
                  .after = buf_view(&after),
                  .fields = list_fields(&call->params),
              });
    list_waiting(call, politician.id);
}
