/* Replaces shared counters in a build without Redis (meson -Dredis=false): every call fails. */
#include <assert.h>

#include "limits/redis_draw.h"
#include "limits/redis_look.h"

enum err redis_draws_check_built(struct fail *fail)
{
    return fail_set(
        fail, ERR_INVALID,
        "this build has no Redis: unset STOCKACT_REDIS, or build stockact with -Dredis=true");
}

enum err redis_draws_create(
    const struct redis_url *url, struct str ca_file, const char *counts, struct redis_draws **ret,
    struct fail *fail)
{
    return redis_draws_check_built(fail);
}

void redis_draws_destroy(struct redis_draws *draws)
{
    assert(!draws);
}

bool redis_draws_ready(const struct redis_draws *draws)
{
    return false;
}

bool redis_draws_version(struct redis_draws *draws, char ret[static REDIS_VERSION_SIZE])
{
    return false;
}

uint64_t redis_draws_losses(const struct redis_draws *draws)
{
    return 0;
}

bool redis_draws_draw(
    struct redis_draws *draws, const struct shard_caller *caller, const struct window_time *time,
    const struct shard_use *known, redis_drawn *drawn, void *ctx)
{
    return false;
}

void redis_draws_refund(
    struct redis_draws *draws, const struct shard_caller *caller, uint32_t minute, int32_t month)
{
}

void redis_draws_raise(
    struct redis_draws *draws, const struct shard_caller *caller, uint32_t minute, uint32_t used)
{
}

enum err redis_look(
    const struct redis_url *url, const struct redis_place *place, struct str ca_file,
    int64_t time_max_ms, struct redis_look *ret, struct fail *fail)
{
    return redis_draws_check_built(fail);
}
