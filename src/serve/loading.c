/* The load at the start; see loading.h. */
#include "serve/loading.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/log.h"
#include "serve/service_manager.h"
#include "store/publication.h"

enum { LOG_FROM_TRADES = 100000, TELL_MS = 5000, MIB = 1 << 20, STATUS_SIZE = 100 };

struct loading {
    int64_t trades, began_ms, told_ms;
};

static void tell(const struct loading *l, int64_t done, int64_t per_s)
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
    struct loading *l = ctx;
    int64_t now_ms = clock_mono_ms();
    if (now_ms - l->told_ms < TELL_MS)
        return;
    l->told_ms = now_ms;
    tell(l, trades, trades * SECOND_MS / (now_ms - l->began_ms));
}

enum err loading_run(
    struct feed *feed, struct db *db, const struct memory_room *room, int64_t *ret_seq,
    struct fail *fail)
{
    struct loading l = {.began_ms = clock_mono_ms()};
    l.told_ms = l.began_ms;
    enum err err = publication_trades(db, &l.trades, fail);
    if (err)
        return err;
    if (loading_bytes(l.trades) > room->left)
        return fail_set(
            fail, ERR_INVALID,
            "the %lld trades of the database need about %lld MiB of memory, and %lld MiB are left "
            "of %lld: raise the limit of the service or container, or use a larger machine",
            (long long)l.trades, (long long)(loading_bytes(l.trades) / MIB),
            (long long)(room->left / MIB), (long long)(room->limit / MIB));
    tell(&l, 0, 0);
    feed_on_load(feed, on_loaded, &l);
    err = feed_load(feed, db, ret_seq, fail);
    feed_on_load(feed, NULL, NULL);
    return err;
}
