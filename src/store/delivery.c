/* Outcomes, replays and upkeep; see delivery.h. */
#include "store/delivery.h"

#include <assert.h>

#include "store/change.h"
#include "store/endpoint.h"
#include "store/endpoint_open.h"
#include "store/list.h"

/* The stored state of a delivery and its endpoint. */
struct delivery_stored {
    int64_t no, endpoint_no;
    int64_t attempts;
    bool leased;
    struct str endpoint_id; /* in the arena */
    struct delivery_is delivery;
    struct endpoint_is endpoint;
};

#define SELECT_STORED                                                                              \
    "SELECT d.no, d.endpoint_no, d.attempts, d.state, d.tries, d.counted_in, d.due_at,"            \
    " d.lease_node, e.id, e.state, e.failures, e.streak"                                           \
    " FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"

static struct delivery_stored read_stored(const struct query *q, struct arena *arena)
{
    return (struct delivery_stored){
        .no = query_get_i64(q, 0),
        .endpoint_no = query_get_i64(q, 1),
        .attempts = query_get_i64(q, 2),
        .leased = !query_is_null(q, 7),
        .endpoint_id = arena_str(arena, query_get_str(q, 8)),
        .delivery =
            {
                .state = delivery_state_from_name(query_get_str(q, 3)),
                .tries = (int)query_get_i64(q, 4),
                .counted_in = query_get_i64(q, 5),
                .due_at = query_get_i64(q, 6),
            },
        .endpoint =
            {
                .state = endpoint_state_from_name(query_get_str(q, 9)),
                .failures = (int)query_get_i64(q, 10),
                .streak = query_get_i64(q, 11),
            },
    };
}

static enum err read_one(
    struct query *q, struct arena *arena, struct delivery_stored *ret, struct str named,
    struct fail *fail)
{
    if (query_row(q))
        *ret = read_stored(q, arena);
    return query_end_or(q, ERR_NOT_FOUND, fail, "there is no delivery \"%.*s\"", STR_ARG(named));
}

static enum err find_by_no(
    struct db *db, int64_t no, struct arena *arena, struct delivery_stored *ret, struct fail *fail)
{
    struct query q;
    query_start(&q, db, SELECT_STORED " WHERE d.no = $1");
    query_i64(&q, no);
    return read_one(&q, arena, ret, STR("with that number"), fail);
}

/* Without deleted endpoints. */
static enum err find_by_id(
    struct db *db, struct str id, struct arena *arena, struct delivery_stored *ret,
    struct fail *fail)
{
    struct query q;
    query_start(&q, db, SELECT_STORED " WHERE d.id = $1 AND e.state <> 'deleted'");
    query_str(&q, id);
    return read_one(&q, arena, ret, id, fail);
}

/* ERR_BUSY: another server claimed or ended it after it was read. */
static enum err write_delivery(
    struct db *db, const struct delivery_stored *s, const struct delivery_is *before,
    int64_t ended_at, struct fail *fail)
{
    bool pending = s->delivery.state == DELIVERY_PENDING;
    struct query q;
    query_start(
        &q, db,
        "UPDATE delivery SET state = $2, tries = $3, counted_in = $4, due_at = $5, ended_at = $6,"
        " lease_node = NULL, lease_until = NULL"
        " WHERE no = $1 AND state = $7 AND tries = $8 AND attempts = $9");
    query_i64(&q, s->no);
    query_str(&q, delivery_state_name(s->delivery.state));
    query_i64(&q, s->delivery.tries);
    query_i64(&q, s->delivery.counted_in);
    query_i64(&q, s->delivery.due_at);
    query_opt_i64(&q, pending ? INSTANT_NONE : ended_at, INSTANT_NONE);
    query_str(&q, delivery_state_name(before->state));
    query_i64(&q, before->tries);
    query_i64(&q, s->attempts);
    return query_end_or(
        &q, ERR_BUSY, fail, "delivery %lld was moved by another server", (long long)s->no);
}

static bool same_endpoint(const struct endpoint_is *a, const struct endpoint_is *b)
{
    return a->state == b->state && a->failures == b->failures && a->streak == b->streak;
}

