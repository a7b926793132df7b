/* Reading deliveries for people and metrics; see delivery.h. */
#include "store/account/delivery.h"

#include "store/account/endpoint.h"

#define ROW_COLUMNS                                                                                \
    "SELECT d.no, d.id, e.id, v.id, v.type, f.id, d.state, d.tries, d.attempts, d.due_at,"         \
    " d.created_at, d.ended_at, d.cause, d.replayed_at, d.lease_node, t.status, t.error"
#define ROW_JOINS                                                                                  \
    " JOIN endpoint e ON e.no = d.endpoint_no JOIN event v ON v.no = d.event_no"                   \
    " LEFT JOIN filing f ON f.no = v.filing_no"                                                    \
    " LEFT JOIN attempt t ON t.delivery_no = d.no AND t.number = (SELECT max(l.number)"            \
    " FROM attempt l WHERE l.delivery_no = d.no)"

static struct delivery_row read_row(const struct query *q)
{
    return (struct delivery_row){
        .no = query_get_i64(q, 0),
        .id = query_get_str(q, 1),
        .endpoint_id = query_get_str(q, 2),
        .event_id = query_get_str(q, 3),
        .event_type = query_get_str(q, 4),
        .filing_id = query_get_str(q, 5),
        .state = delivery_state_from_name(query_get_str(q, 6)),
        .tries = (int)query_get_i64(q, 7),
        .attempts = query_get_i64(q, 8),
        .due_at = query_get_i64(q, 9),
        .created_at = query_get_i64(q, 10),
        .ended_at = query_get_opt_i64(q, 11, INSTANT_NONE),
        .cause = delivery_cause_from_name(query_get_str(q, 12)),
        .replayed_at = query_get_opt_i64(q, 13, INSTANT_NONE),
        .in_flight = !query_is_null(q, 14),
        .status = (int)query_get_opt_i64(q, 15, 0),
        .error = query_get_str(q, 16),
    };
}

/* --- lists */

/* The log of an endpoint is in the order of time. An index has its endpoint, state, time and
 * number; all states together are merged from the edge of each. Rows are joined with what a list
 * shows only when they are picked. */

#define BETWEEN " AND (created_at, no) > ($3, $4) AND (created_at, no) < ($5, $6)"
#define IN_ORDER(order) " ORDER BY created_at " order ", no " order " LIMIT $2"
#define OF_STATE(state, order)                                                                     \
    "SELECT no, created_at FROM (SELECT no, created_at FROM delivery WHERE endpoint_no = $1"       \
    " AND state = " state BETWEEN                                                                  \
    IN_ORDER(order) ") AS of_state"
#define OF_ALL_STATES(order)                                                                       \
    OF_STATE("'pending'", order)                                                                   \
    " UNION ALL " OF_STATE("'delivered'", order) " UNION ALL " OF_STATE(                           \
        "'failed'", order) " UNION ALL " OF_STATE("'expired'", order)
#define PICKED(rows, order)                                                                        \
    ROW_COLUMNS " FROM (SELECT no FROM (" rows                                                     \
                ") AS edges" IN_ORDER(order) ") AS picked"                                         \
                                             " JOIN delivery d ON d.no = picked.no" ROW_JOINS      \
                                             " ORDER BY d.created_at " order ", d.no " order
#define OF_OPERATOR(where, order)                                                                  \
    ROW_COLUMNS " FROM delivery d" ROW_JOINS " WHERE " where                                       \
                " AND (CAST($3 AS TEXT) IS NULL OR d.state = $3)"                                  \
                " AND d.created_at >= $4 AND d.created_at < $5 ORDER BY d.no " order " LIMIT $2"

/* The bounds of a log: after the first place and before the second. A number is at least 1. */
static void bound(const struct delivery_filter *filter, struct delivery_place ret[static 2])
{
    const struct delivery_place *after = &filter->after, *before = &filter->before;
    ret[0] = (struct delivery_place){0, INT64_MIN};
    ret[1] = (struct delivery_place){0, INT64_MAX};
    if (filter->since != INSTANT_NONE)
        ret[0].created_at = filter->since;
    if (filter->until != INSTANT_NONE)
        ret[1].created_at = filter->until;
    if (after->no && after->created_at >= ret[0].created_at)
        ret[0] = *after;
    if (before->no && before->created_at < ret[1].created_at)
        ret[1] = *before;
}

static void start_of_endpoint(
    struct query *q, struct db *db, const struct delivery_filter *filter, int64_t limit)
{
    static const char *const all[] = {
        PICKED(OF_ALL_STATES("DESC"), "DESC"), PICKED(OF_ALL_STATES("ASC"), "ASC")};
    static const char *const one[] = {
        PICKED(OF_STATE("$7", "DESC"), "DESC"), PICKED(OF_STATE("$7", "ASC"), "ASC")};
    bool rising = filter->after.no != 0, of_all = filter->state == DELIVERY_STATE_COUNT;
    struct delivery_place bounds[2];
    bound(filter, bounds);
    query_with(q, db, of_all ? all[rising] : one[rising], V(filter->endpoint_no), V(limit));
    for (size_t i = 0; i < 2; i++) {
        query_i64(q, bounds[i].created_at);
        query_i64(q, bounds[i].no);
    }
    if (!of_all)
        query_str(q, delivery_state_name(filter->state));
}

