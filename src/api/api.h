/*
 * The API and the pages beside it, as one application for the HTTP server (spec 2, 4, 5, 7, 8, 9).
 * It owns neither the feed, the keys nor the limits; they outlive it. It reads no clock but the
 * request's own.
 */
#pragma once

#include "api/api_config.h"
#include "http/http.h"

struct api;

struct api *api_create(const struct api_config *config);
void api_destroy(struct api *api); /* no request may be under way; NULL is fine */

const struct http_app *api_app(struct api *api);

/* Says how many workers the server starts, and how (http/server.h). */
void api_set_workers(const struct api *api, struct http_config *http, int workers);

/* What /readyz and /api/v1 answer: 503 while starting; while draining /readyz alone does, so that
 * nobody sends more. A new api is starting. From any thread. */
void api_set_state(struct api *api, enum api_state state);

/* Once, before API_READY. */
void api_set_gauges(struct api *api, const struct api_gauges *gauges);
