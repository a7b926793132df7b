/*
 * A job that `serve` runs once a day at a set minute (UTC), on one server at a time. A thread of
 * low priority waits for the minute, leases the job's row (store/run/job.h), runs the job, stores
 * its result in the row and plans the next day. If a run came due while no server was running, the
 * next server to start does it. If a server stops or is killed during a run, another server (or
 * this one after its start) begins the run again: within a minute, or when the lease has ended.
 */
#pragma once

#include "base/json_out.h"
#include "db/writer.h"

struct daily_job;

struct daily_job_config {
    struct str name;   /* key of the row, and name in the log */
    int minute;        /* of the day, UTC */
    struct str node;   /* the id of this server's heartbeat */
    struct str server; /* this server, for people */
    struct writer *writer;
    /* Does one run, on the job's thread, and adds members to the object `result`. False: it did not
     * do all its work. */
    bool (*run)(void *ctx, struct daily_job *job, struct json_out *result);
    void *ctx;
};

/* Everything in the config is borrowed until daily_job_stop. */
enum err daily_job_start(
    const struct daily_job_config *config, struct daily_job **ret, struct fail *fail);

/* Called during a run: waits until the descriptor is readable (-1: none) or the timeout has passed,
 * and renews the lease. False: the run must end, because this server is stopping or another server
 * has the lease. */
bool daily_job_wait(struct daily_job *job, int fd, int timeout_ms);

/* Ends a current run at its next wait. Call it before the writer is stopped. NULL is ignored. */
void daily_job_stop(struct daily_job *job);

/* The first instant after now at that minute of the day, UTC. */
int64_t daily_job_next(int64_t now_ms, int minute_of_day);
