/* Webhook endpoints; see endpoint.h. */
#include "store/account/endpoint.h"

#include "db/row_digest.h"
#include "store/account/account.h"
#include "store/row/change.h"
#include "store/row/id.h"
#include "store/row/list.h"

void endpoint_id_make(char ret[static ENDPOINT_ID_SIZE])
{
    id_make(STR("ep_"), ret);
}

static enum err seal_and_tell(const struct act *act, struct str id)
{
    TRY(row_seal(act->db, act->fail, ENDPOINT, "endpoint e", "e.id = $1", V(id)));
    return change_add(act->db, STR("endpoint"), id, NULL, act->fail);
}

/* Before a change of what was not read. */
static enum err look(const struct act *act, struct str id)
{
    return row_look(act->db, act->fail, ENDPOINT, "endpoint e", "e.id = $1", V(id));
}

static enum err check_cap(const struct act *act, const struct account *account)
{
    int64_t count = 0;
    TRY(query_number(
        act->db, &count, act->fail,
        "SELECT count(*) FROM endpoint WHERE account_no = $1 AND state <> 'deleted'",
        V(account->no)));
    const struct plan_info *plan = plan_info(account->plan);
    if (count >= plan->webhook_endpoints)
        return fail_set(
            act->fail, ERR_LIMIT, "the %.*s plan allows %u webhook endpoints", STR_ARG(plan->name),
            plan->webhook_endpoints);
    return OK;
}

enum err endpoint_add(
    const struct act *act, struct str email, struct str id, struct str url,
    struct str secret_sealed)
{
    ARENA_SCOPED(arena);
    struct account account;
    TRY(account_lock(
        &(struct act){.db = act->db, .arena = &arena, .fail = act->fail}, email, &account));
    TRY(check_cap(act, &account));
    TRY(query_run(
        act->db, act->fail,
        "INSERT INTO endpoint (id, account_no, url, secret_sealed, state, failures,"
        " created_at, changed_at) VALUES ($1, $2, $3, $4, 'enabled', 0, $5, $5)",
        V(id), V(account.no), V(url), V_BLOB(secret_sealed.p, secret_sealed.n), V(act->now_ms)));
    return seal_and_tell(act, id);
}

#define ENDPOINT_COLUMNS                                                                           \
    ROW_DIGEST_ENDPOINT_COLUMNS ", e.digest, a.email, a.id, " ENDPOINT_IS                          \
                                " FROM endpoint e JOIN account a ON a.no = e.account_no"

struct endpoint_is endpoint_is_read(const struct query *q, int first)
{
    return (struct endpoint_is){
        .state = endpoint_state_from_name(query_get_str(q, first)),
        .failures = (int)query_get_i64(q, first + 1),
        .streak = query_get_i64(q, first + 2),
        .gone = query_get_i64(q, first + 3),
        .pauses = (int)query_get_i64(q, first + 4),
        .failed_at = query_get_i64(q, first + 5),
        .next_try_at = query_get_i64(q, first + 6),
    };
}

static struct endpoint read_row(const struct query *q, struct arena *arena)
{
    enum { OWNER_AT = ROW_DIGEST_ENDPOINT_COUNT + 1 };
    return (struct endpoint){
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .account_no = query_get_i64(q, 2),
        .url = query_text(q, 3, arena),
        .secret_sealed = arena_str(arena, query_get_blob(q, 4)),
        .old_secret_sealed = arena_str(arena, query_get_blob(q, 5)),
        .old_secret_until = query_get_opt_i64(q, 6, INSTANT_NONE),
        .created_at = query_get_i64(q, 8),
        .events = query_text(q, 10, arena),
        .description = query_text(q, 11, arena),
        .damaged = row_is_damaged(q, 0, ROW_DIGEST_ENDPOINT),
        .account_email = query_text(q, OWNER_AT, arena),
        .account_id = query_text(q, OWNER_AT + 1, arena),
        .is = endpoint_is_read(q, OWNER_AT + 2),
    };
}

