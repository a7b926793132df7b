/*
 * The daily job "sweep" of `serve`, at STOCKACT_SWEEP_AT. It recomputes the conflict signals of all
 * trades on its own thread and read connection. It writes in batches, in the writer's lowest class,
 * so that publications and delivery outcomes go first. The counts are the job's result and a log
 * line.
 */
#pragma once

#include "config/settings.h"
#include "db/writer.h"

struct sweep_job;

struct sweep_job_config {
    const struct settings *settings; /* sweep_at is not CLOCK_TIME_NONE */
    struct writer *writer;
    struct str node, server; /* as in daily_job.h */
};

/* Everything in the config is borrowed until sweep_job_stop. */
enum err sweep_job_start(
    const struct sweep_job_config *config, struct sweep_job **ret, struct fail *fail);

/* Stops a running sweep after its current batch. Call it before the writer is stopped. NULL is
 * ignored. */
void sweep_job_stop(struct sweep_job *job);

/* Writes nothing if this server has not swept: the run may be later, or on another server. NULL is
 * ignored. Any thread. */
void sweep_job_put_metrics(struct sweep_job *job, struct buf *b);
