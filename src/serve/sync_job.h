/*
 * `serve` fetches new documents each day at STOCKACT_SYNC_AT: the daily job "sync" runs `stockact
 * sync house` and then `stockact sync senate` as children, keeps what they said in its result and
 * logs it. What a run that was ended had fetched so far is in the ledger.
 */
#pragma once

#include "config/settings.h"
#include "store/db/writer.h"

struct sync_job;

struct sync_job_config {
    const struct settings *settings; /* sync_at is set */
    struct writer *writer;
};

/* Borrows all that the config names until sync_job_stop. */
enum err sync_job_start(
    const struct sync_job_config *config, struct sync_job **ret, struct fail *fail) MUST_CHECK;

/* Ends a run that is under way. Before the writer is stopped. NULL is fine. */
void sync_job_stop(struct sync_job *job);
