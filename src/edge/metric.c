/* The table of metrics; see metric.h. */
#include "edge/metric.h"

#include <assert.h>
#include <stdlib.h>

/* Writes metrics as text. */

/* `backquoted` words are for docs/metrics.md. */
static void put_help(struct buf *b, const char *help)
{
    for (; *help; help++)
        if (*help != '`')
            buf_char(b, *help);
}

void metrics_put_type(struct buf *b, enum metric metric)
{
    const struct metric_info *info = metric_info(metric);
    buf_fmt(b, "# HELP %s ", info->name);
    put_help(b, info->help);
    buf_fmt(b, "\n# TYPE %s %s\n", info->name, metric_type_name(info->type));
}

static void put_label_value(struct buf *b, struct str value)
{
    for (size_t i = 0; i < value.n; i++) {
        char c = value.p[i];
        if (c == '"' || c == '\\')
            buf_char(b, '\\');
        buf_char(b, c == '\n' ? ' ' : c);
    }
}

static void put_name(struct buf *b, const struct metric_info *info, const struct str *labels)
{
    struct str rest = str_from(info->labels), name;
    assert(!info->labels == !labels);
    buf_text(b, info->name);
    for (size_t i = 0; labels && str_split(&rest, ',', &name); i++) {
        buf_fmt(b, "%c%.*s=\"", i ? ',' : '{', STR_ARG(str_trim(name)));
        put_label_value(b, labels[i]);
        buf_char(b, '"');
    }
    buf_text(b, labels ? "} " : " ");
}

void metrics_put_sample(struct buf *b, enum metric metric, const struct str *labels, uint64_t value)
{
    put_name(b, metric_info(metric), labels);
    buf_fmt(b, "%llu\n", (unsigned long long)value);
}

void metrics_put(struct buf *b, enum metric metric, uint64_t value)
{
    metrics_put_type(b, metric);
    metrics_put_sample(b, metric, NULL, value);
}

void metrics_put_ms(struct buf *b, enum metric metric, int64_t ms)
{
    metrics_put_type(b, metric);
    put_name(b, metric_info(metric), NULL);
    metrics_put_seconds(b, (ms > 0 ? ms : 0) * 1000);
    buf_char(b, '\n');
}

void metrics_put_difference(struct buf *b, enum metric metric, int64_t ms)
{
    metrics_put_type(b, metric);
    put_name(b, metric_info(metric), NULL);
    if (ms < 0)
        buf_char(b, '-');
    metrics_put_seconds(b, llabs(ms) * 1000);
    buf_char(b, '\n');
}

void metrics_put_seconds(struct buf *b, int64_t us)
{
    buf_fmt(b, "%lld.%06lld", (long long)(us / 1000000), (long long)(us % 1000000));
}

static const char *const type_names[] = {
    [METRIC_COUNTER] = "counter",
    [METRIC_GAUGE] = "gauge",
    [METRIC_HISTOGRAM] = "histogram",
};

#define OURS(name) "stockact_" name

