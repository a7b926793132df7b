/* The page /metrics, in the Prometheus text format. */
#pragma once

#include "api/api_call.h"

/* Appends the page. Any thread. */
void api_put_metrics(const struct api *api, struct buf *b);
