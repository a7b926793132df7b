/* Outcomes and upkeep; see delivery.h. */
#include "store/account/delivery.h"

#include <assert.h>

#include "store/public/event.h"
#include "store/row/change.h"

/* Stored states of deliveries. */

struct delivery_stored delivery_stored_read(const struct query *q, struct arena *arena)
{
    return (struct delivery_stored){
        .no = query_get_i64(q, 0),
        .endpoint_no = query_get_i64(q, 1),
        .attempts = query_get_i64(q, 2),
        .leased = !query_is_null(q, 7),
        .replayed_at = query_get_opt_i64(q, 10, INSTANT_NONE),
        .erased = query_get_str(q, 11).n == 0, /* endpoint_erase_all */
        .endpoint_id = query_text(q, 8, arena),
        .delivery =
            {
                .state = delivery_state_from_name(query_get_str(q, 3)),
                .cause = delivery_cause_from_name(query_get_str(q, 9)),
                .tries = (int)query_get_i64(q, 4),
                .counted_in = query_get_i64(q, 5),
                .due_at = query_get_i64(q, 6),
            },
        .endpoint = endpoint_is_read(q, 12),
    };
}

/* Finds it, also if its endpoint is deleted. ERR_NOT_FOUND: no such delivery. */
static enum err delivery_stored_find_no(
    struct db *db, int64_t no, struct arena *arena, struct delivery_stored *ret, struct fail *fail)
{
    QUERY(q, db, DELIVERY_SELECT_STORED " WHERE d.no = $1", V(no));
    if (query_row(&q))
        *ret = delivery_stored_read(&q, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no delivery with that number");
}

enum err delivery_stored_write(
    struct db *db, const struct delivery_stored *s, const struct delivery_is *before,
    int64_t ended_at, struct fail *fail)
{
    bool pending = s->delivery.state == DELIVERY_PENDING;
    QUERY(
        q, db,
        "UPDATE delivery SET state = $2, tries = $3, counted_in = $4, due_at = $5, ended_at = $6,"
        " cause = $10, replayed_at = $11, lease_node = NULL, lease_until = NULL"
        " WHERE no = $1 AND state = $7 AND tries = $8 AND attempts = $9",
        V(s->no), V(delivery_state_name(s->delivery.state)), V(s->delivery.tries),
        V(s->delivery.counted_in), V(s->delivery.due_at),
        V_OPT(pending ? INSTANT_NONE : ended_at, INSTANT_NONE),
        V(delivery_state_name(before->state)), V(before->tries), V(s->attempts),
        V(delivery_cause_name(s->delivery.cause)), V_OPT(s->replayed_at, INSTANT_NONE));
    return query_end_or(
        &q, ERR_BUSY, fail, "delivery %lld was moved by another server", (long long)s->no);
}

static bool same_endpoint(const struct endpoint_is *a, const struct endpoint_is *b)
{
    return a->state == b->state && a->failures == b->failures && a->streak == b->streak &&
           a->pauses == b->pauses;
}

static enum delivery_event event_of(const struct delivery_outcome *o)
{
    enum { GONE = 410 };
    return o->accepted ? DELIVERY_ACCEPTED : o->status == GONE ? DELIVERY_GONE : DELIVERY_REFUSED;
}

/* --- outcomes */

/* After its account was deleted, nothing is stored of where it was sent and what came back. */
static enum err add_attempt(
    struct db *db, const struct delivery_outcome *o, bool erased, bool *ret_added,
    struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO attempt (delivery_no, number, started_at, ended_at, status, error, detail,"
        " remote, retry_after, resolve_ms, connect_ms, tls_ms, wait_ms, answer, url, request,"
        " endpoint_no) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,"
        " $16, (SELECT CASE WHEN cause <> 'test' THEN endpoint_no END FROM delivery"
        " WHERE no = $1)) ON CONFLICT (delivery_no, number) DO NOTHING",
        V(o->delivery_no), V(o->attempt), V(o->started_at), V(o->ended_at), V_OPT(o->status, 0),
        V(o->error), V(erased ? STR_NULL : o->detail), V(erased ? STR_NULL : o->remote),
        V(o->retry_after), V_OPT(o->resolve_ms, -1), V_OPT(o->connect_ms, -1), V_OPT(o->tls_ms, -1),
        V_OPT(o->wait_ms, -1), V_BLOB(erased ? NULL : o->answer.p, erased ? 0 : o->answer.n),
        V(erased ? STR_NULL : o->url), V(erased ? STR_NULL : o->request));
    enum err err = query_end(&q, fail);
    *ret_added = !err && query_changes(&q) > 0;
    return err;
}

/* A later attempt overtook one whose lease expired: that one counts only if it was accepted. */
static bool decides(const struct delivery_outcome *o, const struct delivery_stored *s)
{
    return o->accepted || o->attempt == s->attempts;
}

/* `s` is the delivery as it was read. */
static enum err move(
    struct db *db, const struct delivery_outcome *o, struct delivery_stored s, struct arena *arena,
    struct delivery_effect *ret, struct fail *fail)
{
    struct delivery_is before;
    bool written = false;
    enum err err = OK;
    while (!err && !written) {
        before = s.delivery;
        ret->endpoint_no = s.endpoint_no;
        ret->before = ret->after = s.endpoint;
        if (!decides(o, &s) ||
            !delivery_step(
                &s.delivery, &s.endpoint, event_of(o), o->started_at + o->database_ahead_ms,
                o->ended_at + o->database_ahead_ms))
            return OK;
        if (s.delivery.state == DELIVERY_PENDING) /* due on the wall clock */
            s.delivery.due_at -= o->database_ahead_ms;
        ret->after = s.endpoint;
        written = same_endpoint(&ret->before, &ret->after);
        if (!written)
            err = endpoint_write(
                &(struct act){.db = db, .now_ms = o->ended_at, .fail = fail}, s.endpoint_no,
                &ret->before, &ret->after, &written);
        if (!err && !written) /* the endpoint changed: look again */
            err = delivery_stored_find_no(db, o->delivery_no, arena, &s, fail);
    }
    if (!err)
        err = delivery_stored_write(db, &s, &before, o->ended_at, fail);
    if (!err && ret->before.state != ret->after.state)
        err = change_add(db, STR("endpoint"), s.endpoint_id, NULL, fail);
    return err;
}

enum err delivery_end(
    struct db *db, const struct delivery_outcome *o, struct delivery_effect *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct delivery_stored s;
    *ret = (struct delivery_effect){.known = false};
    assert(db_in_transaction(db) && o->answer.n <= DELIVERY_ANSWER_SIZE_MAX);
    TRY(delivery_stored_find_no(db, o->delivery_no, &arena, &s, fail));
    TRY(add_attempt(db, o, s.erased, &ret->known, fail));
    if (ret->known)
        TRY(move(db, o, s, &arena, ret, fail));
    return OK;
}

enum err delivery_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE delivery SET lease_node = NULL, lease_until = NULL,"
        " due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END WHERE lease_node = $1",
        V(node), V(now_ms));
}

