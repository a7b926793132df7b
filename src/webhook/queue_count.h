/*
 * How the queue stands, counted now and then for metrics: on a thread of libuv's pool, by a read
 * connection of its own, and the less often the longer it takes. Of the loop's thread; the figures
 * may be read from any.
 */
#pragma once

#include <pthread.h>
#include <uv.h>

#include "store/delivery.h"

struct queue_count {
    uv_work_t work;
    struct db *db; /* the pool's while the count is out */
    bool is_out;
    int64_t next_at_ms; /* of the monotonic clock */
    int64_t took_ms;
    struct delivery_counts counting;

    pthread_mutex_t lock; /* of what follows */
    struct delivery_counts counted;
    int64_t counted_at; /* of the wall clock; INSTANT_NONE: not yet */
};

enum err queue_count_init(struct queue_count *count, struct str database, struct fail *fail)
    MUST_CHECK;
void queue_count_finish(struct queue_count *count); /* not while it is out */

void queue_count_look(struct queue_count *count, uv_loop_t *loop); /* counts when it is time to */

/* False: nothing has been counted yet. *ret_at: when, by the wall clock. */
bool queue_count_get(struct queue_count *count, struct delivery_counts *ret, int64_t *ret_at);
