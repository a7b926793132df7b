/*
 * The threads that run deferred handlers (http_defer), and the bounded queue in front of them. A
 * finished exchange goes back to its loop.
 */
#pragma once

#include "http/http_config.h"

struct workers;

/* As many threads as config says, each with a context of its own; returns when all have it.
 * `config` must outlive them. */
struct workers *workers_start(const struct http_config *config);

size_t workers_waiting(struct workers *workers);

/* Runs what waits, ends the threads and frees; nobody may post any more. NULL is fine. */
void workers_stop(struct workers *workers);
