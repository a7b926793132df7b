/*
 * The table of all metrics of /metrics. The page is written from it, and docs/metrics.md,
 * the board and the alert rules of deploy/ are compared with it by tests. A name is a contract:
 * boards and alerts of operators have it. A metric that is no longer needed stays for a release,
 * with a help that says so.
 *
 * Names follow Prometheus: base units (seconds, bytes), `_total` for counters. Some old gauges of
 * Unix time end in `_seconds`; new ones end in `_timestamp_seconds`.
 */
#pragma once

#include "base/closed_list.h"
#include "base/buf.h"

/* The metrics: name, type, group, unit, labels and help, as struct metric_info says. */
#define METRICS(ENTRY)                                                                             \
    ENTRY(                                                                                         \
        METRIC_REQUESTS, "stockact_requests_total", METRIC_COUNTER, METRICS_REQUESTS, "requests",  \
        "route, status",                                                                           \
        "Responses by route and status. The route `none` is for addresses without one.")           \
    ENTRY(                                                                                         \
        METRIC_REQUEST_DURATION, "stockact_request_duration_seconds", METRIC_HISTOGRAM,            \
        METRICS_REQUESTS, "seconds", "route",                                                      \
        "Time from the complete request head to the response, by route.")                          \
    ENTRY(                                                                                         \
        METRIC_REQUESTS_REFUSED, "stockact_requests_refused_total", METRIC_COUNTER,                \
        METRICS_REQUESTS, "requests", "reason",                                                    \
        "Requests refused before they had a route, by reason: `bad_request`, `timeout`, "          \
        "`body_too_large`, `bodies_full`, `uri_too_long` or `head_too_large`.")                    \
    ENTRY(                                                                                         \
        METRIC_REPLIES_DROPPED, "stockact_replies_dropped_total", METRIC_COUNTER,                  \
        METRICS_REQUESTS, "responses", NULL,                                                       \
        "Responses dropped because the client had disconnected.")                                  \
    ENTRY(                                                                                         \
        METRIC_REPLIES_ABANDONED, "stockact_replies_abandoned_total", METRIC_COUNTER,              \
        METRICS_REQUESTS, "responses", NULL,                                                       \
        "Requests that got 503 because their response took too long.")                             \
    ENTRY(                                                                                         \
        METRIC_DEFERRED_WAITING, "stockact_deferred_waiting", METRIC_GAUGE, METRICS_REQUESTS,      \
        "requests", NULL, "Requests that wait for a worker.")                                      \
    ENTRY(                                                                                         \
        METRIC_DEFERRED_FULL, "stockact_deferred_full_total", METRIC_COUNTER, METRICS_REQUESTS,    \
        "requests", NULL, "Requests refused because the workers' queue was full.")                 \
    ENTRY(                                                                                         \
        METRIC_UPLOAD_BYTES, "stockact_upload_bytes", METRIC_GAUGE, METRICS_REQUESTS, "bytes",     \
        NULL, "Bytes of uploads that arrive or are being read.")                                   \
    ENTRY(                                                                                         \
        METRIC_PAGE_CACHE_HITS, "stockact_page_cache_hits_total", METRIC_COUNTER,                  \
        METRICS_REQUESTS, "pages", NULL, "Compressed pages found in the cache.")                   \
    ENTRY(                                                                                         \
        METRIC_PAGE_CACHE_MISSES, "stockact_page_cache_misses_total", METRIC_COUNTER,              \
        METRICS_REQUESTS, "pages", NULL, "Compressed pages not found in the cache.")               \
    ENTRY(                                                                                         \
        METRIC_PAGE_CACHE_BYTES, "stockact_page_cache_bytes", METRIC_GAUGE, METRICS_REQUESTS,      \
        "bytes", NULL, "Bytes of compressed pages in the cache.")                                  \
    ENTRY(                                                                                         \
        METRIC_CONNECTIONS_OPEN, "stockact_connections_open", METRIC_GAUGE, METRICS_CONNECTIONS,   \
        "connections", NULL, "Open connections.")                                                  \
    ENTRY(                                                                                         \
        METRIC_CONNECTIONS_ACCEPTED, "stockact_connections_accepted_total", METRIC_COUNTER,        \
        METRICS_CONNECTIONS, "connections", NULL, "Accepted connections.")                         \
    ENTRY(                                                                                         \
        METRIC_CONNECTIONS_REFUSED, "stockact_connections_refused_total", METRIC_COUNTER,          \
        METRICS_CONNECTIONS, "connections", "reason",                                              \
        "Refused connections by reason: `full`, `address` (too many of one address) or "           \
        "`descriptors`.")                                                                          \
    ENTRY(                                                                                         \
        METRIC_CONNECTIONS_CLOSED_IDLE, "stockact_connections_closed_idle_total", METRIC_COUNTER,  \
        METRICS_CONNECTIONS, "connections", NULL, "Connections closed because they were idle.")    \
    ENTRY(                                                                                         \
        METRIC_CONNECTIONS_CLOSED_SLOW, "stockact_connections_closed_slow_total", METRIC_COUNTER,  \
        METRICS_CONNECTIONS, "connections", NULL,                                                  \
        "Connections closed because the client read too slowly.")                                  \
    ENTRY(                                                                                         \
        METRIC_CONNECTIONS_CLOSED_MEMORY, "stockact_connections_closed_memory_total",              \
        METRIC_COUNTER, METRICS_CONNECTIONS, "connections", NULL,                                  \
        "Connections closed because replies that wait for slow clients reached their limit.")      \
    ENTRY(                                                                                         \
        METRIC_REPLY_BYTES_WAITING, "stockact_reply_bytes_waiting", METRIC_GAUGE,                  \
        METRICS_CONNECTIONS, "bytes", NULL, "Memory of replies that wait for slow clients.")       \
    ENTRY(                                                                                         \
        METRIC_STREAMS_OPEN, "stockact_streams_open", METRIC_GAUGE, METRICS_CONNECTIONS,           \
        "streams", NULL, "Open streams of trades.")                                                \
    ENTRY(                                                                                         \
        METRIC_STREAMS_OPENED, "stockact_streams_opened_total", METRIC_COUNTER,                    \
        METRICS_CONNECTIONS, "streams", NULL, "Streams of trades opened.")                         \
    ENTRY(                                                                                         \
        METRIC_STREAMS_REFUSED, "stockact_streams_refused_total", METRIC_COUNTER,                  \
        METRICS_CONNECTIONS, "streams", "reason",                                                  \
        "Refused streams by reason: `full` or `caller` (too many of one key or address).")         \
    ENTRY(                                                                                         \
        METRIC_STREAM_EVENTS, "stockact_stream_events_total", METRIC_COUNTER, METRICS_CONNECTIONS, \
        "trades", NULL, "Trades sent to streams.")                                                 \
    ENTRY(                                                                                         \
        METRIC_DRAWS_GRANTED, "stockact_draws_granted_total", METRIC_COUNTER, METRICS_LIMITS,      \
        "requests", NULL, "Requests granted by the rate limits.")                                  \
    ENTRY(                                                                                         \
        METRIC_DRAWS_DENIED, "stockact_draws_denied_total", METRIC_COUNTER, METRICS_LIMITS,        \
        "requests", "window",                                                                      \
        "Requests denied by the rate limits, by window: `minute` or `month`.")                     \
    ENTRY(                                                                                         \
        METRIC_DRAWS_UNAVAILABLE, "stockact_draws_unavailable_total", METRIC_COUNTER,              \
        METRICS_LIMITS, "requests", NULL,                                                          \
        "Requests that Redis did not answer: counted by one server, or refused.")                  \
    ENTRY(                                                                                         \
        METRIC_DRAWS_REFUNDED, "stockact_draws_refunded_total", METRIC_COUNTER, METRICS_LIMITS,    \
        "requests", NULL, "Requests refunded because of a 503.")                                   \
    ENTRY(                                                                                         \
        METRIC_WINDOWS_SHARED, "stockact_windows_shared_total", METRIC_COUNTER, METRICS_LIMITS,    \
        "requests", NULL,                                                                          \
        "Requests of addresses that shared a window because the table was full.")                  \
    ENTRY(                                                                                         \
        METRIC_MONTHS_FORGOTTEN, "stockact_months_forgotten_total", METRIC_COUNTER,                \
        METRICS_LIMITS, "counts", NULL,                                                            \
        "Month counts of addresses that were dropped to make room.")                               \
    ENTRY(                                                                                         \
        METRIC_WINDOWS_ADDRESSES, "stockact_windows_addresses", METRIC_GAUGE, METRICS_LIMITS,      \
        "addresses", NULL, "Addresses in the current minute.")                                     \
    ENTRY(                                                                                         \
        METRIC_MONTH_COUNTS_UNWRITTEN, "stockact_month_counts_unwritten", METRIC_GAUGE,            \
        METRICS_LIMITS, "counts", NULL, "Month counts that are not written yet.")                  \
    ENTRY(                                                                                         \
        METRIC_CLOCK_STEPS_BACK, "stockact_clock_steps_back_total", METRIC_COUNTER,                \
        METRICS_LIMITS, "times", NULL, "Times the wall clock was set back.")                       \
    ENTRY(                                                                                         \
        METRIC_KEYS, "stockact_keys", METRIC_GAUGE, METRICS_LIMITS, "keys", NULL,                  \
        "Known API keys, including revoked ones.")                                                 \
    ENTRY(                                                                                         \
        METRIC_REDIS_UP, "stockact_redis_up", METRIC_GAUGE, METRICS_LIMITS, "0 or 1", NULL,        \
        "1 if Redis is connected, in a cluster any node of it. Only with `STOCKACT_REDIS`.")       \
    ENTRY(                                                                                         \
        METRIC_REDIS_LOSSES, "stockact_redis_losses_total", METRIC_COUNTER, METRICS_LIMITS,        \
        "connections", NULL,                                                                       \
        "Connections to Redis that were lost or could not be opened. Only with `STOCKACT_REDIS`.") \
    ENTRY(                                                                                         \
        METRIC_FEED_TRADES, "stockact_feed_trades", METRIC_GAUGE, METRICS_DATA, "trades", NULL,    \
        "Trades in the feed.")                                                                     \
    ENTRY(                                                                                         \
        METRIC_FEED_SIGNALS, "stockact_feed_signals", METRIC_GAUGE, METRICS_DATA, "trades", NULL,  \
        "Trades in the feed with a conflict signal.")                                              \
    ENTRY(                                                                                         \
        METRIC_FEED_FILINGS, "stockact_feed_filings", METRIC_GAUGE, METRICS_DATA, "filings", NULL, \
        "Filings in the feed.")                                                                    \
    ENTRY(                                                                                         \
        METRIC_FEED_WITHHELD, "stockact_feed_withheld", METRIC_GAUGE, METRICS_DATA,                \
        "trades and filings", NULL,                                                                \
        "Published trades and filings that are not served because their rows are damaged.")        \
    ENTRY(                                                                                         \
        METRIC_FEED_BYTES, "stockact_feed_bytes", METRIC_GAUGE, METRICS_DATA, "bytes", NULL,       \
        "Bytes of memory used by the feed.")                                                       \
    ENTRY(                                                                                         \
        METRIC_FEED_LOADS, "stockact_feed_loads_total", METRIC_COUNTER, METRICS_DATA, "times",     \
        NULL, "Times the feed was rebuilt from the store.")                                        \
    ENTRY(                                                                                         \
        METRIC_FEED_LAST_DISCLOSED, "stockact_feed_last_disclosed_seconds", METRIC_GAUGE,          \
        METRICS_DATA, "Unix time, seconds", NULL, "Newest `disclosedAt`.")                         \
    ENTRY(                                                                                         \
        METRIC_CHAIN_FINDINGS, "stockact_chain_findings", METRIC_GAUGE, METRICS_DATA, "problems",  \
        NULL, "Problems that the start of this server found in the chain over publications.")      \
    ENTRY(                                                                                         \
        METRIC_DRAFTS, "stockact_drafts", METRIC_GAUGE, METRICS_REVIEW, "drafts", "state",         \
        "Drafts before publication, by state: `waiting`, `claimed` by a reviewer, or `accepted`.") \
    ENTRY(                                                                                         \
        METRIC_DRAFTS_CLEAN, "stockact_drafts_clean", METRIC_GAUGE, METRICS_REVIEW, "drafts",      \
        NULL, "Drafts that wait for a reviewer and have no doubt and no failed check.")            \
    ENTRY(                                                                                         \
        METRIC_DRAFTS_PAPER, "stockact_drafts_paper", METRIC_GAUGE, METRICS_REVIEW, "drafts",      \
        NULL, "Drafts that wait for a reviewer and are typed from a picture.")                     \
    ENTRY(                                                                                         \
        METRIC_DRAFTS_OLDEST_WAITING, "stockact_drafts_oldest_waiting_seconds", METRIC_GAUGE,      \
        METRICS_REVIEW, "seconds", NULL,                                                           \
        "Age of the oldest draft that waits for a reviewer; 0 if none waits.")                     \
    ENTRY(                                                                                         \
        METRIC_DRAFTS_EARLIEST_DUE, "stockact_drafts_earliest_due_timestamp_seconds",              \
        METRIC_GAUGE, METRICS_REVIEW, "Unix time, seconds", NULL,                                  \
        "Start (UTC) of the earliest day on which a report that waits for a reviewer was due by "  \
        "law.")                                                                                    \
    ENTRY(                                                                                         \
        METRIC_JOB_FAILURES, "stockact_job_failures", METRIC_GAUGE, METRICS_JOBS, "runs", "job",   \
        "Runs that failed or were interrupted since the last good one.")                           \
    ENTRY(                                                                                         \
        METRIC_JOB_LAST_OK, "stockact_job_last_ok_seconds", METRIC_GAUGE, METRICS_JOBS,            \
        "Unix time, seconds", "job", "End of the last run that did all its work.")                 \
    ENTRY(                                                                                         \
        METRIC_JOB_LAST_STARTED, "stockact_job_last_started_timestamp_seconds", METRIC_GAUGE,      \
        METRICS_JOBS, "Unix time, seconds", "job", "Start of the last run.")                       \
    ENTRY(                                                                                         \
        METRIC_JOB_STATE, "stockact_job_state", METRIC_GAUGE, METRICS_JOBS, "0 or 1",              \
        "job, state",                                                                              \
        "1 for the state of the last run, 0 for the others: `never`, `running`, `ok`, `failed` "   \
        "or `interrupted`.")                                                                       \
    ENTRY(                                                                                         \
        METRIC_JOB_LATE, "stockact_job_late_seconds", METRIC_GAUGE, METRICS_JOBS, "seconds",       \
        "job",                                                                                     \
        "Time since a daily job (`sync`, `sweep`, `sample`) was due and has not begun; 0 if it "   \
        "is not late.")                                                                            \
    ENTRY(                                                                                         \
        METRIC_SWEEP_LAST_END, "stockact_sweep_last_end_seconds", METRIC_GAUGE, METRICS_JOBS,      \
        "Unix time, seconds", NULL, "End of the last conflict sweep of this server.")              \
    ENTRY(                                                                                         \
        METRIC_SWEEP_LAST_DURATION, "stockact_sweep_last_duration_seconds", METRIC_GAUGE,          \
        METRICS_JOBS, "seconds", NULL, "Duration of that sweep.")                                  \
    ENTRY(                                                                                         \
        METRIC_SWEEP_LAST_TRADES, "stockact_sweep_last_trades", METRIC_GAUGE, METRICS_JOBS,        \
        "trades", NULL, "Trades processed by that sweep.")                                         \
    ENTRY(                                                                                         \
        METRIC_SWEEP_LAST_SIGNALS, "stockact_sweep_last_signals", METRIC_GAUGE, METRICS_JOBS,      \
        "trades", NULL, "Trades with a signal after that sweep.")                                  \
    ENTRY(                                                                                         \
        METRIC_SWEEP_LAST_CHANGES, "stockact_sweep_last_changes", METRIC_GAUGE, METRICS_JOBS,      \
        "signals", "change", "Signals changed by that sweep: `set`, `changed` or `cleared`.")      \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_ATTEMPTS, "stockact_webhook_attempts_total", METRIC_COUNTER,                \
        METRICS_WEBHOOKS, "attempts", "class",                                                     \
        "Delivery attempts by outcome: the class of the status (`2xx` to `5xx`), or what went "    \
        "wrong (`timeout`, `connect`, `tls`, `resolve`, `refused_address`, `protocol`, "           \
        "`not_sent`).")                                                                            \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_IN_FLIGHT, "stockact_webhook_in_flight", METRIC_GAUGE, METRICS_WEBHOOKS,    \
        "deliveries", NULL, "Claimed deliveries without a durable outcome.")                       \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_DUE, "stockact_webhook_due", METRIC_GAUGE, METRICS_WEBHOOKS, "deliveries",  \
        NULL, "Deliveries that are due.")                                                          \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_WAITING, "stockact_webhook_waiting", METRIC_GAUGE, METRICS_WEBHOOKS,        \
        "deliveries", NULL, "Deliveries waiting for their next attempt.")                          \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_HELD, "stockact_webhook_held", METRIC_GAUGE, METRICS_WEBHOOKS,              \
        "deliveries", NULL,                                                                        \
        "Deliveries held for endpoints that are not enabled or accounts that are disabled.")       \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_FAILED, "stockact_webhook_failed", METRIC_GAUGE, METRICS_WEBHOOKS,          \
        "deliveries", NULL, "Deliveries that failed permanently.")                                 \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_EXPIRED, "stockact_webhook_expired", METRIC_GAUGE, METRICS_WEBHOOKS,        \
        "deliveries", NULL, "Deliveries that expired while they were held.")                       \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_ENDPOINTS_DISABLED, "stockact_webhook_endpoints_disabled", METRIC_GAUGE,    \
        METRICS_WEBHOOKS, "endpoints", NULL, "Endpoints that are disabled.")                       \
    ENTRY(                                                                                         \
        METRIC_WEBHOOK_DUE_LAG, "stockact_webhook_due_lag_seconds", METRIC_GAUGE,                  \
        METRICS_WEBHOOKS, "seconds", NULL, "Time that the oldest due delivery has waited.")        \
    ENTRY(                                                                                         \
        METRIC_MAIL_WAITING, "stockact_mail_waiting", METRIC_GAUGE, METRICS_MAIL, "e-mails", NULL, \
        "E-mails that wait for their first try.")                                                  \
    ENTRY(                                                                                         \
        METRIC_MAIL_RETRYING, "stockact_mail_retrying", METRIC_GAUGE, METRICS_MAIL, "e-mails",     \
        NULL, "E-mails that failed and are tried again.")                                          \
    ENTRY(                                                                                         \
        METRIC_MAIL_GIVEN_UP, "stockact_mail_given_up", METRIC_GAUGE, METRICS_MAIL, "e-mails",     \
        NULL, "E-mails that were given up and are still kept.")                                    \
    ENTRY(                                                                                         \
        METRIC_MAIL_OLDEST, "stockact_mail_oldest_seconds", METRIC_GAUGE, METRICS_MAIL, "seconds", \
        NULL, "Time since the oldest unsent e-mail was queued.")                                   \
    ENTRY(                                                                                         \
        METRIC_ALERT_EMAILS, "stockact_alert_emails_total", METRIC_COUNTER, METRICS_MAIL,          \
        "e-mails", "outcome",                                                                      \
        "E-mails of alerts by outcome: `queued`, or dropped because they were `too_long`.")        \
    ENTRY(                                                                                         \
        METRIC_ALERT_EMAILS_WAITING, "stockact_alert_emails_waiting", METRIC_GAUGE, METRICS_MAIL,  \
        "e-mails", NULL, "E-mails of alerts that are queued and not sent.")                        \
    ENTRY(                                                                                         \
        METRIC_ALERTS_BEHIND, "stockact_alerts_behind", METRIC_GAUGE, METRICS_MAIL, "changes",     \
        NULL,                                                                                      \
        "Changes of trades that are not matched with alerts yet. Only with `STOCKACT_SMTP_URL`.")  \
    ENTRY(                                                                                         \
        METRIC_ALERTS_BEHIND_TIME, "stockact_alerts_behind_seconds", METRIC_GAUGE, METRICS_MAIL,   \
        "seconds", NULL,                                                                           \
        "Time since the oldest of these changes; 0 if there is none. Only with "                   \
        "`STOCKACT_SMTP_URL`.")                                                                    \
    ENTRY(                                                                                         \
        METRIC_PURGES, "stockact_purges_total", METRIC_COUNTER, METRICS_CACHE, "requests",         \
        "outcome",                                                                                 \
        "Requests to the cache, by outcome: `success` or `failure`. The metrics of the cache "     \
        "exist only with `STOCKACT_PURGE_URL`.")                                                   \
    ENTRY(                                                                                         \
        METRIC_PURGE_WAITING, "stockact_purge_waiting", METRIC_GAUGE, METRICS_CACHE, "0 or 1",     \
        NULL, "1 while pages wait to be purged.")                                                  \
    ENTRY(                                                                                         \
        METRIC_PURGE_FAILING, "stockact_purge_failing_seconds", METRIC_GAUGE, METRICS_CACHE,       \
        "seconds", NULL, "Time since purges began to fail; 0 if they succeed.")                    \
    ENTRY(                                                                                         \
        METRIC_DATABASE_UP, "stockact_database_up", METRIC_GAUGE, METRICS_STORE, "0 or 1", NULL,   \
        "1 if the database answered the last time this server asked.")                             \
    ENTRY(                                                                                         \
        METRIC_FEED_LAG, "stockact_feed_lag_seconds", METRIC_GAUGE, METRICS_STORE, "seconds",      \
        NULL, "Time since the store stopped answering; 0 if it answers.")                          \
    ENTRY(                                                                                         \
        METRIC_STORE_ERRORS, "stockact_store_errors_total", METRIC_COUNTER, METRICS_STORE,         \
        "operations", NULL, "Failed operations on the store.")                                     \
    ENTRY(                                                                                         \
        METRIC_WRITER_COMMITS, "stockact_writer_commits_total", METRIC_COUNTER, METRICS_STORE,     \
        "transactions", NULL, "Transactions that the writer committed.")                           \
    ENTRY(                                                                                         \
        METRIC_WRITER_WAITING, "stockact_writer_waiting", METRIC_GAUGE, METRICS_STORE, "jobs",     \
        NULL, "Jobs that wait for the writer.")                                                    \
    ENTRY(                                                                                         \
        METRIC_DATABASE_BYTES, "stockact_database_bytes", METRIC_GAUGE, METRICS_STORE, "bytes",    \
        NULL, "Size of the database, with its free pages.")                                        \
    ENTRY(                                                                                         \
        METRIC_DATABASE_LOG_BYTES, "stockact_database_log_bytes", METRIC_GAUGE, METRICS_STORE,     \
        "bytes", NULL, "Size of the write-ahead log. SQLite only.")                                \
    ENTRY(                                                                                         \
        METRIC_DATABASE_RESERVE_BYTES, "stockact_database_reserve_bytes", METRIC_GAUGE,            \
        METRICS_STORE, "bytes", NULL,                                                              \
        "Size of the reserve beside the database; 0: it was released because the disk was full. "  \
        "SQLite only.")                                                                            \
    ENTRY(                                                                                         \
        METRIC_DATABASE_DISK_FREE, "stockact_database_disk_free_bytes", METRIC_GAUGE,              \
        METRICS_STORE, "bytes", NULL, "Room on the disk of the database. SQLite only.")            \
    ENTRY(                                                                                         \
        METRIC_BACKUP_LAST, "stockact_backup_timestamp_seconds", METRIC_GAUGE, METRICS_STORE,      \
        "Unix time, seconds", NULL,                                                                \
        "When the last backup was made; 0: never. Real data only, and with PostgreSQL only after " \
        "`backup --note`.")                                                                        \
    ENTRY(                                                                                         \
        METRIC_NODES, "stockact_nodes", METRIC_GAUGE, METRICS_STORE, "servers", "state",           \
        "Servers of this database: `running`, or `silent` for those that were killed or cannot "   \
        "reach the database.")                                                                     \
    ENTRY(                                                                                         \
        METRIC_NODES_BEHIND_MAX, "stockact_nodes_behind_max", METRIC_GAUGE, METRICS_STORE,         \
        "changes", NULL, "Changes that the slowest running server has not applied.")               \
    ENTRY(                                                                                         \
        METRIC_NODE_BEHIND, "stockact_node_behind", METRIC_GAUGE, METRICS_STORE, "changes", NULL,  \
        "Changes in the database that this server has not applied.")                               \
    ENTRY(                                                                                         \
        METRIC_CLOCK_AHEAD, "stockact_clock_ahead_seconds", METRIC_GAUGE, METRICS_STORE,           \
        "seconds", NULL,                                                                           \
        "Time by which this server's clock is ahead of the database's; below 0: behind. With "     \
        "SQLite: by which it was set ahead since the server started. Above 60, nothing is "        \
        "published.")                                                                              \
    ENTRY(                                                                                         \
        METRIC_COUNTS_AGE, "stockact_counts_age_seconds", METRIC_GAUGE, METRICS_STORE, "seconds",  \
        NULL, "Age of the figures that this server counts in the database in the background.")     \
    ENTRY(                                                                                         \
        METRIC_COUNTS_DURATION, "stockact_counts_duration_seconds", METRIC_GAUGE, METRICS_STORE,   \
        "seconds", NULL, "Time that this count took.")                                             \
    ENTRY(                                                                                         \
        METRIC_CONDITION, "stockact_condition", METRIC_GAUGE, METRICS_PROCESS, "0 or 1", "alert",  \
        "1 if this server's metrics show, now or in the last five to ten minutes, what the alert " \
        "rule of this name looks for. `stockact status` reads it, for operators without "          \
        "Prometheus.")                                                                             \
    ENTRY(                                                                                         \
        METRIC_BUILD_INFO, "stockact_build_info", METRIC_GAUGE, METRICS_PROCESS, "always 1",       \
        "version", "The version of the program.")                                                  \
    ENTRY(                                                                                         \
        METRIC_LOG_LINES_DROPPED, "stockact_log_lines_dropped_total", METRIC_COUNTER,              \
        METRICS_PROCESS, "lines", NULL, "Log lines dropped because the log was full.")             \
    ENTRY(                                                                                         \
        METRIC_PROCESS_CPU, "process_cpu_seconds_total", METRIC_COUNTER, METRICS_PROCESS,          \
        "seconds", NULL, "Time of processors that the server has used, in user and system mode.")  \
    ENTRY(                                                                                         \
        METRIC_PROCESS_MEMORY, "process_resident_memory_bytes", METRIC_GAUGE, METRICS_PROCESS,     \
        "bytes", NULL, "Memory of the server that is resident.")                                   \
    ENTRY(                                                                                         \
        METRIC_PROCESS_START, "process_start_time_seconds", METRIC_GAUGE, METRICS_PROCESS,         \
        "Unix time, seconds", NULL, "Start of the server.")

