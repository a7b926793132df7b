/* Queued mail; see mail_queue.h. */
#include "store/mail_queue.h"

/* The wait after the 1st, 2nd, ... failed try. */
static const int64_t waits_ms[MAIL_QUEUE_TRIES_MAX - 1] = {
    MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS};

enum err mail_queue_put(
    struct db *db, struct str to, struct str subject, struct str body, int64_t now_ms,
    struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO mail (to_email, subject, body, created_at, due_at)"
        " VALUES ($1, $2, $3, $4, $4)");
    query_str(&q, to);
    query_str(&q, subject);
    query_str(&q, body);
    query_i64(&q, now_ms);
    return query_end(&q, fail);
}

/* The last condition matters to a server that waited for another server's claim of the same row. */
enum err mail_queue_claim(
    struct db *db, struct str node, int64_t now_ms, struct arena *arena,
    struct mail_queue_claimed *ret, bool *ret_found, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE mail SET lease_node = $1, due_at = $3 WHERE no = (SELECT no FROM mail"
        " WHERE ended_at IS NULL AND due_at <= $2 ORDER BY due_at, no LIMIT 1)"
        " AND ended_at IS NULL AND due_at <= $2 RETURNING no, tries, to_email, subject, body");
    query_str(&q, node);
    query_i64(&q, now_ms);
    query_i64(&q, now_ms + MAIL_QUEUE_LEASE_MS);
    *ret_found = query_row(&q);
    if (*ret_found)
        *ret = (struct mail_queue_claimed){
            .no = query_get_i64(&q, 0),
            .tries = query_get_i64(&q, 1),
            .to = arena_str(arena, query_get_str(&q, 2)),
            .subject = arena_str(arena, query_get_str(&q, 3)),
            .body = arena_str(arena, query_get_str(&q, 4)),
        };
    return query_end(&q, fail);
}

enum err mail_queue_sent(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE mail SET tries = tries + 1, ended_at = $2, lease_node = NULL, error = NULL"
        " WHERE no = $1 AND ended_at IS NULL");
    query_i64(&q, no);
    query_i64(&q, now_ms);
    return query_end(&q, fail);
}

/* The number of tries so far if the node has the lease; -1: it does not. */
static enum err read_tries(
    struct db *db, int64_t no, struct str node, int64_t *ret, struct fail *fail)
{
    struct query q;
    *ret = -1;
    query_start(
        &q, db, "SELECT tries FROM mail WHERE no = $1 AND lease_node = $2 AND ended_at IS NULL");
    query_i64(&q, no);
    query_str(&q, node);
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err mail_queue_failed(
    struct db *db, int64_t no, struct str node, struct str error, int64_t now_ms,
    bool *ret_given_up, struct fail *fail)
{
    int64_t tries;
    *ret_given_up = false;
    enum err err = read_tries(db, no, node, &tries, fail);
    if (err || tries < 0)
        return err;
    *ret_given_up = ++tries >= MAIL_QUEUE_TRIES_MAX;
    struct query q;
    query_start(
        &q, db,
        "UPDATE mail SET tries = $2, due_at = $3, ended_at = $4, error = $5, lease_node = NULL"
        " WHERE no = $1");
    query_i64(&q, no);
    query_i64(&q, tries);
    query_i64(&q, *ret_given_up ? now_ms : now_ms + waits_ms[tries - 1]);
    query_opt_i64(&q, *ret_given_up ? now_ms : INSTANT_NONE, INSTANT_NONE);
    query_str(&q, error);
    return query_end(&q, fail);
}

enum err mail_queue_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE mail SET lease_node = NULL, due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END"
        " WHERE lease_node = $1 AND ended_at IS NULL");
    query_str(&q, node);
    query_i64(&q, now_ms);
    return query_end(&q, fail);
}

enum err mail_queue_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "DELETE FROM mail WHERE no IN (SELECT no FROM mail WHERE ended_at < $1 ORDER BY no"
        " LIMIT $2)");
    query_i64(&q, now_ms - (int64_t)MAIL_QUEUE_KEPT_DAYS * DAY_MS);
    query_i64(&q, limit);
    return query_end_count(&q, ret_count, fail);
}
