/* API keys; see key.h. */
#include "store/account/key.h"

#include <assert.h>
#include <string.h>

#include "base/hidden.h"
#include "base/instant.h"
#include "store/account/account.h"
#include "store/row/change.h"
#include "store/row/id.h"
#include "store/row/list.h"

#define KEY_SELECT                                                                                 \
    "SELECT k.no, k.id, k.sha256, k.prefix, k.name, k.created_at, k.last_used_at, k.revoked_at,"   \
    " k.account_no, a.id, a.plan, a.disabled_at, k.last_used_for"                                  \
    " FROM api_key k JOIN account a ON a.no = k.account_no"

/* `arena` NULL: strings belong to the query's row. */
static struct key read_row(const struct query *q, struct arena *arena)
{
    struct key key = {
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .prefix = query_text(q, 3, arena),
        .name = query_text(q, 4, arena),
        .created_at = query_get_i64(q, 5),
        .last_used_at = query_get_opt_i64(q, 6, INSTANT_NONE),
        .revoked_at = query_get_opt_i64(q, 7, INSTANT_NONE),
        .account_no = query_get_i64(q, 8),
        .account_id = query_text(q, 9, arena),
        .account_disabled = !query_is_null(q, 11),
        .last_used_for = query_text(q, 12, arena),
    };
    struct str sha256 = query_get_blob(q, 2);
    bool known = plan_from_key(query_get_str(q, 10), &key.plan);
    assert(known && sha256.n == SHA256_SIZE); /* CHECKs of the tables */
    (void)known;
    memcpy(key.sha256, sha256.p, SHA256_SIZE);
    return key;
}

enum err key_find(const struct act *act, struct str id, struct key *ret)
{
    QUERY(q, act->db, KEY_SELECT " WHERE k.id = $1", V(id));
    if (query_row(&q))
        *ret = read_row(&q, act->arena);
    return query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no key \"%.*s\"", STR_ARG(id));
}

/* Reads the rows and ends the query. */
static enum err read_list(
    struct query *q, struct arena *arena, struct key_list *ret, struct fail *fail)
{
    return list_read(q, arena, ret, fail, read_row(q, arena));
}

enum err key_list_active(const struct act *act, int64_t account_no, struct key_list *ret)
{
    QUERY(
        q, act->db,
        KEY_SELECT " WHERE k.account_no = $1 AND k.revoked_at IS NULL ORDER BY k.no DESC",
        V(account_no));
    return read_list(&q, act->arena, ret, act->fail);
}

static void reverse(struct key_list *list)
{
    for (size_t i = 0; i < list->count / 2; i++) {
        struct key first = list->items[i];
        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = first;
    }
}

enum err key_list_revoked(
    const struct act *act, int64_t account_no, const struct key_edge *edge, int64_t limit,
    struct key_list *ret)
{
    int64_t newest = edge->before_no ? edge->before_no : INT64_MAX;
    QUERY(
        q, act->db,
        edge->after_no ? KEY_SELECT " WHERE k.account_no = $1 AND k.revoked_at IS NOT NULL"
                                    " AND k.no > $2 ORDER BY k.no LIMIT $3"
                       : KEY_SELECT " WHERE k.account_no = $1 AND k.revoked_at IS NOT NULL"
                                    " AND k.no < $2 ORDER BY k.no DESC LIMIT $3",
        V(account_no), V(edge->after_no ? edge->after_no : newest), V(limit));
    enum err err = read_list(&q, act->arena, ret, act->fail);
    if (edge->after_no)
        reverse(ret);
    return err;
}

enum { PAGE_OF_REVOKED = 100 };

enum err key_each_of_account(
    const struct act *act, int64_t account_no, key_of_account_visit *visit, void *ctx)
{
    struct key_edge edge = {0, 0};
    bool active = true, more = true;
    enum err err = OK;
    while (!err && more) {
        ARENA_SCOPED(arena);
        struct key_list list;
        err = active ? key_list_active(
                           &(struct act){.db = act->db, .arena = &arena, .fail = act->fail},
                           account_no, &list)
                     : key_list_revoked(
                           &(struct act){.db = act->db, .arena = &arena, .fail = act->fail},
                           account_no, &edge, PAGE_OF_REVOKED, &list);
        for (size_t i = 0; i < list.count && !err; i++)
            err = visit(ctx, &list.items[i], act->fail);
        more = active || list.count == PAGE_OF_REVOKED;
        if (!active && list.count)
            edge.before_no = list.items[list.count - 1].no;
        active = false;
    }
    return err;
}

