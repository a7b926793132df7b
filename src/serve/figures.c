/* Counts in the database for /metrics; see figures.h. */
#include "serve/figures.h"

#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "db/store.h"
#include "serve/background.h"
#include "serve/daily_on.h"
#include "store/row/change.h"
#include "store/row/meta.h"
#include "store/row/node.h"
#include "store/run/last_run.h"
#include "store/run/storage.h"

enum {
    COUNT_MS = 2000,      /* between counts */
    COUNT_SHARE = 50,     /* at most one part in so many of the time is spent on counting */
    PAUSE_MAX_MS = 60000, /* after a slow count: the next one may be quick */
};

struct figures {
    struct job_daily daily;
    bool has_alerts;
    const struct follow *follow;
    struct db *db; /* used by the thread only */
    pthread_t thread;
    int stop_fd; /* readable: stop */

    pthread_mutex_t lock; /* guards the members below */
    struct figures_counted counted;
    bool known;
};

/* Whether this server runs the job every day. Rows of jobs that were turned off stay. */
static bool is_daily(const struct job_daily *daily, struct str name)
{
    enum job_name job;
    return job_from_name(name, &job) && job < JOB_DAILY_COUNT && daily->on[job];
}

static int64_t late_ms(const struct job_status *job, int64_t now_ms)
{
    bool waits = job->next_at != INSTANT_NONE && job->last.state != JOB_RUNNING;
    return waits && now_ms > job->next_at ? now_ms - job->next_at : 0;
}

static void take_jobs(
    const struct job_list *jobs, const struct job_daily *daily, struct figures_counted *ret)
{
    for (size_t i = 0; i < jobs->count && i < FIGURES_JOBS_MAX; i++) {
        const struct job_status *job = &jobs->items[i];
        struct figures_job *to = &ret->jobs[ret->job_count++];
        bool ran = job->last.state != JOB_NEVER;
        snprintf(to->name, sizeof to->name, "%.*s", STR_ARG(job->name));
        to->state = job->last.state;
        to->failures = job->failures;
        to->ok_at = job->ok_at;
        to->started_at = ran ? job->last.started_at : INSTANT_NONE;
        to->late_ms = is_daily(daily, job->name) ? late_ms(job, ret->counted_at) : -1;
    }
}

static void take_nodes(const struct node_list *nodes, struct figures_counted *ret)
{
    for (size_t i = 0; i < nodes->count; i++) {
        const struct node *node = &nodes->items[i];
        ret->running += node->running;
        ret->silent += !node->running;
        if (node->running && node->behind > ret->behind_max)
            ret->behind_max = node->behind;
    }
}

static enum err count_servers(
    struct figures *f, struct arena *arena, struct figures_counted *ret, struct fail *fail)
{
    struct node_list nodes;
    int64_t last, reached;
    TRY(change_last(f->db, &last, fail));
    TRY(node_list(f->db, last, arena, &nodes, fail));
    reached = follow_reached(f->follow);
    ret->behind = last > reached ? last - reached : 0;
    take_nodes(&nodes, ret);
    return OK;
}

static enum err read_backup(struct figures *f, int64_t *ret, struct fail *fail)
{
    enum meta_data data = META_DATA_NONE;
    int64_t last[LAST_RUN_COUNT] = {0};
    TRY(meta_data_get(f->db, &data, fail));
    TRY(last_run_read(f->db, last, fail));
    bool never = last[LAST_BACKUP] == INSTANT_NONE;
    *ret = data != META_DATA_REAL || (never && db_kind(f->db) != DB_SQLITE) ? -1
           : never                                                          ? 0
                                                                            : last[LAST_BACKUP];
    return OK;
}

