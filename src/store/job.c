/* Scheduled jobs; see job.h. */
#include "store/job.h"

#include <assert.h>

enum err job_plan(
    struct db *db, struct str name, int64_t now_ms, int64_t next_at, int64_t *ret_next_at,
    struct fail *fail)
{
    assert(db_in_transaction(db));
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO job (name, next_at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE"
        " SET next_at = CASE WHEN job.next_at <= $3 THEN job.next_at ELSE excluded.next_at END"
        " RETURNING next_at");
    query_str(&q, name);
    query_i64(&q, next_at);
    query_i64(&q, now_ms);
    if (query_row(&q))
        *ret_next_at = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

/* A lease more than twice the normal length ahead came from a wrong clock: ignore it. */
enum err job_claim(
    struct db *db, struct str name, struct str node, struct str server, int64_t now_ms,
    int64_t lease_until, int64_t next_at, bool *ret_claimed, struct fail *fail)
{
    struct query q;
    int64_t run_no;
    query_start(
        &q, db,
        "UPDATE job SET lease_node = $2, lease_until = $4, started_at = $3, ended_at = NULL,"
        " result = NULL, next_at = $5 WHERE name = $1 AND next_at <= $3"
        " AND (lease_until IS NULL OR lease_until <= $3 OR lease_until > $4 + ($4 - $3))");
    query_str(&q, name);
    query_str(&q, node);
    query_i64(&q, now_ms);
    query_i64(&q, lease_until);
    query_i64(&q, next_at);
    enum err err = query_end(&q, fail);
    *ret_claimed = !err && query_changes(&q) > 0;
    if (!*ret_claimed)
        return err;
    err = job_run_begin(db, name, server, now_ms, &run_no, fail);
    if (err)
        return err;
    query_start(&q, db, "UPDATE job SET run_no = $2 WHERE name = $1");
    query_str(&q, name);
    query_i64(&q, run_no);
    return query_end(&q, fail);
}

/* Ends a statement that only the holder of the lease may run. */
static enum err end_held(struct query *q, struct fail *fail)
{
    return query_end_or(q, ERR_NOT_FOUND, fail, "the job is another server's by now");
}

enum err job_renew(
    struct db *db, struct str name, struct str node, int64_t lease_until, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "UPDATE job SET lease_until = $3 WHERE name = $1 AND lease_node = $2");
    query_str(&q, name);
    query_str(&q, node);
    query_i64(&q, lease_until);
    return end_held(&q, fail);
}

enum err job_end(
    struct db *db, struct str name, struct str node, int64_t now_ms, bool failed, struct str result,
    struct fail *fail)
{
    struct query q;
    int64_t run_no = 0;
    query_start(
        &q, db,
        "UPDATE job SET lease_node = NULL, lease_until = NULL, ended_at = $3, result = $4"
        " WHERE name = $1 AND lease_node = $2 RETURNING run_no");
    query_str(&q, name);
    query_str(&q, node);
    query_i64(&q, now_ms);
    query_str(&q, result);
    if (query_row(&q))
        run_no = query_get_opt_i64(&q, 0, 0);
    enum err err = end_held(&q, fail);
    return err ? err : job_run_end(db, run_no, now_ms, failed, result, fail);
}

enum err job_end_lease(struct db *db, struct str name, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "UPDATE job SET lease_node = NULL, lease_until = NULL WHERE name = $1");
    query_str(&q, name);
    return query_end(&q, fail);
}
