/*
 * The streams of one loop, and when each takes a turn. A stream is an exchange in state CONN_STREAM
 * of its connection. It is in one of two lists of its loop, or in none:
 *
 *              wake, heartbeat             turn: more
 *     resting ─────────────────> due ──────────────────> due (last)
 *        ^                        │ │
 *        └───────── turn: rest ───┘ └─ the socket is full (`blocked`), or the application waits:
 *                                      in no list, and due again when that is over
 *
 * loop_thread.c gives the turns. Private to src/http.
 */
#pragma once

#include "http/exchange.h"
#include "http/stream.h"

static inline bool streams_any(const struct stream_link *list)
{
    return list->next != list;
}

struct http_exchange *streams_first(struct stream_link *list); /* the list must not be empty */

/* Moves the stream to the end of a list, out of any other; or only out of it. */
void streams_rest(struct http_exchange *x);
void streams_make_due(struct http_exchange *x);
void streams_leave(struct http_exchange *x);

bool streams_heartbeat_is_due(const struct http_exchange *x, int64_t now_ms);

/* Calls the application's `ended`. */
void streams_tell_ended(struct http_exchange *x);

/* The connection closes. True: the application waits, and the exchange stays until it resumes. */
bool streams_closed(struct http_exchange *x);

/* The next turn is the last one. */
void streams_drain(struct http_exchange *x);

void streams_wake(struct loop *loop); /* all resting streams become due */
void streams_tick(struct loop *loop); /* those whose heartbeat is due */

/* Before and after all others. Calls `on_due` in every turn of the loop in which streams are due;
 * the loop does not wait for its sockets then. */
void streams_init(struct loop *loop, uv_idle_cb on_due);
void streams_close(struct loop *loop);  /* closes the handle; no stream is left */
void streams_finish(struct loop *loop); /* frees */
