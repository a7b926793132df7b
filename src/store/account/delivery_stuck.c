/* Stuck deliveries; see delivery_stuck.h. */
#include "store/account/delivery_stuck.h"

#include "base/closed_list.h"
#include "store/row/list.h"

static const struct str reason_names[STUCK_REASON_COUNT] = {
    [STUCK_LATE] = STR_INIT("late"),
    [STUCK_DISABLED] = STR_INIT("disabled"),
    [STUCK_PAUSED] = STR_INIT("paused"),
    [STUCK_OWNER] = STR_INIT("account_disabled"),
};

ENUM_NAME(stuck_reason_name, stuck_reason, reason_names[value], STUCK_REASON_COUNT)

/* The first endpoint above a number that has a queue. In the order of the index of waiting
 * deliveries: SQLite would find min() in another index, which has all deliveries. */
#define ABOVE "(SELECT d.endpoint_no FROM delivery d WHERE d.state = 'pending' AND d.endpoint_no > "
#define FIRST " ORDER BY d.endpoint_no, d.due_at, d.no LIMIT 1)"

/* Walks the endpoints with a queue: one step for each, however long its queue is. */
static enum err find_stuck(
    struct db *db, int64_t after, size_t limit, int64_t now_ms, struct list *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "WITH RECURSIVE waiting(no, place) AS (SELECT " ABOVE "$1" FIRST ", 1 UNION ALL"
        " SELECT " ABOVE "w.no" FIRST ", w.place + 1 FROM waiting w"
        " WHERE w.no IS NOT NULL AND w.place < $3)"
        " SELECT e.no, e.state, CASE WHEN a.disabled_at IS NULL THEN 0 ELSE 1 END, w.oldest"
        " FROM (SELECT no, (SELECT min(d.due_at) FROM delivery d WHERE d.endpoint_no = waiting.no"
        " AND d.state = 'pending') AS oldest FROM waiting WHERE no IS NOT NULL) AS w"
        " JOIN endpoint e ON e.no = w.no JOIN account a ON a.no = e.account_no"
        " WHERE e.state <> 'deleted'"
        " AND (e.state <> 'enabled' OR a.disabled_at IS NOT NULL OR w.oldest < $2)"
        " ORDER BY e.no LIMIT $4",
        V(after), V(now_ms - DELIVERY_LATE_MS), V(DELIVERY_STUCK_ENDPOINTS_MAX), V((int64_t)limit));
    while (query_row(&q)) {
        struct delivery_stuck *stuck = list_add(ret);
        struct str state = query_get_str(&q, 1);
        stuck->endpoint_no = query_get_i64(&q, 0);
        stuck->oldest_due = query_get_i64(&q, 3);
        if (query_get_i64(&q, 2))
            stuck->reason = STUCK_OWNER;
        else if (str_eq(state, STR("disabled")))
            stuck->reason = STUCK_DISABLED;
        else if (str_eq(state, STR("paused")))
            stuck->reason = STUCK_PAUSED;
        else
            stuck->reason = STUCK_LATE;
    }
    return query_end(&q, fail);
}

static enum err read_endpoint(
    struct db *db, struct arena *arena, struct delivery_stuck *stuck, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT e.id, e.url, a.id, a.email, e.failures, (SELECT count(*) FROM (SELECT 1 AS one"
        " FROM delivery d WHERE d.endpoint_no = e.no AND d.state = 'pending' LIMIT $2) AS counted),"
        " (SELECT coalesce(t.detail, t.error, CAST(t.status AS TEXT)) FROM attempt t"
        " WHERE t.delivery_no = (SELECT d.no FROM delivery d WHERE d.endpoint_no = e.no"
        " AND d.state = 'pending' ORDER BY d.due_at, d.no LIMIT 1)"
        " ORDER BY t.number DESC LIMIT 1)"
        " FROM endpoint e JOIN account a ON a.no = e.account_no WHERE e.no = $1",
        V(stuck->endpoint_no), V(DELIVERY_STUCK_COUNTED_MAX + 1));
    if (query_row(&q)) {
        int64_t counted = query_get_i64(&q, 5);
        stuck->endpoint_id = query_text(&q, 0, arena);
        stuck->url = query_text(&q, 1, arena);
        stuck->account_id = query_text(&q, 2, arena);
        stuck->email = query_text(&q, 3, arena);
        stuck->failures = query_get_i64(&q, 4);
        stuck->more = counted > DELIVERY_STUCK_COUNTED_MAX;
        stuck->queued = stuck->more ? DELIVERY_STUCK_COUNTED_MAX : counted;
        stuck->error = query_text(&q, 6, arena);
    }
    return query_end(&q, fail);
}

enum err delivery_stuck_list(
    struct db *db, int64_t after, size_t limit, int64_t now_ms, struct arena *arena,
    struct delivery_stuck_list *ret, struct fail *fail)
{
    LIST_SCOPED(list, struct delivery_stuck);
    enum err err = find_stuck(db, after, limit + 1, now_ms, &list, fail);
    *ret = (struct delivery_stuck_list){.more = list.count > limit};
    ret->count = ret->more ? limit : list.count;
    ret->items = list_keep(&list, arena);
    for (size_t i = 0; i < ret->count && !err; i++)
        err = read_endpoint(db, arena, &ret->items[i], fail);
    return err;
}
