/* The thread of alerts; see alert_job.h. */
#include "serve/alert_job.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "alert/digest.h"
#include "alert/pass.h"
#include "base/clock.h"
#include "base/json_out.h"
#include "base/thread.h"
#include "db/store.h"
#include "edge/metric.h"
#include "html/templates.h"
#include "serve/background.h"
#include "serve/sweep_pace.h"
#include "store/account/alert_match.h"
#include "store/run/job.h"

enum {
    POLL_MS = 1000,
    LEFTOVER_MS = MINUTE_MS,
    LEASE_MS = 30 * SECOND_MS,
    RENEW_MS = 5 * SECOND_MS,
    RESULT_SIZE_MAX = 1024,
    PERIOD_SIZE = 32,
};

#define JOB job_name(JOB_ALERTS)

struct alert_job {
    struct alert_job_config config;
    pthread_t thread;
    int wake_fd; /* readable: look */
    _Atomic bool stopping;
    struct mustache_set *templates;
    struct db *db;      /* of the thread; NULL: not open */
    bool leftover;      /* e-mails at once may wait */
    int64_t looked_at;  /* for those that no match of this server caused; 0: not yet */
    int64_t renew_at;   /* of the lease; monotonic */
    bool claimed, lost; /* the lease, by the last write */
    bool failing;       /* the last look failed and was logged */
    _Atomic int64_t emails, too_long; /* since the start */
};

/* What one run did. */
struct alert_totals {
    int64_t entries, matches, emails, left_out, too_long;
};

/* --- the job's row, written on the writer's thread */

struct alert_row_call {
    struct alert_job *job;
    writer_run *run;
    int64_t now_ms; /* by the database's clock */
    struct str result;
    bool failed;
};

static int64_t next_digest(int64_t now_ms)
{
    return alert_next_due(ALERT_DAILY, now_ms); /* Monday is a day too */
}

/* Makes the job due and takes it, in one transaction. */
static enum err claim(struct db *db, void *ctx, struct fail *fail)
{
    struct alert_row_call *call = ctx;
    struct alert_job *job = call->job;
    int64_t planned;
    TRY(job_plan(db, JOB, call->now_ms, call->now_ms, 0, &planned, fail));
    return job_claim(
        db, JOB, job->config.node, job->config.server, call->now_ms, call->now_ms + LEASE_MS,
        next_digest(call->now_ms), &job->claimed, fail);
}

static enum err renew(struct db *db, void *ctx, struct fail *fail)
{
    const struct alert_row_call *call = ctx;
    return job_renew(db, JOB, call->job->config.node, call->now_ms + LEASE_MS, fail);
}

static enum err end(struct db *db, void *ctx, struct fail *fail)
{
    const struct alert_row_call *call = ctx;
    return job_end(db, JOB, call->job->config.node, call->now_ms, call->failed, call->result, fail);
}

static enum err run_call(struct db *db, void *ctx, struct fail *fail)
{
    struct alert_row_call *call = ctx;
    TRY(db_now_ms(db, clock_wall_ms(), &call->now_ms, fail));
    return call->run(db, call, fail);
}

static enum err write_row(struct alert_job *job, writer_run *run, struct fail *fail)
{
    struct alert_row_call call = {.job = job, .run = run};
    return writer_call(job->config.writer, WRITER_SWEEP, run_call, &call, fail);
}

/* --- how a run writes */

static void keep_lease(struct alert_job *job)
{
    struct fail fail;
    if (clock_mono_ms() < job->renew_at)
        return;
    job->renew_at = clock_mono_ms() + RENEW_MS;
    job->lost = write_row(job, renew, &fail) == ERR_NOT_FOUND;
}

/* Called between readings too, which write nothing. */
static bool should_stop(void *ctx)
{
    struct alert_job *job = ctx;
    keep_lease(job);
    return atomic_load(&job->stopping) || job->lost;
}

struct leased_write {
    struct alert_job *job;
    writer_run *run;
    void *ctx;
    bool lost;
};

/* Renews the lease in the same transaction. A server that stood still for longer than its lease has
 * lost it to another server, and writes nothing. */
