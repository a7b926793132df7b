/* Times of reviewing; see review_time.h. */
#include "store/review_time.h"

enum err review_time_add(
    struct db *db, struct str filing_id, int64_t took_ms, int64_t now_ms, struct fail *fail)
{
    struct query q;
    if (took_ms < 0 || took_ms > REVIEW_TIME_MAX_MS)
        return OK;
    query_start(
        &q, db,
        "INSERT INTO review_time (at, row_count, took_ms)"
        " SELECT $2, d.row_count, $3 FROM draft d WHERE d.filing_id = $1 AND d.clean = 1"
        " AND d.revision = (SELECT max(n.revision) FROM draft n WHERE n.filing_id = $1)");
    query_str(&q, filing_id);
    query_i64(&q, now_ms);
    query_i64(&q, took_ms);
    return query_end(&q, fail);
}

enum err review_time_median(
    struct db *db, int64_t since_ms, struct review_median *ret, struct fail *fail)
{
    struct query q;
    *ret = (struct review_median){.count = 0};
    query_start(&q, db, "SELECT count(*) FROM review_time WHERE at >= $1 AND row_count <= $2");
    query_i64(&q, since_ms);
    query_i64(&q, REVIEW_TIME_ROWS_MAX);
    if (query_row(&q))
        ret->count = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    if (err || ret->count == 0)
        return err;
    query_start(
        &q, db,
        "SELECT took_ms FROM review_time WHERE at >= $1 AND row_count <= $2"
        " ORDER BY took_ms LIMIT 1 OFFSET $3");
    query_i64(&q, since_ms);
    query_i64(&q, REVIEW_TIME_ROWS_MAX);
    query_i64(&q, ret->count / 2);
    if (query_row(&q))
        ret->took_ms = query_get_i64(&q, 0);
    return query_end(&q, fail);
}
