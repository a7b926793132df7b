/*
 * Request counts for /metrics, in the Prometheus text format. Each thread counts in its own memory,
 * without shared cache lines; the page adds them up.
 */
#pragma once

#include "api/api_call.h"

struct metrics;

struct metrics *metrics_create(void);
void metrics_destroy(struct metrics *metrics); /* call it when no thread counts; NULL is ignored */

/* Counts one response. */
void metrics_note(
    struct metrics *metrics, const struct api_call *call, int status, int64_t took_ns);
