/*
 * The threads that run deferred handlers (http_defer), and the bounded queue in front of them. A
 * finished exchange goes back to its loop.
 */
#pragma once

#include "http/http_config.h"

struct workers;

/* Starts the threads of a lane, each with its own context; returns when all are ready.
 * `config` must outlive them. */
struct workers *workers_start(
    const struct http_config *config, const struct http_lane_config *lane);

size_t workers_waiting(struct workers *workers);

/* Runs waiting exchanges, ends the threads and frees. No thread may post any more. NULL is fine. */
void workers_stop(struct workers *workers);
