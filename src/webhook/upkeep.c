/* A run is one errand after the other, until a step finds less than it may take; see upkeep.h. */
#include "webhook/upkeep.h"

#include "base/clock.h"
#include "base/log.h"
#include "webhook/bounds.h"

/* On the writer's thread. */
static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct upkeep *upkeep = ctx;
    int64_t now_ms = clock_wall_ms();
    return upkeep->pruning ? delivery_prune(db, now_ms, UPKEEP_ROWS, &upkeep->count, fail)
                           : delivery_expire(db, now_ms, UPKEEP_ROWS, &upkeep->count, fail);
}

void upkeep_init(struct upkeep *upkeep, struct writer *writer, uv_async_t *wake)
{
    errand_init(&upkeep->errand, writer, WRITER_SWEEP, run, upkeep, wake);
    upkeep->next_at = INT64_MIN;
}

void upkeep_finish(struct upkeep *upkeep)
{
    errand_finish(&upkeep->errand);
}

void upkeep_look(struct upkeep *upkeep, int64_t now_ms)
{
    bool stepped_back = now_ms < upkeep->next_at - HOUR_MS;
    if (upkeep->errand.is_out || (now_ms < upkeep->next_at && !stepped_back))
        return;
    upkeep->next_at = now_ms + HOUR_MS;
    upkeep->pruning = false;
    upkeep->expired = upkeep->pruned = 0;
    errand_go(&upkeep->errand);
}

static void say_done(const struct upkeep *upkeep)
{
    if (upkeep->expired || upkeep->pruned)
        log_line(
            LOG_INFO, "webhook log tidied", LOG_I("deliveries_expired", upkeep->expired),
            LOG_I("attempts_deleted", upkeep->pruned));
}

void upkeep_take(struct upkeep *upkeep, bool go_on)
{
    if (!errand_take_back(&upkeep->errand))
        return;
    if (upkeep->errand.err) { /* the rest is done by the next run */
        log_line(
            LOG_WARN, "old deliveries stay", LOG_S("reason", str_from(upkeep->errand.fail.text)));
        return;
    }
    if (upkeep->pruning)
        upkeep->pruned += upkeep->count;
    else
        upkeep->expired += upkeep->count;
    bool step_is_last = upkeep->count < UPKEEP_ROWS;
    if (upkeep->pruning && step_is_last) {
        say_done(upkeep);
        return;
    }
    upkeep->pruning = upkeep->pruning || step_is_last;
    if (go_on)
        errand_go(&upkeep->errand);
}
