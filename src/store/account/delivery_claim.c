/*
 * Claiming; see delivery.h. The claim walks endpoints with due deliveries in the order of their
 * numbers, starting after the last claim. It uses the index of waiting deliveries only: one step
 * finds the next endpoint, however long the queue of the previous one is.
 */
#include "store/account/delivery.h"

#include <assert.h>

#include "db/row_digest.h"
#include "store/account/delivery_by_hand.h"
#include "store/account/endpoint.h"

enum { ENDPOINTS_MAX = 4 * DELIVERY_CLAIM_MAX }; /* the most endpoints that one claim visits */

/* Which deliveries of an endpoint may go. */
enum gate { GATE_SHUT, GATE_BY_HAND, GATE_HALF_OPEN, GATE_OPEN };

/* `$2` is now by the database's clock. A pause or a lease that ends later than the longest one
 * would was set when that clock was ahead. */
#define LEASED(row, now)                                                                           \
    row ".lease_until > " now " AND " row ".lease_until <= CAST(" now " AS BIGINT) + 60000"
#define GATE                                                                                       \
    "CASE WHEN NOT " ENDPOINT_TAKES_BY_HAND " THEN 0 WHEN NOT " ENDPOINT_IS_OPEN " THEN 1"         \
    " WHEN e.pauses = 0 THEN 3"                                                                    \
    " WHEN e.next_try_at > $2 AND e.next_try_at <= CAST($2 AS BIGINT) + 60000 THEN 1"              \
    " WHEN EXISTS (SELECT 1 FROM delivery f WHERE f.endpoint_no = e.no AND f.state = 'pending'"    \
    " AND f.cause = 'event' AND " LEASED("f", "$2") ") THEN 1 ELSE 2 END"
_Static_assert(ENDPOINT_PAUSE_MAX_MS == 60000, "the pause in GATE");
_Static_assert(DELIVERY_LEASE_MS == 60000, "the lease in LEASED");

/* An endpoint on the walk. */
struct delivery_claim_endpoint {
    int64_t no;
    enum gate gate;
    int64_t on_way;
    struct str id, url, secret_sealed, old_secret_sealed;
    int64_t old_secret_until;
};

struct claiming {
    struct db *db;
    const struct delivery_claim *claim;
    struct arena *arena;
    struct delivery_claims *ret;
    struct delivery_event_body *events[DELIVERY_CLAIM_MAX]; /* read so far, once each */
    size_t event_count;
    size_t body_bytes; /* total size of those bodies */
    struct fail *fail;
};

/* Locks out other servers' claims until the transaction ends. */
static enum err lock(struct db *db, struct fail *fail)
{
    return query_run(db, fail, "UPDATE counter SET value = value + 1 WHERE name = 'claim'");
}

static int64_t database_now(const struct claiming *c)
{
    return c->claim->now_ms + c->claim->database_ahead_ms;
}

/* Finds endpoints above `after` with due deliveries that may go, ascending, at most `max`. */
static enum err find_due(
    const struct claiming *c, int64_t after, int64_t *ret, size_t max, size_t *ret_count)
{
    *ret_count = 0;
    QUERY(
        q, c->db,
        "WITH RECURSIVE waiting(no) AS (SELECT min(endpoint_no) FROM delivery"
        " WHERE state = 'pending' AND endpoint_no > $1 UNION ALL"
        " SELECT (SELECT min(endpoint_no) FROM delivery WHERE state = 'pending'"
        " AND endpoint_no > w.no) FROM waiting w WHERE w.no IS NOT NULL)"
        " SELECT w.no FROM waiting w WHERE w.no IS NOT NULL AND CASE (SELECT " GATE
        " FROM endpoint e JOIN account a ON a.no = e.account_no WHERE e.no = w.no)"
        " WHEN 0 THEN NULL WHEN 1 THEN (SELECT min(d.due_at) FROM delivery d"
        " WHERE d.endpoint_no = w.no AND d.state = 'pending' AND d.cause <> 'event')"
        " ELSE (SELECT min(d.due_at) FROM delivery d WHERE d.endpoint_no = w.no"
        " AND d.state = 'pending') END <= $4"
        " LIMIT $3",
        V(after), V(database_now(c)), V((int64_t)max), V(c->claim->now_ms));
    while (query_row(&q))
        ret[(*ret_count)++] = query_get_i64(&q, 0);
    return query_end(&q, c->fail);
}

/* What it says is lost goes to nobody. */
static void note_damage(struct claiming *c, struct str id)
{
    c->ret->damaged++;
    c->ret->damaged_id = id;
}

