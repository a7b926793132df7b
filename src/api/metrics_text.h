/* Pieces of a page of metrics, in the Prometheus text format. Names are without `stockact_`. */
#pragma once

#include "base/buf.h"

/* What stands before the samples of a metric. */
void metrics_put_type(struct buf *b, const char *name, const char *type, const char *help);

/* A metric of one sample. */
void metrics_put(
    struct buf *b, const char *name, const char *type, const char *help, uint64_t value);

void metrics_put_seconds(struct buf *b, int64_t us); /* "1.000250" */
