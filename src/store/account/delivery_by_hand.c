/* Replays and tests; see delivery_by_hand.h. */
#include "store/account/delivery_by_hand.h"

#include <assert.h>

#include "store/public/event.h"
#include "store/row/change.h"
#include "store/row/list.h"

/* --- one delivery */

/* Moves a delivery that was read and is not in flight. */
static enum err replay(struct db *db, struct delivery_stored *s, int64_t now_ms, struct fail *fail)
{
    struct endpoint_is unused = s->endpoint;
    const struct delivery_is before = s->delivery;
    bool known = delivery_step(&s->delivery, &unused, DELIVERY_REPLAY, now_ms, now_ms);
    assert(known); /* allowed from every state */
    s->replayed_at = now_ms;
    return delivery_stored_write(db, s, &before, now_ms, fail);
}

static enum err find(
    struct db *db, struct str id, struct arena *arena, struct delivery_stored *ret,
    struct fail *fail)
{
    QUERY(q, db, DELIVERY_SELECT_STORED " WHERE d.id = $1 AND e.state <> 'deleted'", V(id));
    if (query_row(&q))
        *ret = delivery_stored_read(&q, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery \"%.*s\"", STR_ARG(id));
}

/* True for less than the pause after `at`; a clock that was ahead delays nothing. */
static bool is_recent(int64_t at, int64_t now_ms)
{
    return at != INSTANT_NONE && at <= now_ms && now_ms - at < DELIVERY_PAUSE_MS;
}

static enum err check_replay(
    const struct delivery_stored *s, struct str id, int64_t now_ms, struct fail *fail)
{
    if (s->delivery.cause == DELIVERY_BY_TEST)
        return fail_set(
            fail, ERR_REFUSED, "\"%.*s\" is a test: send another test instead", STR_ARG(id));
    if (s->endpoint.state == ENDPOINT_PAUSED)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is paused: nothing is sent to it", STR_ARG(s->endpoint_id));
    if (s->leased)
        return fail_set(
            fail, ERR_REFUSED, "delivery \"%.*s\" is in flight: try again in a minute",
            STR_ARG(id));
    if (is_recent(s->replayed_at, now_ms))
        return fail_set(
            fail, ERR_REFUSED, "delivery \"%.*s\" was replayed less than %d seconds ago",
            STR_ARG(id), (int)(DELIVERY_PAUSE_MS / SECOND_MS));
    return OK;
}

static enum err try_replay(
    struct db *db, struct str id, int64_t now_ms, struct arena *arena, struct delivery_stored *s,
    struct fail *fail)
{
    TRY(find(db, id, arena, s, fail));
    TRY(check_replay(s, id, now_ms, fail));
    return replay(db, s, now_ms, fail);
}

enum err delivery_replay(struct db *db, struct str id, int64_t now_ms, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct delivery_stored s;
    enum err err = try_replay(db, id, now_ms, &arena, &s, fail);
    if (err == ERR_BUSY) /* another replay or an outcome came first: look again */
        err = try_replay(db, id, now_ms, &arena, &s, fail);
    return err ? err : change_add(db, STR("endpoint"), s.endpoint_id, NULL, fail);
}

/* --- many */

#define MATCHING " d.endpoint_no = $1 AND d.state = $2 AND d.ended_at >= $3 AND d.ended_at < $4"

static void bind_matching(struct query *q, const struct delivery_matching *m)
{
    assert(m->state == DELIVERY_FAILED || m->state == DELIVERY_EXPIRED);
    query_i64(q, m->endpoint_no);
    query_str(q, delivery_state_name(m->state));
    query_i64(q, m->since);
    query_i64(q, m->until);
}

