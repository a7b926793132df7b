/*
 * Logs one line per request: method, route, status, bytes, microseconds, request id, and the first
 * 12 characters of a known key. It logs no address, and neither path nor query, which may contain
 * secrets. For speed it formats the line itself, into the thread's lane of the log. The caller
 * leaves out requests that only watch the server and got a 200.
 */
#pragma once

#include "http/http.h"

/* `route`: the pattern of the path, or "none". `key_prefix`: empty without a known key. */
void access_log_note(
    const struct http_exchange *x, const char *route, const char *key_prefix, int64_t took_ns);
