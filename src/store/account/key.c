/* API keys; see key.h. */
#include "store/account/key.h"

#include <assert.h>

#include "base/hidden.h"
#include "db/row_digest.h"
#include "store/account/account.h"
#include "store/row/change.h"
#include "store/row/id.h"
#include "store/row/list.h"

enum { USED_AT = ROW_DIGEST_API_KEY_COUNT + 1, ACCOUNT_AT = USED_AT + 2 };

#define KEY_SELECT                                                                                 \
    "SELECT " ROW_DIGEST_API_KEY_COLUMNS ", api_key.digest, api_key.last_used_at,"                 \
    " api_key.last_used_for, " ROW_DIGEST_ACCOUNT_COLUMNS ", account.digest"                       \
    " FROM api_key JOIN account ON account.no = api_key.account_no"

/* `arena` NULL: strings belong to the query's row. */
static struct key read_row(const struct query *q, struct arena *arena)
{
    struct key key = {
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .account_no = query_get_i64(q, 2),
        .prefix = query_text(q, 4, arena),
        .kind = api_key_kind(query_get_str(q, 4)),
        .name = query_text(q, 5, arena),
        .created_at = query_get_i64(q, 6),
        .revoked_at = query_get_opt_i64(q, 7, INSTANT_NONE),
        .last_used_at = query_get_opt_i64(q, USED_AT, INSTANT_NONE),
        .last_used_for = query_text(q, USED_AT + 1, arena),
        .account_id = query_text(q, ACCOUNT_AT + 1, arena),
        .account_disabled = !query_is_null(q, ACCOUNT_AT + 6),
        .damaged = row_is_damaged(q, 0, ROW_DIGEST_API_KEY) ||
                   row_is_damaged(q, ACCOUNT_AT, ROW_DIGEST_ACCOUNT),
    };
    struct str sha256 = query_get_blob(q, 3);
    bool known = plan_from_key(query_get_str(q, ACCOUNT_AT + 3), &key.plan);
    assert(known && sha256.n == SHA256_SIZE); /* CHECKs of the tables */
    (void)known;
    memcpy(key.sha256, sha256.p, SHA256_SIZE);
    return key;
}

enum err key_find(const struct act *act, struct str id, struct key *ret)
{
    QUERY(q, act->db, KEY_SELECT " WHERE api_key.id = $1", V(id));
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

/* How a prefix of the kind begins, as substr(prefix, 1, 4); empty: of each kind. */
static struct str start_of(enum key_kind kind)
{
    return kind == KEY_KIND_COUNT ? STR("") : api_key_start(kind);
}

enum err key_list_active(
    const struct act *act, int64_t account_no, enum key_kind kind, struct key_list *ret)
{
    QUERY(
        q, act->db,
        KEY_SELECT " WHERE api_key.account_no = $1 AND api_key.revoked_at IS NULL"
                   " AND $2 IN ('', substr(api_key.prefix, 1, 4)) ORDER BY api_key.no DESC",
        V(account_no), V(start_of(kind)));
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
        edge->after_no
            ? KEY_SELECT " WHERE api_key.account_no = $1 AND api_key.revoked_at IS NOT NULL"
                         " AND api_key.no > $2 ORDER BY api_key.no LIMIT $3"
            : KEY_SELECT " WHERE api_key.account_no = $1 AND api_key.revoked_at IS NOT NULL"
                         " AND api_key.no < $2 ORDER BY api_key.no DESC LIMIT $3",
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
                           account_no, KEY_KIND_COUNT, &list)
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

static enum err seal(const struct act *act, struct str id)
{
    return row_seal(act->db, act->fail, API_KEY, "api_key", "api_key.id = $1", V(id));
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

static enum err check_cap(const struct act *act, const struct account *account, enum key_kind kind)
{
    struct key_list active;
    uint32_t cap = plan_keys(account->plan, kind);
    TRY(key_list_active(act, account->no, kind, &active));
    if (active.count >= cap)
        return fail_set(
            act->fail, ERR_LIMIT, "the %.*s plan allows %u %s",
            STR_ARG(plan_info(account->plan)->name), cap,
            kind == KEY_LINK ? "private links" : "active keys");
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
    TRY(query_end_or(&q, ERR_EXISTS, act->fail, "this key already exists"));
    return seal(act, id);
}

enum err key_add(
    const struct act *act, struct str email, struct str name, struct str plaintext, struct key *ret)
{
    TRY(check_name(name, act->fail));
    enum key_kind kind = api_key_kind(plaintext);
    if (!api_key_shaped(kind, plaintext))
        return fail_set(
            act->fail, ERR_INVALID, "not an API key: svc_ and 43 characters are expected");
    struct account account;
    char id[KEY_ID_SIZE];
    TRY(account_lock(act, email, &account));
    TRY(check_cap(act, &account, kind));
    id_make(STR("key_"), id);
    TRY(insert(act, &account, name, plaintext, str_of(id, sizeof id)));
    TRY(key_find(act, str_of(id, sizeof id), ret));
    return change_add(act->db, STR("key"), str_of(id, sizeof id), NULL, act->fail);
}

enum err key_mint(
    const struct act *act, struct str email, enum key_kind kind, struct str name,
    char plaintext[static API_KEY_SIZE], struct key *ret)
{
    uint8_t random[API_KEY_RANDOM_SIZE];
    random_bytes(random, sizeof random);
    api_key_make(kind, random, plaintext);
    mem_wipe(random, sizeof random);
    return key_add(act, email, name, str_of(plaintext, API_KEY_SIZE), ret);
}

enum err key_rename(const struct act *act, struct str id, struct str name)
{
    TRY(check_name(name, act->fail));
    QUERY(q, act->db, "UPDATE api_key SET name = $2 WHERE id = $1", V(id), V(name));
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no key \"%.*s\"", STR_ARG(id)));
    return seal(act, id);
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
    if (!err)
        err = seal(act, id);
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

enum err key_seal_all(const struct act *act, int64_t account_no)
{
    return row_seal(
        act->db, act->fail, API_KEY, "api_key", "api_key.account_no = $1", V(account_no));
}

enum err key_erase_names(const struct act *act, int64_t account_no)
{
    TRY(query_run(
        act->db, act->fail, "UPDATE api_key SET name = '' WHERE account_no = $1", V(account_no)));
    return key_seal_all(act, account_no);
}
