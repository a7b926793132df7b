/* Reports damaged rows; see damage.h. */
#include "serve/damage.h"

#include "base/log.h"
#include "edge/metric.h"
#include "store/check/chain_check.h"

enum { LINES_MAX = 20 }; /* of one load */

static void note(void *ctx, const struct feed_damage *damage)
{
    struct damage *d = ctx;
    int64_t load = feed_stats(d->feed).loads;
    if (load != d->load)
        d->lines = 0;
    d->load = load;
    if (++d->lines == LINES_MAX)
        log_line(LOG_ERROR, "more published rows are damaged and not served: run `stockact check`");
    if (d->lines >= LINES_MAX)
        return;
    log_line(
        LOG_ERROR, "a published row is damaged and not served",
        LOG_S("what", str_from(damage->what)), LOG_S("row", damage->id),
        LOG_I("publication", damage->publication_no), LOG_I("count", damage->count));
}

void damage_watch(struct damage *d, struct feed *feed)
{
    d->feed = feed;
    d->load = -1;
    feed_on_damage(feed, note, d);
}

static void note_finding(void *ctx, struct str what)
{
    struct damage *d = ctx;
    if (atomic_fetch_add(&d->chain_findings, 1) < LINES_MAX)
        log_line(
            LOG_ERROR, "the chain over publications is broken: run `stockact check`",
            LOG_S("finding", what));
}

void damage_check_chain(struct damage *d, struct db *db)
{
    struct fail fail = {0};
    int64_t findings;
    atomic_store(&d->chain_findings, 0);
    if (chain_check_new(db, note_finding, d, &findings, &fail))
        log_line(
            LOG_ERROR, "cannot verify the chain over publications",
            LOG_S("reason", str_from(fail.text)));
}

void damage_put_metrics(const struct damage *d, struct buf *b)
{
    metrics_put(b, METRIC_CHAIN_FINDINGS, (uint64_t)atomic_load(&d->chain_findings));
}
