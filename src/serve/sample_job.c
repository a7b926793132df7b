/* The daily sample; see sample_job.h. */
#include "serve/sample_job.h"

#include "base/clock.h"
#include "db/store.h"
#include "review/desk/sample_plan.h"
#include "serve/daily_job.h"
#include "serve/daily_on.h"

struct sample_job {
    const struct settings *settings;
    struct writer *writer;
    struct daily_job *daily;
};

/* One run. */
struct sample_run {
    const struct sample_job *job;
    struct arena arena;
    struct sample_plan plan;
    struct sample_plan_result result;
    bool drawn_before; /* the day has its draw already: the clock was set back */
    int64_t now_ms;
};

static enum err choose(struct sample_run *run, struct fail *fail)
{
    const struct settings *settings = run->job->settings;
    DB_SCOPED(db);
    uint8_t seed[SHA256_SIZE];
    random_bytes(seed, sizeof seed);
    TRY(store_open(settings->database, STORE_READ, &db, fail));
    TRY(sample_is_drawn(db, instant_day_utc(run->now_ms), &run->drawn_before, fail));
    if (!run->drawn_before)
        TRY(sample_plan_make(
            db, settings->sample_rows, seed, run->now_ms, &run->arena, &run->plan, fail));
    return OK;
}

static enum err store(struct db *db, void *ctx, struct fail *fail)
{
    struct sample_run *run = ctx;
    enum err err = sample_plan_store(db, &run->plan, run->now_ms, &run->result, fail);
    run->drawn_before = err == ERR_EXISTS;
    return err == ERR_EXISTS ? OK : err;
}

static void put_result(struct json_out *j, const struct sample_run *run, int64_t took_ms)
{
    int64_t trades = 0, unstored = 0;
    for (int i = 0; i < SAMPLE_STRATA; i++) {
        trades += run->plan.draw.strata[i].trades;
        unstored += run->plan.draw.strata[i].unstored;
    }
    JSON_KEY_I64(j, "drawn", run->result.drawn);
    JSON_KEY_I64(j, "ofTrades", trades);
    JSON_KEY_I64(j, "documents", run->result.documents);
    JSON_KEY_I64(j, "withoutDocument", unstored);
    JSON_KEY_I64(j, "expired", run->result.expired);
    JSON_KEY_I64(j, "ms", took_ms);
}

static bool run(void *ctx, struct daily_job *daily, struct json_out *j)
{
    const struct sample_job *job = ctx;
    struct sample_run run = {.job = job, .now_ms = clock_wall_ms()};
    struct fail fail = {OK};
    int64_t began_ms = clock_mono_ms();
    arena_init(&run.arena);
    enum err err = choose(&run, &fail);
    if (!err && !run.drawn_before)
        err = writer_call(job->writer, WRITER_SWEEP, store, &run, &fail);
    put_result(j, &run, clock_mono_ms() - began_ms);
    if (err)
        JSON_KEY_STR(j, "error", str_from(fail.text));
    else if (run.drawn_before)
        JSON_KEY_STR(j, "note", STR("this day has its sample already"));
    log_line(
        err ? LOG_ERROR : LOG_INFO, err ? "drawing the sample failed" : "drew the sample",
        LOG_S("reason", err ? str_from(fail.text) : STR("")), LOG_I("drawn", run.result.drawn),
        LOG_I("ms", clock_mono_ms() - began_ms));
    arena_finish(&run.arena);
    return !err;
}

enum err sample_job_start(
    const struct settings *settings, struct writer *writer, struct str node, struct str server,
    struct sample_job **ret, struct fail *fail)
{
    *ret = NULL;
    if (!daily_on(settings).on[JOB_SAMPLE])
        return OK;
    struct sample_job *job = MEM_NEW(struct sample_job);
    job->settings = settings;
    job->writer = writer;
    const struct daily_job_config daily = {
        .name = job_name(JOB_SAMPLE),
        .minute = SAMPLE_JOB_MINUTE,
        .node = node,
        .server = server,
        .writer = writer,
        .run = run,
        .ctx = job,
    };
    enum err err = daily_job_start(&daily, &job->daily, fail);
    if (err) {
        mem_free(job);
        return err;
    }
    *ret = job;
    return OK;
}

void sample_job_stop(struct sample_job *job)
{
    if (!job)
        return;
    daily_job_stop(job->daily);
    mem_free(job);
}
