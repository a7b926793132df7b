/*
 * The steps of every request, in the order of decision 19: route, credential, draw, 401 or 403, 404
 * or 405, CSV entitlement, parameters, operation. A draw from Redis suspends the call until Redis
 * answers.
 *
 * A path outside /api/v1, an OPTIONS request and a malformed request draw nothing and need no
 * credential. Their replies still have the window of the caller's address (decision 24).
 */
#pragma once

#include "api/api_call.h"

/* Callbacks of struct http_app; ctx is a struct api. */
void gate_handle(void *ctx, struct http_exchange *x);
void gate_refuse(void *ctx, struct http_exchange *x, int status, const char *why);
bool gate_unbounded_peer(void *ctx, const struct http_peer *peer);

/* Runs a GET of the API for a tool, on a worker, as a part of `outer` and for its caller: draws
 * nothing. The reply is in the exchange, uncompressed, for the caller to take and to reset. */
void gate_ask(const struct api_call *outer, struct str target, void *worker);
