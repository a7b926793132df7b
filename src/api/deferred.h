/*
 * Runs operations that read the store. They run on a worker thread with its own read connection. If
 * the bounded queue of the workers is full, or the store does not answer, the reply is a 503. After
 * a lost connection the next request opens a new one.
 */
#pragma once

#include "api/api_call.h"

/* Callbacks of struct http_config. `api` is a struct api; `worker` is a struct db_reader
 * (db/db_reader.h), which any application in front of the api must pass as well. */
void *deferred_worker_start(void *api);
void deferred_worker_stop(void *api, void *worker);

/* Passes the call to a worker, which runs the operation's `fetch`. Afterwards `done` is called on
 * the loop; it must call deferred_answer. False: the queue is full; the caller keeps the call. */
bool deferred_start(struct api_call *call, void (*done)(struct http_exchange *x)) MUST_CHECK;

/* Runs the operation's function here, on a worker, and logs what fails. */
void deferred_run(struct api_call *call, void *worker);

/* Completes the reply with the fetched body, unless the reply is an error. */
void deferred_answer(struct api_call *call);
