/*
 * Jobs that run at a time of day, on one server at a time, and the runs of all jobs. A job is a row
 * with its next instant and a lease. Claiming a due job moves the instant forward in the same
 * statement, so it runs once however many servers try. A lease that is not renewed expires; the job
 * is then due again, at most JOB_ATTEMPTS_MAX times a day, so that a run that kills its server does
 * not kill all of them for hours. Clocks may be wrong: an expired lease still counts for
 * JOB_CLOCKS_MS while the heartbeat of its server (store/row/node.h) does not stop.
 *
 * Each run has a row of its own. The newest JOB_RUNS_KEPT of a job are kept. A run whose process
 * ended first never gets an end: it was interrupted.
 *
 * All times of scheduled jobs are on the database's clock (db_now_ms). Functions that write are
 * called inside a write transaction.
 */
#pragma once

#include "db/db.h"

enum {
    JOB_RUNS_KEPT = 100,
    JOB_ATTEMPTS_MAX = 3,           /* runs without an end in a day */
    JOB_CLOCKS_MS = 60 * 60 * 1000, /* the clocks of servers differ by less */
};

/* Schedules the job for a server: a run that is already due stays due, a later one moves to
 * `next_at`. If the job runs every `period_ms` (0: at no fixed time), and the run of `next_at` has
 * begun, on a server whose clock is ahead of this one's, it moves to the next period instead.
 * *ret_look_at: when the job is due, or when the lease of a run ends that has not ended. */
enum err job_plan(
    struct db *db, struct str name, int64_t now_ms, int64_t next_at, int64_t period_ms,
    int64_t *ret_look_at, struct fail *fail);

/* Claims the job until `lease_until` if it is not leased, and is due or its last run has no end,
 * moves it to `next_at`, and begins a run. `node` is the id of this server's heartbeat, and
 * `server` its name for people (null: none). *ret_claimed is false if another server has it. */
enum err job_claim(
    struct db *db, struct str name, struct str node, struct str server, int64_t now_ms,
    int64_t lease_until, int64_t next_at, bool *ret_claimed, struct fail *fail);

/* *ret: job_claim with a lease of `lease_ms` would find that a server has the job. Does not wait
 * for that server's transactions, as job_claim does. */
enum err job_is_leased(
    struct db *db, struct str name, int64_t now_ms, int64_t lease_ms, bool *ret, struct fail *fail);

/* ERR_NOT_FOUND: the lease expired and another server has the job. */
enum err job_renew(
    struct db *db, struct str name, struct str node, int64_t lease_until, struct fail *fail);

/* Makes the job due now: its last run was stopped, and another server begins it again. */
enum err job_make_due(struct db *db, struct str name, int64_t now_ms, struct fail *fail);

/* Ends the lease and the run, and stores the result, a JSON object. `failed`: the run did not do
 * all its work. ERR_NOT_FOUND as above; the result is then not stored. */
enum err job_end(
    struct db *db, struct str name, struct str node, int64_t now_ms, bool failed, struct str result,
    struct fail *fail);

/* Ends the lease of any holder: for a server that knows that it is the only one. */
enum err job_end_lease(struct db *db, struct str name, struct fail *fail);

/* --- runs without a lease: a person or a timer starts them */

/* Begins a run of the job. *ret_no is for job_run_end. */
enum err job_run_begin(
    struct db *db, struct str name, struct str server, int64_t now_ms, int64_t *ret_no,
    struct fail *fail);
/* Does nothing if the run was deleted since. */
enum err job_run_end(
    struct db *db, int64_t no, int64_t now_ms, bool failed, struct str result, struct fail *fail);

/* Records a whole run without a failure, and when the next one is due. */
enum err job_run_record(
    struct db *db, struct str name, int64_t started_at, int64_t now_ms, int64_t next_at,
    struct str result, struct fail *fail);

/* --- for admins */

enum job_state {
    JOB_NEVER, /* no run yet */
    JOB_RUNNING,
    JOB_OK,
    JOB_FAILED,
    JOB_INTERRUPTED, /* its process ended first, or its server lost the lease */
    JOB_STATE_COUNT
};

struct str job_state_name(enum job_state state);

struct job_run {
    int64_t no;
    struct str name;
    struct str server; /* null: not known */
    enum job_state state;
    int64_t started_at;
    int64_t ended_at;  /* INSTANT_NONE: it has no end */
    struct str result; /* JSON; null: none */
};

struct job_status {
    struct str name;
    int64_t next_at;     /* INSTANT_NONE: it is not scheduled */
    struct job_run last; /* its state is JOB_NEVER if there is none */
    int64_t ok_at;       /* end of the last run that did all its work; INSTANT_NONE: none is kept */
    int64_t failures;    /* kept runs after that one that failed or were interrupted */
};

struct job_list {
    struct job_status *items;
    size_t count;
};

/* All jobs that were ever scheduled or run, by name. Strings live in the arena. */
enum err job_list(
    struct db *db, int64_t now_ms, struct arena *arena, struct job_list *ret, struct fail *fail);

typedef void job_run_visit(void *ctx, const struct job_run *run);

/* Visits the kept runs of a job (null: of all jobs) with no < before (INT64_MAX: from the newest),
 * newest first, at most `limit`. */
enum err job_run_each(
    struct db *db, struct str name, int64_t before, int64_t limit, int64_t now_ms,
    job_run_visit *visit, void *ctx, struct fail *fail);

/* The names of the jobs: keys of their rows (job.h), which commands and pages show. */

enum job_name {
    /* daily; settings turn them on and off */
    JOB_SYNC,
    JOB_SWEEP,
    JOB_SAMPLE,
    JOB_SNAPSHOT,
    JOB_DAILY_COUNT,
    /* the others */
    JOB_ALERTS = JOB_DAILY_COUNT,
    JOB_PRUNE,
    JOB_PURGE,
    JOB_SYNC_HOUSE,
    JOB_SYNC_SENATE,
    JOB_UPKEEP,
    JOB_NAME_COUNT
};

struct str job_name(enum job_name job);

/* False: this program has no job of that name. */
bool job_from_name(struct str name, enum job_name *ret);

/* The daily jobs that are on. */
struct job_daily {
    bool on[JOB_DAILY_COUNT];
};