enum err delivery_count_matching(
    struct db *db, const struct delivery_matching *matching, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    QUERY(q, db, "SELECT count(*) FROM delivery d WHERE" MATCHING " AND d.cause <> 'test'");
    bind_matching(&q, matching);
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

static enum err check_endpoint(struct db *db, int64_t no, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct endpoint endpoint;
    TRY(endpoint_find_no(db, no, &arena, &endpoint, fail));
    if (endpoint.is.state == ENDPOINT_PAUSED)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is paused: nothing is sent to it", STR_ARG(endpoint.id));
    return OK;
}

enum err delivery_replay_start(
    struct db *db, const struct delivery_matching *matching, int64_t now_ms, int64_t *ret_matched,
    struct fail *fail)
{
    struct delivery_matching m = *matching;
    if (m.until > now_ms)
        m.until = now_ms;
    enum err err = check_endpoint(db, m.endpoint_no, fail);
    if (!err)
        err = delivery_count_matching(db, &m, ret_matched, fail);
    if (err || *ret_matched == 0)
        return err;
    QUERY(
        q, db,
        "INSERT INTO bulk_replay (endpoint_no, state, since, until, matched, created_at)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING");
    bind_matching(&q, &m);
    query_i64(&q, *ret_matched);
    query_i64(&q, now_ms);
    return query_end_or(
        &q, ERR_REFUSED, fail, "an earlier replay of this endpoint is still under way");
}

enum err delivery_replay_is_open(struct db *db, bool *ret, struct fail *fail)
{
    return query_any(db, ret, fail, "SELECT 1 FROM bulk_replay WHERE ended_at IS NULL LIMIT 1");
}

struct open_bulk {
    int64_t no, after_no;
    struct delivery_matching matching;
    bool wanted; /* false: its endpoint was removed */
};

static enum err find_open(struct db *db, struct open_bulk *ret, bool *ret_found, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT b.no, b.after_no, b.endpoint_no, b.state, b.since, b.until, e.state"
        " FROM bulk_replay b JOIN endpoint e ON e.no = b.endpoint_no"
        " WHERE b.ended_at IS NULL ORDER BY b.no LIMIT 1");
    *ret_found = query_row(&q);
    if (*ret_found)
        *ret = (struct open_bulk){
            .no = query_get_i64(&q, 0),
            .after_no = query_get_i64(&q, 1),
            .matching =
                {
                    .endpoint_no = query_get_i64(&q, 2),
                    .state = delivery_state_from_name(query_get_str(&q, 3)),
                    .since = query_get_i64(&q, 4),
                    .until = query_get_i64(&q, 5),
                },
            .wanted = !str_eq(query_get_str(&q, 6), endpoint_state_name(ENDPOINT_DELETED)),
        };
    return query_end(&q, fail);
}

/* The next deliveries of the replay, in the order of the log. */
static enum err read_batch(
    struct db *db, const struct open_bulk *bulk, int64_t limit, struct arena *arena,
    struct list *list, struct fail *fail)
{
    QUERY(
        q, db,
        DELIVERY_SELECT_STORED " WHERE" MATCHING
                               " AND d.cause <> 'test' AND (d.created_at, d.no) > (coalesce((SELECT"
                               " created_at FROM delivery WHERE no = $5), 0), $5)"
                               " ORDER BY d.created_at, d.no LIMIT $6");
    bind_matching(&q, &bulk->matching);
    query_i64(&q, bulk->after_no);
    query_i64(&q, limit);
    while (query_row(&q))
        *(struct delivery_stored *)list_add(list) = delivery_stored_read(&q, arena);
    return query_end(&q, fail);
}

static enum err note_step(
    struct db *db, const struct open_bulk *bulk, int64_t after_no, int64_t replayed, bool ends,
    int64_t now_ms, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE bulk_replay SET after_no = $2, replayed = replayed + $3, ended_at = $4"
        " WHERE no = $1",
        V(bulk->no), V(after_no), V(replayed), V_OPT(ends ? now_ms : INSTANT_NONE, INSTANT_NONE));
}

static enum err replay_batch(
    struct db *db, const struct open_bulk *bulk, int64_t limit, int64_t now_ms, struct arena *arena,
    bool *ret_more, struct fail *fail)
{
    int64_t replayed = 0, after_no = bulk->after_no;
    LIST_SCOPED(list, struct delivery_stored);
    enum err err = bulk->wanted ? read_batch(db, bulk, limit, arena, &list, fail) : OK;
    *ret_more = !err && (int64_t)list.count == limit;
    for (size_t i = 0; i < list.count && !err; i++) {
        struct delivery_stored *s = (struct delivery_stored *)(void *)list.items + i;
        err = replay(db, s, now_ms, fail);
        after_no = s->no;
        if (!err)
            replayed++;
        else if (err == ERR_BUSY) /* a late outcome, or a replay by itself, came first */
            err = OK;
    }
    return err ? err : note_step(db, bulk, after_no, replayed, !*ret_more, now_ms, fail);
}

enum err delivery_replay_step(
    struct db *db, int64_t limit, int64_t now_ms, bool *ret_more, struct fail *fail)
{
    struct open_bulk bulk;
    ARENA_SCOPED(arena);
    bool found = false;
    *ret_more = false;
    enum err err = find_open(db, &bulk, &found, fail);
    if (err || !found)
        return err;
    return replay_batch(db, &bulk, limit, now_ms, &arena, ret_more, fail);
}

