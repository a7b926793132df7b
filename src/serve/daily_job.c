/* Daily jobs of a server; see daily_job.h. */
#include "serve/daily_job.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/log.h"
#include "base/thread.h"
#include "serve/background.h"
#include "store/run/job.h"

enum {
    POLL_MS = 1000,       /* between two reads of the wall clock, which may be set at any time */
    RETRY_MS = MINUTE_MS, /* after a failure, or while another server has the lease */
    LEASE_MS = 10 * MINUTE_MS,
    RENEW_MS = MINUTE_MS,
    RESULT_SIZE_MAX = 16 * 1024,
};

struct daily_job {
    struct daily_job_config config;
    pthread_t thread;
    int stop_fd;               /* readable: stop */
    int64_t look_at;           /* the job may be due; by the database's clock */
    int64_t renew_at;          /* next renewal of the lease; monotonic */
    int64_t database_ahead_ms; /* of the wall clock, at the last write of the row */
    bool planned;              /* look_at comes from the database */
    bool claimed;              /* the last write of the row got the lease */
};

int64_t daily_job_next(int64_t now_ms, int minute_of_day)
{
    int64_t at = (int64_t)instant_day_utc(now_ms) * DAY_MS + (int64_t)minute_of_day * MINUTE_MS;
    return at > now_ms ? at : at + DAY_MS;
}

/* --- the job's row, written on the writer's thread */

struct row_call {
    struct daily_job *job;
    writer_run *run;
    int64_t now_ms; /* by the database's clock */
    struct str result;
    bool failed;
    bool stopped; /* because this server stops: another server does the rest */
    bool claimed;
};

static enum err plan(struct db *db, void *ctx, struct fail *fail)
{
    const struct row_call *call = ctx;
    struct daily_job *job = call->job;
    return job_plan(
        db, job->config.name, call->now_ms, daily_job_next(call->now_ms, job->config.minute),
        DAY_MS, &job->look_at, fail);
}

static enum err claim(struct db *db, void *ctx, struct fail *fail)
{
    struct row_call *call = ctx;
    const struct daily_job *job = call->job;
    return job_claim(
        db, job->config.name, job->config.node, job->config.server, call->now_ms,
        call->now_ms + LEASE_MS, daily_job_next(call->now_ms, job->config.minute), &call->claimed,
        fail);
}

static enum err renew(struct db *db, void *ctx, struct fail *fail)
{
    const struct row_call *call = ctx;
    const struct daily_job *job = call->job;
    return job_renew(db, job->config.name, job->config.node, call->now_ms + LEASE_MS, fail);
}

static enum err end(struct db *db, void *ctx, struct fail *fail)
{
    const struct row_call *call = ctx;
    const struct daily_job *job = call->job;
    enum err err = job_end(
        db, job->config.name, job->config.node, call->now_ms, call->failed, call->result, fail);
    return err || !call->stopped ? err : job_make_due(db, job->config.name, call->now_ms, fail);
}

/* Servers whose clocks differ keep one lease and one plan. */
static enum err run_call(struct db *db, void *ctx, struct fail *fail)
{
    struct row_call *call = ctx;
    int64_t now_ms = clock_wall_ms();
    TRY(db_now_ms(db, now_ms, &call->now_ms, fail));
    call->job->database_ahead_ms = call->now_ms - now_ms;
    return call->run(db, call, fail);
}

static enum err write_call(struct row_call *call, writer_run *run, struct fail *fail)
{
    struct daily_job *job = call->job;
    call->run = run;
    enum err err = writer_call(job->config.writer, WRITER_SWEEP, run_call, call, fail);
    job->claimed = !err && call->claimed;
    return err;
}

static enum err write_row(struct daily_job *job, writer_run *run, struct fail *fail)
{
    struct row_call call = {.job = job};
    return write_call(&call, run, fail);
}

/* --- a run */

