/* Looks at the metrics; see serve_watch.h. */
#include "serve/serve_watch.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "api/metrics.h"
#include "base/clock.h"
#include "edge/metric.h"
#include "serve/service_manager.h"

enum { LOOK_MS = 5000, METRICS_SIZE_MAX = 4 << 20 };

void serve_watch_tick(struct serve_watch *watch, const struct api *api)
{
    int64_t now_ms = clock_mono_ms();
    BUF_SCOPED(metrics, METRICS_SIZE_MAX);
    if (now_ms - watch->looked_ms < LOOK_MS)
        return;
    watch->looked_ms = now_ms;
    if (getenv("WATCHDOG_USEC")) /* the unit has WatchdogSec */
        service_manager_tell("WATCHDOG=1");
    api_put_metrics(api, &metrics);
    atomic_store(&watch->holding, condition_watch(&watch->watch, buf_view(&metrics), now_ms));
}

void serve_watch_put_metrics(const struct serve_watch *watch, struct buf *b)
{
    condition_set holding = atomic_load(&watch->holding);
    metrics_put_type(b, METRIC_CONDITION);
    for (enum condition c = 0; c < CONDITION_COUNT; c++)
        if (condition_info(c)->test)
            metrics_put_sample(
                b, METRIC_CONDITION, METRIC_LABELS(str_from(condition_info(c)->alert)),
                holding >> c & 1);
}
