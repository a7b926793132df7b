/* Writes counts from memory to the store; see writeback.h. */
#include "serve/writeback.h"

#include "base/clock.h"
#include "base/log.h"
#include "store/row/change.h"
#include "store/row/node.h"
#include "store/run/job.h"

enum {
    PRUNE_MS = HOUR_MS,
    USAGE_EACH = 2,        /* with every second write, so about once a second */
    NOTICES_KEPT = 100000, /* a server that is further behind reloads the whole feed */
};

void writeback_init(
    struct writeback *w, struct limits *limits, struct access *access, struct writer *writer)
{
    *w = (struct writeback){
        .limits = limits,
        .access = access,
        .writer = writer,
        .pruned_at_ms = clock_mono_ms() - PRUNE_MS};
}

/* Runs on the writer's thread. */
static enum err write_counts(struct db *db, void *ctx, struct fail *fail)
{
    struct writeback *w = ctx;
    int64_t now_ms = clock_wall_ms();
    TRY(limits_flush(w->limits, db, now_ms, fail));
    TRY(access_flush(w->access, db, now_ms, false, fail));
    if (w->writes++ % USAGE_EACH == 0)
        TRY(usage_flush(access_usage(w->access), db, now_ms, fail));
    return OK;
}

static enum err write_all(struct db *db, void *ctx, struct fail *fail)
{
    struct writeback *w = ctx;
    int64_t now_ms = clock_wall_ms();
    TRY(limits_flush_last(w->limits, db, now_ms, fail));
    TRY(access_flush(w->access, db, now_ms, true, fail));
    return usage_flush_last(access_usage(w->access), db, now_ms, fail);
}

static enum err prune(struct db *db, void *ctx, struct fail *fail)
{
    int64_t now_ms = clock_wall_ms();
    TRY(change_prune(db, NOTICES_KEPT, fail));
    TRY(node_prune(db, fail));
    return job_run_record(
        db, job_name(JOB_PRUNE), now_ms, clock_wall_ms(), now_ms + PRUNE_MS, STR("{}"), fail);
}

static void counts_written(void *ctx, enum err err, const struct fail *fail)
{
    struct writeback *w = ctx;
    limits_flush_done(w->limits, err);
    access_flush_done(w->access, err);
    usage_flush_done(access_usage(w->access), err);
    if (err && !atomic_exchange(&w->failing, true))
        log_line(
            LOG_ERROR, "cannot write counts, keeping them in memory",
            LOG_S("reason", str_from(fail->text)));
    else if (!err && atomic_exchange(&w->failing, false))
        log_line(LOG_INFO, "counts are written again");
    atomic_store(&w->waiting, false);
}

static enum err load_months(struct db *db, void *ctx, struct fail *fail)
{
    const struct writeback *w = ctx;
    return limits_load(w->limits, db, clock_wall_ms(), fail);
}

static void months_loaded(void *ctx, enum err err, const struct fail *fail)
{
    struct writeback *w = ctx;
    if (err)
        atomic_store(&w->load_again, true);
}

static void prune_done(void *ctx, enum err err, const struct fail *fail)
{
    if (err)
        log_line(LOG_WARN, "cannot delete old rows", LOG_S("reason", str_from(fail->text)));
}

void writeback_tick(struct writeback *w)
{
    int64_t now_ms = clock_mono_ms();
    if (!atomic_exchange(&w->waiting, true) &&
        writer_post(w->writer, WRITER_COUNT, write_counts, counts_written, w) != OK)
        atomic_store(&w->waiting, false);
    bool load = limits_should_load(w->limits, clock_wall_ms());
    if ((load || atomic_exchange(&w->load_again, false)) &&
        writer_post(w->writer, WRITER_COUNT, load_months, months_loaded, w) != OK)
        atomic_store(&w->load_again, true);
    if (now_ms - w->pruned_at_ms >= PRUNE_MS &&
        writer_post(w->writer, WRITER_SWEEP, prune, prune_done, w) == OK)
        w->pruned_at_ms = now_ms;
}

enum err writeback_all(struct writeback *w, struct fail *fail)
{
    enum err err = writer_call(w->writer, WRITER_COUNT, write_all, w, fail);
    limits_flush_done(w->limits, err);
    access_flush_done(w->access, err);
    usage_flush_done(access_usage(w->access), err);
    return err;
}
