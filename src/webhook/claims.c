/* The errand of a claim; see claims.h. */
#include "webhook/claims.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static bool is_in_hand(void *ctx, int64_t delivery_no)
{
    const struct claims *claims = ctx;
    return bsearch(
               &delivery_no, claims->in_hand, claims->in_hand_count, sizeof delivery_no, compare) !=
           NULL;
}

static int64_t at_most(int64_t value, int64_t max)
{
    return value < max ? value : max;
}

/* Runs on the writer's thread. */
static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct claims *claims = ctx;
    int64_t room = (int64_t)(IN_HAND_MAX - claims->in_hand_count);
    int64_t share = 1 + room / ENDPOINT_SHARE_OF_ROOM;
    int64_t now_ms = clock_wall_ms(), database_ms;
    enum err err = db_now_ms(db, now_ms, &database_ms, fail);
    const struct delivery_claim claim = {
        .node = claims->node,
        .now_ms = now_ms,
        .database_ahead_ms = database_ms - now_ms,
        .limit = (size_t)at_most(room, DELIVERY_CLAIM_MAX),
        .bodies_max = claims->bodies_max,
        .replays_max = REPLAYS_IN_CLAIM,
        .per_endpoint_max = at_most(share, ENDPOINT_IN_FLIGHT_MAX),
        .after_endpoint = claims->after_endpoint,
        .in_hand = is_in_hand,
        .ctx = claims,
    };
    arena_reset(&claims->arena);
    return err ? err
               : delivery_claim(
                     db, &claim, &claims->arena, &claims->found, &claims->ended_at_endpoint, fail);
}

void claims_init(struct claims *claims, struct writer *writer, struct str node, uv_async_t *wake)
{
    claims->node = node;
    arena_init(&claims->arena);
    errand_init(&claims->errand, writer, WRITER_OUTCOME, run, claims, wake);
}

void claims_finish(struct claims *claims)
{
    errand_finish(&claims->errand);
    arena_finish(&claims->arena);
}

void claims_go(
    struct claims *claims, const int64_t *in_hand, size_t in_hand_count, size_t bodies_max)
{
    assert(!claims->errand.is_out && in_hand_count < IN_HAND_MAX && bodies_max > 0);
    memcpy(claims->in_hand, in_hand, in_hand_count * sizeof *in_hand);
    claims->in_hand_count = in_hand_count;
    qsort(claims->in_hand, in_hand_count, sizeof *in_hand, compare);
    claims->bodies_max = bodies_max;
    errand_go(&claims->errand);
}

static void note_failure(struct claims *claims)
{
    claims->found = (struct delivery_claims){.count = 0};
    if (!claims->failing)
        log_line(
            LOG_ERROR, "webhooks cannot be claimed",
            LOG_S("reason", str_from(claims->errand.fail.text)));
    claims->failing = true;
}

const struct delivery_claims *claims_take(struct claims *claims)
{
    if (!errand_take_back(&claims->errand))
        return NULL;
    if (claims->errand.err) {
        note_failure(claims);
        return &claims->found;
    }
    if (claims->failing)
        log_line(LOG_INFO, "webhooks are claimed again");
    claims->failing = false;
    claims->after_endpoint = claims->ended_at_endpoint;
    return &claims->found;
}
