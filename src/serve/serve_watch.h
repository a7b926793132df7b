/* What a server finds in its own metrics, as Prometheus would (status/condition.h). Its main thread
 * looks every few seconds; others read what holds. */
#pragma once

#include "base/buf.h"
#include "status/condition.h"

struct api;

struct serve_watch {
    struct condition_watch watch;
    int64_t looked_ms; /* by the monotonic clock */
    _Atomic condition_set holding;
};

/* Main thread. */
void serve_watch_tick(struct serve_watch *watch, const struct api *api);
void serve_watch_put_metrics(const struct serve_watch *watch, struct buf *b);
