/*
 * Counts of requests for /metrics, in the Prometheus text format. Each loop counts in memory of its
 * own, without a shared cache line; whoever prints adds them up.
 */
#pragma once

#include "api/api_call.h"

struct metrics;

struct metrics *metrics_create(void);
void metrics_destroy(struct metrics *metrics); /* no thread may count any more; NULL is fine */

/* One reply, as it is about to be sent. */
void metrics_note(
    struct metrics *metrics, const struct api_call *call, int status, int64_t took_ns);
