/* Webhook endpoints; see endpoint.h. */
#include "store/endpoint.h"

#include <assert.h>

#include "store/account.h"
#include "store/change.h"
#include "store/id.h"
#include "store/list.h"
#include "store/name.h"

static const struct str state_names[ENDPOINT_STATE_COUNT] = {
    [ENDPOINT_ENABLED] = STR_INIT("enabled"),
    [ENDPOINT_DISABLED] = STR_INIT("disabled"),
    [ENDPOINT_PAUSED] = STR_INIT("paused"),
    [ENDPOINT_DELETED] = STR_INIT("deleted"),
};

void endpoint_id_make(char ret[static ENDPOINT_ID_SIZE])
{
    id_make(STR("ep_"), ret);
}

static enum err check_cap(struct db *db, const struct account *account, struct fail *fail)
{
    struct query q;
    int64_t count = 0;
    query_start(
        &q, db, "SELECT count(*) FROM endpoint WHERE account_no = $1 AND state <> 'deleted'");
    query_i64(&q, account->no);
    if (query_row(&q))
        count = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    const struct plan_info *plan = plan_info(account->plan);
    if (!err && count >= plan->webhook_endpoints)
        err = fail_set(
            fail, ERR_LIMIT, "the %.*s plan allows %u webhook endpoints", STR_ARG(plan->name),
            plan->webhook_endpoints);
    return err;
}

enum err endpoint_add(
    struct db *db, struct str email, struct str id, struct str url, struct str secret_sealed,
    int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    struct account account;
    enum err err = account_lock(db, email, &arena, &account, fail);
    if (!err)
        err = check_cap(db, &account, fail);
    if (!err) {
        struct query q;
        query_start(
            &q, db,
            "INSERT INTO endpoint (id, account_no, url, secret_sealed, state, failures,"
            " created_at, changed_at) VALUES ($1, $2, $3, $4, 'enabled', 0, $5, $5)");
        query_str(&q, id);
        query_i64(&q, account.no);
        query_str(&q, url);
        query_blob(&q, secret_sealed.p, secret_sealed.n);
        query_i64(&q, now_ms);
        err = query_end(&q, fail);
    }
    arena_finish(&arena);
    return err ? err : change_add(db, STR("endpoint"), id, NULL, fail);
}

static struct endpoint read_row(const struct query *q, struct arena *arena)
{
    int state = name_find(state_names, ENDPOINT_STATE_COUNT, query_get_str(q, 6));
    assert(state >= 0); /* a CHECK of the table */
    return (struct endpoint){
        .no = query_get_i64(q, 0),
        .id = arena_str(arena, query_get_str(q, 1)),
        .account_no = query_get_i64(q, 2),
        .account_email = arena_str(arena, query_get_str(q, 3)),
        .url = arena_str(arena, query_get_str(q, 4)),
        .secret_sealed = arena_str(arena, query_get_blob(q, 5)),
        .state = (enum endpoint_state)state,
        .failures = query_get_i64(q, 7),
        .created_at = query_get_i64(q, 8),
    };
}

enum err endpoint_list(
    struct db *db, struct str email, struct arena *arena, struct endpoint_list *ret,
    struct fail *fail)
{
    int64_t account_no = 0; /* of every account */
    if (!str_is_null(email)) {
        struct account account;
        enum err err = account_find(db, email, arena, &account, fail);
        if (err)
            return err;
        account_no = account.no;
    }
    struct list list;
    list_init(&list, sizeof(struct endpoint));
    struct query q;
    query_start(
        &q, db,
        "SELECT e.no, e.id, e.account_no, a.email, e.url, e.secret_sealed, e.state, e.failures,"
        " e.created_at FROM endpoint e JOIN account a ON a.no = e.account_no"
        " WHERE e.state <> 'deleted' AND (CAST($1 AS BIGINT) = 0 OR e.account_no = $1)"
        " ORDER BY e.no");
    query_i64(&q, account_no);
    while (query_row(&q))
        *(struct endpoint *)list_add(&list) = read_row(&q, arena);
    enum err err = query_end(&q, fail);
    if (!err)
        *ret = (struct endpoint_list){.count = list.count, .items = list_keep(&list, arena)};
    list_finish(&list);
    return err;
}

enum err endpoint_set_state(
    struct db *db, struct str id, enum endpoint_state state, int64_t now_ms, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE endpoint SET failures = CASE WHEN CAST($2 AS TEXT) = 'enabled' THEN 0"
        " ELSE failures END, state = $2, changed_at = $3 WHERE id = $1 AND state <> 'deleted'");
    query_str(&q, id);
    query_str(&q, state_names[state]);
    query_i64(&q, now_ms);
    enum err err = query_end(&q, fail);
    if (!err && query_changes(&q) == 0)
        err = fail_set(fail, ERR_NOT_FOUND, "there is no endpoint %.*s", STR_ARG(id));
    return err ? err : change_add(db, STR("endpoint"), id, NULL, fail);
}
