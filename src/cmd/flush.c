/* Counts from memory to the store; see flush.h. */
#include "cmd/flush.h"

#include "base/clock.h"
#include "base/instant.h"
#include "base/log.h"
#include "store/change.h"
#include "store/node.h"

enum {
    TIDY_MS = HOUR_MS,
    NOTICES_KEPT = 100000, /* a server that was away for more of them loads anew */
};

void flush_init(
    struct flush *f, struct limits *limits, struct access *access, struct writer *writer)
{
    *f = (struct flush){
        .limits = limits, .access = access, .writer = writer, .tidied_at_ms = clock_mono_ms()};
}

/* On the writer's thread. */
static enum err write_counts(struct db *db, void *ctx, struct fail *fail)
{
    struct flush *f = ctx;
    int64_t now_ms = clock_wall_ms();
    enum err err = limits_flush(f->limits, db, now_ms, fail);
    return err ? err : access_flush(f->access, db, now_ms, false, fail);
}

static enum err write_all(struct db *db, void *ctx, struct fail *fail)
{
    struct flush *f = ctx;
    int64_t now_ms = clock_wall_ms();
    enum err err = limits_flush(f->limits, db, now_ms, fail);
    return err ? err : access_flush(f->access, db, now_ms, true, fail);
}

static enum err tidy(struct db *db, void *ctx, struct fail *fail)
{
    enum err err = change_prune(db, NOTICES_KEPT, fail);
    return err ? err : node_prune(db, fail);
}

static void counts_written(void *ctx, enum err err, const struct fail *fail)
{
    struct flush *f = ctx;
    if (err) {
        atomic_fetch_add(&f->failures, 1);
        if (!atomic_exchange(&f->failing, true))
            log_line(
                LOG_ERROR, "counts cannot be written, kept in memory",
                LOG_S("reason", str_from(fail->text)));
    } else if (atomic_exchange(&f->failing, false)) {
        log_line(LOG_INFO, "counts are written again");
    }
    atomic_store(&f->waiting, false);
}

static void tidied(void *ctx, enum err err, const struct fail *fail)
{
    if (err)
        log_line(LOG_WARN, "old rows stay", LOG_S("reason", str_from(fail->text)));
}

void flush_tick(struct flush *f)
{
    if (!atomic_exchange(&f->waiting, true) &&
        writer_post(f->writer, WRITER_COUNT, write_counts, counts_written, f) != OK)
        atomic_store(&f->waiting, false);
    if (clock_mono_ms() - f->tidied_at_ms < TIDY_MS)
        return;
    f->tidied_at_ms = clock_mono_ms();
    if (writer_post(f->writer, WRITER_SWEEP, tidy, tidied, f) != OK)
        f->tidied_at_ms = 0; /* the next tick tries again */
}

enum err flush_all(struct flush *f, struct fail *fail)
{
    return writer_call(f->writer, WRITER_COUNT, write_all, f, fail);
}