static enum err write_leased(struct db *db, void *ctx, struct fail *fail)
{
    struct leased_write *write = ctx;
    struct alert_row_call call = {.job = write->job, .run = renew};
    enum err err = run_call(db, &call, fail);
    write->lost = err == ERR_NOT_FOUND;
    return err ? err : write->run(db, write->ctx, fail);
}

/* Leaves the writer and the disk to others for as long as the transaction took. */
static enum err write_and_pause(void *ctx, writer_run *run, void *run_ctx, struct fail *fail)
{
    struct alert_job *job = ctx;
    struct leased_write write = {job, run, run_ctx, false};
    int64_t began_ns = clock_mono_ns();
    enum err err = writer_call(job->config.writer, WRITER_SWEEP, write_leased, &write, fail);
    job->lost = write.lost;
    if (!err)
        job->renew_at = clock_mono_ms() + RENEW_MS;
    usleep((useconds_t)sweep_pace_ms(clock_mono_ns() - began_ns) * 1000);
    return err;
}

/* --- a run */

static enum err send_digest(
    struct alert_job *job, const struct alert_work *work, enum alert_pace pace, struct str period,
    struct alert_totals *totals, struct fail *fail)
{
    const struct digest_config config = {
        .base_url = job->config.base_url,
        .mail_key = job->config.mail_key,
        .template = mustache_find(job->templates, STR("alert_mail")),
    };
    struct digest_result result;
    enum err err = digest_run(work, &config, pace, period, &result, fail);
    totals->emails += result.emails;
    totals->left_out += result.left_out;
    totals->too_long += result.too_long;
    job->emails += result.emails;
    job->too_long += result.too_long;
    return err;
}

static enum err match_all(
    struct alert_job *job, const struct alert_work *work, struct alert_totals *totals,
    struct fail *fail)
{
    struct pass_result result = {.more = true};
    enum err err = OK;
    while (!err && result.more) {
        err = pass_run(work, &result, fail);
        totals->entries += result.entries;
        totals->matches += result.matches;
        job->leftover = job->leftover || result.matches;
    }
    return err;
}

static enum err send_now(
    struct alert_job *job, const struct alert_work *work, struct alert_totals *totals,
    struct fail *fail)
{
    char period[PERIOD_SIZE];
    int64_t position;
    if (!job->leftover)
        return OK;
    TRY(alert_position(job->db, &position, fail));
    snprintf(period, sizeof period, "%lld", (long long)position);
    enum err err = send_digest(job, work, ALERT_NOW, str_from(period), totals, fail);
    job->leftover = err != OK;
    return err;
}

struct digest_day {
    enum alert_pace pace;
    int32_t day;
};

static enum err digest_done(struct db *db, void *ctx, struct fail *fail)
{
    const struct digest_day *done = ctx;
    return alert_digest_done(db, done->pace, done->day, fail);
}

static enum err is_digest_due(
    struct alert_job *job, enum alert_pace pace, int64_t now_ms, bool *ret, struct fail *fail)
{
    int32_t day = 0;
    enum err err = alert_digest_day(job->db, pace, &day, fail);
    *ret = !err && alert_period_day(pace, now_ms) > day;
    return err;
}

static enum err send_period(
    struct alert_job *job, const struct alert_work *work, enum alert_pace pace,
    struct alert_totals *totals, struct fail *fail)
{
    struct digest_day today = {pace, alert_period_day(pace, work->now_ms)};
    char period[DAY_TEXT_SIZE];
    bool due;
    enum err err = is_digest_due(job, pace, work->now_ms, &due, fail);
    if (err || !due)
        return err;
    day_print(today.day, period);
    TRY(send_digest(job, work, pace, str_of(period, sizeof period), totals, fail));
    return write_and_pause(job, digest_done, &today, fail);
}

/* At once first: a trade that matches two alerts of a person is not repeated in the digest. */
static enum err work_once(struct alert_job *job, struct alert_totals *totals, struct fail *fail)
{
    const struct alert_work work = {
        .db = job->db,
        .now_ms = clock_wall_ms(),
        .write = write_and_pause,
        .stop = should_stop,
        .ctx = job,
    };
    TRY(match_all(job, &work, totals, fail));
    TRY(send_now(job, &work, totals, fail));
    TRY(send_period(job, &work, ALERT_DAILY, totals, fail));
    return send_period(job, &work, ALERT_WEEKLY, totals, fail);
}

