/* Queued mail as admins see it; see mail_queue.h. */
#include <assert.h>

#include "base/enum_names.h"

#include "store/account/mail_queue.h"

static const struct str state_names[MAIL_STATE_COUNT] = {
    [MAIL_WAITING] = STR_INIT("waiting"),
    [MAIL_RETRYING] = STR_INIT("retrying"),
    [MAIL_GIVEN_UP] = STR_INIT("given_up"),
    [MAIL_SENT] = STR_INIT("sent"),
};

ENUM_NAME(mail_state_name, mail_state, state_names[value], MAIL_STATE_COUNT)
ENUM_FIND(mail_state_from_name, mail_state, state_names[value], 0, MAIL_STATE_COUNT)

/* One text for each state, so that each can use its partial index. */
#define SELECT_MAIL                                                                                \
    "SELECT no, to_email, subject, error, tries, created_at, due_at, ended_at FROM mail"           \
    " WHERE no < $1"
#define NEWEST_FIRST " ORDER BY no DESC LIMIT $2"
#define IS_GIVEN_UP "ended_at IS NOT NULL AND error IS NOT NULL"

static const char *const selects[MAIL_STATE_COUNT] = {
    [MAIL_WAITING] = SELECT_MAIL " AND ended_at IS NULL AND tries = 0" NEWEST_FIRST,
    [MAIL_RETRYING] = SELECT_MAIL " AND ended_at IS NULL AND tries > 0" NEWEST_FIRST,
    [MAIL_GIVEN_UP] = SELECT_MAIL " AND " IS_GIVEN_UP NEWEST_FIRST,
    [MAIL_SENT] = SELECT_MAIL " AND ended_at IS NOT NULL AND error IS NULL" NEWEST_FIRST,
};
static const char select_unsent[] =
    SELECT_MAIL " AND (ended_at IS NULL OR (" IS_GIVEN_UP "))" NEWEST_FIRST;

static enum mail_state state_of(bool ended, bool has_error, int64_t tries)
{
    if (ended)
        return has_error ? MAIL_GIVEN_UP : MAIL_SENT;
    return tries ? MAIL_RETRYING : MAIL_WAITING;
}

enum err mail_queue_each(
    struct db *db, const enum mail_state *state, int64_t before, int64_t limit, mail_visit *visit,
    void *ctx, struct fail *fail)
{
    QUERY(q, db, state ? selects[*state] : select_unsent, V(before), V(limit));
    while (query_row(&q)) {
        int64_t tries = query_get_i64(&q, 4);
        bool ended = !query_is_null(&q, 7);
        const struct mail_row row = {
            .no = query_get_i64(&q, 0),
            .state = state_of(ended, !query_is_null(&q, 3), tries),
            .to = query_get_str(&q, 1),
            .subject = query_get_str(&q, 2),
            .error = query_get_str(&q, 3),
            .tries = tries,
            .created_at = query_get_i64(&q, 5),
            .due_at = ended ? INSTANT_NONE : query_get_i64(&q, 6),
            .ended_at = query_get_opt_i64(&q, 7, INSTANT_NONE),
        };
        visit(ctx, &row);
    }
    return query_end(&q, fail);
}

static enum err read_error(
    struct db *db, struct arena *arena, struct mail_counts *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT error FROM (SELECT no, error FROM (SELECT no, error FROM mail WHERE " IS_GIVEN_UP
        " ORDER BY no DESC LIMIT 1) AS given_up UNION ALL SELECT no, error FROM mail"
        " WHERE ended_at IS NULL AND error IS NOT NULL) AS failed ORDER BY no DESC LIMIT 1");
    if (query_row(&q))
        ret->error = query_text(&q, 0, arena);
    return query_end(&q, fail);
}

enum err mail_queue_count(
    struct db *db, struct arena *arena, struct mail_counts *ret, struct fail *fail)
{
    *ret = (struct mail_counts){.oldest_at = INSTANT_NONE, .error = STR_NULL};
    QUERY(
        q, db,
        "SELECT coalesce(sum(CASE WHEN tries = 0 THEN 1 ELSE 0 END), 0),"
        " coalesce(sum(CASE WHEN tries > 0 THEN 1 ELSE 0 END), 0), min(created_at),"
        " (SELECT count(*) FROM mail WHERE " IS_GIVEN_UP "),"
        " coalesce(sum(CASE WHEN bulk <> 0 THEN 1 ELSE 0 END), 0)"
        " FROM mail WHERE ended_at IS NULL");
    if (query_row(&q)) {
        ret->waiting = query_get_i64(&q, 0);
        ret->retrying = query_get_i64(&q, 1);
        ret->oldest_at = query_get_opt_i64(&q, 2, INSTANT_NONE);
        ret->given_up = query_get_i64(&q, 3);
        ret->bulk = query_get_i64(&q, 4);
    }
    TRY(query_end(&q, fail));
    return read_error(db, arena, ret, fail);
}

/* --- retry and drop */

/* ERR_REFUSED: it was sent, or a server has its lease and may be sending it. A lease whose end has
 * passed belongs to a server that was killed. */
static enum err check_unsent(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    bool sent = false, leased = false;
    QUERY(
        q, db,
        "SELECT CASE WHEN ended_at IS NOT NULL AND error IS NULL THEN 1 ELSE 0 END,"
        " CASE WHEN lease_node IS NOT NULL AND lease_until > $2 THEN 1 ELSE 0 END"
        " FROM mail WHERE no = $1",
        V(no), V(now_ms));
    if (query_row(&q)) {
        sent = query_get_i64(&q, 0);
        leased = query_get_i64(&q, 1);
    }
    TRY(query_end_or(&q, ERR_NOT_FOUND, fail, "there is no e-mail %lld", (long long)no));
    if (sent)
        return fail_set(fail, ERR_REFUSED, "e-mail %lld was sent", (long long)no);
    if (leased)
        return fail_set(
            fail, ERR_REFUSED, "e-mail %lld is being sent: try again in two minutes",
            (long long)no);
    return OK;
}

enum err mail_queue_retry(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    assert(db_in_transaction(db));
    TRY(check_unsent(db, no, now_ms, fail));
    QUERY(
        q, db,
        "UPDATE mail SET tries = 0, due_at = $2, ended_at = NULL, lease_node = NULL,"
        " lease_until = NULL WHERE no = $1 AND to_email <> ''",
        V(no), V(now_ms));
    return query_end_or(
        &q, ERR_REFUSED, fail, "e-mail %lld has no address any more: its account is deleted",
        (long long)no);
}

enum err mail_queue_retry_given_up(
    struct db *db, int64_t now_ms, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE mail SET tries = 0, due_at = $1, ended_at = NULL, lease_node = NULL,"
        " lease_until = NULL WHERE to_email <> '' AND " IS_GIVEN_UP,
        V(now_ms));
    return query_end_count(&q, ret_count, fail);
}

enum err mail_queue_drop(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    assert(db_in_transaction(db));
    TRY(check_unsent(db, no, now_ms, fail));
    return query_run(db, fail, "DELETE FROM mail WHERE no = $1", V(no));
}
