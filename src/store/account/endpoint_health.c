/* The queries of an endpoint's health; see endpoint_health.h. */
#include "store/account/endpoint_health.h"

static enum err read_hours(
    struct db *db, int64_t endpoint_no, struct endpoint_health *h, struct fail *fail)
{
    int64_t first_ms = h->hours[0].from_ms;
    QUERY(
        q, db,
        "SELECT (started_at - $2) / 3600000 AS hour, count(CASE WHEN error IS NULL THEN 1 END),"
        " count(error), max(started_at) FROM attempt WHERE endpoint_no = $1 AND started_at >= $2"
        " AND started_at < $3 GROUP BY 1",
        V(endpoint_no), V(first_ms), V(first_ms + ENDPOINT_HEALTH_HOURS * (int64_t)HOUR_MS));
    while (query_row(&q)) {
        struct endpoint_hour *hour = &h->hours[query_get_i64(&q, 0)];
        hour->delivered = query_get_i64(&q, 1);
        hour->failed = query_get_i64(&q, 2);
        h->delivered += hour->delivered;
        h->failed += hour->failed;
        if (query_get_i64(&q, 3) > h->last.at)
            h->last.at = query_get_i64(&q, 3);
    }
    return query_end(&q, fail);
}

static enum err read_queue(
    struct db *db, int64_t endpoint_no, struct endpoint_health *h, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT count(*), min(due_at) FROM delivery WHERE endpoint_no = $1 AND state = 'pending'"
        " AND cause <> 'test'",
        V(endpoint_no));
    if (query_row(&q)) {
        h->waiting = query_get_i64(&q, 0);
        h->next_at = query_get_opt_i64(&q, 1, INSTANT_NONE);
    }
    return query_end(&q, fail);
}

/* By its time: an ORDER BY would let PostgreSQL walk the attempts of all endpoints. */
static enum err read_last(
    struct db *db, int64_t endpoint_no, struct arena *arena, struct endpoint_health *h,
    struct fail *fail)
{
    if (h->last.at == INSTANT_NONE)
        return OK;
    QUERY(
        q, db,
        "SELECT status, error, detail FROM attempt WHERE endpoint_no = $1 AND started_at = $2"
        " LIMIT 1",
        V(endpoint_no), V(h->last.at));
    if (query_row(&q)) {
        h->last.status = (int)query_get_opt_i64(&q, 0, 0);
        h->last.error = query_text(&q, 1, arena);
        h->last.detail = query_text(&q, 2, arena);
    }
    return query_end(&q, fail);
}

enum err endpoint_health(
    struct db *db, int64_t endpoint_no, int64_t now_ms, struct arena *arena,
    struct endpoint_health *ret, struct fail *fail)
{
    int64_t hour_ms = now_ms - now_ms % HOUR_MS;
    *ret = (struct endpoint_health){.next_at = INSTANT_NONE, .last.at = INSTANT_NONE};
    for (int i = 0; i < ENDPOINT_HEALTH_HOURS; i++)
        ret->hours[i].from_ms = hour_ms - (ENDPOINT_HEALTH_HOURS - 1 - i) * (int64_t)HOUR_MS;
    TRY(read_hours(db, endpoint_no, ret, fail));
    TRY(read_queue(db, endpoint_no, ret, fail));
    return read_last(db, endpoint_no, arena, ret, fail);
}

enum err endpoint_health_count(
    struct db *db, int64_t *ret_count, int64_t *ret_failing, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT count(*), sum(CASE WHEN failures > 0 THEN 1 ELSE 0 END)"
        " FROM endpoint WHERE state IN ('enabled', 'disabled')");
    if (query_row(&q)) {
        *ret_count = query_get_i64(&q, 0);
        *ret_failing = query_get_opt_i64(&q, 1, 0);
    }
    return query_end(&q, fail);
}
