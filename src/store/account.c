/* Accounts; see account.h. */
#include "store/account.h"

#include <assert.h>
#include <string.h>

#include "base/instant.h"
#include "core/email.h"
#include "store/change.h"
#include "store/id.h"
#include "store/list.h"

enum { ACCOUNT_ID_SIZE = 4 + ID_RANDOM_SIZE };

/* Folds ASCII letters only; the mail server decides how other letters fold. An invalid address
 * folds to the empty text, which no account has. */
static struct str email_fold(struct str email, char ret[static EMAIL_SIZE_MAX])
{
    if (!email_is_valid(email))
        return STR("");
    for (size_t i = 0; i < email.n; i++)
        ret[i] = ascii_lower(email.p[i]);
    return str_of(ret, email.n);
}

#define ACCOUNT_COLUMNS "no, id, email, plan, role, created_at, disabled_at, password_hash"

static void read_row(const struct query *q, struct arena *arena, struct account *ret)
{
    *ret = (struct account){
        .no = query_get_i64(q, 0),
        .id = arena_str(arena, query_get_str(q, 1)),
        .email = arena_str(arena, query_get_str(q, 2)),
        .created_at = query_get_i64(q, 5),
        .disabled_at = query_get_opt_i64(q, 6, INSTANT_NONE),
        .password_hash = arena_str(arena, query_get_str(q, 7)),
    };
    bool known = plan_from_key(query_get_str(q, 3), &ret->plan) &&
                 role_from_name(query_get_str(q, 4), &ret->role);
    assert(known); /* CHECKs of the table */
    (void)known;
}

static enum err read_one(
    struct query *q, struct arena *arena, struct account *ret, struct str named, struct fail *fail)
{
    if (query_row(q))
        read_row(q, arena, ret);
    return query_end_or(q, ERR_NOT_FOUND, fail, "there is no account \"%.*s\"", STR_ARG(named));
}

enum err account_find(
    struct db *db, struct str email, struct arena *arena, struct account *ret, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    struct query q;
    query_start(&q, db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE email_folded = $1");
    query_str(&q, email_fold(email, folded));
    return read_one(&q, arena, ret, email, fail);
}

enum err account_find_id(
    struct db *db, struct str id, struct arena *arena, struct account *ret, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE id = $1");
    query_str(&q, id);
    return read_one(&q, arena, ret, id, fail);
}

enum err account_lock(
    struct db *db, struct str email, struct arena *arena, struct account *ret, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    struct query q;
    /* Locks the row: both databases support an update that changes nothing. */
    query_start(
        &q, db,
        "UPDATE account SET plan = plan WHERE email_folded = $1 RETURNING " ACCOUNT_COLUMNS);
    query_str(&q, email_fold(email, folded));
    enum err err = read_one(&q, arena, ret, email, fail);
    if (!err && ret->disabled_at != INSTANT_NONE)
        err = fail_set(
            fail, ERR_REFUSED, "account \"%.*s\" is disabled: run `stockact accounts enable`",
            STR_ARG(email));
    return err;
}

enum err account_list(
    struct db *db, struct arena *arena, struct account_list *ret, struct fail *fail)
{
    struct list list;
    list_init(&list, sizeof(struct account));
    struct query q;
    query_start(&q, db, "SELECT " ACCOUNT_COLUMNS " FROM account ORDER BY email_folded");
    while (query_row(&q))
        read_row(&q, arena, list_add(&list));
    enum err err = query_end(&q, fail);
    if (!err)
        *ret = (struct account_list){.count = list.count, .items = list_keep(&list, arena)};
    list_finish(&list);
    return err;
}

enum err account_create(
    struct db *db, struct str email, enum plan plan, enum role role, int64_t now_ms,
    struct arena *arena, struct account *ret, struct fail *fail)
{
    if (!email_is_valid(email))
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not an e-mail address", STR_ARG(email));
    char id[ACCOUNT_ID_SIZE], folded[EMAIL_SIZE_MAX];
    id_make(STR("acc_"), id);
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO account (id, email, email_folded, plan, role, created_at)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email_folded) DO NOTHING"
        " RETURNING " ACCOUNT_COLUMNS);
    query_str(&q, str_of(id, sizeof id));
    query_str(&q, email);
    query_str(&q, email_fold(email, folded));
    query_str(&q, plan_info(plan)->key);
    query_str(&q, role_name(role));
    query_i64(&q, now_ms);
    bool added = query_row(&q);
    if (added)
        read_row(&q, arena, ret);
    enum err err = query_end(&q, fail);
    if (!err && !added)
        err = fail_set(fail, ERR_EXISTS, "account \"%.*s\" already exists", STR_ARG(email));
    return err ? err : change_add(db, STR("account"), str_of(id, sizeof id), NULL, fail);
}

/* Ends a statement that updates an account and returns its id; adds the change notice. */
static enum err finish_update(struct query *q, struct str email, struct fail *fail)
{
    struct db *db = q->db;
    char id[64];
    size_t id_n = 0;
    if (query_row(q)) {
        struct str text = query_get_str(q, 0);
        assert(text.n <= sizeof id);
        id_n = text.n;
        memcpy(id, text.p, id_n);
    }
    enum err err = query_end(q, fail);
    if (!err && !id_n)
        err = fail_set(fail, ERR_NOT_FOUND, "there is no account \"%.*s\"", STR_ARG(email));
    return err ? err : change_add(db, STR("account"), str_of(id, id_n), NULL, fail);
}

enum err account_set_plan(struct db *db, struct str email, enum plan plan, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    struct query q;
    query_start(&q, db, "UPDATE account SET plan = $2 WHERE email_folded = $1 RETURNING id");
    query_str(&q, email_fold(email, folded));
    query_str(&q, plan_info(plan)->key);
    return finish_update(&q, email, fail);
}

enum err account_set_role(struct db *db, struct str email, enum role role, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    struct query q;
    query_start(&q, db, "UPDATE account SET role = $2 WHERE email_folded = $1 RETURNING id");
    query_str(&q, email_fold(email, folded));
    query_str(&q, role_name(role));
    return finish_update(&q, email, fail);
}

enum err account_disable(struct db *db, struct str email, int64_t now_ms, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    struct query q;
    query_start(
        &q, db,
        "UPDATE account SET disabled_at = coalesce(disabled_at, $2) WHERE email_folded = $1"
        " RETURNING id");
    query_str(&q, email_fold(email, folded));
    query_i64(&q, now_ms);
    return finish_update(&q, email, fail);
}

enum err account_enable(struct db *db, struct str email, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    struct query q;
    query_start(
        &q, db, "UPDATE account SET disabled_at = NULL WHERE email_folded = $1 RETURNING id");
    query_str(&q, email_fold(email, folded));
    return finish_update(&q, email, fail);
}

enum err account_set_password(struct db *db, struct str email, struct str hash, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    struct query q;
    query_start(
        &q, db, "UPDATE account SET password_hash = $2 WHERE email_folded = $1 RETURNING id");
    query_str(&q, email_fold(email, folded));
    query_str(&q, hash);
    return finish_update(&q, email, fail);
}
