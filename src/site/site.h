/*
 * The pages, as the application in front of the API: it answers what is not the API's, and passes
 * the rest on. Pages run on workers of their own, with a read connection each; what they write goes
 * through the writer. It reads no clock: each request has its time.
 */
#pragma once

#include "site/site_config.h"

struct site;
struct http_config;
struct traffic;

struct site *site_create(const struct site_config *config);
void site_destroy(struct site *site); /* call it when no request is in progress; NULL is ignored */

const struct http_app *site_app(struct site *site);

/* Sets the numbers, the priorities and the functions of the server's workers
 * (http/http_config.h). */
void site_set_workers(struct http_config *http, int workers, int page_workers);

/* The counts of responses, for /metrics. */
struct traffic *site_traffic(struct site *site);
