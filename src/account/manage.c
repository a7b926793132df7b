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
    TRY(account_count_admins(act, &left));
    if (!left)
        return fail_set(
            act->fail, ERR_REFUSED, "this is the last admin: give another account the role first");
    return OK;
}

/* Locks the account, *ret, before anything is decided by its role: a promotion that another
 * transaction commits must not be missed. */
static enum err begin(const struct act *act, struct subject *is, struct account *ret)
{
    TRY(actor_check_admin(act->actor, act->fail));
    TRY(subject_find(act, is));
    return account_lock_row(act, is->account.no, ret);
}

enum err manage_create(const struct act *act, void *work)
{
    struct subject *is = work;
    TRY(actor_check_admin(act->actor, act->fail));
    TRY(letter_check_address(
        is->email,
        act->fail)); /* as on the pages: an address that no e-mail can have has no reset */
    TRY(account_create(act, is->email, is->plan, is->role, &is->account));
    if (is->hash.n)
        TRY(account_replace_password(act, is->account.no, STR_NULL, is->hash));
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
    TRY(begin(act, is, &before));
    TRY(owner_set_plan(act, before.email, is->plan, &is->effect));
    TRY(account_find_no(act, before.no, &is->account));
    if (act->config->mail)
        TRY(notice_plan(act, act->config->base_url, &is->account, &is->effect));
    TRY(alerts_fit_cap(act, &is->account, &alerts));
    struct str detail = arena_fmt(act->arena, "plan %.*s", STR_ARG(plan_info(is->plan)->key));
    return subject_done(act, is, ACTION_ACCOUNT_SET_PLAN, detail);
}

enum err manage_set_role(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account before = {.disabled_at = INSTANT_NONE};
    TRY(begin(act, is, &before));
    TRY(account_set_role(act, before.email, is->role));
    if (act->actor->kind != ACTOR_KIND_OPERATOR)
        TRY(manage_check_admins(act, &before));
    if (before.role != is->role)
        TRY(letter_to_owner(act, &before, LETTER_ROLE_CHANGED, role_name(is->role)));
    return subject_done(
        act, is, ACTION_ACCOUNT_SET_ROLE,
        arena_fmt(act->arena, "role %.*s", STR_ARG(role_name(is->role))));
}

enum err manage_disable(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account before = {.disabled_at = INSTANT_NONE};
    int64_t ended;
    TRY(begin(act, is, &before));
    TRY(account_disable(act, before.email));
    if (act->actor->kind != ACTOR_KIND_OPERATOR)
        TRY(manage_check_admins(act, &before));
    TRY(session_end_all(act, before.no, STR_NULL, &ended));
    TRY(token_drop_all(act, before.no));
    if (before.disabled_at == INSTANT_NONE)
        TRY(letter_to_owner(act, &before, LETTER_DISABLED, STR_NULL));
    return subject_done(act, is, ACTION_ACCOUNT_DISABLE, STR_NULL);
}

enum err manage_enable(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account before = {.disabled_at = INSTANT_NONE};
    TRY(begin(act, is, &before));
    TRY(account_enable(act, before.email));
    if (before.disabled_at != INSTANT_NONE)
        TRY(letter_to_owner(act, &before, LETTER_ENABLED, STR_NULL));
    return subject_done(act, is, ACTION_ACCOUNT_ENABLE, STR_NULL);
}
