/*
 * The daily job "sample" of `serve`: draws STOCKACT_SAMPLE_ROWS public trades that people type
 * again (docs/adr/0036-sample.md). It reads one snapshot on its own thread and connection, and
 * writes one transaction. Of several servers one draws; a day has one draw.
 */
#pragma once

#include "config/settings.h"
#include "db/writer.h"

struct sample_job;

enum { SAMPLE_JOB_MINUTE = 5 * 60 }; /* of the day, UTC */

/* `node` and `server` as in daily_job.h. All is borrowed until sample_job_stop. *ret is NULL if the
 * setting is 0. */
enum err sample_job_start(
    const struct settings *settings, struct writer *writer, struct str node, struct str server,
    struct sample_job **ret, struct fail *fail);

/* Call it before the writer is stopped. NULL is ignored. */
void sample_job_stop(struct sample_job *job);