static const struct metric_info metrics[METRIC_COUNT] = {
    [METRIC_REQUESTS] =
        {OURS("requests_total"), METRIC_COUNTER, METRICS_REQUESTS, "requests", "route, status",
         "Responses by route and status. The route `none` is for addresses without one."},
    [METRIC_REQUEST_DURATION] =
        {OURS("request_duration_seconds"), METRIC_HISTOGRAM, METRICS_REQUESTS, "seconds", "route",
         "Time from the complete request head to the response, by route."},
    [METRIC_REQUESTS_REFUSED] =
        {OURS("requests_refused_total"), METRIC_COUNTER, METRICS_REQUESTS, "requests", "reason",
         "Requests refused before they had a route, by reason: `bad_request`, `timeout`, "
         "`body_too_large`, `bodies_full`, `uri_too_long` or `head_too_large`."},
    [METRIC_REPLIES_DROPPED] =
        {OURS("replies_dropped_total"), METRIC_COUNTER, METRICS_REQUESTS, "responses", NULL,
         "Responses dropped because the client had disconnected."},
    [METRIC_REPLIES_ABANDONED] =
        {OURS("replies_abandoned_total"), METRIC_COUNTER, METRICS_REQUESTS, "responses", NULL,
         "Requests that got 503 because their response took too long."},
    [METRIC_DEFERRED_WAITING] =
        {OURS("deferred_waiting"), METRIC_GAUGE, METRICS_REQUESTS, "requests", NULL,
         "Requests that wait for a worker."},
    [METRIC_DEFERRED_FULL] =
        {OURS("deferred_full_total"), METRIC_COUNTER, METRICS_REQUESTS, "requests", NULL,
         "Requests refused because the workers' queue was full."},
    [METRIC_UPLOAD_BYTES] =
        {OURS("upload_bytes"), METRIC_GAUGE, METRICS_REQUESTS, "bytes", NULL,
         "Bytes of uploads that arrive or are being read."},
    [METRIC_PAGE_CACHE_HITS] =
        {OURS("page_cache_hits_total"), METRIC_COUNTER, METRICS_REQUESTS, "pages", NULL,
         "Compressed pages found in the cache."},
    [METRIC_PAGE_CACHE_MISSES] =
        {OURS("page_cache_misses_total"), METRIC_COUNTER, METRICS_REQUESTS, "pages", NULL,
         "Compressed pages not found in the cache."},
    [METRIC_PAGE_CACHE_BYTES] =
        {OURS("page_cache_bytes"), METRIC_GAUGE, METRICS_REQUESTS, "bytes", NULL,
         "Bytes of compressed pages in the cache."},
    [METRIC_CONNECTIONS_OPEN] =
        {OURS("connections_open"), METRIC_GAUGE, METRICS_CONNECTIONS, "connections", NULL,
         "Open connections."},
    [METRIC_CONNECTIONS_ACCEPTED] =
        {OURS("connections_accepted_total"), METRIC_COUNTER, METRICS_CONNECTIONS, "connections",
         NULL, "Accepted connections."},
    [METRIC_CONNECTIONS_REFUSED] =
        {OURS("connections_refused_total"), METRIC_COUNTER, METRICS_CONNECTIONS, "connections",
         "reason",
         "Refused connections by reason: `full`, `address` (too many of one address) or "
         "`descriptors`."},
    [METRIC_CONNECTIONS_CLOSED_IDLE] =
        {OURS("connections_closed_idle_total"), METRIC_COUNTER, METRICS_CONNECTIONS, "connections",
         NULL, "Connections closed because they were idle."},
    [METRIC_CONNECTIONS_CLOSED_SLOW] =
        {OURS("connections_closed_slow_total"), METRIC_COUNTER, METRICS_CONNECTIONS, "connections",
         NULL, "Connections closed because the client read too slowly."},
    [METRIC_CONNECTIONS_CLOSED_MEMORY] =
        {OURS("connections_closed_memory_total"), METRIC_COUNTER, METRICS_CONNECTIONS,
         "connections", NULL,
         "Connections closed because replies that wait for slow clients reached their limit."},
    [METRIC_REPLY_BYTES_WAITING] =
        {OURS("reply_bytes_waiting"), METRIC_GAUGE, METRICS_CONNECTIONS, "bytes", NULL,
         "Memory of replies that wait for slow clients."},
    [METRIC_STREAMS_OPEN] =
        {OURS("streams_open"), METRIC_GAUGE, METRICS_CONNECTIONS, "streams", NULL,
         "Open streams of trades."},
    [METRIC_STREAMS_OPENED] =
        {OURS("streams_opened_total"), METRIC_COUNTER, METRICS_CONNECTIONS, "streams", NULL,
         "Streams of trades opened."},
    [METRIC_STREAMS_REFUSED] =
        {OURS("streams_refused_total"), METRIC_COUNTER, METRICS_CONNECTIONS, "streams", "reason",
         "Refused streams by reason: `full` or `caller` (too many of one key or address)."},
    [METRIC_STREAM_EVENTS] =
        {OURS("stream_events_total"), METRIC_COUNTER, METRICS_CONNECTIONS, "trades", NULL,
         "Trades sent to streams."},
    [METRIC_DRAWS_GRANTED] =
        {OURS("draws_granted_total"), METRIC_COUNTER, METRICS_LIMITS, "requests", NULL,
         "Requests granted by the rate limits."},
    [METRIC_DRAWS_DENIED] =
        {OURS("draws_denied_total"), METRIC_COUNTER, METRICS_LIMITS, "requests", "window",
         "Requests denied by the rate limits, by window: `minute` or `month`."},
    [METRIC_DRAWS_UNAVAILABLE] =
        {OURS("draws_unavailable_total"), METRIC_COUNTER, METRICS_LIMITS, "requests", NULL,
         "Requests that Redis did not answer: counted by one server, or refused."},
    [METRIC_DRAWS_REFUNDED] =
        {OURS("draws_refunded_total"), METRIC_COUNTER, METRICS_LIMITS, "requests", NULL,
         "Requests refunded because of a 503."},
    [METRIC_WINDOWS_SHARED] =
        {OURS("windows_shared_total"), METRIC_COUNTER, METRICS_LIMITS, "requests", NULL,
         "Requests of addresses that shared a window because the table was full."},
    [METRIC_MONTHS_FORGOTTEN] =
        {OURS("months_forgotten_total"), METRIC_COUNTER, METRICS_LIMITS, "counts", NULL,
         "Month counts of addresses that were dropped to make room."},
    [METRIC_WINDOWS_ADDRESSES] =
        {OURS("windows_addresses"), METRIC_GAUGE, METRICS_LIMITS, "addresses", NULL,
         "Addresses in the current minute."},
    [METRIC_MONTH_COUNTS_UNWRITTEN] =
        {OURS("month_counts_unwritten"), METRIC_GAUGE, METRICS_LIMITS, "counts", NULL,
         "Month counts that are not written yet."},
    [METRIC_CLOCK_STEPS_BACK] =
        {OURS("clock_steps_back_total"), METRIC_COUNTER, METRICS_LIMITS, "times", NULL,
         "Times the wall clock was set back."},
    [METRIC_KEYS] =
        {OURS("keys"), METRIC_GAUGE, METRICS_LIMITS, "keys", NULL,
         "Known API keys, including revoked ones."},
    [METRIC_REDIS_UP] =
        {OURS("redis_up"), METRIC_GAUGE, METRICS_LIMITS, "0 or 1", NULL,
         "1 if Redis is connected, in a cluster any node of it. Only with `STOCKACT_REDIS`."},
    [METRIC_REDIS_LOSSES] =
        {OURS("redis_losses_total"), METRIC_COUNTER, METRICS_LIMITS, "connections", NULL,
         "Connections to Redis that were lost or could not be opened. Only with `STOCKACT_REDIS`."},
    [METRIC_FEED_TRADES] =
        {OURS("feed_trades"), METRIC_GAUGE, METRICS_DATA, "trades", NULL, "Trades in the feed."},
    [METRIC_FEED_SIGNALS] =
        {OURS("feed_signals"), METRIC_GAUGE, METRICS_DATA, "trades", NULL,
         "Trades in the feed with a conflict signal."},
    [METRIC_FEED_FILINGS] =
        {OURS("feed_filings"), METRIC_GAUGE, METRICS_DATA, "filings", NULL, "Filings in the feed."},
    [METRIC_FEED_WITHHELD] =
        {OURS("feed_withheld"), METRIC_GAUGE, METRICS_DATA, "trades and filings", NULL,
         "Published trades and filings that are not served because their rows are damaged."},
    [METRIC_FEED_BYTES] =
        {OURS("feed_bytes"), METRIC_GAUGE, METRICS_DATA, "bytes", NULL,
         "Bytes of memory used by the feed."},
    [METRIC_FEED_LOADS] =
        {OURS("feed_loads_total"), METRIC_COUNTER, METRICS_DATA, "times", NULL,
         "Times the feed was rebuilt from the store."},
    [METRIC_FEED_LAST_DISCLOSED] =
        {OURS("feed_last_disclosed_seconds"), METRIC_GAUGE, METRICS_DATA, "Unix time, seconds",
         NULL, "Newest `disclosedAt`."},
    [METRIC_CHAIN_FINDINGS] =
        {OURS("chain_findings"), METRIC_GAUGE, METRICS_DATA, "problems", NULL,
         "Problems that the start of this server found in the chain over publications."},
    [METRIC_DRAFTS] =
        {OURS("drafts"), METRIC_GAUGE, METRICS_REVIEW, "drafts", "state",
         "Drafts before publication, by state: `waiting`, `claimed` by a reviewer, or `accepted`."},
    [METRIC_DRAFTS_CLEAN] =
        {OURS("drafts_clean"), METRIC_GAUGE, METRICS_REVIEW, "drafts", NULL,
         "Drafts that wait for a reviewer and have no doubt and no failed check."},
    [METRIC_DRAFTS_PAPER] =
        {OURS("drafts_paper"), METRIC_GAUGE, METRICS_REVIEW, "drafts", NULL,
         "Drafts that wait for a reviewer and are typed from a picture."},
    [METRIC_DRAFTS_OLDEST_WAITING] =
        {OURS("drafts_oldest_waiting_seconds"), METRIC_GAUGE, METRICS_REVIEW, "seconds", NULL,
         "Age of the oldest draft that waits for a reviewer; 0 if none waits."},
    [METRIC_DRAFTS_EARLIEST_DUE] =
        {OURS("drafts_earliest_due_timestamp_seconds"), METRIC_GAUGE, METRICS_REVIEW,
         "Unix time, seconds", NULL,
         "Start (UTC) of the earliest day on which a report that waits for a reviewer was due by "
         "law."},
    [METRIC_JOB_FAILURES] =
        {OURS("job_failures"), METRIC_GAUGE, METRICS_JOBS, "runs", "job",
         "Runs that failed or were interrupted since the last good one."},
    [METRIC_JOB_LAST_OK] =
        {OURS("job_last_ok_seconds"), METRIC_GAUGE, METRICS_JOBS, "Unix time, seconds", "job",
         "End of the last run that did all its work."},
    [METRIC_JOB_LAST_STARTED] =
        {OURS("job_last_started_timestamp_seconds"), METRIC_GAUGE, METRICS_JOBS,
         "Unix time, seconds", "job", "Start of the last run."},
    [METRIC_JOB_STATE] =
        {OURS("job_state"), METRIC_GAUGE, METRICS_JOBS, "0 or 1", "job, state",
         "1 for the state of the last run, 0 for the others: `never`, `running`, `ok`, `failed` or "
         "`interrupted`."},
    [METRIC_JOB_LATE] =
        {OURS("job_late_seconds"), METRIC_GAUGE, METRICS_JOBS, "seconds", "job",
         "Time since a daily job (`sync`, `sweep`, `sample`) was due and has not begun; 0 if it is "
         "not late."},
    [METRIC_SWEEP_LAST_END] =
        {OURS("sweep_last_end_seconds"), METRIC_GAUGE, METRICS_JOBS, "Unix time, seconds", NULL,
         "End of the last conflict sweep of this server."},
    [METRIC_SWEEP_LAST_DURATION] =
        {OURS("sweep_last_duration_seconds"), METRIC_GAUGE, METRICS_JOBS, "seconds", NULL,
         "Duration of that sweep."},
    [METRIC_SWEEP_LAST_TRADES] =
        {OURS("sweep_last_trades"), METRIC_GAUGE, METRICS_JOBS, "trades", NULL,
         "Trades processed by that sweep."},
    [METRIC_SWEEP_LAST_SIGNALS] =
        {OURS("sweep_last_signals"), METRIC_GAUGE, METRICS_JOBS, "trades", NULL,
         "Trades with a signal after that sweep."},
    [METRIC_SWEEP_LAST_CHANGES] =
        {OURS("sweep_last_changes"), METRIC_GAUGE, METRICS_JOBS, "signals", "change",
         "Signals changed by that sweep: `set`, `changed` or `cleared`."},
    [METRIC_WEBHOOK_ATTEMPTS] =
        {OURS("webhook_attempts_total"), METRIC_COUNTER, METRICS_WEBHOOKS, "attempts", "class",
         "Delivery attempts by outcome: the class of the status (`2xx` to `5xx`), or what went "
         "wrong (`timeout`, `connect`, `tls`, `resolve`, `refused_address`, `protocol`, "
         "`not_sent`)."},
    [METRIC_WEBHOOK_IN_FLIGHT] =
        {OURS("webhook_in_flight"), METRIC_GAUGE, METRICS_WEBHOOKS, "deliveries", NULL,
         "Claimed deliveries without a durable outcome."},
    [METRIC_WEBHOOK_DUE] =
        {OURS("webhook_due"), METRIC_GAUGE, METRICS_WEBHOOKS, "deliveries", NULL,
         "Deliveries that are due."},
    [METRIC_WEBHOOK_WAITING] =
        {OURS("webhook_waiting"), METRIC_GAUGE, METRICS_WEBHOOKS, "deliveries", NULL,
         "Deliveries waiting for their next attempt."},
    [METRIC_WEBHOOK_HELD] =
        {OURS("webhook_held"), METRIC_GAUGE, METRICS_WEBHOOKS, "deliveries", NULL,
         "Deliveries held for endpoints that are not enabled or accounts that are disabled."},
    [METRIC_WEBHOOK_FAILED] =
        {OURS("webhook_failed"), METRIC_GAUGE, METRICS_WEBHOOKS, "deliveries", NULL,
         "Deliveries that failed permanently."},
    [METRIC_WEBHOOK_EXPIRED] =
        {OURS("webhook_expired"), METRIC_GAUGE, METRICS_WEBHOOKS, "deliveries", NULL,
         "Deliveries that expired while they were held."},
    [METRIC_WEBHOOK_ENDPOINTS_DISABLED] =
        {OURS("webhook_endpoints_disabled"), METRIC_GAUGE, METRICS_WEBHOOKS, "endpoints", NULL,
         "Endpoints that are disabled."},
    [METRIC_WEBHOOK_DUE_LAG] =
        {OURS("webhook_due_lag_seconds"), METRIC_GAUGE, METRICS_WEBHOOKS, "seconds", NULL,
         "Time that the oldest due delivery has waited."},
    [METRIC_MAIL_WAITING] =
        {OURS("mail_waiting"), METRIC_GAUGE, METRICS_MAIL, "e-mails", NULL,
         "E-mails that wait for their first try."},
    [METRIC_MAIL_RETRYING] =
        {OURS("mail_retrying"), METRIC_GAUGE, METRICS_MAIL, "e-mails", NULL,
         "E-mails that failed and are tried again."},
    [METRIC_MAIL_GIVEN_UP] =
        {OURS("mail_given_up"), METRIC_GAUGE, METRICS_MAIL, "e-mails", NULL,
         "E-mails that were given up and are still kept."},
    [METRIC_MAIL_OLDEST] =
        {OURS("mail_oldest_seconds"), METRIC_GAUGE, METRICS_MAIL, "seconds", NULL,
         "Time since the oldest unsent e-mail was queued."},
    [METRIC_ALERT_EMAILS] =
        {OURS("alert_emails_total"), METRIC_COUNTER, METRICS_MAIL, "e-mails", "outcome",
         "E-mails of alerts by outcome: `queued`, or dropped because they were `too_long`."},
    [METRIC_ALERT_EMAILS_WAITING] =
        {OURS("alert_emails_waiting"), METRIC_GAUGE, METRICS_MAIL, "e-mails", NULL,
         "E-mails of alerts that are queued and not sent."},
    [METRIC_ALERTS_BEHIND] =
        {OURS("alerts_behind"), METRIC_GAUGE, METRICS_MAIL, "changes", NULL,
         "Changes of trades that are not matched with alerts yet. Only with `STOCKACT_SMTP_URL`."},
    [METRIC_ALERTS_BEHIND_TIME] =
        {OURS("alerts_behind_seconds"), METRIC_GAUGE, METRICS_MAIL, "seconds", NULL,
         "Time since the oldest of these changes; 0 if there is none. Only with "
         "`STOCKACT_SMTP_URL`."},
    [METRIC_PURGES] =
        {OURS("purges_total"), METRIC_COUNTER, METRICS_CACHE, "requests", "outcome",
         "Requests to the cache, by outcome: `success` or `failure`. The metrics of the cache "
         "exist only with `STOCKACT_PURGE_URL`."},
    [METRIC_PURGE_WAITING] =
        {OURS("purge_waiting"), METRIC_GAUGE, METRICS_CACHE, "0 or 1", NULL,
         "1 while pages wait to be purged."},
    [METRIC_PURGE_FAILING] =
        {OURS("purge_failing_seconds"), METRIC_GAUGE, METRICS_CACHE, "seconds", NULL,
         "Time since purges began to fail; 0 if they succeed."},
    [METRIC_DATABASE_UP] =
        {OURS("database_up"), METRIC_GAUGE, METRICS_STORE, "0 or 1", NULL,
         "1 if the database answered the last time this server asked."},
    [METRIC_FEED_LAG] =
        {OURS("feed_lag_seconds"), METRIC_GAUGE, METRICS_STORE, "seconds", NULL,
         "Time since the store stopped answering; 0 if it answers."},
    [METRIC_STORE_ERRORS] =
        {OURS("store_errors_total"), METRIC_COUNTER, METRICS_STORE, "operations", NULL,
         "Failed operations on the store."},
    [METRIC_WRITER_COMMITS] =
        {OURS("writer_commits_total"), METRIC_COUNTER, METRICS_STORE, "transactions", NULL,
         "Transactions that the writer committed."},
    [METRIC_WRITER_WAITING] =
        {OURS("writer_waiting"), METRIC_GAUGE, METRICS_STORE, "jobs", NULL,
         "Jobs that wait for the writer."},
    [METRIC_DATABASE_BYTES] =
        {OURS("database_bytes"), METRIC_GAUGE, METRICS_STORE, "bytes", NULL,
         "Size of the database, with its free pages."},
    [METRIC_DATABASE_LOG_BYTES] =
        {OURS("database_log_bytes"), METRIC_GAUGE, METRICS_STORE, "bytes", NULL,
         "Size of the write-ahead log. SQLite only."},
    [METRIC_DATABASE_RESERVE_BYTES] =
        {OURS("database_reserve_bytes"), METRIC_GAUGE, METRICS_STORE, "bytes", NULL,
         "Size of the reserve beside the database; 0: it was released because the disk was full. "
         "SQLite only."},
    [METRIC_DATABASE_DISK_FREE] =
        {OURS("database_disk_free_bytes"), METRIC_GAUGE, METRICS_STORE, "bytes", NULL,
         "Room on the disk of the database. SQLite only."},
    [METRIC_BACKUP_LAST] =
        {OURS("backup_timestamp_seconds"), METRIC_GAUGE, METRICS_STORE, "Unix time, seconds", NULL,
         "When the last backup was made; 0: never. Real data only, and with PostgreSQL only after "
         "`backup --note`."},
    [METRIC_NODES] =
        {OURS("nodes"), METRIC_GAUGE, METRICS_STORE, "servers", "state",
         "Servers of this database: `running`, or `silent` for those that were killed or cannot "
         "reach the database."},
    [METRIC_NODES_BEHIND_MAX] =
        {OURS("nodes_behind_max"), METRIC_GAUGE, METRICS_STORE, "changes", NULL,
         "Changes that the slowest running server has not applied."},
    [METRIC_NODE_BEHIND] =
        {OURS("node_behind"), METRIC_GAUGE, METRICS_STORE, "changes", NULL,
         "Changes in the database that this server has not applied."},
    [METRIC_CLOCK_AHEAD] =
        {OURS("clock_ahead_seconds"), METRIC_GAUGE, METRICS_STORE, "seconds", NULL,
         "Time by which this server's clock is ahead of the database's; below 0: behind. With "
         "SQLite: by which it was set ahead since the server started. Above 60, nothing is "
         "published."},
    [METRIC_COUNTS_AGE] =
        {OURS("counts_age_seconds"), METRIC_GAUGE, METRICS_STORE, "seconds", NULL,
         "Age of the figures that this server counts in the database in the background."},
    [METRIC_COUNTS_DURATION] =
        {OURS("counts_duration_seconds"), METRIC_GAUGE, METRICS_STORE, "seconds", NULL,
         "Time that this count took."},
    [METRIC_CONDITION] =
        {OURS("condition"), METRIC_GAUGE, METRICS_PROCESS, "0 or 1", "alert",
         "1 if this server's metrics show, now or in the last five to ten minutes, what the alert "
         "rule of this name looks for. `stockact status` reads it, for operators without "
         "Prometheus."},
    [METRIC_BUILD_INFO] =
        {OURS("build_info"), METRIC_GAUGE, METRICS_PROCESS, "always 1", "version",
         "The version of the program."},
    [METRIC_LOG_LINES_DROPPED] =
        {OURS("log_lines_dropped_total"), METRIC_COUNTER, METRICS_PROCESS, "lines", NULL,
         "Log lines dropped because the log was full."},
    [METRIC_PROCESS_CPU] =
        {"process_cpu_seconds_total", METRIC_COUNTER, METRICS_PROCESS, "seconds", NULL,
         "Time of processors that the server has used, in user and system mode."},
    [METRIC_PROCESS_MEMORY] =
        {"process_resident_memory_bytes", METRIC_GAUGE, METRICS_PROCESS, "bytes", NULL,
         "Memory of the server that is resident."},
    [METRIC_PROCESS_START] =
        {"process_start_time_seconds", METRIC_GAUGE, METRICS_PROCESS, "Unix time, seconds", NULL,
         "Start of the server."},
};

const struct metric_info *metric_info(enum metric metric)
{
    assert(metric < METRIC_COUNT);
    return &metrics[metric];
}

const char *metric_type_name(enum metric_type type)
{
    return type_names[type];
}
