/* Writes parts of a page in the Prometheus text format. Names are given without `stockact_`. */
#pragma once

#include "base/buf.h"

/* Writes the HELP and TYPE lines of a metric. */
void metrics_put_type(struct buf *b, const char *name, const char *type, const char *help);

/* Writes a metric with one sample. */
void metrics_put(
    struct buf *b, const char *name, const char *type, const char *help, uint64_t value);

void metrics_put_seconds(struct buf *b, int64_t us); /* "1.000250" */