enum err endpoint_list(const struct act *act, struct str email, struct endpoint_list *ret)
{
    int64_t account_no = 0; /* of every account */
    if (!str_is_null(email)) {
        struct account account;
        TRY(account_find(act, email, &account));
        account_no = account.no;
    }
    QUERY(
        q, act->db,
        account_no ? "SELECT " ENDPOINT_COLUMNS
                     " WHERE e.state <> 'deleted' AND e.account_no = $1 ORDER BY e.no"
                   : "SELECT " ENDPOINT_COLUMNS " WHERE e.state <> 'deleted' ORDER BY e.no");
    if (account_no)
        query_i64(&q, account_no);
    return list_read(&q, act->arena, ret, act->fail, read_row(&q, act->arena));
}

static enum err read_one(
    struct query *q, struct arena *arena, struct endpoint *ret, struct str named, struct fail *fail)
{
    if (query_row(q))
        *ret = read_row(q, arena);
    return query_end_or(q, ERR_NOT_FOUND, fail, "there is no endpoint \"%.*s\"", STR_ARG(named));
}

enum err endpoint_find(const struct act *act, struct str id, struct endpoint *ret)
{
    QUERY(
        q, act->db, "SELECT " ENDPOINT_COLUMNS " WHERE e.state <> 'deleted' AND e.id = $1", V(id));
    return read_one(&q, act->arena, ret, id, act->fail);
}

enum err endpoint_number(struct db *db, struct str id, int64_t *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT no FROM endpoint WHERE id = $1", V(id));
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no endpoint \"%.*s\"", STR_ARG(id));
}

enum err endpoint_find_no(
    struct db *db, int64_t no, struct arena *arena, struct endpoint *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT " ENDPOINT_COLUMNS " WHERE e.state <> 'deleted' AND e.no = $1", V(no));
    return read_one(&q, arena, ret, STR("with that number"), fail);
}

enum err endpoint_write(
    const struct act *act, int64_t no, const struct endpoint_is *before,
    const struct endpoint_is *after, bool *ret_written)
{
    QUERY(
        q, act->db,
        "UPDATE endpoint SET state = $2, failures = $3, streak = $4, gone = $10, pauses = $11,"
        " failed_at = $12, next_try_at = $13,"
        " changed_at = CASE WHEN state = $2 THEN changed_at ELSE $5 END"
        " WHERE no = $1 AND state = $6 AND failures = $7 AND streak = $8 AND pauses = $9",
        V(no), V(endpoint_state_name(after->state)), V(after->failures), V(after->streak),
        V(act->now_ms), V(endpoint_state_name(before->state)), V(before->failures),
        V(before->streak), V(before->pauses), V(after->gone), V(after->pauses), V(after->failed_at),
        V(after->next_try_at));
    TRY(query_end(&q, act->fail));
    *ret_written = query_changes(&q) > 0;
    return row_seal(act->db, act->fail, ENDPOINT, "endpoint e", "e.no = $1", V(no));
}

/* Makes the waiting deliveries of a re-enabled endpoint due at once, in their original order. */
static enum err resume(const struct act *act, int64_t no)
{
    return query_run(
        act->db, act->fail,
        "UPDATE delivery SET due_at = created_at WHERE endpoint_no = $1 AND state = 'pending'"
        " AND lease_node IS NULL",
        V(no));
}

/* Nothing is sent to a deleted endpoint. An attempt in flight still writes its outcome. */
static enum err expire_waiting(const struct act *act, int64_t no)
{
    return query_run(
        act->db, act->fail,
        "UPDATE delivery SET state = 'expired', ended_at = $2, lease_node = NULL,"
        " lease_until = NULL WHERE endpoint_no = $1 AND state = 'pending'",
        V(no), V(act->now_ms));
}

enum err endpoint_do(const struct act *act, struct str id, enum endpoint_event event)
{
    ARENA_SCOPED(arena);
    struct endpoint endpoint;
    struct endpoint_is after;
    bool written = false;
    enum err err = OK;
    while (!err && !written) { /* an outcome may be written in between */
        err = endpoint_find(
            &(struct act){.db = act->db, .arena = &arena, .fail = act->fail}, id, &endpoint);
        if (!err && event != ENDPOINT_DELETE)
            err = look(act, id);
        if (err)
            break;
        after = endpoint.is;
        if (!endpoint_step(&after, event))
            err = fail_set(
                act->fail, ERR_REFUSED, "%.*s is %.*s", STR_ARG(id),
                STR_ARG(endpoint_state_name(endpoint.is.state)));
        if (!err)
            err = endpoint_write(act, endpoint.no, &endpoint.is, &after, &written);
    }
    if (!err && after.state == ENDPOINT_ENABLED && endpoint.is.state != ENDPOINT_ENABLED)
        err = resume(act, endpoint.no);
    if (!err && after.state == ENDPOINT_DELETED)
        err = expire_waiting(act, endpoint.no);
    return err ? err : seal_and_tell(act, id);
}

