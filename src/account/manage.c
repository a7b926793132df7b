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

enum err manage_check_admins(const struct act *act, const struct account *before)
{
    int64_t left = 0;
    if (!is_working_admin(before))
        return OK;
    enum err err = account_count_admins(act, &left);
    if (!err && !left)
        err = fail_set(
            act->fail, ERR_REFUSED, "this is the last admin: give another account the role first");
    return err;
}

/* Locks the account, *ret, before anything is decided by its role: a promotion that another
 * transaction commits must not be missed. */
static enum err begin(const struct act *act, struct subject *is, struct account *ret)
{
    enum err err = actor_check_admin(act->actor, act->fail);
    if (!err)
        err = subject_find(act, is);
    return err ? err : account_lock_row(act, is->account.no, ret);
}

enum err manage_create(const struct act *act, void *work)
{
    struct subject *is = work;
    enum err err = actor_check_admin(act->actor, act->fail);
    if (!err) /* as on the pages: an address that no e-mail can have has no reset */
        err = letter_check_address(is->email, act->fail);
    if (!err)
        err = account_create(act, is->email, is->plan, is->role, &is->account);
    if (!err && is->hash.n)
        err = account_replace_password(act, is->account.no, STR_NULL, is->hash);
    if (err)
        return err;
    struct str detail = arena_fmt(
        act->arena, "plan %.*s, role %.*s", STR_ARG(plan_info(is->plan)->key),
        STR_ARG(role_name(is->role)));
    return subject_done(act, is, ACTION_ACCOUNT_CREATE, detail);
}

enum err manage_set_plan(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account before;
    struct alerts_effect alerts;
    enum err err = begin(act, is, &before);
    if (!err)
        err = owner_set_plan(act, before.email, is->plan, &is->effect);
    if (!err)
        err = account_find_no(act, before.no, &is->account);
    if (!err && act->config->mail)
        err = notice_plan(act, act->config->base_url, &is->account, &is->effect);
    if (!err)
        err = alerts_fit_cap(act, &is->account, &alerts);
    if (err)
        return err;
    struct str detail = arena_fmt(act->arena, "plan %.*s", STR_ARG(plan_info(is->plan)->key));
    return subject_done(act, is, ACTION_ACCOUNT_SET_PLAN, detail);
}

enum err manage_set_role(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account before = {.disabled_at = INSTANT_NONE};
    enum err err = begin(act, is, &before);
    if (!err)
        err = account_set_role(act, before.email, is->role);
    if (!err && act->actor->kind != ACTOR_KIND_OPERATOR)
        err = manage_check_admins(act, &before);
    if (!err && before.role != is->role)
        err = letter_to_owner(act, &before, LETTER_ROLE_CHANGED, role_name(is->role));
    return err ? err
               : subject_done(
                     act, is, ACTION_ACCOUNT_SET_ROLE,
                     arena_fmt(act->arena, "role %.*s", STR_ARG(role_name(is->role))));
}

enum err manage_disable(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account before = {.disabled_at = INSTANT_NONE};
    int64_t ended;
    enum err err = begin(act, is, &before);
    if (!err)
        err = account_disable(act, before.email);
    if (!err && act->actor->kind != ACTOR_KIND_OPERATOR)
        err = manage_check_admins(act, &before);
    if (!err)
        err = session_end_all(act, before.no, STR_NULL, &ended);
    if (!err)
        err = token_drop_all(act, before.no);
    if (!err && before.disabled_at == INSTANT_NONE)
        err = letter_to_owner(act, &before, LETTER_DISABLED, STR_NULL);
    return err ? err : subject_done(act, is, ACTION_ACCOUNT_DISABLE, STR_NULL);
}

enum err manage_enable(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account before = {.disabled_at = INSTANT_NONE};
    enum err err = begin(act, is, &before);
    if (!err)
        err = account_enable(act, before.email);
    if (!err && before.disabled_at != INSTANT_NONE)
        err = letter_to_owner(act, &before, LETTER_ENABLED, STR_NULL);
    return err ? err : subject_done(act, is, ACTION_ACCOUNT_ENABLE, STR_NULL);
}
