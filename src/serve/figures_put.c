/* The metrics of figures of the database; see figures.h. */
#include "serve/figures.h"

#include "base/clock.h"
#include "edge/metric.h"

static uint64_t unix_seconds(int64_t at)
{
    return (uint64_t)(at / SECOND_MS);
}

/* What counts as long ago is INSTANT_NONE: nothing waits. */
static int64_t age_ms(const struct figures_counted *f, int64_t since)
{
    return since == INSTANT_NONE ? 0 : f->counted_at - since;
}

static void put_deliveries(struct buf *b, const struct figures_counted *f)
{
    const struct delivery_counts *queue = &f->deliveries;
    metrics_put(b, METRIC_WEBHOOK_DUE, (uint64_t)queue->due);
    metrics_put(b, METRIC_WEBHOOK_WAITING, (uint64_t)queue->waiting);
    metrics_put(b, METRIC_WEBHOOK_HELD, (uint64_t)queue->held);
    metrics_put(b, METRIC_WEBHOOK_FAILED, (uint64_t)queue->failed);
    metrics_put(b, METRIC_WEBHOOK_EXPIRED, (uint64_t)queue->expired);
    metrics_put(b, METRIC_WEBHOOK_ENDPOINTS_DISABLED, (uint64_t)queue->disabled_endpoints);
    metrics_put_ms(b, METRIC_WEBHOOK_DUE_LAG, age_ms(f, queue->oldest_due));
}

static void put_mail(struct buf *b, const struct figures_counted *f)
{
    metrics_put(b, METRIC_MAIL_WAITING, (uint64_t)f->mail.waiting);
    metrics_put(b, METRIC_MAIL_RETRYING, (uint64_t)f->mail.retrying);
    metrics_put(b, METRIC_MAIL_GIVEN_UP, (uint64_t)f->mail.given_up);
    metrics_put_ms(b, METRIC_MAIL_OLDEST, age_ms(f, f->mail.oldest_at));
}

/* Without a mail server no alert is matched, so there is nothing to be behind with. */
static void put_alerts(struct buf *b, const struct figures_counted *f)
{
    metrics_put(b, METRIC_ALERT_EMAILS_WAITING, (uint64_t)f->mail.bulk);
    if (!f->has_alerts)
        return;
    metrics_put(b, METRIC_ALERTS_BEHIND, (uint64_t)f->alerts.entries);
    metrics_put_ms(b, METRIC_ALERTS_BEHIND_TIME, age_ms(f, f->alerts.oldest_at));
}

static void put_drafts(struct buf *b, const struct figures_counted *f)
{
    const struct draft_queue_counts *drafts = &f->drafts;
    metrics_put_type(b, METRIC_DRAFTS);
    metrics_put_sample(
        b, METRIC_DRAFTS, METRIC_LABELS(STR("waiting")),
        (uint64_t)(drafts->waiting - drafts->claimed));
    metrics_put_sample(b, METRIC_DRAFTS, METRIC_LABELS(STR("claimed")), (uint64_t)drafts->claimed);
    metrics_put_sample(
        b, METRIC_DRAFTS, METRIC_LABELS(STR("accepted")), (uint64_t)drafts->accepted);
    metrics_put(b, METRIC_DRAFTS_CLEAN, (uint64_t)drafts->clean);
    metrics_put(b, METRIC_DRAFTS_PAPER, (uint64_t)drafts->paper);
    metrics_put_ms(b, METRIC_DRAFTS_OLDEST_WAITING, age_ms(f, drafts->oldest_at));
    if (drafts->earliest_due != DAY_NONE && drafts->earliest_due >= 0)
        metrics_put(
            b, METRIC_DRAFTS_EARLIEST_DUE, (uint64_t)drafts->earliest_due * (DAY_MS / SECOND_MS));
}

/* --- jobs */

static void put_instants(
    struct buf *b, const struct figures_counted *f, enum metric metric, size_t offset)
{
    metrics_put_type(b, metric);
    for (size_t i = 0; i < f->job_count; i++) {
        const struct figures_job *job = &f->jobs[i];
        int64_t at = *(const int64_t *)((const char *)job + offset);
        if (at != INSTANT_NONE)
            metrics_put_sample(b, metric, METRIC_LABELS(str_from(job->name)), unix_seconds(at));
    }
}

static void put_states(struct buf *b, const struct figures_counted *f)
{
    metrics_put_type(b, METRIC_JOB_STATE);
    for (size_t i = 0; i < f->job_count; i++)
        for (enum job_state state = 0; state < JOB_STATE_COUNT; state++)
            metrics_put_sample(
                b, METRIC_JOB_STATE,
                METRIC_LABELS(str_from(f->jobs[i].name), job_state_name(state)),
                f->jobs[i].state == state);
}

static void put_jobs(struct buf *b, const struct figures_counted *f)
{
    if (!f->job_count)
        return;
    metrics_put_type(b, METRIC_JOB_FAILURES);
    for (size_t i = 0; i < f->job_count; i++)
        metrics_put_sample(
            b, METRIC_JOB_FAILURES, METRIC_LABELS(str_from(f->jobs[i].name)),
            (uint64_t)f->jobs[i].failures);
    put_instants(b, f, METRIC_JOB_LAST_OK, offsetof(struct figures_job, ok_at));
    put_instants(b, f, METRIC_JOB_LAST_STARTED, offsetof(struct figures_job, started_at));
    put_states(b, f);
    metrics_put_type(b, METRIC_JOB_LATE);
    for (size_t i = 0; i < f->job_count; i++)
        if (f->jobs[i].late_ms >= 0)
            metrics_put_sample(
                b, METRIC_JOB_LATE, METRIC_LABELS(str_from(f->jobs[i].name)),
                unix_seconds(f->jobs[i].late_ms));
}

/* --- the database */

static void put_known(struct buf *b, enum metric metric, int64_t bytes)
{
    if (bytes >= 0)
        metrics_put(b, metric, (uint64_t)bytes);
}

static void put_database(struct buf *b, const struct figures_counted *f)
{
    put_known(b, METRIC_DATABASE_BYTES, f->bytes);
    put_known(b, METRIC_DATABASE_LOG_BYTES, f->log_bytes);
    put_known(b, METRIC_DATABASE_RESERVE_BYTES, f->reserve_bytes);
    put_known(b, METRIC_DATABASE_DISK_FREE, f->disk_free);
    put_known(b, METRIC_BACKUP_LAST, f->backup_at < 0 ? -1 : f->backup_at / SECOND_MS);
    metrics_put_type(b, METRIC_NODES);
    metrics_put_sample(b, METRIC_NODES, METRIC_LABELS(STR("running")), (uint64_t)f->running);
    metrics_put_sample(b, METRIC_NODES, METRIC_LABELS(STR("silent")), (uint64_t)f->silent);
    metrics_put(b, METRIC_NODES_BEHIND_MAX, (uint64_t)f->behind_max);
    metrics_put(b, METRIC_NODE_BEHIND, (uint64_t)f->behind);
    metrics_put_ms(b, METRIC_COUNTS_AGE, clock_mono_ms() - f->counted_ms);
    metrics_put_ms(b, METRIC_COUNTS_DURATION, f->took_ms);
}

void figures_put_metrics(struct figures *figures, struct buf *b)
{
    struct figures_counted f;
    if (!figures_get(figures, &f))
        return;
    put_deliveries(b, &f);
    put_mail(b, &f);
    put_alerts(b, &f);
    put_drafts(b, &f);
    put_jobs(b, &f);
    put_database(b, &f);
}
