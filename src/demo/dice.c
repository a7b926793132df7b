/* Repeatable random numbers; see dice.h. */
#include "demo/dice.h"

#include <assert.h>

static uint64_t dice_next(struct dice *d)
{
    uint64_t z = (d->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void dice_init(struct dice *d, uint64_t seed, uint64_t stream)
{
    d->state = seed;
    d->state = dice_next(d) ^ stream;
    dice_next(d);
}

uint32_t dice_below(struct dice *d, uint32_t n)
{
    assert(n > 0);
    /* The high half times n: uniform enough for invented data, and cheap. */
    return (uint32_t)(((dice_next(d) >> 32) * n) >> 32);
}

bool dice_permille(struct dice *d, uint32_t n)
{
    return dice_below(d, 1000) < n;
}

size_t dice_pick(struct dice *d, const uint16_t *weights, size_t count)
{
    uint32_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += weights[i];
    uint32_t throw = dice_below(d, total);
    size_t i = 0;
    while (throw >= weights[i])
        throw -= weights[i++];
    return i;
}
