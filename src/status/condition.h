/*
 * The conditions that need a person: one row for each, whoever finds it. overview_judge finds those
 * that the database shows. A running server finds those of its own metrics, the rows with `metric`,
 * and says so as `stockact_condition`. `stockact doctor` finds those of the machine, the rows with
 * `check`. `stockact status` prints all of them, and each rule of deploy/prometheus has a row.
 */
#pragma once

#include "base/str.h"

enum condition_level {
    CONDITION_URGENT, /* something does not work */
    CONDITION_NOTICE, /* something will fail unless a person acts */
    CONDITION_LEVEL_COUNT
};

enum condition {
    CONDITION_MOVED,
    CONDITION_SERVER_DOWN,
    CONDITION_NO_SERVER,
    CONDITION_NO_HEARTBEAT,
    CONDITION_ERRORS,
    CONDITION_SLOW,
    CONDITION_QUEUE_FULL,
    CONDITION_CONNECTIONS_REFUSED,
    CONDITION_DATABASE_DOWN,
    CONDITION_REDIS_DOWN,
    CONDITION_REDIS_UNANSWERED,
    CONDITION_NODE_SILENT,
    CONDITION_WRITES_WAIT,
    CONDITION_NODE_BEHIND,
    CONDITION_VERSIONS_DIFFER,
    CONDITION_UPGRADE,
    CONDITION_FUTURE,
    CONDITION_CLOCK_SET_BACK,
    CONDITION_CLOCK_WRONG,
    CONDITION_ADDRESSES_FULL,
    CONDITION_LOG_LINES_DROPPED,
    CONDITION_ROWS_DAMAGED,
    CONDITION_DISK_LOW,
    CONDITION_DISK_SOON,
    CONDITION_RESERVE_RELEASED,
    CONDITION_BACKUP_NONE,
    CONDITION_BACKUP_OLD,
    CONDITION_WRITE_AHEAD_LOG,
    CONDITION_COUNTS_OLD,
    CONDITION_JOB_FAILED,
    CONDITION_JOB_LATE,
    CONDITION_SYNC_FAILED,
    CONDITION_SYNC_LATE,
    CONDITION_SYNC_OLD,
    CONDITION_LIST_OLD,
    CONDITION_DRAFTS_OLD,
    CONDITION_WEBHOOKS_LATE,
    CONDITION_WEBHOOKS_HELD,
    CONDITION_MAIL_OFF,
    CONDITION_MAIL_LATE,
    CONDITION_MAIL_GIVEN_UP,
    CONDITION_ALERTS_BEHIND,
    CONDITION_ALERT_TOO_LONG,
    CONDITION_PURGE_FAILING,
    CONDITION_MACHINE, /* anything else that `doctor` finds */
    CONDITION_COUNT
};

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
