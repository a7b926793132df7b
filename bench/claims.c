/*
 * Claims of due deliveries, as the dispatcher of a server makes them, and nothing else.
 *
 *     claims DATABASE COUNT
 *         makes COUNT claims, each durable before the next one begins
 *
 * Prints one line of JSON: the claims, the deliveries that they got, nanoseconds at p50 and p99.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "db/store.h"
#include "histogram.h"
#include "store/account/delivery.h"

enum { BODIES_MAX = 64 * 1024 * 1024, PER_ENDPOINT = 16, ARGUMENT_MAX = 1000000 };

struct totals {
    struct histogram took;
    int64_t claimed, after_endpoint;
};

static enum err claim_once(struct db *db, struct totals *totals, struct fail *fail)
{
    struct delivery_claims claims;
    struct arena arena;
    const struct delivery_claim claim = {
        .node = STR("bench"),
        .now_ms = clock_wall_ms(),
        .limit = DELIVERY_CLAIM_MAX,
        .bodies_max = BODIES_MAX,
        .per_endpoint_max = PER_ENDPOINT,
        .after_endpoint = totals->after_endpoint,
    };
    arena_init(&arena);
    int64_t began_ns = clock_mono_ns();
    enum err err = db_begin(db, fail);
    if (!err) {
        err = delivery_claim(db, &claim, &arena, &claims, &totals->after_endpoint, fail);
        err = db_end(db, err, fail);
    }
    if (!err) {
        histogram_add(&totals->took, clock_mono_ns() - began_ns);
        totals->claimed += (int64_t)claims.count;
    }
    arena_finish(&arena);
    return err;
}

int main(int argc, char **argv)
{
    static struct totals totals;
    struct db *db = NULL;
    struct fail fail;
    int64_t count;
    if (argc != 3 || !str_to_i64(str_from(argv[2]), &count) || count < 1 || count > ARGUMENT_MAX) {
        fprintf(stderr, "usage: claims DATABASE COUNT\n");
        return 2;
    }
    enum err err = store_open(str_from(argv[1]), STORE_WRITE, &db, &fail);
    for (int64_t i = 0; i < count && !err; i++)
        err = claim_once(db, &totals, &fail);
    if (err)
        fprintf(stderr, "claims: %s\n", fail.text);
    else
        printf(
            "{\"claims\":%" PRIu64 ",\"claimed\":%" PRId64 ",\"p50_ns\":%" PRIu64
            ",\"p99_ns\":%" PRIu64 "}\n",
            totals.took.count, totals.claimed, (uint64_t)histogram_at(&totals.took, 0.5),
            (uint64_t)histogram_at(&totals.took, 0.99));
    db_close(db);
    return err ? 1 : 0;
}