enum err delivery_bulk_find(
    struct db *db, int64_t endpoint_no, struct delivery_bulk *ret, struct fail *fail)
{
    *ret = (struct delivery_bulk){.created_at = INSTANT_NONE, .ended_at = INSTANT_NONE};
    QUERY(
        q, db,
        "SELECT state, since, until, matched, replayed, created_at, ended_at FROM bulk_replay"
        " WHERE endpoint_no = $1 ORDER BY no DESC LIMIT 1",
        V(endpoint_no));
    if (query_row(&q))
        *ret = (struct delivery_bulk){
            .matching =
                {
                    .endpoint_no = endpoint_no,
                    .state = delivery_state_from_name(query_get_str(&q, 0)),
                    .since = query_get_i64(&q, 1),
                    .until = query_get_i64(&q, 2),
                },
            .matched = query_get_i64(&q, 3),
            .replayed = query_get_i64(&q, 4),
            .created_at = query_get_i64(&q, 5),
            .ended_at = query_get_opt_i64(&q, 6, INSTANT_NONE),
        };
    return query_end(&q, fail);
}

/* --- a test */

/* Counts over the deleted endpoints of the account too: removing and adding one opens no limit. */
static enum err check_test(
    struct db *db, const struct endpoint *endpoint, int64_t now_ms, struct fail *fail)
{
    int64_t last = INSTANT_NONE, count = 0;
    QUERY(
        q, db,
        "SELECT max(CASE WHEN e.no = $1 THEN v.created_at END), count(*) FROM event v"
        " JOIN delivery d ON d.event_no = v.no JOIN endpoint e ON e.no = d.endpoint_no"
        " WHERE v.type = '" EVENT_TEST "' AND v.created_at > $2 AND v.created_at <= $3"
        " AND e.account_no = $4",
        V(endpoint->no), V(now_ms - MINUTE_MS), V(now_ms), V(endpoint->account_no));
    if (query_row(&q)) {
        last = query_get_opt_i64(&q, 0, INSTANT_NONE);
        count = query_get_i64(&q, 1);
    }
    enum err err = query_end(&q, fail);
    if (!err && is_recent(last, now_ms))
        err = fail_set(
            fail, ERR_REFUSED, "a test was sent to this endpoint less than %d seconds ago",
            (int)(DELIVERY_PAUSE_MS / SECOND_MS));
    else if (!err && count >= DELIVERY_TESTS_MAX)
        err = fail_set(
            fail, ERR_REFUSED,
            "%d tests were sent to the endpoints of this account in the last minute: wait a minute",
            DELIVERY_TESTS_MAX);
    return err;
}

/* Due before everything that is due for the endpoint: a person waits for the answer. The unique
 * index keeps out a second test. */
static enum err add_test(
    struct db *db, int64_t event_no, int64_t endpoint_no, int64_t now_ms, struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at,"
        " cause) SELECT 'test_' || substr(v.id, 5) || substr(e.id, 4), v.no, e.no, 'pending', 0,"
        " CASE WHEN w.due_at <= $3 THEN w.due_at - 1 ELSE $3 END, $3, 'test'"
        " FROM event v, endpoint e, (SELECT min(due_at) AS due_at FROM delivery"
        " WHERE endpoint_no = $2 AND state = 'pending') w WHERE v.no = $1 AND e.no = $2"
        " ON CONFLICT DO NOTHING",
        V(event_no), V(endpoint_no), V(now_ms));
    return query_end_or(&q, ERR_REFUSED, fail, "a test of this endpoint is on its way");
}

static enum err read_test_id(
    struct db *db, int64_t event_no, char ret_id[static DELIVERY_ID_MAX], struct fail *fail)
{
    struct str id = STR_NULL;
    QUERY(q, db, "SELECT id FROM delivery WHERE event_no = $1", V(event_no));
    if (query_row(&q))
        id = query_get_str(&q, 0);
    assert(id.n < DELIVERY_ID_MAX);
    memcpy(ret_id, id.p ? id.p : "", id.n);
    ret_id[id.n] = '\0';
    return query_end(&q, fail);
}

static enum err test_found(
    struct db *db, const struct endpoint *endpoint, struct str body, int64_t now_ms,
    char ret_id[static DELIVERY_ID_MAX], struct fail *fail)
{
    int64_t event_no = 0;
    TRY(check_test(db, endpoint, now_ms, fail));
    TRY(event_add_test(db, body, now_ms, &event_no, fail));
    TRY(add_test(db, event_no, endpoint->no, now_ms, fail));
    TRY(read_test_id(db, event_no, ret_id, fail));
    return change_add(db, STR("endpoint"), endpoint->id, NULL, fail);
}

enum err delivery_test(
    struct db *db, struct str endpoint_id, struct str body, int64_t now_ms,
    char ret_id[static DELIVERY_ID_MAX], struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct endpoint endpoint;
    TRY(endpoint_find(
        &(struct act){.db = db, .arena = &arena, .fail = fail}, endpoint_id, &endpoint));
    return test_found(db, &endpoint, body, now_ms, ret_id, fail);
}
