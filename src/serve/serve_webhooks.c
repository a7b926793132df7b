/* The dispatcher and its metrics; see serve_webhooks.h. */
#include "serve/serve_webhooks.h"

#include <unistd.h>

#include "edge/metrics_text.h"
#include "base/log.h"
#include "webhook/notice.h"

/* The name under which this server holds leases. It is the same after a restart, so the server
 * takes its own leases back at once. An SQLite file has one server at a time; on PostgreSQL the
 * host and the listen address distinguish servers. */
static struct str node_name(const struct serve_webhooks_config *config, struct arena *arena)
{
    char host[256] = "";
    if (settings_embedded(config->settings))
        return STR("server");
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    return arena_fmt(arena, "%s %.*s", host, STR_ARG(config->listening));
}

enum err serve_webhooks_start(
    const struct serve_webhooks_config *config, struct dispatcher **ret, struct fail *fail)
{
    const struct settings *settings = config->settings;
    struct arena arena;
    arena_init(&arena);
    const struct dispatcher_config dispatcher = {
        .writer = config->writer,
        .database = settings->database,
        .node = node_name(config, &arena),
        .listening = config->listening,
        .allow = &settings->webhook_allow,
        .refused_ports = &settings->webhook_refused_ports,
        .invented = config->demo,
        .key = config->key,
        .user_agent = STR("stockact/" STOCKACT_VERSION),
        .ca_file = settings->webhook_ca_file,
        .name_servers = settings->webhook_name_servers,
        .notice = str_is_null(settings->smtp_url) ? NULL : notice_failures,
        .notice_ctx = config->base_url,
        .mail_server = settings->smtp_url,
        .mail_from = settings->mail_from,
        .mail_key = config->mail_key,
    };
    enum err err = dispatcher_start(&dispatcher, ret, fail);
    arena_finish(&arena);
    return err;
}

static void put_age(struct buf *b, const char *name, const char *help, int64_t age_ms)
{
    metrics_put_type(b, name, "gauge", help);
    buf_fmt(b, "stockact_%s ", name);
    metrics_put_seconds(b, (age_ms > 0 ? age_ms : 0) * 1000);
    buf_char(b, '\n');
}

static void put_queue(struct buf *b, const struct dispatcher_stats *stats)
{
    const struct delivery_counts *queue = &stats->queue.deliveries;
    int64_t lag_ms = queue->oldest_due == INSTANT_NONE ? 0 : stats->counted_at - queue->oldest_due;
    const struct {
        const char *name, *help;
        int64_t value;
    } gauges[] = {
        {"webhook_due", "Deliveries that are due.", queue->due},
        {"webhook_waiting", "Deliveries waiting for their next attempt.", queue->waiting},
        {"webhook_held",
         "Deliveries held for endpoints that are not enabled or accounts that are disabled.",
         queue->held},
        {"webhook_failed", "Deliveries that failed permanently.", queue->failed},
        {"webhook_expired", "Deliveries that expired while they were held.", queue->expired},
        {"webhook_endpoints_disabled", "Endpoints that are disabled.", queue->disabled_endpoints},
    };
    for (size_t i = 0; i < sizeof gauges / sizeof *gauges; i++)
        metrics_put(b, gauges[i].name, "gauge", gauges[i].help, (uint64_t)gauges[i].value);
    put_age(b, "webhook_due_lag_seconds", "Time that the oldest due delivery has waited.", lag_ms);
}

static void put_mail(struct buf *b, const struct dispatcher_stats *stats)
{
    const struct mail_counts *mail = &stats->queue.mail;
    metrics_put(
        b, "mail_waiting", "gauge", "E-mails that wait for their first try.",
        (uint64_t)mail->waiting);
    metrics_put(
        b, "mail_retrying", "gauge", "E-mails that failed and are tried again.",
        (uint64_t)mail->retrying);
    metrics_put(
        b, "mail_given_up", "gauge", "E-mails that were given up and are still kept.",
        (uint64_t)mail->given_up);
    put_age(
        b, "mail_oldest_seconds", "Time since the oldest unsent e-mail was queued.",
        mail->oldest_at == INSTANT_NONE ? 0 : stats->counted_at - mail->oldest_at);
}

static void put_jobs(struct buf *b, const struct queue_figures *figures)
{
    if (!figures->job_count)
        return;
    metrics_put_type(
        b, "job_failures", "gauge",
        "Runs that failed or were interrupted since the last good one.");
    for (size_t i = 0; i < figures->job_count; i++)
        buf_fmt(
            b, "stockact_job_failures{job=\"%s\"} %lld\n", figures->jobs[i].name,
            (long long)figures->jobs[i].failures);
    metrics_put_type(
        b, "job_last_ok_seconds", "gauge", "End of the last run that did all its work, Unix time.");
    for (size_t i = 0; i < figures->job_count; i++)
        if (figures->jobs[i].ok_at != INSTANT_NONE)
            buf_fmt(
                b, "stockact_job_last_ok_seconds{job=\"%s\"} %lld\n", figures->jobs[i].name,
                (long long)(figures->jobs[i].ok_at / SECOND_MS));
}

void serve_webhooks_put_metrics(struct dispatcher *dispatcher, struct buf *b)
{
    struct dispatcher_stats stats;
    dispatcher_stats(dispatcher, &stats);
    metrics_put_type(b, "webhook_attempts_total", "counter", "Delivery attempts by outcome.");
    for (enum attempt_class class = 0; class < ATTEMPT_CLASS_COUNT; class ++)
        buf_fmt(
            b, "stockact_webhook_attempts_total{class=\"%.*s\"} %llu\n",
            STR_ARG(attempt_class_name(class)), (unsigned long long)stats.attempts[class]);
    metrics_put(
        b, "webhook_in_flight", "gauge", "Claimed deliveries without a durable outcome.",
        stats.in_hand);
    if (!stats.counted)
        return;
    put_queue(b, &stats);
    put_mail(b, &stats);
    put_jobs(b, &stats.queue);
}
