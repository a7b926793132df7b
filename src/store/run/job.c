/* Scheduled jobs; see job.h. */
#include "store/run/job.h"

#include <assert.h>
#include <string.h>

#include "base/enum_names.h"
#include "base/instant.h"
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
    err = job_run_begin(db, name, server, now_ms, &run_no, fail);
    if (err)
        return err;
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