/* --- upkeep */

enum err delivery_expire(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE delivery SET state = 'expired', ended_at = $1, lease_node = NULL,"
        " lease_until = NULL WHERE no IN (SELECT d.no FROM endpoint e JOIN account a"
        " ON a.no = e.account_no JOIN delivery d ON d.endpoint_no = e.no"
        " WHERE NOT " DELIVERY_MAY_GO " AND d.state = 'pending'"
        " AND (coalesce(d.replayed_at, d.created_at) <= $2 OR e.state = 'deleted')"
        " AND d.lease_node IS NULL LIMIT $3)",
        V(now_ms), V(now_ms - (int64_t)DELIVERY_HELD_DAYS * DAY_MS), V(limit));
    return query_end_count(&q, ret_count, fail);
}

/* The first attempt is due at once, a later one after the longest wait at most. A leased delivery
 * gets a lease from now on, because it may be in flight. */
enum err delivery_draw_in(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE delivery SET due_at = CASE WHEN lease_node IS NULL"
        " THEN CAST($1 AS BIGINT) ELSE CAST($5 AS BIGINT) END"
        " WHERE no IN (SELECT no FROM delivery WHERE state = 'pending'"
        " AND (due_at > $2 OR (tries = 0 AND due_at > $3)) LIMIT $4)",
        V(now_ms), V(now_ms + DELIVERY_WAIT_MAX_MS + DELIVERY_LEASE_MS),
        V(now_ms + 2 * (int64_t)DELIVERY_LEASE_MS), V(limit), V(now_ms + DELIVERY_LEASE_MS));
    return query_end_count(&q, ret_count, fail);
}

enum err delivery_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM attempt WHERE (delivery_no, number) IN (SELECT delivery_no, number"
        " FROM attempt WHERE started_at < $1 ORDER BY started_at LIMIT $2)",
        V(now_ms - (int64_t)DELIVERY_LOG_DAYS * DAY_MS), V(limit));
    return query_end_count(&q, ret_count, fail);
}

/* Their attempts are deleted first, because they are as old. */
enum err delivery_prune_tests(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    int64_t until = now_ms - (int64_t)DELIVERY_LOG_DAYS * DAY_MS;
    QUERY(
        q, db,
        "DELETE FROM delivery WHERE no IN (SELECT d.no FROM event v JOIN delivery d"
        " ON d.event_no = v.no WHERE v.type = '" EVENT_TEST "' AND v.created_at < $1"
        " AND d.ended_at < $1 AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.delivery_no = d.no)"
        " ORDER BY v.no LIMIT $2)",
        V(until), V(limit));
    TRY(query_end_count(&q, ret_count, fail));
    return query_run(
        db, fail,
        "DELETE FROM event WHERE type = '" EVENT_TEST "' AND created_at < $1"
        " AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.event_no = event.no)",
        V(until));
}
