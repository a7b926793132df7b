/*
 * The pages, as the application in front of the API: it answers requests for pages, and passes API
 * requests on. Pages run on separate workers, each with a read connection; writes go through the
 * writer. It reads no clock, because each request has its time.
 */
#pragma once

#include "site/frame/site_config.h"

struct site;
struct http_config;
struct traffic;

struct site *site_create(const struct site_config *config);
void site_destroy(struct site *site); /* call it when no request is in progress; NULL is ignored */

const struct http_app *site_app(struct site *site);

/* Sets the numbers, the priorities and the functions of the server's workers
 * (http/http_config.h). */
void site_set_workers(struct http_config *http, int workers, int page_workers);

/* Ends the reading of uploaded documents; call it before the server drains. */
void site_stop_uploads(struct site *site);

/* Ends the drawing of a picture; call it when the server has drained, so that nobody waits for it.
 */
void site_stop_pictures(struct site *site);

/* The counts of responses, for /metrics. */
struct traffic *site_traffic(struct site *site);
