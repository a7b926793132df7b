/* Non-cryptographic hashing (XXH3) for tables and content tags. Do not use it for secrets, or where
 * an attacker could profit from collisions. */
#pragma once

#include "base/str.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

static inline uint64_t hash_str(struct str s)
{
    return XXH3_64bits(s.p, s.n);
}

static inline uint64_t hash_seeded(struct str s, uint64_t seed)
{
    return XXH3_64bits_withSeed(s.p, s.n, seed);
}
