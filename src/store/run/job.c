/* Scheduled jobs; see job.h. */
#include "store/run/job.h"

#include <assert.h>

#include "base/closed_list.h"
#include "base/instant.h"
#include "store/row/list.h"
#include "store/row/node.h"

/* The names of the jobs. */

static const struct str names[JOB_NAME_COUNT] = {
    [JOB_SYNC] = STR_INIT("sync"),
    [JOB_SWEEP] = STR_INIT("sweep"),
    [JOB_SAMPLE] = STR_INIT("sample"),
    [JOB_SNAPSHOT] = STR_INIT("snapshot"),
    [JOB_ALERTS] = STR_INIT("alerts"),
    [JOB_PRUNE] = STR_INIT("prune"),
    [JOB_PURGE] = STR_INIT("purge"),
    [JOB_SYNC_HOUSE] = STR_INIT("sync house"),
    [JOB_SYNC_SENATE] = STR_INIT("sync senate"),
    [JOB_UPKEEP] = STR_INIT("upkeep"),
};

ENUM_NAME(job_name, job_name, names[value], JOB_NAME_COUNT)
ENUM_FIND(job_from_name, job_name, names[value], 0, JOB_NAME_COUNT)

/* A run with a lease but without an end: its server runs it, or was killed. */
#define UNENDED "lease_node IS NOT NULL AND ended_at IS NULL"

enum err job_plan(
    struct db *db, struct str name, int64_t now_ms, int64_t next_at, int64_t period_ms,
    int64_t *ret_look_at, struct fail *fail)
{
    assert(db_in_transaction(db));
    TRY(query_run(
        db, fail,
        "INSERT INTO job (name, next_at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE"
        " SET next_at = CASE WHEN job.next_at <= $3 THEN job.next_at"
        " WHEN CAST($4 AS BIGINT) > 0 AND job.started_at BETWEEN $2 AND $2 + CAST($5 AS BIGINT)"
        " THEN $2 + CAST($4 AS BIGINT) ELSE excluded.next_at END",
        V(name), V(next_at), V(now_ms), V(period_ms), V(JOB_CLOCKS_MS)));
    return query_number(
        db, ret_look_at, fail,
        "SELECT CASE WHEN " UNENDED " AND lease_until < next_at THEN lease_until ELSE next_at END"
        " FROM job WHERE name = $1",
        V(name));
}

/* Who has the lease, or had it last if it did not end. */
struct job_holder {
    char node[NODE_ID_SIZE];
    size_t n; /* 0: nobody */
    bool held;
};

static struct str node_of(const struct job_holder *holder)
{
    return str_of(holder->node, holder->n);
}

/* `held`: another server may be at work still. If its lease looks expired or too long, the clock
 * here is wrong, or the one there. */
static enum err find_holder(
    struct db *db, struct str name, struct str node, int64_t now_ms, struct job_holder *ret,
    struct fail *fail)
{
    int64_t until = INSTANT_NONE;
    *ret = (struct job_holder){.n = 0};
    QUERY(q, db, "SELECT lease_node, lease_until FROM job WHERE name = $1", V(name));
    if (query_row(&q)) {
        struct str id = query_get_str(&q, 0);
        until = query_get_opt_i64(&q, 1, INSTANT_NONE);
        ret->n = id.n < sizeof ret->node ? id.n : sizeof ret->node;
        if (ret->n)
            memcpy(ret->node, id.p, ret->n);
    }
    enum err err = query_end(&q, fail);
    bool is_recent = until > now_ms - JOB_CLOCKS_MS && until < now_ms + JOB_CLOCKS_MS;
    if (err || !ret->n || !is_recent || str_eq(node_of(ret), node))
        return err;
    return node_is_running(db, node_of(ret), &ret->held, fail);
}

/* A lease more than twice the normal length ahead came from a wrong clock: ignore it. */
enum err job_claim(
    struct db *db, struct str name, struct str node, struct str server, int64_t now_ms,
    int64_t lease_until, int64_t next_at, bool *ret_claimed, struct fail *fail)
{
    int64_t run_no;
    struct job_holder holder;
    *ret_claimed = false;
    enum err err = find_holder(db, name, node, now_ms, &holder, fail);
    if (err || holder.held)
        return err;
    QUERY(
        q, db,
        "UPDATE job SET lease_node = $2, lease_until = $4, started_at = $3, ended_at = NULL,"
        " result = NULL, next_at = $5 WHERE name = $1 AND coalesce(lease_node, '') = $8"
        " AND (lease_until IS NULL OR lease_until <= $3 OR lease_until > $4 + ($4 - $3))"
        " AND (next_at <= $3 OR (" UNENDED " AND (SELECT count(*) FROM job_run r"
        " WHERE r.name = $1 AND r.ended_at IS NULL AND r.started_at > $3 - CAST($6 AS BIGINT))"
        " < $7))",
        V(name), V(node), V(now_ms), V(lease_until), V(next_at), V(DAY_MS), V(JOB_ATTEMPTS_MAX),
        V(holder.n ? node_of(&holder) : STR("")));
    err = query_end(&q, fail);
    *ret_claimed = !err && query_changes(&q) > 0;
    if (!*ret_claimed)
        return err;
    TRY(job_run_begin(db, name, server, now_ms, &run_no, fail));
    return query_run(db, fail, "UPDATE job SET run_no = $2 WHERE name = $1", V(name), V(run_no));
}

enum err job_is_leased(
    struct db *db, struct str name, int64_t now_ms, int64_t lease_ms, bool *ret, struct fail *fail)
{
    return query_any(
        db, ret, fail,
        "SELECT 1 FROM job WHERE name = $1 AND lease_until > $2 AND lease_until <= $3", V(name),
        V(now_ms), V(now_ms + 2 * lease_ms));
}

/* Ends a statement that only the holder of the lease may run. */
static enum err end_held(struct query *q, struct fail *fail)
{
    return query_end_or(q, ERR_NOT_FOUND, fail, "another server has taken over the job");
}

enum err job_renew(
    struct db *db, struct str name, struct str node, int64_t lease_until, struct fail *fail)
{
    QUERY(
        q, db, "UPDATE job SET lease_until = $3 WHERE name = $1 AND lease_node = $2", V(name),
        V(node), V(lease_until));
    return end_held(&q, fail);
}

enum err job_make_due(struct db *db, struct str name, int64_t now_ms, struct fail *fail)
{
    return query_run(
        db, fail, "UPDATE job SET next_at = $2 WHERE name = $1 AND next_at > $2", V(name),
        V(now_ms));
}

enum err job_end(
    struct db *db, struct str name, struct str node, int64_t now_ms, bool failed, struct str result,
    struct fail *fail)
{
    int64_t run_no = 0;
    QUERY(
        q, db,
        "UPDATE job SET lease_node = NULL, lease_until = NULL, ended_at = $3, result = $4"
        " WHERE name = $1 AND lease_node = $2 RETURNING run_no",
        V(name), V(node), V(now_ms), V(result));
    if (query_row(&q))
        run_no = query_get_opt_i64(&q, 0, 0);
    TRY(end_held(&q, fail));
    return job_run_end(db, run_no, now_ms, failed, result, fail);
}

enum err job_end_lease(struct db *db, struct str name, struct fail *fail)
{
    return query_run(
        db, fail, "UPDATE job SET lease_node = NULL, lease_until = NULL WHERE name = $1", V(name));
}

/* --- the runs of jobs, and the jobs as admins see them */

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
