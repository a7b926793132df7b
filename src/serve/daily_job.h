/*
 * Work that `serve` does once a day at a set minute (UTC), on one server at a time: a thread of low
 * priority that waits for the minute, claims the job's row (store/job.h), runs the work, keeps what
 * it has to say as the row's result, and plans the next day. A run that was missed while no server
 * was there is made up for at the next start.
 */
#pragma once

#include "base/json_out.h"
#include "store/db/writer.h"

struct daily_job;

struct daily_job_config {
    struct str name; /* of the row, and in the log */
    int minute;      /* of the day, UTC */
    struct writer *writer;
    /* One run, on the job's thread: adds members to the result's object. */
    void (*run)(void *ctx, struct daily_job *job, struct json_out *result);
    void *ctx;
};

/* Borrows all that the config names until daily_job_stop. */
enum err daily_job_start(
    const struct daily_job_config *config, struct daily_job **ret, struct fail *fail) MUST_CHECK;

/* Within a run: waits until the descriptor is readable (-1: none) or the time is over, and keeps
 * the job this server's. False: the run has to end, because this server stops or the job is
 * another's by now. */
bool daily_job_wait(struct daily_job *job, int fd, int timeout_ms);

/* Ends a run that is under way at its next wait. Before the writer is stopped. NULL is fine. */
void daily_job_stop(struct daily_job *job);

/* The next instant at that minute of the day, UTC, after now. */
int64_t daily_job_next(int64_t now_ms, int minute_of_day);
