/* Counts the queue in the background; see queue_count.h. */
#include "webhook/queue_count.h"

#include <assert.h>

#include "base/clock.h"
#include "store/db/store.h"
#include "store/job.h"

enum {
    COUNT_MS = 2000,  /* between counts */
    COUNT_SHARE = 50, /* at most one part in so many of the time is spent on counting */
};

enum err queue_count_init(struct queue_count *count, struct str database, struct fail *fail)
{
    enum err err = store_open(database, STORE_READ, &count->db, fail);
    if (err)
        return err;
    pthread_mutex_init(&count->lock, NULL);
    count->counted_at = INSTANT_NONE;
    return OK;
}

void queue_count_finish(struct queue_count *count)
{
    assert(!count->is_out);
    if (!count->db)
        return;
    db_close(count->db);
    pthread_mutex_destroy(&count->lock);
}

static void take_jobs(const struct job_list *jobs, struct queue_figures *ret)
{
    for (size_t i = 0; i < jobs->count && i < QUEUE_JOBS_MAX; i++) {
        const struct job_status *job = &jobs->items[i];
        struct queue_job *to = &ret->jobs[ret->job_count++];
        snprintf(to->name, sizeof to->name, "%.*s", STR_ARG(job->name));
        to->failures = job->failures;
        to->ok_at = job->ok_at;
    }
}

static enum err read_figures(
    struct db *db, int64_t now_ms, struct queue_figures *ret, struct fail *fail)
{
    struct arena arena;
    struct job_list jobs;
    *ret = (struct queue_figures){.job_count = 0};
    arena_init(&arena);
    enum err err = delivery_count(db, now_ms, &ret->deliveries, fail);
    if (!err)
        err = mail_queue_count(db, &arena, &ret->mail, fail);
    if (!err)
        err = job_list(db, now_ms, &arena, &jobs, fail);
    if (!err)
        take_jobs(&jobs, ret);
    ret->mail.error = STR_NULL; /* it lives in the arena */
    arena_finish(&arena);
    return err;
}

/* Runs on a thread of the pool. */
static void work(uv_work_t *item)
{
    struct queue_count *count = item->data;
    struct fail fail;
    int64_t began_ms = clock_mono_ms(), now_ms = clock_wall_ms();
    enum err err = read_figures(count->db, now_ms, &count->counting, &fail);
    count->took_ms = clock_mono_ms() - began_ms;
    if (err) /* keep the last figures; other metrics show that the store does not answer */
        return;
    pthread_mutex_lock(&count->lock);
    count->counted = count->counting;
    count->counted_at = now_ms;
    pthread_mutex_unlock(&count->lock);
}

static void after_work(uv_work_t *item, int status)
{
    struct queue_count *count = item->data;
    int64_t pause_ms = count->took_ms * COUNT_SHARE;
    count->is_out = false;
    count->next_at_ms = clock_mono_ms() + (pause_ms > COUNT_MS ? pause_ms : COUNT_MS);
}

void queue_count_look(struct queue_count *count, uv_loop_t *loop)
{
    if (count->is_out || clock_mono_ms() < count->next_at_ms)
        return;
    count->work.data = count;
    count->is_out = uv_queue_work(loop, &count->work, work, after_work) == 0;
}

bool queue_count_get(struct queue_count *count, struct queue_figures *ret, int64_t *ret_at)
{
    pthread_mutex_lock(&count->lock);
    bool known = count->counted_at != INSTANT_NONE;
    *ret = count->counted;
    *ret_at = count->counted_at;
    pthread_mutex_unlock(&count->lock);
    return known;
}