enum err endpoint_set_address(
    const struct act *act, struct str id, struct str url, struct str description)
{
    TRY(look(act, id));
    QUERY(
        q, act->db,
        "UPDATE endpoint SET url = $2, description = $3, changed_at = $4"
        " WHERE id = $1 AND state <> 'deleted'",
        V(id), V(url), V(description), V(act->now_ms));
    enum err err =
        query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no endpoint \"%.*s\"", STR_ARG(id));
    return err ? err : seal_and_tell(act, id);
}

/* The reason why a change of the secrets changed nothing: no endpoint, or `why`. */
static enum err explain(const struct act *act, struct str id, const char *why)
{
    ARENA_SCOPED(arena);
    struct endpoint endpoint;
    TRY(endpoint_find(
        &(struct act){.db = act->db, .arena = &arena, .fail = act->fail}, id, &endpoint));
    return fail_set(act->fail, ERR_REFUSED, "%s", why);
}

enum err endpoint_rotate(
    const struct act *act, struct str id, struct str secret_sealed, int64_t old_until, bool force)
{
    TRY(look(act, id));
    QUERY(
        q, act->db,
        "UPDATE endpoint SET old_secret_sealed = CASE WHEN CAST($3 AS BIGINT) IS NULL THEN NULL"
        " ELSE secret_sealed END, old_secret_until = $3, secret_sealed = $2, changed_at = $4"
        " WHERE id = $1 AND state <> 'deleted' AND (CAST($5 AS BIGINT) = 1"
        " OR old_secret_sealed IS NULL OR old_secret_until <= $4)",
        V(id), V_BLOB(secret_sealed.p, secret_sealed.n), V_OPT(old_until, INSTANT_NONE),
        V(act->now_ms), V(force));
    TRY(query_end(&q, act->fail));
    if (query_changes(&q) == 0)
        TRY(explain(
            act, id,
            "the last rotation is not over: its old secret still signs. Wait for its end, or force"
            " another rotation, which ends the older secret at once"));
    return seal_and_tell(act, id);
}

enum err endpoint_end_overlap(const struct act *act, struct str id)
{
    TRY(look(act, id));
    QUERY(
        q, act->db,
        "UPDATE endpoint SET old_secret_sealed = NULL, old_secret_until = NULL, changed_at = $2"
        " WHERE id = $1 AND state <> 'deleted' AND old_secret_sealed IS NOT NULL"
        " AND old_secret_until > $2",
        V(id), V(act->now_ms));
    TRY(query_end(&q, act->fail));
    if (query_changes(&q) == 0)
        TRY(explain(act, id, "only one secret signs: there is no overlap to end"));
    return seal_and_tell(act, id);
}

enum err endpoint_set_events(const struct act *act, struct str id, struct str events)
{
    TRY(look(act, id));
    QUERY(
        q, act->db,
        "UPDATE endpoint SET events = $2, changed_at = $3 WHERE id = $1 AND state <> 'deleted'",
        V(id), V(events), V(act->now_ms));
    enum err err =
        query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no endpoint \"%.*s\"", STR_ARG(id));
    return err ? err : seal_and_tell(act, id);
}

/* --- erasing */

static enum err erase_answers(const struct act *act, int64_t account_no)
{
    return query_run(
        act->db, act->fail,
        "UPDATE attempt SET answer = NULL, detail = NULL, remote = NULL, url = NULL, request = NULL"
        " WHERE delivery_no IN"
        " (SELECT d.no FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no"
        " WHERE e.account_no = $1)",
        V(account_no));
}

enum err endpoint_erase_all(const struct act *act, int64_t account_no)
{
    TRY(query_run(
        act->db, act->fail,
        "UPDATE endpoint SET url = '', secret_sealed = $2, old_secret_sealed = NULL,"
        " old_secret_until = NULL, description = NULL WHERE account_no = $1 AND state = 'deleted'",
        V(account_no), V_BLOB("", 0)));
    TRY(row_seal(act->db, act->fail, ENDPOINT, "endpoint e", "e.account_no = $1", V(account_no)));
    return erase_answers(act, account_no);
}
