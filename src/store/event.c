/* Events and deliveries; see event.h. */
#include "store/event.h"

#include "store/id.h"

static enum err insert_event(
    struct db *db, struct str id, struct str type, int64_t filing_no, int64_t publication_no,
    struct str body, int64_t now_ms, int64_t *ret_no, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO event (id, type, filing_no, publication_no, created_at, body)"
        " VALUES ($1, $2, $3, $4, $5, $6) RETURNING no");
    query_str(&q, id);
    query_str(&q, type);
    query_opt_i64(&q, filing_no, 0);
    query_opt_i64(&q, publication_no, 0);
    query_i64(&q, now_ms);
    query_str(&q, body);
    if (query_row(&q))
        *ret_no = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err event_add(
    struct db *db, struct str type, int64_t filing_no, int64_t publication_no, struct str body,
    int64_t now_ms, int64_t *ret_deliveries, struct fail *fail)
{
    char id[EVENT_ID_SIZE];
    id_make(STR("evt_"), id);
    int64_t no = 0;
    enum err err = insert_event(
        db, str_of(id, sizeof id), type, filing_no, publication_no, body, now_ms, &no, fail);
    if (err)
        return err;
    struct query q;
    /* A delivery's id joins the random parts of its event's and its endpoint's ids. */
    query_start(
        &q, db,
        "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at)"
        " SELECT 'dlv_' || substr(v.id, 5) || substr(e.id, 4), v.no, e.no, 'pending', 0,"
        " v.created_at, v.created_at FROM event v, endpoint e JOIN account a ON a.no = e.account_no"
        " WHERE v.no = $1 AND e.state <> 'deleted' AND a.disabled_at IS NULL"
        " AND ',' || e.events || ',' LIKE '%,' || v.type || ',%'");
    query_i64(&q, no);
    err = query_end(&q, fail);
    if (!err && ret_deliveries)
        *ret_deliveries = query_changes(&q);
    return err;
}

enum err event_is_wanted(struct db *db, struct str type, bool *ret, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "SELECT 1 FROM endpoint e WHERE e.state <> 'deleted'"
        " AND ',' || e.events || ',' LIKE '%,' || $1 || ',%' LIMIT 1");
    query_str(&q, type);
    *ret = query_row(&q);
    return query_end(&q, fail);
}
