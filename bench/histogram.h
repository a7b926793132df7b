/*
 * A histogram of nanoseconds: buckets grow with the values, so that any percentile is right to
 * within one part in 64 whatever the range. Kept by value; all zero is an empty one.
 */
#pragma once

#include <stdint.h>

enum {
    HISTOGRAM_FINE = 64, /* buckets to each power of two */
    HISTOGRAM_POWERS = 40,
    HISTOGRAM_BUCKETS = HISTOGRAM_FINE * (HISTOGRAM_POWERS + 1),
};

struct histogram {
    uint64_t count;
    int64_t max;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* Below 2 * HISTOGRAM_FINE each value has a bucket of its own; above, each step of `power` halves
 * the resolution. */
static inline unsigned histogram_power(uint64_t value)
{
    unsigned bits = 63 - (unsigned)__builtin_clzll(value | HISTOGRAM_FINE);
    return bits - 6;
}

static inline void histogram_add(struct histogram *h, int64_t value)
{
    uint64_t v = value > 0 ? (uint64_t)value : 0;
    unsigned power = histogram_power(v);
    uint64_t bucket = power * HISTOGRAM_FINE + (v >> power);
    h->buckets[bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1]++;
    h->count++;
    if (value > h->max)
        h->max = value;
}

/* The largest value of the bucket in which the share (0 to 1) of all values is reached; of all of
 * them the largest value itself. 0 when empty. */
static inline int64_t histogram_at(const struct histogram *h, double share)
{
    uint64_t wanted = (uint64_t)(share * (double)h->count), seen = 0;
    for (uint64_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += h->buckets[i];
        if (seen <= wanted)
            continue;
        uint64_t power = i < 2 * HISTOGRAM_FINE ? 0 : i / HISTOGRAM_FINE - 1;
        int64_t last = (int64_t)(((i - power * HISTOGRAM_FINE + 1) << power) - 1);
        return last < h->max ? last : h->max;
    }
    return h->max;
}
