/*
 * Figures of the database for /metrics: the queues of deliveries and e-mail, drafts, jobs, servers
 * and sizes. A thread of low priority counts them with a read connection of its own, every two
 * seconds, and less often if a count takes long: at most one part in fifty of the time is spent on
 * counting, until the pause is one minute long. A scrape reads the last count, and never the
 * database. If the database does not answer, the last count stays, and counts_age_seconds grows.
 */
#pragma once

#include "config/settings.h"
#include "serve/follow.h"
#include "store/account/alert_match.h"
#include "store/account/delivery.h"
#include "store/account/mail_queue.h"
#include "store/desk/draft_queue.h"
#include "store/run/job.h"

enum { FIGURES_JOBS_MAX = 16, FIGURES_JOB_NAME_SIZE = 24 };

struct figures_job {
    char name[FIGURES_JOB_NAME_SIZE]; /* ends in NUL */
    enum job_state state;             /* of the last run */
    int64_t failures;                 /* since the last run that did all its work */
    int64_t ok_at;                    /* the end of that run; INSTANT_NONE: none */
    int64_t started_at;               /* of the last run; INSTANT_NONE: none */
    int64_t late_ms;                  /* -1: this server does not run it every day */
};

struct figures_counted {
    int64_t counted_at; /* by the wall clock */
    int64_t counted_ms; /* by the monotonic clock */
    int64_t took_ms;
    struct delivery_counts deliveries;
    struct mail_counts mail; /* without the error */
    struct alert_behind alerts;
    bool has_alerts; /* this server matches alerts, and knows `alerts` */
    struct draft_queue_counts drafts;
    struct figures_job jobs[FIGURES_JOBS_MAX];
    size_t job_count;
    int64_t running, silent; /* servers */
    int64_t behind_max;      /* change notices that the slowest running server has not applied */
    int64_t behind;          /* the same of this server */
    int64_t bytes, log_bytes, reserve_bytes, disk_free; /* of the database; -1: not known */
    int64_t backup_at; /* 0: never; -1: it is not known, or no backup is needed */
};

struct figures;

/* `follow` must outlive it. */
enum err figures_start(
    const struct settings *settings, const struct follow *follow, struct figures **ret,
    struct fail *fail);
void figures_stop(struct figures *figures); /* NULL is ignored */

/* False: nothing was counted yet. Any thread; NULL: not started. */
bool figures_get(struct figures *figures, struct figures_counted *ret);

/* How long the thread pauses after a count that took so long (0: it failed). */
int64_t figures_pause_ms(int64_t took_ms);

/* Writes their metrics; nothing before the first count. */
void figures_put_metrics(struct figures *figures, struct buf *b);
