/*
 * The turns of streams (streams.h). While streams are due, the loop gives them turns for
 * STREAM_SLICE_NS between two looks at its sockets. Private to src/http.
 */
#pragma once

#include <uv.h>

enum { STREAM_SLICE_NS = 1000000 };

/* Gives turns to the due streams of the loop in idle->data. */
void stream_run_due(uv_idle_t *idle);
