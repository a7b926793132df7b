/*
 * Draws shared by several servers: the same windows and months as in shard.h, kept in Redis. One
 * script changes them, so that a draw is one round trip and exact across all servers. Answers are
 * mirrored into this process: peeks read the mirror, the database gets this process's draws, and if
 * Redis lost a count (restarted without its data), counting continues from the mirror.
 *
 * A key's count is under `stockact:{k<key>}:m<minute>` or `:q<month>`, an address's under
 * `stockact:{a<group>}:<hash>:m...`. The part in braces puts all levels of a caller into one slot
 * of a cluster.
 */
#pragma once

#include "limits/redis_link.h"
#include "limits/redis_url.h"
#include "limits/shard.h"

struct redis_draws;

/* ERR_INVALID: the build has no Redis. */
enum err redis_draws_check_built(struct fail *fail);

/* ca_file, counts: see redis_link.h. ERR_INVALID: the CA file. ERR_IO: no descriptor or thread is
 * available. */
enum err redis_draws_create(
    const struct redis_url *url, struct str ca_file, const char *counts, struct redis_draws **ret,
    struct fail *fail);
void redis_draws_destroy(struct redis_draws *draws); /* draws in flight get LIMITS_UNAVAILABLE */

bool redis_draws_ready(const struct redis_draws *draws);
bool redis_draws_version(struct redis_draws *draws, char ret[static REDIS_VERSION_SIZE]);
uint64_t redis_draws_losses(const struct redis_draws *draws);

/* Called on Redis's thread: LIMITS_UNAVAILABLE, or a verdict and the counts after the draw. */
typedef void redis_drawn(void *ctx, enum limits_verdict verdict, const struct shard_use *use);

/* `known`: the counts of the mirror. false: Redis is not connected; `drawn` is not called. */
bool redis_draws_draw(
    struct redis_draws *draws, const struct shard_caller *caller, const struct window_time *time,
    const struct shard_use *known, redis_drawn *drawn, void *ctx);

/* Best effort, without waiting for an answer. */
void redis_draws_refund(
    struct redis_draws *draws, const struct shard_caller *caller, uint32_t minute, int32_t month);

/* Brings the count of the caller's first level in a minute, if Redis has a lower one or none. The
 * same effort. */
void redis_draws_raise(
    struct redis_draws *draws, const struct shard_caller *caller, uint32_t minute, uint32_t used);