/* True: this server is stopping. */
static bool wait_stop(const struct daily_job *job, int other_fd, int timeout_ms)
{
    struct pollfd fds[] = {
        {.fd = job->stop_fd, .events = POLLIN}, {.fd = other_fd, .events = POLLIN}};
    poll(fds, 2, timeout_ms);
    return fds[0].revents != 0;
}

/* Renews the lease when due. True: another server has it. An error of the store does not count
 * as a loss. */
static bool is_lost(struct daily_job *job)
{
    struct fail fail;
    if (clock_mono_ms() < job->renew_at)
        return false;
    job->renew_at = clock_mono_ms() + RENEW_MS;
    return write_row(job, renew, &fail) == ERR_NOT_FOUND;
}

bool daily_job_wait(struct daily_job *job, int fd, int timeout_ms)
{
    return !is_lost(job) && !wait_stop(job, fd, timeout_ms);
}

static void run(struct daily_job *job)
{
    struct json_out result;
    BUF_SCOPED(text, RESULT_SIZE_MAX);
    struct fail fail;
    json_init(&result, &text);
    json_object_begin(&result);
    job->renew_at = clock_mono_ms() + RENEW_MS;
    bool done = job->config.run(job->config.ctx, job, &result);
    json_object_end(&result);
    struct row_call call = {
        .job = job,
        .failed = !done,
        .stopped = !done && wait_stop(job, -1, 0),
        .result = buf_view(&text)};
    if (write_call(&call, end, &fail))
        log_line(
            LOG_WARN, "cannot store the result of a daily job", LOG_S("job", job->config.name),
            LOG_S("reason", str_from(fail.text)));
}

/* --- the thread */

static int64_t now(const struct daily_job *job)
{
    return clock_wall_ms() + job->database_ahead_ms;
}

/* Reads or creates the row's plan. While another server may run the job, looks every RETRY_MS: that
 * server may stop. Retries likewise if the store does not answer. */
static void read_plan(struct daily_job *job)
{
    struct fail fail;
    int64_t soon = now(job) + RETRY_MS;
    job->planned = write_row(job, plan, &fail) == OK;
    if (job->planned) {
        if (job->look_at > soon && job->look_at <= soon + LEASE_MS)
            job->look_at = soon;
        return;
    }
    job->look_at = now(job) + RETRY_MS;
    log_line(
        LOG_WARN, "cannot plan a daily job", LOG_S("job", job->config.name),
        LOG_S("reason", str_from(fail.text)));
}

static void run_if_due(struct daily_job *job)
{
    struct fail fail;
    if (job->look_at > now(job) + DAY_MS) /* the clock was set back */
        read_plan(job);
    if (now(job) < job->look_at)
        return;
    enum err err = job->planned ? write_row(job, claim, &fail) : OK;
    bool ours = job->planned && !err && job->claimed;
    if (ours)
        run(job);
    read_plan(job);
    if (!ours && job->look_at <= now(job)) /* another server has the lease */
        job->look_at = now(job) + RETRY_MS;
}

static void *work(void *arg)
{
    struct daily_job *job = arg;
    int unused = nice(BACKGROUND_NICE); /* on Linux: of this thread and its children only */
    (void)unused;
    read_plan(job);
    do
        run_if_due(job);
    while (!wait_stop(job, -1, POLL_MS));
    return NULL;
}

enum err daily_job_start(
    const struct daily_job_config *config, struct daily_job **ret, struct fail *fail)
{
    struct daily_job *job = MEM_NEW(struct daily_job);
    job->config = *config;
    job->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    enum err err = job->stop_fd < 0 ? fail_set(fail, ERR_IO, "cannot create an eventfd: %m")
                                    : thread_start(&job->thread, work, job, "a daily job", fail);
    if (err) {
        if (job->stop_fd >= 0)
            close(job->stop_fd);
        mem_free(job);
        return err;
    }
    *ret = job;
    return OK;
}

void daily_job_stop(struct daily_job *job)
{
    if (!job)
        return;
    eventfd_write(job->stop_fd, 1);
    pthread_join(job->thread, NULL);
    close(job->stop_fd);
    mem_free(job);
}
