/* Latency buckets; see latency.h. */
#include "latency.h"

/* One bucket per microsecond up to LATENCY_FINE; above it LATENCY_STEPS buckets per power of
 * two. */
static int bucket_of(uint64_t us)
{
    if (us < LATENCY_FINE)
        return (int)us;
    int power = 63 - __builtin_clzll(us);
    int i = LATENCY_FINE + (power - 6) * LATENCY_STEPS + (int)((us >> (power - 5)) & 31);
    return i < LATENCY_BUCKETS ? i : LATENCY_BUCKETS - 1;
}

static int64_t end_of(int bucket)
{
    if (bucket < LATENCY_FINE)
        return bucket;
    int power = (bucket - LATENCY_FINE) / LATENCY_STEPS + 6;
    int64_t step = (bucket - LATENCY_FINE) % LATENCY_STEPS + LATENCY_STEPS;
    return ((step + 1) << (power - 5)) - 1;
}

void latency_add(struct latency *l, int64_t us)
{
    l->counts[bucket_of(us > 0 ? (uint64_t)us : 0)]++;
    l->count++;
    if (us > l->max_us)
        l->max_us = us;
}

double latency_ms(const struct latency *l, double part)
{
    uint64_t wanted = (uint64_t)(part * (double)l->count), seen = 0;
    if (l->count == 0)
        return 0;
    for (int i = 0; i < LATENCY_BUCKETS; i++) {
        seen += l->counts[i];
        if (seen > wanted || seen == l->count) {
            int64_t us = end_of(i);
            return (double)(us < l->max_us ? us : l->max_us) / 1000;
        }
    }
    return (double)l->max_us / 1000;
}
