/*
 * Draws that several servers share: the same windows and months as in shard.h, kept in Redis and
 * changed there by one script, so that a draw is one round trip and exact over all of them. What
 * Redis answers is mirrored into this process: peeks are answered from the mirror, the database
 * hears of this process's draws, and where Redis has lost a count (restarted without its data) the
 * mirror's goes on.
 *
 * A count is under `stockact:{k<key>}:m<minute>` or `:q<month>`, that of an address under
 * `stockact:{a<group>}:<hash>:m...`; what is in braces keeps a caller's levels in one slot of a
 * cluster.
 */
#pragma once

#include "limits/redis_url.h"
#include "limits/shard.h"

struct redis_draws;

/* ERR_INVALID: the build has no Redis. */
enum err redis_draws_check_built(struct fail *fail) MUST_CHECK;

/* NULL: neither descriptor nor thread can be had. */
struct redis_draws *redis_draws_create(const struct redis_url *url);
void redis_draws_destroy(struct redis_draws *draws); /* those under way get LIMITS_UNAVAILABLE */

bool redis_draws_ready(const struct redis_draws *draws);
uint64_t redis_draws_losses(const struct redis_draws *draws);

/* On Redis's thread: LIMITS_UNAVAILABLE, or a verdict and what is used after it. */
typedef void redis_drawn(void *ctx, enum limits_verdict verdict, const struct shard_use *use);

/* `known`: what the mirror has. false: Redis is not there; `drawn` is not called. */
bool redis_draws_draw(
    struct redis_draws *draws, const struct shard_caller *caller, const struct window_time *time,
    const struct shard_use *known, redis_drawn *drawn, void *ctx);

/* As far as Redis is there; nobody waits for it. */
void redis_draws_refund(
    struct redis_draws *draws, const struct shard_caller *caller, uint32_t minute, int32_t month);
