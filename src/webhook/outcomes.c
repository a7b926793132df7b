/* The errand of a group of outcomes; see outcomes.h. */
#include "webhook/outcomes.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"

/* --- writing, on the writer's thread */

static enum err write_one(
    struct outcomes *outcomes, struct db *db, const struct delivery_outcome *outcome,
    struct delivery_effect *effect, struct fail *fail)
{
    enum err err = delivery_end(db, outcome, effect, fail);
    if (err == ERR_NOT_FOUND) /* the delivery is gone */
        return OK;
    if (!err && outcomes->notice && effect->known &&
        endpoint_notices(&effect->before, &effect->after))
        err = outcomes->notice(db, outcomes->notice_ctx, outcome, effect, fail);
    return err;
}

static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct outcomes *outcomes = ctx;
    int64_t now_ms = clock_wall_ms(), database_ms;
    enum err err = db_now_ms(db, now_ms, &database_ms, fail);
    for (size_t i = 0; i < outcomes->group_count && !err; i++) {
        outcomes->group[i]->outcome.database_ahead_ms = database_ms - now_ms;
        err = write_one(outcomes, db, &outcomes->group[i]->outcome, &outcomes->effects[i], fail);
    }
    return err;
}

/* --- the loop's side */

/* Servers that write outcomes of the same endpoints then wait for each other and never deadlock.
 * Those of one endpoint stay in the order in which they ended. */
static int by_endpoint(const void *a, const void *b)
{
    const struct attempt *x = *(struct attempt *const *)a, *y = *(struct attempt *const *)b;
    const int64_t keys[][2] = {
        {x->claimed.endpoint_no, y->claimed.endpoint_no},
        {x->outcome.ended_at, y->outcome.ended_at},
        {x->claimed.no, y->claimed.no},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static void go(struct outcomes *outcomes)
{
    size_t max = outcomes->alone ? 1 : OUTCOMES_IN_GROUP;
    struct attempt *attempt;
    assert(outcomes->group_count == 0);
    while (outcomes->group_count < max && (attempt = STAILQ_FIRST(&outcomes->waiting))) {
        STAILQ_REMOVE_HEAD(&outcomes->waiting, ended);
        outcomes->waiting_count--;
        outcomes->group[outcomes->group_count++] = attempt;
    }
    qsort(outcomes->group, outcomes->group_count, sizeof *outcomes->group, by_endpoint);
    uv_timer_stop(&outcomes->timer);
    errand_go(&outcomes->errand);
}

static void on_timer(uv_timer_t *timer)
{
    struct outcomes *outcomes = timer->data;
    if (!outcomes->errand.is_out && outcomes->waiting_count)
        go(outcomes);
}

/* When to write the next group: as soon as it is full or its time is over, but with a pause after a
 * failure. */
static void plan(struct outcomes *outcomes)
{
    if (outcomes->errand.is_out || !outcomes->waiting_count)
        return;
    if (!outcomes->failing && (outcomes->alone || outcomes->waiting_count >= OUTCOMES_IN_GROUP))
        go(outcomes);
    else if (!uv_is_active((uv_handle_t *)&outcomes->timer))
        uv_timer_start(
            &outcomes->timer, on_timer, outcomes->failing ? AGAIN_MS : OUTCOMES_GATHER_MS, 0);
}

void outcomes_init(
    struct outcomes *outcomes, uv_loop_t *loop, struct writer *writer, uv_async_t *wake)
{
    STAILQ_INIT(&outcomes->waiting);
    uv_timer_init(loop, &outcomes->timer);
    outcomes->timer.data = outcomes;
    errand_init(&outcomes->errand, writer, WRITER_OUTCOME, run, outcomes, wake);
}

void outcomes_close(struct outcomes *outcomes)
{
    uv_close((uv_handle_t *)&outcomes->timer, NULL);
}

void outcomes_finish(struct outcomes *outcomes)
{
    errand_finish(&outcomes->errand);
}

static void put_back(struct outcomes *outcomes, struct attempt *attempt)
{
    STAILQ_INSERT_TAIL(&outcomes->waiting, attempt, ended);
    outcomes->waiting_count++;
}

void outcomes_add(struct outcomes *outcomes, struct attempt *attempt)
{
    put_back(outcomes, attempt);
    plan(outcomes);
}

void outcomes_flush(struct outcomes *outcomes)
{
    if (!outcomes->errand.is_out && !outcomes->failing && outcomes->waiting_count)
        go(outcomes);
}

/* An error of the whole store, which ends when the store recovers; other errors belong to one
 * outcome. */
static bool is_of_store(enum err err)
{
    return err == ERR_UNAVAILABLE || err == ERR_FULL || err == ERR_BUSY || err == ERR_TIMEOUT;
}

static void keep_group(struct outcomes *outcomes)
{
    if (!outcomes->failing)
        log_line(
            LOG_ERROR, "outcomes of webhooks cannot be written, kept in memory",
            LOG_I("outcomes", (int64_t)(outcomes->group_count + outcomes->waiting_count)),
            LOG_S("reason", str_from(outcomes->errand.fail.text)));
    outcomes->alone = outcomes->alone || !is_of_store(outcomes->errand.err);
    outcomes->failing = true;
    for (size_t i = 0; i < outcomes->group_count; i++)
        put_back(outcomes, outcomes->group[i]);
}

static void say_disabled(const struct attempt *attempt, const struct delivery_effect *effect)
{
    if (effect->known && effect->before.state != effect->after.state)
        log_line(
            LOG_WARN, "webhook endpoint is disabled",
            LOG_S("endpoint", attempt->claimed.endpoint_id),
            LOG_S("reason", endpoint_reason_name(endpoint_reason(&effect->after))),
            LOG_I("failures", effect->after.failures));
}

static void release_group(struct outcomes *outcomes)
{
    if (outcomes->failing)
        log_line(LOG_INFO, "outcomes of webhooks are written again");
    outcomes->failing = false;
    outcomes->alone = outcomes->alone && outcomes->waiting_count;
    for (size_t i = 0; i < outcomes->group_count; i++) {
        say_disabled(outcomes->group[i], &outcomes->effects[i]);
        outcomes->written(outcomes->ctx, outcomes->group[i]);
    }
}

bool outcomes_take(struct outcomes *outcomes)
{
    if (!errand_take_back(&outcomes->errand))
        return false;
    bool durable = outcomes->errand.err == OK;
    if (durable)
        release_group(outcomes);
    else
        keep_group(outcomes);
    outcomes->group_count = 0;
    plan(outcomes);
    return durable;
}