enum metric { METRICS(LIST_NAME) METRIC_COUNT };

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

enum metric_group {
    METRICS_REQUESTS,
    METRICS_CONNECTIONS,
    METRICS_LIMITS,
    METRICS_DATA,
    METRICS_REVIEW,
    METRICS_JOBS,
    METRICS_WEBHOOKS,
    METRICS_MAIL,
    METRICS_CACHE,
    METRICS_STORE,
    METRICS_PROCESS,
    METRIC_GROUP_COUNT
};

struct metric_info {
    const char *name; /* whole: "stockact_requests_total" */
    enum metric_type type;
    enum metric_group group;
    const char *unit;   /* "requests", "bytes", "Unix time in seconds" */
    const char *labels; /* with commas: "route, status"; NULL: none */
    const char *help;   /* one line; in docs/metrics.md as Markdown */
};

const struct metric_info *metric_info(enum metric metric);
const char *metric_type_name(enum metric_type type); /* "counter" */

/* Writes parts of a page in the Prometheus text format, from the table of metrics. */

/* Writes the HELP and TYPE lines of a metric. */
void metrics_put_type(struct buf *b, enum metric metric);

/* The values of a metric's labels, in the order of the table. */
#define METRIC_LABELS(...)                                                                         \
    (const struct str[])                                                                           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Writes one sample, with `labels` as METRIC_LABELS has them; NULL: the metric has none. */
void metrics_put_sample(
    struct buf *b, enum metric metric, const struct str *labels, uint64_t value);

/* Writes a metric with one sample and without labels: a number, or a time as seconds. */
void metrics_put(struct buf *b, enum metric metric, uint64_t value);
void metrics_put_ms(struct buf *b, enum metric metric, int64_t ms);
/* The same of a difference, which may be below 0. */
void metrics_put_difference(struct buf *b, enum metric metric, int64_t ms);

void metrics_put_seconds(struct buf *b, int64_t us); /* "1.000250" */
