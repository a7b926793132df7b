/*
 * Operations that read the store rather than memory. They run on a worker thread, which has a read
 * connection of its own; the queue before the workers is bounded, and what does not fit is 503, as
 * is a store that does not answer. A connection that was lost is opened again by the next request.
 */
#pragma once

#include "api/api_call.h"

/* For struct http_config; the context of the application is a struct api, that of a worker is this
 * file's. */
void *deferred_worker_start(void *api);
void deferred_worker_stop(void *api, void *worker);

/* Hands the call to a worker, which runs the operation's `fetch`; `done` is called on the loop
 * afterwards, and calls deferred_answer. False: the queue is full, and the call is still ours. */
bool deferred_start(struct api_call *call, void (*done)(struct http_exchange *x)) MUST_CHECK;

/* Makes an answer of what was fetched, unless that was an error. */
void deferred_answer(struct api_call *call);
