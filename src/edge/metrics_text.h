/* Writes parts of a page in the Prometheus text format, from the table of metrics. */
#pragma once

#include "base/buf.h"
#include "edge/metric.h"

/* Writes the HELP and TYPE lines of a metric. */
void metrics_put_type(struct buf *b, enum metric metric);

/* The values of a metric's labels, in the order of the table. */
#define METRIC_LABELS(...)                                                                         \
    (const struct str[])                                                                           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Writes one sample, with `labels` as METRIC_LABELS has them; NULL: the metric has none. */
void metrics_put_sample(
    struct buf *b, enum metric metric, const struct str *labels, uint64_t value);

/* Writes a metric with one sample and without labels: a number, or a time as seconds. */
void metrics_put(struct buf *b, enum metric metric, uint64_t value);
void metrics_put_ms(struct buf *b, enum metric metric, int64_t ms);
/* The same of a difference, which may be below 0. */
void metrics_put_difference(struct buf *b, enum metric metric, int64_t ms);

void metrics_put_seconds(struct buf *b, int64_t us); /* "1.000250" */
