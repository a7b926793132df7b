/* Actions of admins and the operator on accounts; see manage.h. */
#include "account/manage.h"

#include "account/alerts.h"
#include "account/letter.h"
#include "store/account/session.h"
#include "store/account/token.h"
#include "webhook/notice.h"

static bool is_working_admin(const struct account *account)
{
    return account->role == ROLE_ADMIN && account->disabled_at == INSTANT_NONE;
}

enum err manage_check_admins(struct db *db, const struct account *before, struct fail *fail)
{
    int64_t left = 0;
    if (!is_working_admin(before))
        return OK;
    enum err err = account_count_admins(db, &left, fail);
    if (!err && !left)
        err = fail_set(
            fail, ERR_REFUSED, "this is the last admin: give another account the role first");
    return err;
}

/* Locks the account before anything is decided by its role: a promotion that another transaction
 * commits must not be missed. */
static enum err begin(
    struct db *db, const struct actor *actor, int64_t account_no, struct arena *arena,
    struct account *ret, struct fail *fail)
{
    enum err err = actor_check_admin(actor, fail);
    return err ? err : account_lock_row(db, account_no, arena, ret, fail);
}

enum err manage_create(
    struct db *db, const struct actor *actor, struct str email, enum plan plan, enum role role,
    struct str hash, int64_t now_ms, struct arena *arena, struct account *ret, struct fail *fail)
{
    enum err err = actor_check_admin(actor, fail);
    if (!err) /* as on the pages: an address that no e-mail can have has no reset */
        err = letter_check_address(email, fail);
    if (!err)
        err = account_create(db, email, plan, role, now_ms, arena, ret, fail);
    if (!err && hash.n)
        err = account_replace_password(db, ret->no, STR_NULL, hash, now_ms, fail);
    if (!err)
        err = account_find_no(db, ret->no, arena, ret, fail);
    if (err)
        return err;
    struct str detail = arena_fmt(
        arena, "plan %.*s, role %.*s", STR_ARG(plan_info(plan)->key), STR_ARG(role_name(role)));
    return action_log_account(db, actor, ACTION_ACCOUNT_CREATE, ret->id, detail, now_ms, fail);
}

enum err manage_set_plan(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, enum plan plan, int64_t now_ms, struct arena *arena,
    struct owner_plan_effect *ret_effect, struct account *ret, struct fail *fail)
{
    struct account before;
    struct alerts_effect alerts;
    enum err err = begin(db, actor, account_no, arena, &before, fail);
    if (!err)
        err = owner_set_plan(db, before.email, plan, now_ms, arena, ret_effect, fail);
    if (!err)
        err = account_find_no(db, account_no, arena, ret, fail);
    if (!err && config->mail)
        err = notice_plan(db, config->base_url, ret, ret_effect, now_ms, fail);
    if (!err)
        err = alerts_fit_cap(db, config, ret, now_ms, &alerts, fail);
    if (err)
        return err;
    struct str detail = arena_fmt(arena, "plan %.*s", STR_ARG(plan_info(plan)->key));
    return action_log_account(db, actor, ACTION_ACCOUNT_SET_PLAN, ret->id, detail, now_ms, fail);
}

enum err manage_set_role(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, enum role role, int64_t now_ms, struct arena *arena, struct account *ret,
    struct fail *fail)
{
    struct account before = {.disabled_at = INSTANT_NONE};
    enum err err = begin(db, actor, account_no, arena, &before, fail);
    if (!err)
        err = account_set_role(db, before.email, role, fail);
    if (!err && actor->kind != ACTOR_KIND_OPERATOR)
        err = manage_check_admins(db, &before, fail);
    if (!err)
        err = account_find_no(db, account_no, arena, ret, fail);
    if (!err && before.role != role)
        err = letter_to_owner(db, config, ret, LETTER_ROLE_CHANGED, role_name(role), now_ms, fail);
    if (err)
        return err;
    struct str detail = arena_fmt(arena, "role %.*s", STR_ARG(role_name(role)));
    return action_log_account(db, actor, ACTION_ACCOUNT_SET_ROLE, ret->id, detail, now_ms, fail);
}

enum err manage_disable(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct arena *arena, struct account *ret, struct fail *fail)
{
    struct account before = {.disabled_at = INSTANT_NONE};
    int64_t ended;
    enum err err = begin(db, actor, account_no, arena, &before, fail);
    if (!err)
        err = account_disable(db, before.email, now_ms, fail);
    if (!err && actor->kind != ACTOR_KIND_OPERATOR)
        err = manage_check_admins(db, &before, fail);
    if (!err)
        err = session_end_all(db, before.no, STR_NULL, &ended, fail);
    if (!err)
        err = token_drop_all(db, before.no, fail);
    if (!err)
        err = account_find_no(db, account_no, arena, ret, fail);
    if (!err && before.disabled_at == INSTANT_NONE)
        err = letter_to_owner(db, config, ret, LETTER_DISABLED, STR_NULL, now_ms, fail);
    return err ? err
               : action_log_account(
                     db, actor, ACTION_ACCOUNT_DISABLE, ret->id, STR_NULL, now_ms, fail);
}

enum err manage_enable(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct arena *arena, struct account *ret, struct fail *fail)
{
    struct account before = {.disabled_at = INSTANT_NONE};
    enum err err = begin(db, actor, account_no, arena, &before, fail);
    if (!err)
        err = account_enable(db, before.email, fail);
    if (!err)
        err = account_find_no(db, account_no, arena, ret, fail);
    if (!err && before.disabled_at != INSTANT_NONE)
        err = letter_to_owner(db, config, ret, LETTER_ENABLED, STR_NULL, now_ms, fail);
    return err ? err
               : action_log_account(
                     db, actor, ACTION_ACCOUNT_ENABLE, ret->id, STR_NULL, now_ms, fail);
}