static enum err read_owner(struct claiming *c, int64_t no, struct delivery_claim_endpoint *ret)
{
    enum { AT = 2 };
    *ret = (struct delivery_claim_endpoint){.no = no};
    QUERY(
        q, c->db,
        "SELECT " GATE
        ", (SELECT count(*) FROM delivery l WHERE l.endpoint_no = e.no AND l.state = 'pending'"
        " AND " LEASED("l", "$2") ")," ROW_DIGEST_ENDPOINT_COLUMNS
                                  ", e.digest FROM endpoint e JOIN account a ON a.no = "
                                  "e.account_no WHERE e.no = $1",
        V(no), V(database_now(c)));
    if (query_row(&q))
        *ret = (struct delivery_claim_endpoint){
            .no = no,
            .gate = (enum gate)query_get_i64(&q, 0),
            .on_way = query_get_i64(&q, 1),
            .id = query_text(&q, AT + 1, c->arena),
            .url = query_text(&q, AT + 3, c->arena),
            .secret_sealed = arena_str(c->arena, query_get_blob(&q, AT + 4)),
            .old_secret_sealed = arena_str(c->arena, query_get_blob(&q, AT + 5)),
            .old_secret_until = query_get_opt_i64(&q, AT + 6, INSTANT_NONE),
        };
    if (q.found && row_is_damaged(&q, AT, ROW_DIGEST_ENDPOINT)) {
        ret->gate = GATE_SHUT;
        note_damage(c, ret->id);
    }
    return query_end(&q, c->fail);
}

static struct delivery_event_body *find_event(const struct claiming *c, int64_t no)
{
    for (size_t i = c->event_count; i > 0; i--) /* neighbours in a queue often share an event */
        if (c->events[i - 1]->no == no)
            return c->events[i - 1];
    return NULL;
}

static enum err read_event(struct claiming *c, int64_t no, struct delivery_event_body **ret)
{
    *ret = ARENA_NEW(c->arena, struct delivery_event_body);
    QUERY(q, c->db, "SELECT " ROW_DIGEST_EVENT_COLUMNS ", digest FROM event WHERE no = $1", V(no));
    if (query_row(&q)) {
        **ret = (struct delivery_event_body){
            no, query_text(&q, 2, c->arena), query_text(&q, 6, c->arena)};
        if (row_is_damaged(&q, 0, ROW_DIGEST_EVENT)) {
            (*ret)->type = STR_NULL;
            note_damage(c, query_text(&q, 1, c->arena));
        }
    }
    TRY(query_end(&q, c->fail));
    c->events[c->event_count++] = *ret;
    c->body_bytes += (*ret)->body.n;
    return OK;
}

/* Candidate rows of a queue, before they are claimed. */
struct due {
    int64_t no, event_no, attempt;
    struct str id;
};

#define SELECT_DUE                                                                                 \
    "SELECT no, event_no, attempts + 1, id FROM delivery d WHERE endpoint_no = $1"                 \
    " AND state = 'pending' AND due_at <= $2 AND NOT (lease_until IS NOT NULL AND " LEASED(        \
        "d", "$4") ")"
#define OLDEST_FIRST " ORDER BY due_at, no LIMIT $3"

/* The deliveries that a gate lets through. */
static const char *const select_due[] = {
    [GATE_BY_HAND] = SELECT_DUE " AND cause <> 'event'" OLDEST_FIRST,
    [GATE_HALF_OPEN] = SELECT_DUE " AND cause = 'event' ORDER BY tries, due_at, no LIMIT $3",
    [GATE_OPEN] = SELECT_DUE OLDEST_FIRST,
};

static enum err read_due(
    struct claiming *c, int64_t endpoint_no, enum gate gate, size_t share, struct due *ret,
    size_t *ret_count)
{
    *ret_count = 0;
    QUERY(
        q, c->db, select_due[gate], V(endpoint_no), V(c->claim->now_ms),
        V((int64_t)share + c->claim->per_endpoint_max)); /* the most that may be in flight */
    query_i64(&q, database_now(c));
    while (*ret_count < share && query_row(&q)) {
        int64_t no = query_get_i64(&q, 0);
        if (c->claim->in_hand && c->claim->in_hand(c->claim->ctx, no))
            continue;
        ret[(*ret_count)++] = (struct due){
            no, query_get_i64(&q, 1), query_get_i64(&q, 2), query_text(&q, 3, c->arena)};
    }
    return query_end(&q, c->fail);
}

/* An event that is damaged makes room for others. */
static enum err put_off(struct claiming *c, const struct due *due)
{
    return query_run(
        c->db, c->fail, "UPDATE delivery SET due_at = $2 WHERE no = $1", V(due->no),
        V(c->claim->now_ms + HOUR_MS));
}

/* Skips rows that another server ended after they were read. */
static enum err take(
    struct claiming *c, const struct delivery_claim_endpoint *owner, const struct due *due)
{
    struct delivery_event_body *event = find_event(c, due->event_no);
    if (!event)
        TRY(read_event(c, due->event_no, &event));
    if (str_is_null(event->type))
        return put_off(c, due);
    QUERY(
        q, c->db,
        "UPDATE delivery SET attempts = $2, lease_node = $3, lease_until = $6, due_at = $4"
        " WHERE no = $1 AND state = 'pending' AND due_at <= $5",
        V(due->no), V(due->attempt), V(c->claim->node), V(c->claim->now_ms + DELIVERY_LEASE_MS),
        V(c->claim->now_ms), V(database_now(c) + DELIVERY_LEASE_MS));
    enum err err = query_end(&q, c->fail);
    if (err || query_changes(&q) == 0)
        return err;
    c->ret->items[c->ret->count++] = (struct delivery_claimed){
        .no = due->no,
        .id = due->id,
        .attempt = due->attempt,
        .event = event,
        .endpoint_no = owner->no,
        .endpoint_id = owner->id,
        .url = owner->url,
        .secret_sealed = owner->secret_sealed,
        .old_secret_sealed = owner->old_secret_sealed,
        .old_secret_until = owner->old_secret_until,
    };
    return OK;
}

