/* The page /metrics, in the Prometheus text format, and the counts of the API's responses. */
#pragma once

#include "api/api_call.h"
#include "edge/traffic.h"

struct traffic *metrics_create(void);

/* Appends the page. Any thread. */
void api_put_metrics(const struct api *api, struct buf *b);

/* Counts the response of a call. */
void metrics_note(struct traffic *traffic, const struct api_call *call, int64_t took_ns);
