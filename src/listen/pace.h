/*
 * How long to wait before the next request, as pure functions. The key's limits also serve the
 * developer's program: listening takes at most half of them.
 */
#pragma once

#include "listen/rate.h"

enum {
    PACE_MS = 2000,
    PACE_QUIET_MS = 10 * 1000,            /* once nothing has happened for ... */
    PACE_QUIET_AFTER_MS = 10 * 60 * 1000, /* ... this long */
    PACE_MAX_MS = 5 * 60 * 1000,
    PACE_RETRY_MAX_MS = 30 * 1000,
};

/* After a response. `quiet_ms`: since the start or the last event. */
int64_t pace_next_ms(const struct rate *rate, int64_t quiet_ms);

/* After the n-th failure in a row, from 1. */
int64_t pace_retry_ms(unsigned failures);