static enum err count_all(
    struct figures *f, struct arena *arena, struct figures_counted *ret, struct fail *fail)
{
    struct job_list jobs = {0};
    struct storage storage = {0};
    int64_t now_ms = ret->counted_at;
    TRY(delivery_count(f->db, now_ms, &ret->deliveries, fail));
    TRY(mail_queue_count(f->db, arena, &ret->mail, fail));
    if (f->has_alerts)
        TRY(alert_behind(f->db, &ret->alerts, fail));
    TRY(draft_queue_count(f->db, now_ms, &ret->drafts, fail));
    TRY(job_list(f->db, now_ms, arena, &jobs, fail));
    TRY(storage_read_size(f->db, arena, &storage, fail));
    TRY(read_backup(f, &ret->backup_at, fail));
    take_jobs(&jobs, &f->daily, ret);
    ret->mail.error = STR_NULL; /* it lives in the arena */
    ret->bytes = storage.bytes;
    ret->log_bytes = storage.log_bytes;
    ret->reserve_bytes = storage.reserve_bytes;
    ret->disk_free = storage.disk_free;
    return count_servers(f, arena, ret, fail);
}

/* Returns how long it took; 0: it failed. Then the last figures stay: database_up shows that the
 * database does not answer, and the next attempt need not wait. */
static int64_t count(struct figures *f)
{
    struct figures_counted counted = {.counted_at = clock_wall_ms(), .has_alerts = f->has_alerts};
    int64_t began_ms = clock_mono_ms();
    ARENA_SCOPED(arena);
    struct fail fail;
    enum err err = count_all(f, &arena, &counted, &fail);
    counted.counted_ms = clock_mono_ms();
    counted.took_ms = counted.counted_ms - began_ms;
    if (err)
        return 0;
    LOCKED(&f->lock);
    f->counted = counted;
    f->known = true;
    return counted.took_ms;
}

int64_t figures_pause_ms(int64_t took_ms)
{
    int64_t pause_ms = took_ms < PAUSE_MAX_MS / COUNT_SHARE ? took_ms * COUNT_SHARE : PAUSE_MAX_MS;
    return pause_ms > COUNT_MS ? pause_ms : COUNT_MS;
}

/* True: the server is stopping. */
static bool wait_stop(const struct figures *f, int64_t timeout_ms)
{
    struct pollfd stop = {.fd = f->stop_fd, .events = POLLIN};
    return poll(&stop, 1, (int)timeout_ms) > 0;
}

static void *work(void *arg)
{
    struct figures *f = arg;
    int unused = nice(BACKGROUND_NICE); /* on Linux: of this thread only */
    (void)unused;
    while (!wait_stop(f, figures_pause_ms(count(f))))
        ;
    return NULL;
}

static void destroy(struct figures *f)
{
    db_close(f->db);
    if (f->stop_fd >= 0)
        close(f->stop_fd);
    pthread_mutex_destroy(&f->lock);
    mem_free(f);
}

enum err figures_start(
    const struct settings *settings, const struct follow *follow, struct figures **ret,
    struct fail *fail)
{
    struct figures *f = MEM_NEW(struct figures);
    f->daily = daily_on(settings);
    f->has_alerts = !str_is_null(settings->smtp_url);
    f->follow = follow;
    pthread_mutex_init(&f->lock, NULL);
    f->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    enum err err = f->stop_fd < 0 ? fail_set(fail, ERR_IO, "cannot create an eventfd: %m") : OK;
    if (!err)
        err = store_open(settings->database, STORE_READ, &f->db, fail);
    if (!err)
        err = thread_start(&f->thread, work, f, "figures of the database", fail);
    if (err) {
        destroy(f);
        return err;
    }
    *ret = f;
    return OK;
}

void figures_stop(struct figures *f)
{
    if (!f)
        return;
    eventfd_write(f->stop_fd, 1);
    pthread_join(f->thread, NULL);
    destroy(f);
}

bool figures_get(struct figures *f, struct figures_counted *ret)
{
    if (!f)
        return false;
    LOCKED(&f->lock);
    bool known = f->known;
    *ret = f->counted;
    return known;
}