/* --- outcomes */

static enum err add_attempt(
    struct db *db, const struct delivery_outcome *o, bool *ret_added, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO attempt (delivery_no, number, started_at, ended_at, status, error, detail,"
        " remote, retry_after, resolve_ms, connect_ms, tls_ms, wait_ms, answer)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
        " ON CONFLICT (delivery_no, number) DO NOTHING");
    query_i64(&q, o->delivery_no);
    query_i64(&q, o->attempt);
    query_i64(&q, o->started_at);
    query_i64(&q, o->ended_at);
    query_opt_i64(&q, o->status, 0);
    query_str(&q, o->error);
    query_str(&q, o->detail);
    query_str(&q, o->remote);
    query_str(&q, o->retry_after);
    query_opt_i64(&q, o->resolve_ms, -1);
    query_opt_i64(&q, o->connect_ms, -1);
    query_opt_i64(&q, o->tls_ms, -1);
    query_opt_i64(&q, o->wait_ms, -1);
    query_blob(&q, o->answer.p, o->answer.n);
    enum err err = query_end(&q, fail);
    *ret_added = !err && query_changes(&q) > 0;
    return err;
}

/* A later attempt overtook one whose lease expired: that one counts only if it was accepted. */
static bool decides(const struct delivery_outcome *o, const struct delivery_stored *s)
{
    return o->accepted || o->attempt == s->attempts;
}

static enum err move(
    struct db *db, const struct delivery_outcome *o, struct arena *arena,
    struct delivery_effect *ret, struct fail *fail)
{
    struct delivery_stored s;
    struct delivery_is before;
    bool written = false;
    enum err err = OK;
    while (!err && !written) {
        err = find_by_no(db, o->delivery_no, arena, &s, fail);
        if (err)
            return err;
        before = s.delivery;
        ret->endpoint_no = s.endpoint_no;
        ret->before = ret->after = s.endpoint;
        if (!decides(o, &s) || !delivery_step(
                                   &s.delivery, &s.endpoint,
                                   o->accepted ? DELIVERY_ACCEPTED : DELIVERY_REFUSED, o->ended_at))
            return OK;
        ret->after = s.endpoint;
        written = same_endpoint(&ret->before, &ret->after);
        if (!written)
            err = endpoint_write(
                db, s.endpoint_no, &ret->before, &ret->after, o->ended_at, &written, fail);
    }
    if (!err)
        err = write_delivery(db, &s, &before, o->ended_at, fail);
    if (!err && ret->before.state != ret->after.state)
        err = change_add(db, STR("endpoint"), s.endpoint_id, NULL, fail);
    return err;
}

enum err delivery_end(
    struct db *db, const struct delivery_outcome *o, struct delivery_effect *ret, struct fail *fail)
{
    struct arena arena;
    *ret = (struct delivery_effect){.known = false};
    assert(db_in_transaction(db) && o->answer.n <= DELIVERY_ANSWER_SIZE_MAX);
    enum err err = add_attempt(db, o, &ret->known, fail);
    if (err || !ret->known)
        return err;
    arena_init(&arena);
    err = move(db, o, &arena, ret, fail);
    arena_finish(&arena);
    return err;
}

enum err delivery_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE delivery SET lease_node = NULL, lease_until = NULL,"
        " due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END WHERE lease_node = $1");
    query_str(&q, node);
    query_i64(&q, now_ms);
    return query_end(&q, fail);
}

/* --- upkeep */

enum err delivery_expire(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE delivery SET state = 'expired', ended_at = $1, lease_node = NULL,"
        " lease_until = NULL WHERE no IN (SELECT d.no FROM endpoint e JOIN account a"
        " ON a.no = e.account_no JOIN delivery d ON d.endpoint_no = e.no"
        " WHERE NOT " ENDPOINT_IS_OPEN " AND d.state = 'pending'"
        " AND d.created_at <= $2 AND d.lease_node IS NULL LIMIT $3)");
    query_i64(&q, now_ms);
    query_i64(&q, now_ms - (int64_t)DELIVERY_HELD_DAYS * DAY_MS);
    query_i64(&q, limit);
    return query_end_count(&q, ret_count, fail);
}

