/*
 * New connections of one loop. All loops watch the one listening socket; the first to wake accepts
 * up to HTTP_ACCEPT_BATCH. The bounds are checked before anything is allocated.
 */
#pragma once

#include "http/loop.h"

enum err accept_init(struct loop *loop, struct fail *fail) MUST_CHECK;
void accept_resume(struct loop *loop); /* descriptors may be free again; harmless otherwise */

/* Draining: accepts what waits in the backlog, then stops. Calls `closed` when the socket is no
 * longer watched. */
void accept_rest(struct loop *loop, void (*closed)(uv_handle_t *accept));
