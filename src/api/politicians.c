/* GET /api/v1/politicians/{slug}: profile, recent trades, counts (spec 4.2, decision 9). */
#include "api/context.h"
#include "api/counts.h"
#include "api/list.h"
#include "api/profile.h"
#include "api/reply.h"
#include "api/resources.h"
#include "base/json_out.h"

enum { BEFORE_SIZE_MAX = 256 * 1024, AFTER_SIZE = 512 };

static void put_profile(struct buf *b, const struct feed_politician *p)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    profile_put_members(&j, p);
    json_object_end(&j);
}

static void put_counts(struct buf *b, const struct feed_politician *p)
{
    struct json_out j;
    json_init(&j, b);
    counts_put_politician(&j, p);
}

static void put_instant(struct buf *b, int64_t ms)
{
    struct json_out j;
    json_init(&j, b);
    json_instant(&j, ms);
}

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
    buf_str(&before, STR("{\"data\":{\"profile\":"));
    put_profile(&before, &politician);
    buf_str(&before, STR(",\"recentTrades\":["));

    char space[AFTER_SIZE];
    struct buf after = buf_over(space, sizeof space);
    buf_str(&after, STR("],\"counts\":"));
    put_counts(&after, &politician);
    buf_str(&after, STR(",\"lastActivity\":"));
    put_instant(&after, politician.counts.last_activity);
    buf_str(&after, STR("}}"));

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