enum err key_each(struct db *db, key_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(q, db, KEY_SELECT);
    while (query_row(&q)) {
        struct key key = read_row(&q, NULL);
        visit(ctx, &key);
    }
    return query_end(&q, fail);
}

/* Minting */

static enum err check_name(struct str name, struct fail *fail)
{
    if (name.n > 0 && name.n <= KEY_NAME_SIZE_MAX && hidden_free_line(name))
        return OK;
    return fail_set(
        fail, ERR_INVALID, "a key's name has 1 to %d bytes of UTF-8 and no control characters",
        KEY_NAME_SIZE_MAX);
}

static enum err check_cap(const struct act *act, const struct account *account)
{
    int64_t active = 0;
    TRY(query_number(
        act->db, &active, act->fail,
        "SELECT count(*) FROM api_key WHERE account_no = $1 AND revoked_at IS NULL",
        V(account->no)));
    const struct plan_info *plan = plan_info(account->plan);
    if (active >= plan->active_keys)
        return fail_set(
            act->fail, ERR_LIMIT, "the %.*s plan allows %u active keys", STR_ARG(plan->name),
            plan->active_keys);
    return OK;
}

static enum err insert(
    const struct act *act, const struct account *account, struct str name, struct str plaintext,
    struct str id)
{
    uint8_t digest[SHA256_SIZE];
    api_key_hash(plaintext, digest);
    QUERY(
        q, act->db,
        "INSERT INTO api_key (id, account_no, sha256, prefix, name, created_at)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (sha256) DO NOTHING",
        V(id), V(account->no), V_BLOB(digest, sizeof digest), V(api_key_prefix(plaintext)), V(name),
        V(act->now_ms));
    return query_end_or(&q, ERR_EXISTS, act->fail, "this key already exists");
}

enum err key_add(
    const struct act *act, struct str email, struct str name, struct str plaintext, struct key *ret)
{
    TRY(check_name(name, act->fail));
    if (!api_key_shaped(plaintext))
        return fail_set(
            act->fail, ERR_INVALID, "not an API key: svc_ and 43 characters are expected");
    struct account account;
    enum err err = account_lock(act, email, &account);
    if (!err)
        err = check_cap(act, &account);
    char id[KEY_ID_SIZE];
    id_make(STR("key_"), id);
    if (!err)
        err = insert(act, &account, name, plaintext, str_of(id, sizeof id));
    if (!err)
        err = key_find(act, str_of(id, sizeof id), ret);
    return err ? err : change_add(act->db, STR("key"), str_of(id, sizeof id), NULL, act->fail);
}

enum err key_mint(
    const struct act *act, struct str email, struct str name, char plaintext[static API_KEY_SIZE],
    struct key *ret)
{
    uint8_t random[API_KEY_RANDOM_SIZE];
    random_bytes(random, sizeof random);
    api_key_make(random, plaintext);
    mem_wipe(random, sizeof random);
    return key_add(act, email, name, str_of(plaintext, API_KEY_SIZE), ret);
}

enum err key_rename(const struct act *act, struct str id, struct str name)
{
    TRY(check_name(name, act->fail));
    QUERY(q, act->db, "UPDATE api_key SET name = $2 WHERE id = $1", V(id), V(name));
    return query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no key \"%.*s\"", STR_ARG(id));
}

bool key_is_idle(const struct key *key, int64_t now_ms)
{
    int64_t since = key->last_used_at == INSTANT_NONE ? key->created_at : key->last_used_at;
    return key->revoked_at == INSTANT_NONE && now_ms - since >= KEY_IDLE_DAYS * (int64_t)DAY_MS;
}

enum err key_revoke(const struct act *act, struct str id)
{
    QUERY(
        q, act->db, "UPDATE api_key SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", V(id),
        V(act->now_ms));
    enum err err =
        query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no key \"%.*s\"", STR_ARG(id));
    return err ? err : change_add(act->db, STR("key"), id, NULL, act->fail);
}

enum err key_touch(struct db *db, int64_t no, int64_t used_at, struct str path, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE api_key SET last_used_at = $2, last_used_for = $3"
        " WHERE no = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
        V(no), V(used_at), V(path));
}

enum err key_erase_names(const struct act *act, int64_t account_no)
{
    return query_run(
        act->db, act->fail, "UPDATE api_key SET name = '' WHERE account_no = $1", V(account_no));
}
