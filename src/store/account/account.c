/* Accounts; see account.h. */
#include "store/account/account.h"

#include <assert.h>

#include "address/email.h"
#include "store/account/account_parts.h"
#include "store/row/change.h"
#include "store/row/id.h"
#include "store/row/list.h"

enum { ACCOUNT_ID_SIZE = 4 + ID_RANDOM_SIZE };

struct str email_fold(struct str email, char ret[static EMAIL_SIZE_MAX])
{
    if (!email_is_valid(email))
        return STR("");
    for (size_t i = 0; i < email.n; i++)
        ret[i] = ascii_lower(email.p[i]);
    return str_of(ret, email.n);
}

static struct str read_blob(const struct query *q, int column, struct arena *arena)
{
    return arena_str(arena, query_get_blob(q, column));
}

struct account account_row_read(const struct query *q, int from, struct arena *arena)
{
    struct account account = {
        .no = query_get_i64(q, from),
        .id = query_text(q, from + 1, arena),
        .email = query_text(q, from + 2, arena),
        .created_at = query_get_i64(q, from + 5),
        .disabled_at = query_get_opt_i64(q, from + 6, INSTANT_NONE),
        .password_hash = query_text(q, from + 7, arena),
        .deleted_at = query_get_opt_i64(q, from + 8, INSTANT_NONE),
        .password_at = query_get_opt_i64(q, from + 9, INSTANT_NONE),
        .totp_at = query_get_opt_i64(q, from + 10, INSTANT_NONE),
        .totp_step = query_get_opt_i64(q, from + 11, 0),
        .totp_sealed = read_blob(q, from + 12, arena),
        .totp_pending = read_blob(q, from + 13, arena),
        .confirmed_at = query_get_opt_i64(q, from + 14, INSTANT_NONE),
        .damaged = row_is_damaged(q, from, ROW_DIGEST_ACCOUNT),
    };
    bool known = plan_from_key(query_get_str(q, from + 3), &account.plan) &&
                 role_from_name(query_get_str(q, from + 4), &account.role);
    assert(known); /* CHECKs of the table */
    (void)known;
    return account;
}

static enum err seal(struct db *db, int64_t no, struct fail *fail)
{
    return row_seal(db, fail, ACCOUNT, "account", "account.no = $1", V(no));
}

enum err account_check(const struct account *account, struct fail *fail)
{
    if (!account->damaged)
        return OK;
    return fail_set(
        fail, ERR_CORRUPT,
        "account %.*s is damaged: its row does not match its digest. Put its columns back from a "
        "backup",
        STR_ARG(account->id));
}

static enum err read_one(
    struct query *q, struct arena *arena, struct account *ret, struct str named, struct fail *fail)
{
    if (query_row(q))
        *ret = account_row_read(q, 0, arena);
    TRY(query_end_or(q, ERR_NOT_FOUND, fail, "there is no account \"%.*s\"", STR_ARG(named)));
    return account_check(ret, fail);
}

enum err account_find(const struct act *act, struct str email, struct account *ret)
{
    char folded[EMAIL_SIZE_MAX];
    QUERY(
        q, act->db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE email_folded = $1",
        V(email_fold(email, folded)));
    return read_one(&q, act->arena, ret, email, act->fail);
}

