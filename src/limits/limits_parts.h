/* The inside of struct limits, for the files of this folder. */
#pragma once

#include "limits/address_key.h"
#include "limits/shard.h"

struct month_flush;
struct redis_draws;

struct limits {
    struct redis_draws *redis; /* NULL: counted in this process */
    struct window_clock clock;
    struct address_salts *salts;
    struct shard *shards;
    uint32_t shard_mask;
    void *shards_memory; /* what `shards` is the aligned part of */
    struct month_flush *flush;
    _Atomic uint64_t steps_back;
};

static inline struct shard *limits_shard(struct limits *limits, uint32_t hash)
{
    return &limits->shards[hash & limits->shard_mask];
}

/* The hash that chooses the shard. */
uint32_t limits_key_hash(int64_t key_no);
uint32_t limits_address_hash(const struct address_key *key);
