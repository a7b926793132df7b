/*
 * The way of every request, in the order of decision 19: route, credential, draw, 401 or 403, 404
 * or 405, entitlement to CSV, parameters, then the operation. A draw that is answered later (Redis)
 * suspends the call; it goes on where it stood.
 *
 * What is outside /api/v1, an OPTIONS, and what the HTTP rules refuse, draws nothing and looks at
 * no credential, but carries the window of its address all the same (decision 24).
 */
#pragma once

#include "http/http.h"

/* Of struct http_app; ctx is a struct api. */
void gate_handle(void *ctx, struct http_exchange *x);
void gate_refuse(void *ctx, struct http_exchange *x, int status, const char *why);
bool gate_unbounded_peer(void *ctx, const struct http_peer *peer);
