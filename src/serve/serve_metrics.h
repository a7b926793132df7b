/* Metrics of the process and of its connection to the database. */
#pragma once

#include "base/buf.h"
#include "serve/follow.h"

/* Version, start (`started_at`, by the wall clock), processor time and memory. */
void serve_metrics_put_process(struct buf *b, int64_t started_at);

/* Whether the database answers, and the work of the writer. */
void serve_metrics_put_store(
    struct buf *b, const struct follow *follow, const struct writer *writer);
