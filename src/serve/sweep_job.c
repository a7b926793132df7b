/* The daily sweep of a server; see sweep_job.h. */
#include "serve/sweep_job.h"

#include "base/clock.h"
#include "base/instant.h"
#include "base/thread.h"
#include "conflict/sweep.h"
#include "db/store.h"
#include "edge/metric.h"
#include "serve/daily_job.h"
#include "serve/sweep_pace.h"
#include "store/run/job.h"

/* The last sweep that this server completed. */
struct sweep_last {
    int64_t ended_at; /* INSTANT_NONE: none yet */
    int64_t took_ms;
    int64_t trades, signals;
    int64_t set, changed, cleared;
};

struct sweep_job {
    const struct settings *settings;
    struct writer *writer;
    struct daily_job *daily;
    pthread_mutex_t lock;
    struct sweep_last last; /* guarded by `lock` */
};

/* One run. Used on the job's thread only. */
struct sweep_job_run {
    struct sweep_job *job;
    struct daily_job *daily;
    bool stop_requested;
};

static bool should_stop(void *ctx)
{
    struct sweep_job_run *s = ctx;
    s->stop_requested = s->stop_requested || !daily_job_wait(s->daily, -1, 0);
    return s->stop_requested;
}

static enum err write_and_pause(void *ctx, writer_run *run, void *run_ctx, struct fail *fail)
{
    struct sweep_job_run *s = ctx;
    int64_t began_ns = clock_mono_ns();
    enum err err = writer_call(s->job->writer, WRITER_SWEEP, run, run_ctx, fail);
    int pause_ms = sweep_pace_ms(clock_mono_ns() - began_ns);
    s->stop_requested = s->stop_requested || !daily_job_wait(s->daily, -1, pause_ms);
    return err;
}

static enum err sweep(struct sweep_job_run *s, struct sweep_result *ret, struct fail *fail)
{
    DB_SCOPED(db);
    TRY(store_open(s->job->settings->database, STORE_READ, &db, fail));
    const struct sweep_config config = {
        .db = db,
        .now_ms = clock_wall_ms(),
        .write = write_and_pause,
        .stop = should_stop,
        .ctx = s,
    };
    return sweep_run(&config, ret, fail);
}

static void store_last(struct sweep_job *job, const struct sweep_result *result, int64_t took_ms)
{
    LOCKED(&job->lock);
    job->last = (struct sweep_last){
        .ended_at = clock_wall_ms(),
        .took_ms = took_ms,
        .trades = result->trades,
        .signals = result->signals,
        .set = result->set,
        .changed = result->changed,
        .cleared = result->cleared,
    };
}

static void put_result(struct json_out *j, const struct sweep_result *result, int64_t took_ms)
{
    JSON_KEY_I64(j, "trades", result->trades);
    JSON_KEY_I64(j, "signals", result->signals);
    JSON_KEY_I64(j, "set", result->set);
    JSON_KEY_I64(j, "changed", result->changed);
    JSON_KEY_I64(j, "cleared", result->cleared);
    JSON_KEY_I64(j, "ms", took_ms);
}

static bool run(void *ctx, struct daily_job *daily, struct json_out *j)
{
    struct sweep_job *job = ctx;
    struct sweep_job_run s = {.job = job, .daily = daily};
    struct sweep_result result = {.trades = 0};
    struct fail fail = {OK};
    int64_t began_ms = clock_mono_ms();
    enum err err = sweep(&s, &result, &fail);
    int64_t took_ms = clock_mono_ms() - began_ms;
    put_result(j, &result, took_ms);
    if (err)
        JSON_KEY_STR(j, "error", str_from(fail.text));
    else if (result.stopped)
        JSON_KEY_STR(j, "error", STR("stopped"));
    else
        store_last(job, &result, took_ms);
    log_line(
        err ? LOG_ERROR : LOG_INFO,
        err              ? "sweep failed"
        : result.stopped ? "sweep stopped"
                         : "swept",
        LOG_S("reason", err ? str_from(fail.text) : STR("")), LOG_I("trades", result.trades),
        LOG_I("signals", result.signals), LOG_I("set", result.set),
        LOG_I("changed", result.changed), LOG_I("cleared", result.cleared), LOG_I("ms", took_ms));
    return !err && !result.stopped;
}

enum err sweep_job_start(
    const struct sweep_job_config *config, struct sweep_job **ret, struct fail *fail)
{
    struct sweep_job *job = MEM_NEW(struct sweep_job);
    job->settings = config->settings;
    job->writer = config->writer;
    job->last.ended_at = INSTANT_NONE;
    pthread_mutex_init(&job->lock, NULL);
    const struct daily_job_config daily = {
        .name = job_name(JOB_SWEEP),
        .minute = config->settings->sweep_at,
        .node = config->node,
        .server = config->server,
        .writer = config->writer,
        .run = run,
        .ctx = job,
    };
    enum err err = daily_job_start(&daily, &job->daily, fail);
    if (err) {
        pthread_mutex_destroy(&job->lock);
        mem_free(job);
        return err;
    }
    *ret = job;
    return OK;
}

void sweep_job_stop(struct sweep_job *job)
{
    if (!job)
        return;
    daily_job_stop(job->daily);
    pthread_mutex_destroy(&job->lock);
    mem_free(job);
}

void sweep_job_put_metrics(struct sweep_job *job, struct buf *b)
{
    if (!job)
        return;
    pthread_mutex_lock(&job->lock);
    struct sweep_last last = job->last;
    pthread_mutex_unlock(&job->lock);
    if (last.ended_at == INSTANT_NONE)
        return;
    const struct {
        struct str change;
        int64_t count;
    } changes[] = {
        {STR("set"), last.set}, {STR("changed"), last.changed}, {STR("cleared"), last.cleared}};
    metrics_put(b, METRIC_SWEEP_LAST_END, (uint64_t)(last.ended_at / SECOND_MS));
    metrics_put_ms(b, METRIC_SWEEP_LAST_DURATION, last.took_ms);
    metrics_put(b, METRIC_SWEEP_LAST_TRADES, (uint64_t)last.trades);
    metrics_put(b, METRIC_SWEEP_LAST_SIGNALS, (uint64_t)last.signals);
    metrics_put_type(b, METRIC_SWEEP_LAST_CHANGES);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        metrics_put_sample(
            b, METRIC_SWEEP_LAST_CHANGES, METRIC_LABELS(changes[i].change),
            (uint64_t)changes[i].count);
}