static void put_result(
    struct json_out *j, const struct alert_totals *totals, int64_t took_ms, const struct fail *fail)
{
    json_object_begin(j);
    JSON_KEY_I64(j, "entries", totals->entries);
    JSON_KEY_I64(j, "matches", totals->matches);
    JSON_KEY_I64(j, "emails", totals->emails);
    JSON_KEY_I64(j, "tooLong", totals->too_long);
    JSON_KEY_I64(j, "ms", took_ms);
    if (fail)
        JSON_KEY_STR(j, "error", str_from(fail->text));
    json_object_end(j);
}

static void run(struct alert_job *job)
{
    struct alert_totals totals = {0};
    struct fail fail = {OK}, unwritten;
    struct json_out result;
    struct buf text;
    int64_t began_ms = clock_mono_ms();
    job->lost = false;
    job->renew_at = began_ms + RENEW_MS;
    enum err err = work_once(job, &totals, &fail);
    int64_t took_ms = clock_mono_ms() - began_ms;
    log_line(
        err ? LOG_WARN : LOG_INFO, err ? "alerts stopped" : "alerts",
        LOG_S("reason", err ? str_from(fail.text) : STR("")), LOG_I("entries", totals.entries),
        LOG_I("matches", totals.matches), LOG_I("emails", totals.emails), LOG_I("ms", took_ms));
    if (totals.too_long)
        log_line(LOG_WARN, "e-mails of alerts were too long", LOG_I("dropped", totals.too_long));
    buf_init(&text, RESULT_SIZE_MAX);
    json_init(&result, &text);
    put_result(&result, &totals, took_ms, err ? &fail : NULL);
    struct alert_row_call call = {
        .job = job, .run = end, .failed = err != OK, .result = buf_view(&text)};
    if (writer_call(job->config.writer, WRITER_SWEEP, run_call, &call, &unwritten))
        log_line(
            LOG_WARN, "cannot store the result of alerts",
            LOG_S("reason", str_from(unwritten.text)));
    buf_finish(&text);
}

/* --- is there anything to do? */

struct looking {
    struct alert_bounds bounds;
    int64_t now_ms;
    bool daily, weekly; /* digests are due */
};

/* Nobody has an alert: everything is done, without a run to record. */
static enum err settle_idle(struct db *db, void *ctx, struct fail *fail)
{
    const struct looking *l = ctx;
    const struct alert_pass all = {.after = l->bounds.after, .last = l->bounds.last};
    bool done;
    TRY(alert_pass_end(db, &all, &done, fail));
    for (enum alert_pace pace = ALERT_DAILY; pace <= ALERT_WEEKLY; pace++)
        TRY(alert_digest_done(db, pace, alert_period_day(pace, l->now_ms), fail));
    return OK;
}

/* E-mails at once that a killed server matched and did not queue, or of an alert whose pace was
 * changed to `now`. Once a minute, because it can read many rows of other paces. */
static enum err find_leftover(
    struct alert_job *job, int64_t position, int64_t now_ms, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct alert_waiting_list list = {0};
    if (job->leftover || (now_ms >= job->looked_at && now_ms < job->looked_at + LEFTOVER_MS))
        return OK;
    TRY(alert_waiting_read(job->db, ALERT_NOW, position, 0, 1, &arena, &list, fail));
    job->leftover = list.count > 0;
    job->looked_at = now_ms;
    return OK;
}

static enum err look(struct alert_job *job, bool *ret_due, struct fail *fail)
{
    struct looking l = {.now_ms = clock_wall_ms()};
    TRY(alert_pass_bounds(job->db, &l.bounds, fail));
    TRY(is_digest_due(job, ALERT_DAILY, l.now_ms, &l.daily, fail));
    TRY(is_digest_due(job, ALERT_WEEKLY, l.now_ms, &l.weekly, fail));
    if (!l.bounds.is_idle)
        TRY(find_leftover(job, l.bounds.after, l.now_ms, fail));
    *ret_due = l.bounds.after < l.bounds.last || job->leftover || l.daily || l.weekly;
    if (!*ret_due || !l.bounds.is_idle)
        return OK;
    *ret_due = false;
    job->leftover = false;
    return writer_call(job->config.writer, WRITER_SWEEP, settle_idle, &l, fail);
}

