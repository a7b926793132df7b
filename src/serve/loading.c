/* The load at the start; see loading.h. */
#include "serve/loading.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/progress_hook.h"
#include "db/migrate.h"
#include "db/store.h"
#include "serve/service_manager.h"
#include "store/public/publication.h"

enum { LOG_FROM_TRADES = 100000, TELL_MS = 5000, MIB = 1 << 20, STATUS_SIZE = 100 };

struct loading_progress {
    int64_t trades, began_ms, told_ms;
};

static void tell(const struct loading_progress *l, int64_t done, int64_t per_s)
{
    char status[STATUS_SIZE];
    snprintf(
        status, sizeof status, "STATUS=loading, %lld of %lld trades", (long long)done,
        (long long)l->trades);
    service_manager_tell(status);
    if (l->trades >= LOG_FROM_TRADES)
        log_line(
            LOG_INFO, "loading", LOG_I("trades", done), LOG_I("of", l->trades),
            LOG_I("per_s", per_s));
}

static void on_loaded(void *ctx, int64_t trades)
{
    struct loading_progress *l = ctx;
    int64_t now_ms = clock_mono_ms();
    if (now_ms - l->told_ms < TELL_MS)
        return;
    l->told_ms = now_ms;
    tell(l, trades, trades * SECOND_MS / (now_ms - l->began_ms));
}

/* --- migrations */

struct loading_steps {
    int64_t total;
    int phase;
};

static void on_phase(void *ctx, int phase)
{
    ((struct loading_steps *)ctx)->phase = phase;
}

static void on_step(void *ctx, int64_t done, int64_t total)
{
    struct loading_steps *steps = ctx;
    if (steps->phase != MIGRATE_STEPS || total <= steps->total)
        return;
    steps->total = total;
    service_manager_tell("STATUS=migrating the database");
}

enum err loading_open(struct str url, struct db **ret, struct fail *fail)
{
    struct loading_steps steps = {.phase = MIGRATE_STEPS};
    const struct progress_hook hook = {.fn = on_step, .ctx = &steps, .phase = on_phase};
    int64_t began_ms = clock_mono_ms();
    enum err err = store_migrate(url, &hook, ret, fail);
    if (!err && steps.total > 0 && steps.total < migrate_latest()) /* not a new database */
        log_line(
            LOG_INFO, "migrated", LOG_I("from", migrate_latest() - steps.total),
            LOG_I("to", migrate_latest()), LOG_I("ms", clock_mono_ms() - began_ms));
    return err;
}

/* --- memory */

enum err loading_run(
    struct feed *feed, struct db *db, const struct memory_room *room, int64_t *ret_seq,
    struct fail *fail)
{
    struct loading_progress l = {.began_ms = clock_mono_ms()};
    l.told_ms = l.began_ms;
    TRY(publication_trades(db, &l.trades, fail));
    if (loading_bytes(l.trades) > room->left)
        return fail_set(
            fail, ERR_INVALID,
            "the %lld trades of the database need about %lld MiB of memory, and %lld MiB are left "
            "of %lld: raise the limit of the service or container, or use a larger machine",
            (long long)l.trades, (long long)(loading_bytes(l.trades) / MIB),
            (long long)(room->left / MIB), (long long)(room->limit / MIB));
    tell(&l, 0, 0);
    feed_on_load(feed, on_loaded, &l);
    enum err err = feed_load(feed, db, ret_seq, fail);
    feed_on_load(feed, NULL, NULL);
    return err;
}
