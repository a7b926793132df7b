/*
 * One log line per request: method, route (never the path or the query, which may hold anything),
 * status, bytes, microseconds, request id, and the first 12 characters of the key if a known one
 * was shown. No address. Written by hand into the thread's lane of the log, since it is on every
 * request's way.
 */
#pragma once

#include "api/api_call.h"

void access_log_note(const struct api_call *call, int64_t took_ns);
