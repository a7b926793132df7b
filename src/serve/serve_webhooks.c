/* The dispatcher and its metrics; see serve_webhooks.h. */
#include "serve/serve_webhooks.h"

#include <unistd.h>

#include "base/build.h"
#include "edge/metric.h"
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
    ARENA_SCOPED(arena);
    const struct dispatcher_config dispatcher = {
        .writer = config->writer,
        .node = node_name(config, &arena),
        .listening = config->listening,
        .allow = &settings->webhook_allow,
        .refused_ports = &settings->webhook_refused_ports,
        .invented = config->demo,
        .key = config->key,
        .user_agent = build.agent,
        .ca_file = settings->webhook_ca_file,
        .name_servers = settings->webhook_name_servers,
        .notice = str_is_null(settings->smtp_url) ? NULL : notice_failures,
        .notice_ctx = config->base_url,
        .mail_server = settings->smtp_url,
        .mail_from = settings->mail_from,
        .mail_key = config->mail_key,
    };
    return dispatcher_start(&dispatcher, ret, fail);
}

void serve_webhooks_put_metrics(struct dispatcher *dispatcher, struct buf *b)
{
    struct dispatcher_stats stats;
    dispatcher_stats(dispatcher, &stats);
    metrics_put_type(b, METRIC_WEBHOOK_ATTEMPTS);
    for (enum attempt_class class = 0; class < ATTEMPT_CLASS_COUNT; class ++)
        metrics_put_sample(
            b, METRIC_WEBHOOK_ATTEMPTS, METRIC_LABELS(attempt_class_name(class)),
            stats.attempts[class]);
    metrics_put(b, METRIC_WEBHOOK_IN_FLIGHT, stats.in_hand);
}
