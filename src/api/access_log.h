/*
 * Logs one line per request: method, route, status, bytes, microseconds, request id, and the first
 * 12 characters of a known key. It logs no address, and neither path nor query, which may contain
 * secrets. For speed it formats the line itself, into the thread's lane of the log.
 */
#pragma once

#include "api/api_call.h"

void access_log_note(const struct api_call *call, int64_t took_ns);
