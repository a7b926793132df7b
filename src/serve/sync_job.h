/*
 * The daily jobs of `serve` that run commands as child processes, store their last lines as their
 * result and log them. "sync", at STOCKACT_SYNC_AT, runs `stockact sync house` and then `stockact
 * sync senate`; the documents that an interrupted run has fetched are in the ledger. "snapshot", at
 * STOCKACT_SNAPSHOT_AT, runs `stockact snapshot`.
 */
#pragma once

#include "config/settings.h"
#include "db/writer.h"
#include "store/run/job.h"

struct sync_job;

struct sync_job_config {
    enum job_name job;               /* JOB_SYNC or JOB_SNAPSHOT */
    const struct settings *settings; /* its time is not CLOCK_TIME_NONE */
    struct writer *writer;
    struct str node, server; /* as in daily_job.h */
};

/* Everything in the config is borrowed until sync_job_stop. ERR_INVALID: there is no folder for
 * snapshots. */
enum err sync_job_start(
    const struct sync_job_config *config, struct sync_job **ret, struct fail *fail);

/* Ends a current run. Call it before the writer is stopped. NULL is ignored. */
void sync_job_stop(struct sync_job *job);
