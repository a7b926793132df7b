/* The daily sync of a server; see sync_job.h. */
#include "cmd/sync_job.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/json_out.h"
#include "cmd/background.h"
#include "cmd/child.h"
#include "store/job.h"
#include "store/node.h"

enum {
    LOOK_MS = 1000,       /* how often the wall clock is looked at: it may be set */
    AGAIN_MS = MINUTE_MS, /* after a failure, or while another server has the job */
    LEASE_MS = 10 * MINUTE_MS,
    RENEW_MS = MINUTE_MS,
    RESULT_SIZE_MAX = 4 * CHILD_LINE_MAX,
};

#define JOB_NAME STR("sync")

struct sync_job {
    struct sync_job_config config;
    pthread_t thread;
    int stop_fd; /* readable: stop */
    char node[NODE_ID_SIZE];
    int64_t next_at;
    bool planned; /* next_at is the database's */
    bool claimed; /* by the last write of the row */
};

static struct str node_of(const struct sync_job *job)
{
    return str_of(job->node, NODE_ID_SIZE);
}

int64_t sync_job_next(int64_t now_ms, int minute_of_day)
{
    int64_t at = (int64_t)instant_day_utc(now_ms) * DAY_MS + (int64_t)minute_of_day * MINUTE_MS;
    return at > now_ms ? at : at + DAY_MS;
}

/* --- the job's row, written on the writer's thread */

struct row_call {
    struct sync_job *job;
    int64_t now_ms;
    struct str result;
    bool claimed;
};

static enum err plan(struct db *db, void *ctx, struct fail *fail)
{
    const struct row_call *call = ctx;
    struct sync_job *job = call->job;
    return job_plan(
        db, JOB_NAME, call->now_ms, sync_job_next(call->now_ms, job->config.settings->sync_at),
        &job->next_at, fail);
}

static enum err claim(struct db *db, void *ctx, struct fail *fail)
{
    struct row_call *call = ctx;
    const struct sync_job *job = call->job;
    return job_claim(
        db, JOB_NAME, node_of(job), call->now_ms, call->now_ms + LEASE_MS,
        sync_job_next(call->now_ms, job->config.settings->sync_at), &call->claimed, fail);
}

static enum err renew(struct db *db, void *ctx, struct fail *fail)
{
    const struct row_call *call = ctx;
    return job_renew(db, JOB_NAME, node_of(call->job), call->now_ms + LEASE_MS, fail);
}

static enum err end(struct db *db, void *ctx, struct fail *fail)
{
    const struct row_call *call = ctx;
    return job_end(db, JOB_NAME, node_of(call->job), call->now_ms, call->result, fail);
}

static enum err write_row(
    struct sync_job *job, writer_run *run, struct str result, struct fail *fail)
{
    struct row_call call = {job, clock_wall_ms(), result, false};
    enum err err = writer_call(job->config.writer, WRITER_SWEEP, run, &call, fail);
    job->claimed = !err && call.claimed;
    return err;
}

/* --- a run */

/* True: this server stops. */
static bool wait_stop(const struct sync_job *job, int other_fd, int timeout_ms)
{
    struct pollfd fds[] = {
        {.fd = job->stop_fd, .events = POLLIN}, {.fd = other_fd, .events = POLLIN}};
    poll(fds, 2, timeout_ms);
    return fds[0].revents != 0;
}

/* Until the child has printed all. False: it was told to end, by this server's end or because the
 * job is another's by now. */
static bool follow_child(struct sync_job *job, struct child *child)
{
    int64_t renew_at = clock_mono_ms() + RENEW_MS;
    while (child_read(child)) {
        struct fail fail;
        bool lost = false;
        if (clock_mono_ms() >= renew_at) {
            lost = write_row(job, renew, STR_NULL, &fail) == ERR_NOT_FOUND;
            renew_at = clock_mono_ms() + RENEW_MS;
        }
        if (lost || wait_stop(job, child->out, LOOK_MS)) {
            child_stop(child);
            return false;
        }
    }
    return true;
}