enum err account_find_id(const struct act *act, struct str id, struct account *ret)
{
    QUERY(q, act->db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE id = $1", V(id));
    return read_one(&q, act->arena, ret, id, act->fail);
}

enum err account_find_no(const struct act *act, int64_t no, struct account *ret)
{
    QUERY(q, act->db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE no = $1", V(no));
    return read_one(&q, act->arena, ret, STR(""), act->fail);
}

enum err account_lock(const struct act *act, struct str email, struct account *ret)
{
    char folded[EMAIL_SIZE_MAX];
    /* Locks the row: both databases support an update that changes nothing. */
    QUERY(
        q, act->db,
        "UPDATE account SET plan = plan WHERE email_folded = $1 RETURNING " ACCOUNT_COLUMNS,
        V(email_fold(email, folded)));
    TRY(read_one(&q, act->arena, ret, email, act->fail));
    if (ret->disabled_at != INSTANT_NONE)
        return fail_set(
            act->fail, ERR_REFUSED, "account \"%.*s\" is disabled: run `stockact accounts enable`",
            STR_ARG(email));
    return OK;
}

enum err account_list(const struct act *act, struct account_list *ret)
{
    QUERY(
        q, act->db,
        "SELECT " ACCOUNT_COLUMNS " FROM account WHERE deleted_at IS NULL ORDER BY email_folded");
    return list_read(&q, act->arena, ret, act->fail, account_row_read(&q, 0, act->arena));
}

enum err account_create(
    const struct act *act, struct str email, enum plan plan, enum role role, struct account *ret)
{
    if (!email_is_valid(email))
        return fail_set(
            act->fail, ERR_INVALID, "\"%.*s\" is not an e-mail address", STR_ARG(email));
    char id[ACCOUNT_ID_SIZE], folded[EMAIL_SIZE_MAX];
    id_make(STR("acc_"), id);
    QUERY(
        q, act->db,
        "INSERT INTO account (id, email, email_folded, plan, role, created_at)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email_folded) DO NOTHING"
        " RETURNING " ACCOUNT_COLUMNS,
        V(str_of(id, sizeof id)), V(email), V(email_fold(email, folded)), V(plan_info(plan)->key),
        V(role_name(role)), V(act->now_ms));
    if (query_row(&q))
        *ret = account_row_read(&q, 0, act->arena);
    enum err err =
        query_end_or(&q, ERR_EXISTS, act->fail, "account \"%.*s\" already exists", STR_ARG(email));
    if (!err)
        err = seal(act->db, ret->no, act->fail);
    return err ? err : change_add(act->db, STR("account"), str_of(id, sizeof id), NULL, act->fail);
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
    TRY(query_end(q, fail));
    if (!id_n)
        return fail_set(fail, ERR_NOT_FOUND, "there is no account \"%.*s\"", STR_ARG(email));
    TRY(row_seal(db, fail, ACCOUNT, "account", "account.id = $1", V(str_of(id, id_n))));
    return change_add(db, STR("account"), str_of(id, id_n), NULL, fail);
}

/* One column, or more, of the account with this address: $1; the value is $2. */
static enum err update(
    const struct act *act, struct str email, const char *sql, struct query_value value)
{
    char folded[EMAIL_SIZE_MAX];
    struct str address = email_fold(email, folded);
    TRY(row_look(act->db, act->fail, ACCOUNT, "account", "account.email_folded = $1", V(address)));
    QUERY(q, act->db, sql, V(address), value);
    return finish_update(&q, email, act->fail);
}

enum err account_set_plan(const struct act *act, struct str email, enum plan plan)
{
    return update(
        act, email, "UPDATE account SET plan = $2 WHERE email_folded = $1 RETURNING id",
        V(plan_info(plan)->key));
}

enum err account_set_role(const struct act *act, struct str email, enum role role)
{
    return update(
        act, email, "UPDATE account SET role = $2 WHERE email_folded = $1 RETURNING id",
        V(role_name(role)));
}

enum err account_disable(const struct act *act, struct str email)
{
    return update(
        act, email,
        "UPDATE account SET disabled_at = coalesce(disabled_at, $2) WHERE email_folded = $1"
        " RETURNING id",
        V(act->now_ms));
}

enum err account_enable(const struct act *act, struct str email)
{
    return update(
        act, email, "UPDATE account SET disabled_at = $2 WHERE email_folded = $1 RETURNING id",
        V_OPT(INSTANT_NONE, INSTANT_NONE));
}

/* --- by number, for actions of people who are signed in */

enum err account_lock_row(const struct act *act, int64_t no, struct account *ret)
{
    QUERY(
        q, act->db,
        "UPDATE account SET plan = plan WHERE no = $1 AND deleted_at IS NULL"
        " RETURNING " ACCOUNT_COLUMNS,
        V(no));
    if (query_row(&q))
        *ret = account_row_read(&q, 0, act->arena);
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, "this account does not exist any more"));
    return account_check(ret, act->fail);
}

