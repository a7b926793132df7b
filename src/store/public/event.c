/* Events and deliveries; see event.h. */
#include "store/public/event.h"

#include "db/row_digest.h"
#include "rule/event_type.h"
#include "store/row/id.h"

static enum err insert_event(
    const struct act *act, struct str type, int64_t filing_no, int64_t publication_no,
    struct str body, int64_t *ret_no)
{
    char id[EVENT_ID_SIZE];
    id_make(STR("evt_"), id);
    TRY(query_number(
        act->db, ret_no, act->fail,
        "INSERT INTO event (id, type, filing_no, publication_no, created_at, body)"
        " VALUES ($1, $2, $3, $4, $5, $6) RETURNING no",
        V(str_of(id, sizeof id)), V(type), V_OPT(filing_no, 0), V_OPT(publication_no, 0),
        V(act->now_ms), V(body)));
    return row_seal(act->db, act->fail, EVENT, "event", "event.no = $1", V(*ret_no));
}

enum err event_add(
    const struct act *act, struct str type, int64_t filing_no, int64_t publication_no,
    struct str body, int64_t *ret_deliveries)
{
    int64_t no = 0;
    TRY(insert_event(act, type, filing_no, publication_no, body, &no));
    /* A delivery's id joins the random parts of its event's and its endpoint's ids. */
    QUERY(
        q, act->db,
        "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at)"
        " SELECT 'dlv_' || substr(v.id, 5) || substr(e.id, 4), v.no, e.no, 'pending', 0,"
        " v.created_at, v.created_at FROM event v, endpoint e"
        " WHERE v.no = $1 AND e.state <> 'deleted'"
        " AND ',' || e.events || ',' LIKE '%,' || v.type || ',%'",
        V(no));
    TRY(query_end(&q, act->fail));
    if (ret_deliveries)
        *ret_deliveries = query_changes(&q);
    return OK;
}

enum err event_add_test(
    struct db *db, struct str body, int64_t now_ms, int64_t *ret_no, struct fail *fail)
{
    const struct act act = {.db = db, .now_ms = now_ms, .fail = fail};
    return insert_event(&act, STR(EVENT_TEST), 0, 0, body, ret_no);
}

/* --- reading */

enum err event_place_at(struct db *db, int64_t no, struct event_place *ret, struct fail *fail)
{
    *ret = (struct event_place){0, 0};
    QUERY(
        q, db,
        "SELECT no, created_at FROM event WHERE no <= $1 AND type <> '" EVENT_TEST "'"
        " ORDER BY no DESC LIMIT 1",
        V(no));
    if (query_row(&q))
        *ret = (struct event_place){query_get_i64(&q, 0), query_get_i64(&q, 1)};
    return query_end(&q, fail);
}

enum err event_place_after(
    struct db *db, int64_t after, int64_t count, struct event_place *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT no, created_at FROM event WHERE no > $1 AND type <> '" EVENT_TEST "'"
        " ORDER BY no LIMIT 1 OFFSET $2",
        V(after), V(count - 1));
    if (query_row(&q))
        *ret = (struct event_place){query_get_i64(&q, 0), query_get_i64(&q, 1)};
    return query_end(&q, fail);
}

/* The newest event of that instant or earlier, as far as it is searched for. */
static enum err newest_until(
    struct db *db, int64_t newest, int64_t at, int64_t *ret_no, struct fail *fail)
{
    *ret_no = newest > EVENT_SEARCHED_MAX ? newest - EVENT_SEARCHED_MAX : 0;
    return query_number(
        db, ret_no, fail,
        "SELECT no FROM event WHERE no > $1 AND created_at <= $2 AND type <> '" EVENT_TEST "'"
        " ORDER BY no DESC LIMIT 1",
        V(*ret_no), V(at));
}

enum err event_continue(
    struct db *db, const struct event_place *place, int64_t *ret_no, struct fail *fail)
{
    struct event_place own, newest;
    *ret_no = place->no;
    enum err err = event_place_at(db, place->no, &own, fail);
    if (err || (own.no == place->no && own.at == place->at))
        return err;
    TRY(event_place_at(db, INT64_MAX, &newest, fail));
    return newest_until(db, newest.no, place->at, ret_no, fail);
}

/* The names of the types as four parameters; "" for a type that is not in the set. */
static void query_types(struct query *q, int64_t types)
{
    _Static_assert(EVENT_TYPE_COUNT == 5, "the statements have one parameter for each type");
    for (int type = EVENT_NONE + 1; type < EVENT_TYPE_COUNT; type++)
        query_str(
            q, event_types_have(types, (enum event_type)type)
                   ? event_type_name((enum event_type)type)
                   : STR(""));
}

enum err event_before_newest(
    struct db *db, int64_t types, int64_t count, int64_t *ret_no, struct fail *fail)
{
    struct event_place newest;
    TRY(event_place_at(db, INT64_MAX, &newest, fail));
    *ret_no = newest.no;
    QUERY(
        q, db,
        "SELECT no FROM event WHERE no > $1 AND no <= $7 AND type IN ($2, $3, $4, $5)"
        " AND type <> '" EVENT_TEST "' ORDER BY no DESC LIMIT $6",
        V(newest.no > EVENT_SEARCHED_MAX ? newest.no - EVENT_SEARCHED_MAX : 0));
    query_types(&q, types);
    query_i64(&q, count);
    query_i64(&q, newest.no);
    while (query_row(&q))
        *ret_no = query_get_i64(&q, 0) - 1;
    return query_end(&q, fail);
}

enum err event_each(
    struct db *db, const struct event_range *range, event_visit *visit, void *ctx,
    struct fail *fail)
{
    bool more = true;
    QUERY(
        q, db,
        "SELECT no, created_at, id, type, body FROM event"
        " WHERE no > $1 AND no <= $2 AND type IN ($3, $4, $5, $6) AND type <> '" EVENT_TEST "'"
        " ORDER BY no LIMIT $7",
        V(range->after), V(range->last));
    query_types(&q, range->types);
    query_i64(&q, range->count);
    while (more && query_row(&q)) {
        const struct event_row row = {
            .place = {query_get_i64(&q, 0), query_get_i64(&q, 1)},
            .id = query_get_str(&q, 2),
            .type = query_get_str(&q, 3),
            .body = query_get_str(&q, 4),
        };
        more = visit(ctx, &row);
    }
    return query_end(&q, fail);
}