static bool is_full(const struct claiming *c)
{
    return c->ret->count >= c->claim->limit || c->body_bytes >= c->claim->bodies_max;
}

/* The room that the endpoint's cap leaves. */
static size_t cap_left(const struct claiming *c, const struct delivery_claim_endpoint *owner)
{
    int64_t cap = c->claim->per_endpoint_max;
    return owner->on_way < cap ? (size_t)(cap - owner->on_way) : 0;
}

static enum err take_through(
    struct claiming *c, const struct delivery_claim_endpoint *owner, enum gate gate, size_t cap)
{
    struct due due[DELIVERY_CLAIM_MAX];
    size_t left = c->claim->limit - c->ret->count, count = 0;
    enum err err = cap ? read_due(c, owner->no, gate, cap < left ? cap : left, due, &count) : OK;
    if (count == cap)
        c->ret->capped = true;
    for (size_t i = 0; i < count && !err && !is_full(c); i++)
        err = take(c, owner, &due[i]);
    return err;
}

static enum err take_share(struct claiming *c, const struct delivery_claim_endpoint *owner)
{
    size_t cap = cap_left(c, owner);
    if (owner->gate == GATE_SHUT)
        return OK;
    if (owner->gate != GATE_HALF_OPEN)
        return take_through(c, owner, owner->gate, cap);
    enum err err = take_through(c, owner, GATE_BY_HAND, cap);
    return err || is_full(c) ? err : take_through(c, owner, GATE_HALF_OPEN, 1);
}

/* Claims from these endpoints. *ret_last is the last one visited. */
static enum err take_shares(
    struct claiming *c, const int64_t *endpoints, size_t count, int64_t *ret_last)
{
    enum err err = OK;
    for (size_t i = 0; i < count && !err && !is_full(c); i++) {
        struct delivery_claim_endpoint owner;
        *ret_last = endpoints[i];
        err = read_owner(c, endpoints[i], &owner);
        if (!err)
            err = take_share(c, &owner);
    }
    return err;
}

/* First the endpoints after the last claim's end, then those up to it. */
static enum err find_all_due(
    const struct claiming *c, int64_t *ret, size_t *ret_count, bool *ret_is_all)
{
    int64_t after = c->claim->after_endpoint;
    size_t above = 0, all = 0;
    enum err err = find_due(c, after, ret, ENDPOINTS_MAX, &above);
    if (!err && above < ENDPOINTS_MAX && after > 0)
        err = find_due(c, 0, ret + above, ENDPOINTS_MAX - above, &all);
    *ret_is_all = above + all < ENDPOINTS_MAX;
    *ret_count = above;
    while (!err && *ret_count < above + all && ret[*ret_count] <= after)
        ++*ret_count;
    return err;
}

/* Makes some deliveries of a replay of many due. */
static enum err replay_some(
    struct db *db, const struct delivery_claim *claim, bool *ret_locked, bool *ret_more,
    struct fail *fail)
{
    bool is_open = false;
    *ret_locked = *ret_more = false;
    enum err err = claim->replays_max ? delivery_replay_is_open(db, &is_open, fail) : OK;
    if (err || !is_open)
        return err;
    *ret_locked = true;
    err = lock(db, fail);
    return err ? err
               : delivery_replay_step(
                     db, (int64_t)claim->replays_max, claim->now_ms, ret_more, fail);
}

enum err delivery_claim(
    struct db *db, const struct delivery_claim *claim, struct arena *arena,
    struct delivery_claims *ret, int64_t *ret_endpoint, struct fail *fail)
{
    struct claiming c = {.db = db, .claim = claim, .arena = arena, .ret = ret, .fail = fail};
    int64_t endpoints[ENDPOINTS_MAX];
    size_t count = 0;
    bool is_all = true, locked, replays_more;
    assert(db_in_transaction(db) && claim->limit <= DELIVERY_CLAIM_MAX);
    ret->count = ret->damaged = 0;
    ret->more = ret->capped = false;
    *ret_endpoint = claim->after_endpoint;
    enum err err = replay_some(db, claim, &locked, &replays_more, fail);
    if (!err)
        err = find_all_due(&c, endpoints, &count, &is_all);
    ret->more = replays_more;
    if (err || !count)
        return err;
    if (!locked)
        err = lock(db, fail);
    if (!err)
        err = take_shares(&c, endpoints, count, ret_endpoint);
    ret->more = replays_more || !is_all || is_full(&c);
    return err;
}
