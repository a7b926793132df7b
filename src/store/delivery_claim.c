/*
 * Claiming; see delivery.h. Endpoints that have anything waiting are walked in the order of their
 * numbers, from where the last claim ended, by the index of waiting deliveries alone: one step
 * finds the next endpoint in it, however long the queue of the one before is.
 */
#include "store/delivery.h"

#include <assert.h>

enum { ENDPOINTS_IN_CLAIM = 4 * DELIVERY_CLAIM_MAX }; /* a claim looks at */

/* An endpoint on the walk. */
struct owner {
    int64_t no; /* 0: none is left */
    bool open;  /* enabled, and its account is not disabled */
    int64_t failures;
    int64_t on_way;
    struct str id, url, secret_sealed, old_secret_sealed;
    int64_t old_secret_until;
};

struct claiming {
    struct db *db;
    const struct delivery_claim *claim;
    struct arena *arena;
    struct delivery_claims *ret;
    struct delivery_event_body *event; /* that was read last: neighbours in a queue share one */
    int visited;
    struct fail *fail;
};

/* One server at a time, until the transaction ends. */
static enum err lock(struct db *db, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "UPDATE counter SET value = value + 1 WHERE name = 'claim'");
    return query_end(&q, fail);
}

static enum err next_owner(struct claiming *c, int64_t after, struct owner *ret)
{
    struct query q;
    *ret = (struct owner){.no = 0};
    query_start(
        &q, c->db,
        "SELECT e.no, CASE WHEN e.state = 'enabled' AND a.disabled_at IS NULL THEN 1 ELSE 0 END,"
        " e.failures,"
        " (SELECT count(*) FROM delivery l WHERE l.endpoint_no = e.no AND l.state = 'pending'"
        " AND l.lease_node IS NOT NULL AND l.due_at > $2),"
        " e.id, e.url, e.secret_sealed, e.old_secret_sealed, e.old_secret_until"
        " FROM endpoint e JOIN account a ON a.no = e.account_no WHERE e.no ="
        " (SELECT min(endpoint_no) FROM delivery WHERE state = 'pending' AND endpoint_no > $1)");
    query_i64(&q, after);
    query_i64(&q, c->claim->now_ms);
    if (query_row(&q))
        *ret = (struct owner){
            .no = query_get_i64(&q, 0),
            .open = query_get_i64(&q, 1) != 0,
            .failures = query_get_i64(&q, 2),
            .on_way = query_get_i64(&q, 3),
            .id = arena_str(c->arena, query_get_str(&q, 4)),
            .url = arena_str(c->arena, query_get_str(&q, 5)),
            .secret_sealed = arena_str(c->arena, query_get_blob(&q, 6)),
            .old_secret_sealed = arena_str(c->arena, query_get_blob(&q, 7)),
            .old_secret_until = query_get_opt_i64(&q, 8, INSTANT_NONE),
        };
    return query_end(&q, c->fail);
}

static enum err need_event(struct claiming *c, int64_t no)
{
    struct query q;
    if (c->event && c->event->no == no)
        return OK;
    query_start(&q, c->db, "SELECT type, body FROM event WHERE no = $1");
    query_i64(&q, no);
    if (query_row(&q)) {
        c->event = ARENA_NEW(c->arena, struct delivery_event_body);
        *c->event = (struct delivery_event_body){
            no, arena_str(c->arena, query_get_str(&q, 0)),
            arena_str(c->arena, query_get_str(&q, 1))};
    }
    return query_end(&q, c->fail);
}

/* Rows of a queue, before they are claimed. */
struct due {
    int64_t no, event_no, attempt, due_at;
    struct str id;
};

