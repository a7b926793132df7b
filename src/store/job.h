/*
 * Work that runs by the clock, on one server at a time: each job is a row with its next instant and
 * a lease. Who claims a due job moves the instant on in the same statement, so that it runs once
 * however many servers look. A lease that was not renewed ends by itself.
 *
 * All on the wall clock. Functions that write are called inside a write transaction.
 */
#pragma once

#include "base/mem.h"
#include "store/db/db.h"

/* A server's plan for the job: a run that is due already stays due, a later one is moved to
 * `next_at`. *ret_next_at: what the row says now. */
enum err job_plan(
    struct db *db, struct str name, int64_t now_ms, int64_t next_at, int64_t *ret_next_at,
    struct fail *fail) MUST_CHECK;

/* Takes the job if it is due and nobody holds it, until `lease_until`, and moves it to `next_at`.
 * `node` is this server's own name, unique among all. *ret_claimed false: it is another's. */
enum err job_claim(
    struct db *db, struct str name, struct str node, int64_t now_ms, int64_t lease_until,
    int64_t next_at, bool *ret_claimed, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND: the lease ended and is another's. */
enum err job_renew(
    struct db *db, struct str name, struct str node, int64_t lease_until,
    struct fail *fail) MUST_CHECK;

/* Gives it back with its result. ERR_NOT_FOUND as above; the result is then not kept. */
enum err job_end(
    struct db *db, struct str name, struct str node, int64_t now_ms, struct str result,
    struct fail *fail) MUST_CHECK;