enum err account_lock_no(const struct act *act, int64_t no, struct account *ret)
{
    TRY(account_lock_row(act, no, ret));
    if (ret->disabled_at != INSTANT_NONE)
        return fail_set(act->fail, ERR_REFUSED, "this account is disabled");
    return OK;
}

enum err account_replace_password(
    const struct act *act, int64_t no, struct str old_hash, struct str hash)
{
    QUERY(
        q, act->db,
        "UPDATE account SET password_hash = $3, password_at = $4"
        " WHERE no = $1 AND coalesce(password_hash, '') = $2",
        V(no), V(str_is_null(old_hash) ? STR("") : old_hash), V(hash), V(act->now_ms));
    TRY(query_end_or(
        &q, ERR_BUSY, act->fail,
        "the password was changed at the same time: try again with the new one"));
    return seal(act->db, no, act->fail);
}

enum err account_set_email(const struct act *act, int64_t no, struct str email)
{
    char folded[EMAIL_SIZE_MAX];
    TRY(query_run(
        act->db, act->fail,
        "INSERT INTO account_address (email, account_no) SELECT email_folded, no FROM account"
        " WHERE no = $1 AND role <> 'member' ON CONFLICT DO NOTHING",
        V(no)));
    QUERY(
        q, act->db,
        "UPDATE account SET email = $2, email_folded = $3, confirmed_at = NULL WHERE no = $1"
        " RETURNING id",
        V(no), V(email), V(email_fold(email, folded)));
    enum err err = finish_update(&q, email, act->fail);
    if (!err)
        err = row_seal(
            act->db, act->fail, ACCOUNT_ADDRESS, "account_address",
            "account_address.account_no = $1", V(no));
    return err == ERR_EXISTS ? fail_set(act->fail, ERR_EXISTS, "another account has this address")
                             : err;
}

enum err account_confirm(const struct act *act, int64_t no)
{
    TRY(query_run(
        act->db, act->fail, "UPDATE account SET confirmed_at = $2 WHERE no = $1", V(no),
        V(act->now_ms)));
    return seal(act->db, no, act->fail);
}

enum err account_set_totp(const struct act *act, int64_t no, const struct account_totp *totp)
{
    QUERY(
        q, act->db,
        "UPDATE account SET totp_sealed = $2, totp_at = $3, totp_step = $4, totp_pending = $5"
        " WHERE no = $1",
        V(no), V_BLOB(totp->sealed.p, totp->sealed.n), V_OPT(totp->at, INSTANT_NONE),
        V_OPT(totp->step, 0), V_BLOB(totp->pending.p, totp->pending.n));
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, "this account does not exist any more"));
    return seal(act->db, no, act->fail);
}

enum err account_use_totp_step(struct db *db, int64_t no, int64_t step, struct fail *fail)
{
    QUERY(
        q, db, "UPDATE account SET totp_step = $2 WHERE no = $1 AND coalesce(totp_step, 0) < $2",
        V(no), V(step));
    TRY(query_end_or(&q, ERR_REFUSED, fail, "this code was used before: wait for the next one"));
    return seal(db, no, fail);
}

enum err account_erase(const struct act *act, int64_t no)
{
    enum err err =
        query_run(act->db, act->fail, "DELETE FROM account_address WHERE account_no = $1", V(no));
    if (err)
        return err;
    QUERY(
        q, act->db,
        "UPDATE account SET email = '', email_folded = id, password_hash = NULL, password_at = "
        "NULL,"
        " totp_sealed = NULL, totp_at = NULL, totp_step = NULL, totp_pending = NULL,"
        " confirmed_at = NULL, role = 'member',"
        " plan = 'scout', disabled_at = coalesce(disabled_at, $2), deleted_at = $2"
        " WHERE no = $1 AND deleted_at IS NULL RETURNING id",
        V(no), V(act->now_ms));
    return finish_update(&q, STR(""), act->fail);
}

/* The change notice that came before locks its counter until the commit, so two transactions that
 * each take one of the last two admins away see each other. */
enum err account_count_admins(const struct act *act, int64_t *ret)
{
    return query_number(
        act->db, ret, act->fail,
        "SELECT count(*) FROM account WHERE role = 'admin' AND disabled_at IS NULL"
        " AND deleted_at IS NULL");
}
