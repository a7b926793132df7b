/*
 * The daily job "sync" of `serve`, at STOCKACT_SYNC_AT. It runs `stockact sync house` and then
 * `stockact sync senate` as child processes, stores their last lines as its result and logs them.
 * The documents that an interrupted run has fetched are in the ledger.
 */
#pragma once

#include "config/settings.h"
#include "db/writer.h"

struct sync_job;

struct sync_job_config {
    const struct settings *settings; /* sync_at is not CLOCK_TIME_NONE */
    struct writer *writer;
    struct str node, server; /* as in daily_job.h */
};

/* Everything in the config is borrowed until sync_job_stop. */
enum err sync_job_start(
    const struct sync_job_config *config, struct sync_job **ret, struct fail *fail);

/* Ends a current run. Call it before the writer is stopped. NULL is ignored. */
void sync_job_stop(struct sync_job *job);
