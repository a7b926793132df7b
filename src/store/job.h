/*
 * Jobs that run at a time of day, on one server at a time. A job is a row with its next instant and
 * a lease. Claiming a due job moves the instant forward in the same statement, so it runs once
 * however many servers try. A lease that is not renewed expires.
 *
 * All times are wall-clock times. Functions that write are called inside a write transaction.
 */
#pragma once

#include "base/mem.h"
#include "store/db/db.h"

/* Schedules the job for a server: a run that is already due stays due, a later one moves to
 * `next_at`. *ret_next_at is the row's value afterwards. */
enum err job_plan(
    struct db *db, struct str name, int64_t now_ms, int64_t next_at, int64_t *ret_next_at,
    struct fail *fail) MUST_CHECK;

/* Claims the job until `lease_until` if it is due and not leased, and moves it to `next_at`. `node`
 * is this server's unique name. *ret_claimed is false if another server has it. */
enum err job_claim(
    struct db *db, struct str name, struct str node, int64_t now_ms, int64_t lease_until,
    int64_t next_at, bool *ret_claimed, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND: the lease expired and another server has the job. */
enum err job_renew(
    struct db *db, struct str name, struct str node, int64_t lease_until,
    struct fail *fail) MUST_CHECK;

/* Ends the lease and stores the result. ERR_NOT_FOUND as above; the result is then not stored. */
enum err job_end(
    struct db *db, struct str name, struct str node, int64_t now_ms, struct str result,
    struct fail *fail) MUST_CHECK;
