/* The purge of a cache and its metrics; see serve_purge.h. */
#include "serve/serve_purge.h"

#include "base/build.h"
#include "edge/metric.h"

enum err serve_purge_start(
    const struct serve_purge_config *config, struct serve_purge *p, struct fail *fail)
{
    const struct purge_config purge = {
        .url = config->settings->purge_url,
        .header = config->settings->purge_header,
        .user_agent = build.agent,
        .label = config->label,
        .delay_ms = config->settings->visitor_delay * HOUR_MS,
        .feed = config->feed,
        .writer = config->writer,
    };
    struct purge *started = NULL;
    TRY(str_is_null(purge.url) ? OK : purge_start(&purge, &started, fail));
    atomic_store(&p->purge, started);
    return OK;
}

void serve_purge_stop(struct serve_purge *p)
{
    purge_stop(atomic_load(&p->purge));
}

bool serve_purge_works(void *ctx)
{
    struct serve_purge *p = ctx;
    const struct purge *purge = atomic_load(&p->purge);
    return purge && purge_works(purge);
}

void serve_purge_notice(void *ctx, struct db *db, struct str noun, struct str key, bool after)
{
    struct serve_purge *served = ctx;
    struct purge *p = atomic_load(&served->purge);
    if (!p)
        return;
    if (str_is_null(noun))
        purge_everything(p);
    else if (after)
        purge_after(p, db, noun, key);
    else
        purge_before(p, db, noun, key);
}

void serve_purge_put_metrics(struct serve_purge *served, struct buf *b)
{
    struct purge *p = atomic_load(&served->purge);
    struct purge_stats stats;
    if (!p)
        return;
    purge_stats(p, &stats);
    metrics_put_type(b, METRIC_PURGES);
    metrics_put_sample(b, METRIC_PURGES, METRIC_LABELS(STR("success")), stats.succeeded);
    metrics_put_sample(b, METRIC_PURGES, METRIC_LABELS(STR("failure")), stats.failed);
    metrics_put(b, METRIC_PURGE_WAITING, stats.waiting);
    metrics_put_ms(b, METRIC_PURGE_FAILING, stats.failing_ms);
}