static enum err look_and_run(struct alert_job *job, struct fail *fail)
{
    bool due = false, leased = false;
    int64_t database_ms = 0;
    enum err err =
        job->db ? OK : store_open(job->config.settings->database, STORE_READ, &job->db, fail);
    if (!err)
        err = look(job, &due, fail);
    /* The writer of this server must not wait for a transaction of the one that has the lease. */
    if (!err && due)
        err = db_now_ms(job->db, clock_wall_ms(), &database_ms, fail);
    if (!err && due)
        err = job_is_leased(job->db, JOB, database_ms, LEASE_MS, &leased, fail);
    if (err || !due || leased)
        return err;
    job->claimed = false;
    TRY(write_row(job, claim, fail));
    if (job->claimed)
        run(job);
    return OK;
}

/* --- the thread */

static void wait(struct alert_job *job)
{
    struct pollfd fd = {.fd = job->wake_fd, .events = POLLIN};
    eventfd_t count;
    if (poll(&fd, 1, POLL_MS) > 0)
        eventfd_read(job->wake_fd, &count);
}

static enum err end_lease(struct db *db, void *ctx, struct fail *fail)
{
    return job_end_lease(db, JOB, fail);
}

/* On SQLite this is the only server, so a lease that is left belongs to one that was killed. */
static void free_lease(struct alert_job *job)
{
    struct fail fail;
    if (settings_embedded(job->config.settings) && write_row(job, end_lease, &fail) != OK)
        log_line(LOG_WARN, "alerts keep an old lease", LOG_S("reason", str_from(fail.text)));
}

static void *work(void *arg)
{
    struct alert_job *job = arg;
    int unused = nice(BACKGROUND_NICE); /* on Linux: of this thread only */
    (void)unused;
    free_lease(job);
    while (!atomic_load(&job->stopping)) {
        struct fail fail;
        bool failed = look_and_run(job, &fail) != OK;
        if (failed && !job->failing)
            log_line(LOG_WARN, "alerts wait", LOG_S("reason", str_from(fail.text)));
        job->failing = failed;
        wait(job);
    }
    db_close(job->db);
    return NULL;
}

static void destroy(struct alert_job *job)
{
    if (job->wake_fd >= 0)
        close(job->wake_fd);
    mustache_set_destroy(job->templates);
    mem_free(job);
}

enum err alert_job_start(
    const struct alert_job_config *config, struct alert_job **ret, struct fail *fail)
{
    struct alert_job *job = MEM_NEW(struct alert_job);
    job->config = *config;
    job->templates = templates_create();
    job->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    enum err err = job->wake_fd < 0 ? fail_set(fail, ERR_IO, "cannot create an eventfd: %m")
                                    : thread_start(&job->thread, work, job, "alerts", fail);
    if (err) {
        destroy(job);
        return err;
    }
    *ret = job;
    return OK;
}

void alert_job_wake(struct alert_job *job)
{
    if (job)
        eventfd_write(job->wake_fd, 1);
}

void alert_job_put_metrics(struct alert_job *job, struct buf *b)
{
    if (!job)
        return;
    metrics_put_type(b, METRIC_ALERT_EMAILS);
    metrics_put_sample(b, METRIC_ALERT_EMAILS, METRIC_LABELS(STR("queued")), (uint64_t)job->emails);
    metrics_put_sample(
        b, METRIC_ALERT_EMAILS, METRIC_LABELS(STR("too_long")), (uint64_t)job->too_long);
}

void alert_job_stop(struct alert_job *job)
{
    if (!job)
        return;
    atomic_store(&job->stopping, true);
    alert_job_wake(job);
    pthread_join(job->thread, NULL);
    destroy(job);
}