/* The first attempt is due at once, a later one after the longest wait at most. A leased delivery
 * gets a lease from now on, because it may be in flight. */
enum err delivery_draw_in(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE delivery SET due_at = CASE WHEN lease_node IS NULL"
        " THEN CAST($1 AS BIGINT) ELSE CAST($5 AS BIGINT) END"
        " WHERE no IN (SELECT no FROM delivery WHERE state = 'pending'"
        " AND (due_at > $2 OR (tries = 0 AND due_at > $3)) LIMIT $4)");
    query_i64(&q, now_ms);
    query_i64(&q, now_ms + DELIVERY_WAIT_MAX_MS + DELIVERY_LEASE_MS);
    query_i64(&q, now_ms + 2 * (int64_t)DELIVERY_LEASE_MS);
    query_i64(&q, limit);
    query_i64(&q, now_ms + DELIVERY_LEASE_MS);
    return query_end_count(&q, ret_count, fail);
}

enum err delivery_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "DELETE FROM attempt WHERE (delivery_no, number) IN (SELECT delivery_no, number"
        " FROM attempt WHERE started_at < $1 ORDER BY started_at LIMIT $2)");
    query_i64(&q, now_ms - (int64_t)DELIVERY_LOG_DAYS * DAY_MS);
    query_i64(&q, limit);
    return query_end_count(&q, ret_count, fail);
}

/* --- replay */

/* Moves a delivery that was read, unless it is in flight. */
static enum err replay(struct db *db, struct delivery_stored *s, int64_t now_ms, struct fail *fail)
{
    struct endpoint_is unused = s->endpoint;
    const struct delivery_is before = s->delivery;
    bool known = delivery_step(&s->delivery, &unused, DELIVERY_REPLAY, now_ms);
    assert(known); /* allowed from every state */
    return write_delivery(db, s, &before, now_ms, fail);
}

/* Sorted by endpoint, so that each gets one notice. */
static enum err replay_all(
    struct db *db, struct delivery_stored *items, size_t count, int64_t now_ms, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < count && !err; i++) {
        err = replay(db, &items[i], now_ms, fail);
        bool is_last = i + 1 == count || items[i + 1].endpoint_no != items[i].endpoint_no;
        if (!err && is_last)
            err = change_add(db, STR("endpoint"), items[i].endpoint_id, NULL, fail);
    }
    return err;
}

enum err delivery_replay(struct db *db, struct str id, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct delivery_stored s;
    arena_init(&arena);
    enum err err = find_by_id(db, id, &arena, &s, fail);
    if (!err && s.leased)
        err = fail_set(
            fail, ERR_REFUSED, "delivery \"%.*s\" is in flight: try again in a minute",
            STR_ARG(id));
    if (!err)
        err = replay_all(db, &s, 1, now_ms, fail);
    arena_finish(&arena);
    return err;
}

enum err delivery_replay_since(
    struct db *db, enum delivery_state state, struct str endpoint, int64_t since, int64_t now_ms,
    int64_t *ret_count, struct fail *fail)
{
    struct arena arena;
    struct list list;
    struct query q;
    assert(state == DELIVERY_FAILED || state == DELIVERY_EXPIRED);
    arena_init(&arena);
    list_init(&list, sizeof(struct delivery_stored));
    query_start(
        &q, db,
        SELECT_STORED " WHERE d.state = $1 AND d.ended_at >= $2 AND e.state <> 'deleted'"
                      " AND (CAST($3 AS TEXT) IS NULL OR e.id = $3) ORDER BY e.no, d.no");
    query_str(&q, delivery_state_name(state));
    query_i64(&q, since);
    query_str(&q, endpoint);
    while (query_row(&q))
        *(struct delivery_stored *)list_add(&list) = read_stored(&q, &arena);
    enum err err = query_end(&q, fail);
    size_t count = list.count;
    struct delivery_stored *items = list_keep(&list, &arena);
    if (!err)
        err = replay_all(db, items, count, now_ms, fail);
    *ret_count = err ? 0 : (int64_t)count;
    list_finish(&list);
    arena_finish(&arena);
    return err;
}
