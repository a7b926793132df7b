/*
 * The conditions that need a person: one row for each, whoever finds it. overview_judge finds those
 * that the database shows. A running server finds those of its own metrics, the rows with `metric`,
 * and says so as `stockact_condition`. `stockact doctor` finds those of the machine, the rows with
 * `check`. `stockact status` prints all of them, and each rule of deploy/prometheus has a row.
 */
#pragma once

#include "base/closed_list.h"
#include "base/str.h"

enum condition_level {
    CONDITION_URGENT, /* something does not work */
    CONDITION_NOTICE, /* something will fail unless a person acts */
    CONDITION_LEVEL_COUNT
};

/* The conditions: level, topic, and more, as struct condition_info says. */
#define CONDITIONS(ENTRY)                                                                          \
    ENTRY(CONDITION_MOVED, URGENT, &storage)                                                       \
    ENTRY(CONDITION_SERVER_DOWN, URGENT, &machine, "StockactDown", "server")                       \
    ENTRY(CONDITION_NO_SERVER, URGENT, &server, "StockactUnwatched")                               \
    ENTRY(CONDITION_NO_HEARTBEAT, URGENT, &machine)                                                \
    ENTRY(                                                                                         \
        CONDITION_ERRORS, URGENT, &machine, "StockactErrors",                                      \
        METRIC(ROSE, "requests_total{", 0.01, "More than 1 % of the responses are errors."),       \
        .with = "status=\"5", .other = "stockact_requests_total{")                                 \
    ENTRY(                                                                                         \
        CONDITION_SLOW, NOTICE, &machine, "StockactSlow",                                          \
        METRIC(                                                                                    \
            ROSE_LESS, "request_duration_seconds_bucket{route=\"/api/v1/", 0.99,                   \
            "One request of a hundred to the API takes longer than 0.25 s."),                      \
        .with = "le=\"0.25\"",                                                                     \
        .other = "stockact_request_duration_seconds_count{route=\"/api/v1/")                       \
    ENTRY(                                                                                         \
        CONDITION_QUEUE_FULL, NOTICE, &machine, "StockactQueueFull",                               \
        METRIC(                                                                                    \
            ROSE, "deferred_full_total ", 0, "Requests were refused because workers were busy."))  \
    ENTRY(                                                                                         \
        CONDITION_CONNECTIONS_REFUSED, URGENT, &machine, "StockactConnectionsRefused",             \
        METRIC(                                                                                    \
            ROSE, "connections_refused_total{reason=\"full\"", 0,                                  \
            "Connections were refused: too many are open, or descriptors are used up."),           \
        .other = "stockact_connections_refused_total{reason=\"descriptors\"")                      \
    ENTRY(                                                                                         \
        CONDITION_DATABASE_DOWN, URGENT, &database, "StockactDatabaseDown", "database",            \
        METRIC(BELOW, "database_up ", 1, "The server gets no answer from the database."))          \
    ENTRY(                                                                                         \
        CONDITION_REDIS_DOWN, URGENT, &redis, "StockactRedisDown", "redis",                        \
        METRIC(BELOW, "redis_up ", 1, "The server is not connected to Redis."))                    \
    ENTRY(                                                                                         \
        CONDITION_REDIS_UNANSWERED, URGENT, &redis, "StockactRedisUnanswered",                     \
        METRIC(                                                                                    \
            ROSE, "draws_unavailable_total ", 0,                                                   \
            "Requests met Redis, or a node of its cluster, that does not answer."))                \
    ENTRY(CONDITION_NODE_SILENT, URGENT, &nodes, "StockactNodeSilent")                             \
    ENTRY(CONDITION_WRITES_WAIT, URGENT, &database, "StockactWritesWait", "database writes")       \
    ENTRY(CONDITION_NODE_BEHIND, URGENT, &nodes, "StockactNodeBehind")                             \
    ENTRY(CONDITION_VERSIONS_DIFFER, NOTICE, &nodes, "StockactVersionsDiffer")                     \
    ENTRY(CONDITION_UPGRADE, NOTICE, &upgrade)                                                     \
    ENTRY(CONDITION_FUTURE, URGENT, &clock)                                                        \
    ENTRY(                                                                                         \
        CONDITION_CLOCK_SET_BACK, NOTICE, &machine, "StockactClockSetBack",                        \
        METRIC(ROSE, "clock_steps_back_total ", 0, "The clock of the machine was set back."))      \
    ENTRY(                                                                                         \
        CONDITION_CLOCK_WRONG, NOTICE, &machine, "StockactClockWrong", "database clock",           \
        METRIC(                                                                                    \
            ABOVE, "clock_ahead_seconds ", 2,                                                      \
            "The clocks of the server and of the database differ by more than 2 s."))              \
    ENTRY(                                                                                         \
        CONDITION_ADDRESSES_FULL, NOTICE, &machine, "StockactAddressesFull",                       \
        METRIC(                                                                                    \
            ROSE, "windows_shared_total ", 0,                                                      \
            "More addresses send requests than the server can count apart."))                      \
    ENTRY(                                                                                         \
        CONDITION_LOG_LINES_DROPPED, NOTICE, &machine, "StockactLogLinesDropped",                  \
        METRIC(ROSE, "log_lines_dropped_total ", 0, "Lines of the log were dropped."))             \
    ENTRY(                                                                                         \
        CONDITION_ROWS_DAMAGED, URGENT, &rows, "StockactRowsDamaged",                              \
        METRIC(                                                                                    \
            ABOVE, "feed_withheld ", 0,                                                            \
            "Published rows are damaged or were changed outside the program."),                    \
        .other = "stockact_chain_findings ")                                                       \
    ENTRY(CONDITION_DISK_LOW, URGENT, &storage, "StockactDiskLow", "disk")                         \
    ENTRY(CONDITION_DISK_SOON, NOTICE, &storage, NULL, "disk")                                     \
    ENTRY(CONDITION_RESERVE_RELEASED, URGENT, &storage, "StockactReserveReleased")                 \
    ENTRY(CONDITION_BACKUP_NONE, NOTICE, &backup, "StockactBackupOld")                             \
    ENTRY(CONDITION_BACKUP_OLD, URGENT, &backup, "StockactBackupOld")                              \
    ENTRY(CONDITION_WRITE_AHEAD_LOG, NOTICE, &storage, "StockactWriteAheadLog")                    \
    ENTRY(                                                                                         \
        CONDITION_COUNTS_OLD, NOTICE, &database, "StockactCountsOld",                              \
        METRIC(                                                                                    \
            ABOVE, "counts_age_seconds ", 900,                                                     \
            "The server's figures of the database are over 15 minutes old."))                      \
    ENTRY(CONDITION_JOB_FAILED, URGENT, &jobs, "StockactJobFailed")                                \
    ENTRY(CONDITION_JOB_LATE, URGENT, &jobs, "StockactJobLate")                                    \
    ENTRY(CONDITION_SYNC_FAILED, URGENT, &sync, "StockactJobFailed")                               \
    ENTRY(CONDITION_SYNC_LATE, URGENT, &sync, "StockactJobLate")                                   \
    ENTRY(CONDITION_SYNC_OLD, NOTICE, &sync, "StockactJobOld")                                     \
    ENTRY(CONDITION_LIST_OLD, NOTICE, &lists, NULL, "list of")                                     \
    ENTRY(                                                                                         \
        CONDITION_DRAFTS_OLD, NOTICE, &drafts, "StockactDraftsOld",                                \
        METRIC(                                                                                    \
            ABOVE, "drafts_oldest_waiting_seconds ", 604800,                                       \
            "A draft has waited for a reviewer for more than a week."))                            \
    ENTRY(CONDITION_WEBHOOKS_LATE, URGENT, &deliveries, "StockactWebhooksLate")                    \
    ENTRY(CONDITION_WEBHOOKS_HELD, NOTICE, &deliveries)                                            \
    ENTRY(CONDITION_MAIL_OFF, URGENT, &mail)                                                       \
    ENTRY(CONDITION_MAIL_LATE, URGENT, &mail, "StockactMailLate")                                  \
    ENTRY(CONDITION_MAIL_GIVEN_UP, URGENT, &mail, "StockactMailGivenUp")                           \
    ENTRY(                                                                                         \
        CONDITION_ALERTS_BEHIND, NOTICE, &alerts, "StockactAlertsBehind",                          \
        METRIC(                                                                                    \
            ABOVE, "alerts_behind_seconds ", 300,                                                  \
            "The oldest change that was not matched with alerts has waited for 5 minutes."))       \
    ENTRY(                                                                                         \
        CONDITION_ALERT_TOO_LONG, NOTICE, &alerts, "StockactAlertTooLong",                         \
        METRIC(                                                                                    \
            ROSE, "alert_emails_total{outcome=\"too_long\"", 0,                                    \
            "E-mails of alerts were too long and were dropped."))                                  \
    ENTRY(                                                                                         \
        CONDITION_PURGE_FAILING, NOTICE, &purges, "StockactPurgeFailing", "purge",                 \
        METRIC(                                                                                    \
            ABOVE, "purge_failing_seconds ", 60,                                                   \
            "Pages of the cache have not been purged for a minute."))                              \
    /* anything else that `doctor` finds */                                                        \
    ENTRY(CONDITION_MACHINE, NOTICE, &machine)

