/*
 * The API and its texts for programs, as one application for the HTTP server (spec 2, 4, 5, 7, 8,
 * 9). It also makes the documentation, as Markdown, from its tables. It borrows the feed, the keys
 * and the limits, which must outlive it. It reads no clock: each request has its time.
 */
#pragma once

#include "api/api_config.h"
#include "edge/doc.h"
#include "http/http.h"

struct api;

struct api *api_create(const struct api_config *config);
void api_destroy(struct api *api); /* call it when no request is in progress; NULL is ignored */

const struct http_app *api_app(struct api *api);

/* The documentation, of a server with or without invented data. It lives as long as the api. The
 * documents have no texts until api_docs_make has run. */
struct doc_list api_docs(const struct api *api, bool demo);

/* Makes the texts of both lists, unless that is done. Takes milliseconds: any thread but a loop. */
void api_docs_make(void *api);

/* Sets the number and the functions of the server's workers (http/http_config.h). For tests of an
 * api alone: a server has a site in front of it, whose workers it shares. */
void api_set_workers(const struct api *api, struct http_config *http, int workers);

/* Sets the state. A new api is API_STARTING: /readyz and /api/v1 return 503. During API_DRAINING
 * only /readyz returns 503, so that load balancers send no more requests. Any thread. */
void api_set_state(struct api *api, enum api_state state);

/* Call it once. Requests that came before see none of them. */
void api_set_gauges(struct api *api, const struct api_gauges *gauges);
