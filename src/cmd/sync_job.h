/*
 * `serve` fetches new documents each day at STOCKACT_SYNC_AT: a thread that waits for the minute,
 * claims the job "sync" (store/job.h: one server at a time), runs `stockact sync house` and then
 * `stockact sync senate` as children, keeps what they said in the job's result and logs it. A run
 * that was missed while no server was there is made up for at the next start.
 */
#pragma once

#include "cmd/settings.h"
#include "store/writer.h"

struct sync_job;

struct sync_job_config {
    const struct settings *settings; /* sync_at is set */
    struct writer *writer;
};

/* Borrows all that the config names until sync_job_stop. */
enum err sync_job_start(
    const struct sync_job_config *config, struct sync_job **ret, struct fail *fail) MUST_CHECK;

/* Ends a run that is under way; what it fetched so far is in the ledger. Before the writer is
 * stopped. NULL is fine. */
void sync_job_stop(struct sync_job *job);

/* The next instant at that minute of the day, UTC, after now. */
int64_t sync_job_next(int64_t now_ms, int minute_of_day);
