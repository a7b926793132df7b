/*
 * New connections of one loop. All loops watch the one listening socket; whoever wakes first takes
 * up to HTTP_ACCEPT_BATCH. The bounds are looked at before anything is allocated.
 */
#pragma once

#include "http/loop.h"

enum err accept_init(struct loop *loop, struct fail *fail) MUST_CHECK;
void accept_resume(struct loop *loop); /* there may be descriptors again; harmless otherwise */

/* Draining: takes what waits, then stops for good; `closed` is called when the socket is no longer
 * watched. */
void accept_rest(struct loop *loop, void (*closed)(uv_handle_t *accept));
