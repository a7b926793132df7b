/*
 * Counts the queues of deliveries and mail, and reads the state of the jobs, for metrics from time
 * to time, on a thread of libuv's pool with its own read connection; the longer a count takes, the
 * less often it runs. Used on the loop's thread; any thread may read the figures.
 */
#pragma once

#include <pthread.h>
#include <uv.h>

#include "store/delivery.h"
#include "store/mail_queue.h"

enum { QUEUE_JOBS_MAX = 16, QUEUE_JOB_NAME_SIZE = 24 };

struct queue_job {
    char name[QUEUE_JOB_NAME_SIZE]; /* ends in NUL */
    int64_t failures;               /* since the last run that did all its work */
    int64_t ok_at;                  /* the end of that run; INSTANT_NONE: none */
};

struct queue_figures {
    struct delivery_counts deliveries;
    struct mail_counts mail; /* without the error */
    struct queue_job jobs[QUEUE_JOBS_MAX];
    size_t job_count;
};

struct queue_count {
    uv_work_t work;
    struct db *db; /* owned by the pool while a count runs */
    bool is_out;
    int64_t next_at_ms; /* of the monotonic clock */
    int64_t took_ms;
    struct queue_figures counting;

    pthread_mutex_t lock; /* guards the members below */
    struct queue_figures counted;
    int64_t counted_at; /* of the wall clock; INSTANT_NONE: not yet */
};

enum err queue_count_init(struct queue_count *count, struct str database, struct fail *fail)
    MUST_CHECK;
void queue_count_finish(struct queue_count *count); /* not while a count runs */

void queue_count_look(struct queue_count *count, uv_loop_t *loop); /* starts a count if due */

/* False: nothing was counted yet. *ret_at: the time of the count, by the wall clock. */
bool queue_count_get(struct queue_count *count, struct queue_figures *ret, int64_t *ret_at);