/* Of all endpoints, in the order of numbers: a walk, for operators only. */
static void start_of_all(
    struct query *q, struct db *db, const struct delivery_filter *filter, int64_t limit)
{
    static const char *const orders[] = {
        OF_OPERATOR("d.no < $1", "DESC"), OF_OPERATOR("d.no > $1", "ASC")};
    bool rising = filter->after.no != 0;
    int64_t newest = filter->before.no ? filter->before.no : INT64_MAX;
    query_with(
        q, db, orders[rising], V(rising ? filter->after.no : newest), V(limit),
        V(filter->state == DELIVERY_STATE_COUNT ? STR_NULL : delivery_state_name(filter->state)),
        V(filter->since == INSTANT_NONE ? INT64_MIN : filter->since),
        V(filter->until == INSTANT_NONE ? INT64_MAX : filter->until));
}

enum err delivery_each(
    struct db *db, const struct delivery_filter *filter, int64_t limit, delivery_visit *visit,
    void *ctx, struct fail *fail)
{
    struct query q;
    if (filter->endpoint_no)
        start_of_endpoint(&q, db, filter, limit);
    else
        start_of_all(&q, db, filter, limit);
    while (query_row(&q)) {
        const struct delivery_row row = read_row(&q);
        visit(ctx, &row);
    }
    return query_end(&q, fail);
}

enum err delivery_place(
    struct db *db, int64_t endpoint_no, struct str id, struct delivery_place *ret,
    struct fail *fail)
{
    QUERY(
        q, db, "SELECT no, created_at FROM delivery WHERE id = $1 AND endpoint_no = $2", V(id),
        V(endpoint_no));
    if (query_row(&q))
        *ret = (struct delivery_place){query_get_i64(&q, 0), query_get_i64(&q, 1)};
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery \"%.*s\"", STR_ARG(id));
}

/* --- one */

enum err delivery_find(
    struct db *db, struct str id, struct arena *arena, struct delivery_row *ret,
    struct str *ret_body, struct fail *fail)
{
    QUERY(q, db, ROW_COLUMNS ", v.body FROM delivery d" ROW_JOINS " WHERE d.id = $1", V(id));
    if (query_row(&q)) {
        *ret = read_row(&q);
        struct str *const texts[] = {&ret->id,         &ret->endpoint_id, &ret->event_id,
                                     &ret->event_type, &ret->filing_id,   &ret->error};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            *texts[i] = arena_str(arena, *texts[i]);
        *ret_body = query_text(&q, 17, arena);
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery \"%.*s\"", STR_ARG(id));
}

enum err delivery_endpoint(
    struct db *db, struct str id, struct arena *arena, struct str *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT e.id FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no WHERE d.id = $1",
        V(id));
    if (query_row(&q))
        *ret = query_text(&q, 0, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery \"%.*s\"", STR_ARG(id));
}

static enum err check_exists(struct db *db, struct str id, struct fail *fail)
{
    QUERY(q, db, "SELECT 1 FROM delivery WHERE id = $1", V(id));
    (void)query_row(&q);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery \"%.*s\"", STR_ARG(id));
}

enum err delivery_each_attempt(
    struct db *db, struct str id, delivery_attempt_visit *visit, void *ctx, struct fail *fail)
{
    TRY(check_exists(db, id, fail));
    QUERY(
        q, db,
        "SELECT a.number, a.delivery_no, a.started_at, a.ended_at, a.status, a.error, a.detail,"
        " a.remote, a.retry_after, a.resolve_ms, a.connect_ms, a.tls_ms, a.wait_ms, a.answer,"
        " a.url, a.request"
        " FROM delivery d JOIN attempt a ON a.delivery_no = d.no WHERE d.id = $1"
        " ORDER BY a.number",
        V(id));
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
            .url = query_get_str(&q, 14),
            .request = query_get_str(&q, 15),
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
    QUERY(
        q, db,
        "SELECT coalesce(sum(CASE WHEN " DELIVERY_MAY_GO " AND d.due_at <= $1 THEN 1 END), 0),"
        " min(CASE WHEN " DELIVERY_MAY_GO " AND d.due_at <= $1 THEN d.due_at END),"
        " coalesce(sum(CASE WHEN " DELIVERY_MAY_GO " AND d.due_at > $1 AND d.lease_node IS NULL"
        " THEN 1 END), 0), coalesce(sum(CASE WHEN " DELIVERY_MAY_GO " THEN 0 ELSE 1 END), 0),"
        " (SELECT count(*) FROM delivery WHERE state = 'failed' AND ended_at IS NOT NULL),"
        " (SELECT count(*) FROM delivery WHERE state = 'expired' AND ended_at IS NOT NULL),"
        " (SELECT count(*) FROM endpoint WHERE state = 'disabled')"
        " FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"
        " JOIN account a ON a.no = e.account_no WHERE d.state = 'pending'",
        V(now_ms));
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