enum condition { CONDITIONS(LIST_NAME) CONDITION_COUNT };

/* Where to see more: the command without `stockact`, and the page. */
struct condition_topic {
    struct str name, label, command, page;
};

/* How the samples of `metric` show the condition. The window is five minutes or longer. */
enum condition_test {
    CONDITION_ELSEWHERE, /* they do not */
    CONDITION_ABOVE,     /* the largest, or its negative, is above `bound` */
    CONDITION_BELOW,     /* the smallest is below `bound` */
    CONDITION_ROSE,      /* their sum rose by more than `bound` of what `other` rose by */
    CONDITION_ROSE_LESS, /* by less */
};

struct condition_info {
    enum condition_level level;
    const struct condition_topic *topic;
    const char *alert; /* the rule of deploy/prometheus/rules.yml; NULL: none */
    const char *check; /* the check of `stockact doctor` that finds it too; NULL: none */
    enum condition_test test;
    const char *metric; /* what the lines of its samples begin with */
    const char *with;   /* what they contain; NULL: anything */
    const char *other;  /* with a bound of 0: samples that count too */
    double bound;
    const char *text; /* the sentence, if a metric shows it */
};

const struct condition_info *condition_info(enum condition condition);
struct str condition_level_name(enum condition_level level);

/* One bit for each condition. */
typedef uint64_t condition_set;

/* What the metrics of a server showed at the beginning of two windows. */
struct condition_watch {
    double older[CONDITION_COUNT][2], newer[CONDITION_COUNT][2];
    int64_t newer_ms; /* by the monotonic clock; 0: not begun */
};

/* The conditions that these metrics, in the text format of Prometheus, show now. */
condition_set condition_watch(struct condition_watch *watch, struct str metrics, int64_t mono_ms);

/* The conditions of the samples of `stockact_condition`. */
condition_set condition_told(struct str metrics);
