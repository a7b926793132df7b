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

#include "base/buf.h"
#include "base/str.h"

enum metric {
    /* requests */
    METRIC_REQUESTS,
    METRIC_REQUEST_DURATION,
    METRIC_REQUESTS_REFUSED,
    METRIC_REPLIES_DROPPED,
    METRIC_REPLIES_ABANDONED,
    METRIC_DEFERRED_WAITING,
    METRIC_DEFERRED_FULL,
    METRIC_UPLOAD_BYTES,
    METRIC_PAGE_CACHE_HITS,
    METRIC_PAGE_CACHE_MISSES,
    METRIC_PAGE_CACHE_BYTES,
    /* connections and streams */
    METRIC_CONNECTIONS_OPEN,
    METRIC_CONNECTIONS_ACCEPTED,
    METRIC_CONNECTIONS_REFUSED,
    METRIC_CONNECTIONS_CLOSED_IDLE,
    METRIC_CONNECTIONS_CLOSED_SLOW,
    METRIC_CONNECTIONS_CLOSED_MEMORY,
    METRIC_REPLY_BYTES_WAITING,
    METRIC_STREAMS_OPEN,
    METRIC_STREAMS_OPENED,
    METRIC_STREAMS_REFUSED,
    METRIC_STREAM_EVENTS,
    /* limits */
    METRIC_DRAWS_GRANTED,
    METRIC_DRAWS_DENIED,
    METRIC_DRAWS_UNAVAILABLE,
    METRIC_DRAWS_REFUNDED,
    METRIC_WINDOWS_SHARED,
    METRIC_MONTHS_FORGOTTEN,
    METRIC_WINDOWS_ADDRESSES,
    METRIC_MONTH_COUNTS_UNWRITTEN,
    METRIC_CLOCK_STEPS_BACK,
    METRIC_KEYS,
    METRIC_REDIS_UP,
    METRIC_REDIS_LOSSES,
    /* published data */
    METRIC_FEED_TRADES,
    METRIC_FEED_SIGNALS,
    METRIC_FEED_FILINGS,
    METRIC_FEED_WITHHELD,
    METRIC_FEED_BYTES,
    METRIC_FEED_LOADS,
    METRIC_FEED_LAST_DISCLOSED,
    METRIC_CHAIN_FINDINGS,
    /* review */
    METRIC_DRAFTS,
    METRIC_DRAFTS_CLEAN,
    METRIC_DRAFTS_PAPER,
    METRIC_DRAFTS_OLDEST_WAITING,
    METRIC_DRAFTS_EARLIEST_DUE,
    /* jobs */
    METRIC_JOB_FAILURES,
    METRIC_JOB_LAST_OK,
    METRIC_JOB_LAST_STARTED,
    METRIC_JOB_STATE,
    METRIC_JOB_LATE,
    METRIC_SWEEP_LAST_END,
    METRIC_SWEEP_LAST_DURATION,
    METRIC_SWEEP_LAST_TRADES,
    METRIC_SWEEP_LAST_SIGNALS,
    METRIC_SWEEP_LAST_CHANGES,
    /* webhooks */
    METRIC_WEBHOOK_ATTEMPTS,
    METRIC_WEBHOOK_IN_FLIGHT,
    METRIC_WEBHOOK_DUE,
    METRIC_WEBHOOK_WAITING,
    METRIC_WEBHOOK_HELD,
    METRIC_WEBHOOK_FAILED,
    METRIC_WEBHOOK_EXPIRED,
    METRIC_WEBHOOK_ENDPOINTS_DISABLED,
    METRIC_WEBHOOK_DUE_LAG,
    /* e-mail */
    METRIC_MAIL_WAITING,
    METRIC_MAIL_RETRYING,
    METRIC_MAIL_GIVEN_UP,
    METRIC_MAIL_OLDEST,
    METRIC_ALERT_EMAILS,
    METRIC_ALERT_EMAILS_WAITING,
    METRIC_ALERTS_BEHIND,
    METRIC_ALERTS_BEHIND_TIME,
    /* the cache in front */
    METRIC_PURGES,
    METRIC_PURGE_WAITING,
    METRIC_PURGE_FAILING,
    /* database and servers */
    METRIC_DATABASE_UP,
    METRIC_FEED_LAG,
    METRIC_STORE_ERRORS,
    METRIC_WRITER_COMMITS,
    METRIC_WRITER_WAITING,
    METRIC_DATABASE_BYTES,
    METRIC_DATABASE_LOG_BYTES,
    METRIC_DATABASE_RESERVE_BYTES,
    METRIC_DATABASE_DISK_FREE,
    METRIC_BACKUP_LAST,
    METRIC_NODES,
    METRIC_NODES_BEHIND_MAX,
    METRIC_NODE_BEHIND,
    METRIC_CLOCK_AHEAD,
    METRIC_COUNTS_AGE,
    METRIC_COUNTS_DURATION,
    /* the process */
    METRIC_CONDITION,
    METRIC_BUILD_INFO,
    METRIC_LOG_LINES_DROPPED,
    METRIC_PROCESS_CPU,
    METRIC_PROCESS_MEMORY,
    METRIC_PROCESS_START,
    METRIC_COUNT
};

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
