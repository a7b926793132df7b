/*
 * The threads that run deferred handlers (http_defer), and the bounded queue in front of them. A
 * finished exchange goes back to its loop.
 */
#pragma once

#include "http/http_config.h"

struct workers;

/* Starts `count` threads, each with its own context; returns when all are ready.
 * `config` must outlive them. nice_by: how much lower their priority is than that of the loops. */
struct workers *workers_start(const struct http_config *config, int count, int nice_by);

size_t workers_waiting(struct workers *workers);

/* Runs waiting exchanges, ends the threads and frees. No thread may post any more. NULL is fine. */
void workers_stop(struct workers *workers);