static void put_failure(struct json_out *result, struct str reason)
{
    json_object_begin(result);
    JSON_KEY_STR(result, "error", reason);
    json_object_end(result);
}

/* Adds `"site": {...}` to the result. False: there is to be no next one. */
static bool run_site(struct sync_job *job, const char *site, struct json_out *result)
{
    const struct settings *settings = job->config.settings;
    struct str base = settings->sync_base_url;
    char *url = mem_strdup(str_is_null(base) ? STR("") : base);
    const char *const command[] = {
        "sync", site, str_is_null(base) ? NULL : "--base-url", url, NULL};
    struct child child;
    struct fail fail;
    int status;
    json_key(result, str_from(site));
    enum err err = child_start(&child, settings, command, &fail);
    mem_free(url);
    if (err) {
        put_failure(result, str_from(fail.text));
        log_line(LOG_ERROR, "sync failed", LOG_S("reason", str_from(fail.text)));
        return true;
    }
    bool ended = follow_child(job, &child);
    struct str said = buf_view(&child.last);
    if (ended && str_starts(said, STR("{")))
        json_raw(result, said);
    else
        put_failure(result, ended ? STR("it ended without a word") : STR("stopped"));
    struct arena arena;
    arena_init(&arena);
    said = arena_str(&arena, said);
    child_finish(&child, &status);
    log_line(
        status == 0 ? LOG_INFO : LOG_WARN, "synced", LOG_S("site", str_from(site)),
        LOG_I("status", status), LOG_S("result", said));
    arena_finish(&arena);
    return ended;
}

static void run(struct sync_job *job)
{
    struct json_out result;
    struct buf text;
    struct fail fail;
    buf_init(&text, RESULT_SIZE_MAX);
    json_init(&result, &text);
    json_object_begin(&result);
    if (run_site(job, "house", &result))
        run_site(job, "senate", &result);
    json_object_end(&result);
    if (write_row(job, end, buf_view(&text), &fail))
        log_line(LOG_WARN, "the sync's result is lost", LOG_S("reason", str_from(fail.text)));
    buf_finish(&text);
}

/* --- the thread */

/* Where the row stands; again in a minute when the store does not answer. */
static void look_at_plan(struct sync_job *job)
{
    struct fail fail;
    job->planned = write_row(job, plan, STR_NULL, &fail) == OK;
    if (job->planned)
        return;
    job->next_at = clock_wall_ms() + AGAIN_MS;
    log_line(LOG_WARN, "the sync cannot be planned", LOG_S("reason", str_from(fail.text)));
}

static void look_at_clock(struct sync_job *job)
{
    struct fail fail;
    if (clock_wall_ms() < job->next_at)
        return;
    enum err err = job->planned ? write_row(job, claim, STR_NULL, &fail) : OK;
    bool ours = job->planned && !err && job->claimed;
    if (ours)
        run(job);
    look_at_plan(job);
    if (!ours && job->next_at <= clock_wall_ms()) /* another server has it */
        job->next_at = clock_wall_ms() + AGAIN_MS;
}

static void *work(void *arg)
{
    struct sync_job *job = arg;
    int unused = nice(BACKGROUND_NICE); /* on Linux of this thread, and of its children */
    (void)unused;
    look_at_plan(job);
    do
        look_at_clock(job);
    while (!wait_stop(job, -1, LOOK_MS));
    return NULL;
}

enum err sync_job_start(
    const struct sync_job_config *config, struct sync_job **ret, struct fail *fail)
{
    struct sync_job *job = MEM_NEW(struct sync_job);
    job->config = *config;
    node_id_make(job->node);
    job->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (job->stop_fd < 0 || pthread_create(&job->thread, NULL, work, job) != 0) {
        if (job->stop_fd >= 0)
            close(job->stop_fd);
        mem_free(job);
        return fail_set(fail, ERR_IO, "no thread for the sync");
    }
    *ret = job;
    return OK;
}

void sync_job_stop(struct sync_job *job)
{
    if (!job)
        return;
    eventfd_write(job->stop_fd, 1);
    pthread_join(job->thread, NULL);
    close(job->stop_fd);
    mem_free(job);
}
