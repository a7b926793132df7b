/*
 * `serve` sweeps each day at STOCKACT_SWEEP_AT: the daily job "sweep" goes over all trades on its
 * own thread and read connection, and posts what it writes to the writer as its last class, a
 * stretch at a time, so that publications and outcomes of deliveries go first. What came of it is
 * the job's result and a line of the log.
 */
#pragma once

#include "api/api.h"
#include "config/settings.h"
#include "store/db/writer.h"

struct sweep_job;

struct sweep_job_config {
    const struct settings *settings; /* sweep_at is set */
    struct writer *writer;
};

/* Borrows all that the config names until sweep_job_stop. */
enum err sweep_job_start(
    const struct sweep_job_config *config, struct sweep_job **ret, struct fail *fail) MUST_CHECK;

/* Ends a sweep that is under way after the stretch it is at. Before the writer is stopped. NULL is
 * fine. */
void sweep_job_stop(struct sweep_job *job);

/* The last sweep that this server brought to its end. Any thread. NULL: there was none. */
struct api_sweep sweep_job_last(struct sweep_job *job);
