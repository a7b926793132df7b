/* Repeatable random numbers: the same seed gives the same sequence on every machine (SplitMix64).
 * For invented data only, never for secrets. */
#pragma once

#include "base/str.h"

struct dice {
    uint64_t state;
};

void dice_init(struct dice *d, uint64_t seed, uint64_t stream); /* streams are independent */
uint32_t dice_below(struct dice *d, uint32_t n);                /* 0 to n - 1; n > 0 */
bool dice_permille(struct dice *d, uint32_t n);                 /* true in n of 1,000 calls */

/* Returns an index of `weights` with a probability in proportion to its weight. `count` weights, at
 * least one above 0. */
size_t dice_pick(struct dice *d, const uint16_t *weights, size_t count);
