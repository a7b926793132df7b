/* Reading deliveries for people and metrics; see delivery.h. */
#include "store/delivery.h"

#include "store/endpoint_open.h"

enum err delivery_each(
    struct db *db, struct str endpoint, int64_t before, int64_t limit, delivery_visit *visit,
    void *ctx, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "SELECT d.no, d.id, e.id, v.id, v.type, f.id, d.state, d.tries, d.attempts, d.due_at,"
        " d.created_at, d.ended_at FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"
        " JOIN event v ON v.no = d.event_no LEFT JOIN filing f ON f.no = v.filing_no"
        " WHERE d.no < $1 AND (CAST($2 AS TEXT) IS NULL OR e.id = $2)"
        " ORDER BY d.no DESC LIMIT $3");
    query_i64(&q, before);
    query_str(&q, endpoint);
    query_i64(&q, limit);
    while (query_row(&q)) {
        const struct delivery_row row = {
            .no = query_get_i64(&q, 0),
            .id = query_get_str(&q, 1),
            .endpoint_id = query_get_str(&q, 2),
            .event_id = query_get_str(&q, 3),
            .event_type = query_get_str(&q, 4),
            .filing_id = query_get_str(&q, 5),
            .state = delivery_state_from_name(query_get_str(&q, 6)),
            .tries = (int)query_get_i64(&q, 7),
            .attempts = query_get_i64(&q, 8),
            .due_at = query_get_i64(&q, 9),
            .created_at = query_get_i64(&q, 10),
            .ended_at = query_get_opt_i64(&q, 11, INSTANT_NONE),
        };
        visit(ctx, &row);
    }
    return query_end(&q, fail);
}

static enum err check_exists(struct db *db, struct str id, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "SELECT 1 FROM delivery WHERE id = $1");
    query_str(&q, id);
    (void)query_row(&q);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery \"%.*s\"", STR_ARG(id));
}

enum err delivery_each_attempt(
    struct db *db, struct str id, delivery_attempt_visit *visit, void *ctx, struct fail *fail)
{
    struct query q;
    enum err err = check_exists(db, id, fail);
    if (err)
        return err;
    query_start(
        &q, db,
        "SELECT a.number, a.delivery_no, a.started_at, a.ended_at, a.status, a.error, a.detail,"
        " a.remote, a.retry_after, a.resolve_ms, a.connect_ms, a.tls_ms, a.wait_ms, a.answer"
        " FROM delivery d JOIN attempt a ON a.delivery_no = d.no WHERE d.id = $1"
        " ORDER BY a.number");
    query_str(&q, id);
    while (query_row(&q)) {
        int status = (int)query_get_opt_i64(&q, 4, 0);
        const struct delivery_outcome attempt = {
            .delivery_no = query_get_i64(&q, 1),
            .attempt = query_get_i64(&q, 0),
            .accepted = status >= 200 && status <= 299 && query_is_null(&q, 5),
            .started_at = query_get_i64(&q, 2),
            .ended_at = query_get_i64(&q, 3),
            .status = status,
            .error = query_get_str(&q, 5),
            .detail = query_get_str(&q, 6),
            .remote = query_get_str(&q, 7),
            .retry_after = query_get_str(&q, 8),
            .resolve_ms = query_get_opt_i64(&q, 9, -1),
            .connect_ms = query_get_opt_i64(&q, 10, -1),
            .tls_ms = query_get_opt_i64(&q, 11, -1),
            .wait_ms = query_get_opt_i64(&q, 12, -1),
            .answer = query_get_blob(&q, 13),
        };
        visit(ctx, &attempt);
    }
    return query_end(&q, fail);
}

/* Counts row by row: the queue is short, and of the ended deliveries only failed and expired ones
 * are counted, by their index. */
enum err delivery_count(
    struct db *db, int64_t now_ms, struct delivery_counts *ret, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "SELECT coalesce(sum(CASE WHEN " ENDPOINT_IS_OPEN " AND d.due_at <= $1 THEN 1 END), 0),"
        " min(CASE WHEN " ENDPOINT_IS_OPEN " AND d.due_at <= $1 THEN d.due_at END),"
        " coalesce(sum(CASE WHEN " ENDPOINT_IS_OPEN " AND d.due_at > $1 AND d.lease_node IS NULL"
        " THEN 1 END), 0), coalesce(sum(CASE WHEN " ENDPOINT_IS_OPEN " THEN 0 ELSE 1 END), 0),"
        " (SELECT count(*) FROM delivery WHERE state = 'failed' AND ended_at IS NOT NULL),"
        " (SELECT count(*) FROM delivery WHERE state = 'expired' AND ended_at IS NOT NULL),"
        " (SELECT count(*) FROM endpoint WHERE state = 'disabled')"
        " FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"
        " JOIN account a ON a.no = e.account_no WHERE d.state = 'pending'");
    query_i64(&q, now_ms);
    if (query_row(&q))
        *ret = (struct delivery_counts){
            .due = query_get_i64(&q, 0),
            .oldest_due = query_get_opt_i64(&q, 1, INSTANT_NONE),
            .waiting = query_get_i64(&q, 2),
            .held = query_get_i64(&q, 3),
            .failed = query_get_i64(&q, 4),
            .expired = query_get_i64(&q, 5),
            .disabled_endpoints = query_get_i64(&q, 6),
        };
    return query_end(&q, fail);
}