static enum err read_due(
    struct claiming *c, const struct owner *owner, size_t share, struct due *ret, size_t *ret_count)
{
    struct query q;
    *ret_count = 0;
    query_start(
        &q, c->db,
        "SELECT no, event_no, attempts + 1, due_at, id FROM delivery WHERE endpoint_no = $1"
        " AND state = 'pending' AND due_at <= $2 ORDER BY due_at, no");
    query_i64(&q, owner->no);
    query_i64(&q, c->claim->now_ms);
    while (*ret_count < share && query_row(&q)) {
        int64_t no = query_get_i64(&q, 0);
        if (c->claim->in_hand && c->claim->in_hand(c->claim->ctx, no))
            continue;
        ret[(*ret_count)++] = (struct due){
            no, query_get_i64(&q, 1), query_get_i64(&q, 2), query_get_i64(&q, 3),
            arena_str(c->arena, query_get_str(&q, 4))};
    }
    return query_end(&q, c->fail);
}

static enum err take(struct claiming *c, const struct owner *owner, const struct due *due)
{
    struct query q;
    query_start(
        &q, c->db,
        "UPDATE delivery SET attempts = $2, lease_node = $3, lease_until = $4, due_at = $4"
        " WHERE no = $1");
    query_i64(&q, due->no);
    query_i64(&q, due->attempt);
    query_str(&q, c->claim->node);
    query_i64(&q, c->claim->now_ms + DELIVERY_LEASE_MS);
    enum err err = query_end(&q, c->fail);
    if (!err)
        err = need_event(c, due->event_no);
    if (!err)
        c->ret->items[c->ret->count++] = (struct delivery_claimed){
            .no = due->no,
            .id = due->id,
            .attempt = due->attempt,
            .due_at = due->due_at,
            .event = c->event,
            .endpoint_no = owner->no,
            .endpoint_id = owner->id,
            .url = owner->url,
            .secret_sealed = owner->secret_sealed,
            .old_secret_sealed = owner->old_secret_sealed,
            .old_secret_until = owner->old_secret_until,
        };
    return err;
}

/* What the endpoint's cap and the claim's limit leave. */
static size_t share_of(const struct claiming *c, const struct owner *owner)
{
    int64_t cap = owner->failures ? c->claim->ailing_max : c->claim->per_endpoint_max;
    size_t left = c->claim->limit - c->ret->count;
    if (!owner->open || owner->on_way >= cap)
        return 0;
    return (size_t)(cap - owner->on_way) < left ? (size_t)(cap - owner->on_way) : left;
}

static enum err take_share(struct claiming *c, const struct owner *owner)
{
    struct due due[DELIVERY_CLAIM_MAX];
    size_t share = share_of(c, owner), count = 0;
    enum err err = share ? read_due(c, owner, share, due, &count) : OK;
    for (size_t i = 0; i < count && !err; i++)
        err = take(c, owner, &due[i]);
    return err;
}

/* Endpoints above `after`, up to `last`; *ret_last is the last that was looked at. */
static enum err walk(struct claiming *c, int64_t after, int64_t last, int64_t *ret_last)
{
    enum err err = OK;
    *ret_last = after;
    while (!err && c->ret->count < c->claim->limit && c->visited < ENDPOINTS_IN_CLAIM) {
        struct owner owner;
        err = next_owner(c, *ret_last, &owner);
        if (err || owner.no == 0 || owner.no > last) {
            *ret_last = last;
            return err;
        }
        c->visited++;
        *ret_last = owner.no;
        err = take_share(c, &owner);
    }
    return err;
}

enum err delivery_claim(
    struct db *db, const struct delivery_claim *claim, struct arena *arena,
    struct delivery_claims *ret, int64_t *ret_endpoint, struct fail *fail)
{
    struct claiming c = {.db = db, .claim = claim, .arena = arena, .ret = ret, .fail = fail};
    assert(db_in_transaction(db) && claim->limit <= DELIVERY_CLAIM_MAX);
    ret->count = 0;
    enum err err = lock(db, fail);
    if (!err)
        err = walk(&c, claim->after_endpoint, INT64_MAX, ret_endpoint);
    if (!err && *ret_endpoint == INT64_MAX) /* round to where the last claim ended */
        err = walk(&c, 0, claim->after_endpoint, ret_endpoint);
    ret->more = c.visited == ENDPOINTS_IN_CLAIM || ret->count == claim->limit;
    return err;
}
