/* Latencies in buckets of at most 3 % width, from a microsecond to some hours. */
#pragma once

#include <stdint.h>

enum { LATENCY_FINE = 64, LATENCY_STEPS = 32, LATENCY_BUCKETS = LATENCY_FINE + 28 * LATENCY_STEPS };

struct latency {
    uint64_t counts[LATENCY_BUCKETS];
    uint64_t count;
    int64_t max_us;
};

void latency_add(struct latency *l, int64_t us);

/* The smallest value not exceeded by `part` (0 to 1) of all latencies, in ms; 0: none. */
double latency_ms(const struct latency *l, double part);
