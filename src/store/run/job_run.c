/* The runs of jobs, and the jobs as admins see them; see job.h. */
#include "store/run/job.h"

#include <assert.h>

#include "base/enum_names.h"
#include "base/instant.h"
#include "store/row/list.h"

/* A run without a lease that is older than this was interrupted. The longest is a first fetch of a
 * whole year, at one request every two seconds. */
enum { RUN_MAX_MS = 12 * HOUR_MS };

static const struct str state_names[JOB_STATE_COUNT] = {
    [JOB_NEVER] = STR_INIT("never"),
    [JOB_RUNNING] = STR_INIT("running"),
    [JOB_OK] = STR_INIT("ok"),
    [JOB_FAILED] = STR_INIT("failed"),
    [JOB_INTERRUPTED] = STR_INIT("interrupted"),
};

ENUM_NAME(job_state_name, job_state, state_names[value], JOB_STATE_COUNT)

/* Deletes all but the newest runs of the job. */
static enum err prune(struct db *db, struct str name, struct fail *fail)
{
    return query_run(
        db, fail,
        "DELETE FROM job_run WHERE name = $1 AND no <= (SELECT no FROM job_run WHERE name = $1"
        " ORDER BY no DESC LIMIT 1 OFFSET $2)",
        V(name), V(JOB_RUNS_KEPT));
}

enum err job_run_begin(
    struct db *db, struct str name, struct str server, int64_t now_ms, int64_t *ret_no,
    struct fail *fail)
{
    assert(db_in_transaction(db));
    TRY(query_number(
        db, ret_no, fail,
        "INSERT INTO job_run (name, server, started_at) VALUES ($1, $2, $3) RETURNING no", V(name),
        V(server), V(now_ms)));
    return prune(db, name, fail);
}

enum err job_run_end(
    struct db *db, int64_t no, int64_t now_ms, bool failed, struct str result, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE job_run SET ended_at = $2, failed = $3, result = $4 WHERE no = $1"
        " AND ended_at IS NULL",
        V(no), V(now_ms), V(failed), V(result));
}

enum err job_run_record(
    struct db *db, struct str name, int64_t started_at, int64_t now_ms, int64_t next_at,
    struct str result, struct fail *fail)
{
    int64_t no;
    TRY(job_run_begin(db, name, STR_NULL, started_at, &no, fail));
    TRY(job_run_end(db, no, now_ms, false, result, fail));
    return query_run(
        db, fail,
        "INSERT INTO job (name, started_at, ended_at, next_at, result, run_no)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO UPDATE"
        " SET started_at = excluded.started_at, ended_at = excluded.ended_at,"
        " next_at = excluded.next_at, result = excluded.result, run_no = excluded.run_no",
        V(name), V(started_at), V(now_ms), V(next_at), V(result), V(no));
}

/* --- for admins */

/* The columns of a run `r` with its job `j`, and whether a later run of the job began: then this
 * one was interrupted. */
#define RUN_COLUMNS                                                                                \
    "r.no, r.name, r.server, r.started_at, r.ended_at, r.failed, r.result, j.lease_until,"         \
    " CASE WHEN j.run_no = r.no THEN 1 ELSE 0 END,"                                                \
    " CASE WHEN EXISTS (SELECT 1 FROM job_run later WHERE later.name = r.name"                     \
    " AND later.no > r.no) THEN 1 ELSE 0 END"

enum { RUN_COLUMN_COUNT = 10 };

static enum job_state state_of(const struct query *q, int64_t now_ms)
{
    if (query_is_null(q, 0))
        return JOB_NEVER;
    if (!query_is_null(q, 4))
        return query_get_i64(q, 5) ? JOB_FAILED : JOB_OK;
    bool has_lease = query_get_i64(q, 8), is_newest = !query_get_i64(q, 9);
    int64_t until = has_lease ? query_get_opt_i64(q, 7, INSTANT_NONE)
                              : query_get_i64(q, 3) + (int64_t)RUN_MAX_MS;
    return is_newest && now_ms < until ? JOB_RUNNING : JOB_INTERRUPTED;
}

/* Strings are valid until the next row. */
static struct job_run read_run(const struct query *q, int64_t now_ms)
{
    return (struct job_run){
        .no = query_get_opt_i64(q, 0, 0),
        .name = query_get_str(q, 1),
        .server = query_get_str(q, 2),
        .state = state_of(q, now_ms),
        .started_at = query_get_opt_i64(q, 3, INSTANT_NONE),
        .ended_at = query_get_opt_i64(q, 4, INSTANT_NONE),
        .result = query_get_str(q, 6),
    };
}

static struct job_status read_job(const struct query *q, int64_t now_ms, struct arena *arena)
{
    struct job_status job = {
        .last = read_run(q, now_ms),
        .name = query_text(q, RUN_COLUMN_COUNT, arena),
        .next_at = query_get_opt_i64(q, RUN_COLUMN_COUNT + 1, INSTANT_NONE),
        .ok_at = query_get_opt_i64(q, RUN_COLUMN_COUNT + 2, INSTANT_NONE),
        .failures = query_get_i64(q, RUN_COLUMN_COUNT + 3),
    };
    job.last.name = job.name;
    job.last.server = arena_str(arena, job.last.server);
    job.last.result = arena_str(arena, job.last.result);
    job.failures -= job.last.state == JOB_RUNNING; /* it has no end yet */
    return job;
}

enum err job_list(
    struct db *db, int64_t now_ms, struct arena *arena, struct job_list *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " RUN_COLUMNS ", n.name, j.next_at, (SELECT ok.ended_at FROM job_run ok"
        " WHERE ok.name = n.name AND ok.failed = 0 ORDER BY ok.no DESC LIMIT 1),"
        " (SELECT count(*) FROM job_run bad WHERE bad.name = n.name AND coalesce(bad.failed, 1) = 1"
        " AND bad.no > coalesce((SELECT max(ok.no) FROM job_run ok WHERE ok.name = n.name"
        " AND ok.failed = 0), 0))"
        " FROM (SELECT name FROM job UNION SELECT name FROM job_run) AS n"
        " LEFT JOIN job j ON j.name = n.name"
        " LEFT JOIN job_run r ON r.no = (SELECT max(no) FROM job_run WHERE name = n.name)"
        " ORDER BY n.name");
    return list_read(&q, arena, ret, fail, read_job(&q, now_ms, arena));
}

enum err job_run_each(
    struct db *db, struct str name, int64_t before, int64_t limit, int64_t now_ms,
    job_run_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " RUN_COLUMNS " FROM job_run r LEFT JOIN job j ON j.name = r.name"
        " WHERE r.no < $1 AND (CAST($2 AS TEXT) IS NULL OR r.name = $2)"
        " ORDER BY r.no DESC LIMIT $3",
        V(before), V(name), V(limit));
    while (query_row(&q)) {
        const struct job_run run = read_run(&q, now_ms);
        visit(ctx, &run);
    }
    return query_end(&q, fail);
}
