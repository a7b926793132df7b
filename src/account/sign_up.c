/* New accounts; see sign_up.h. */
#include "account/sign_up.h"

#include <stdio.h>

#include "account/letter.h"
#include "store/account/invitation.h"

/* The address has an account. */
static enum err find_account(
    const struct act *act, struct str email, bool *ret, struct account *ret_account)
{
    enum err err = account_find(act, email, ret_account);
    *ret = !err;
    return err == ERR_NOT_FOUND ? OK : err;
}

/* --- sign-up */

static enum err check_open(const struct account_config *config, struct fail *fail)
{
    if (config->signup == SIGNUP_OPEN && config->mail)
        return OK;
    if (config->signup == SIGNUP_OPEN)
        return fail_set(
            fail, ERR_REFUSED,
            "this server sends no e-mail, so it cannot create accounts: ask the operator for one");
    return fail_set(
        fail, ERR_REFUSED,
        config->signup == SIGNUP_INVITE ? "accounts are created by invitation only"
                                        : "sign-up is closed: ask the operator for an account");
}

/* The rules of a new password, a try, and its hash: up to a second. */
static enum err make_hash(
    const struct act *act, struct arrival *is, struct str email, struct str what)
{
    struct attempt_draw draw;
    TRY(password_check_rules(is->password, email, act->fail));
    TRY(attempts_draw(
        is->attempts, what, STR_NULL, is->client, act->now_ms, &draw, &is->retry_s, act->fail));
    return password_make(is->password, email, false, is->hash, act->fail);
}

enum err sign_up_prepare(const struct act *act, void *work)
{
    struct arrival *is = work;
    is->field = "email";
    TRY(check_open(act->config, act->fail));
    TRY(letter_check_address(is->email, act->fail));
    is->field = "password";
    return make_hash(act, is, is->email, STR("sign up"));
}

/* Both branches write, and both begin with the same look-ups. */
enum err sign_up_write(const struct act *act, void *work)
{
    struct arrival *is = work;
    const struct token new = {
        .purpose = TOKEN_SIGN_UP, .email = is->email, .password_hash = str_from(is->hash)};
    struct account account = {0};
    char token[TOKEN_SIZE];
    bool known = false, recent = false;
    enum err err = find_account(act, is->email, &known, &account);
    struct letter_call call = {
        .letter = known ? LETTER_SIGN_UP_KNOWN : LETTER_SIGN_UP,
        .to = known ? account.email : is->email,
        .account_no = account.no};
    if (!err)
        err = letter_is_recent(act, call.letter, call.to, &recent);
    if (!err && !recent && !known) {
        err = token_add(act, &new, token);
        call.token = str_of(token, sizeof token);
    }
    if (!err && !recent)
        err = letter_send(act, &call);
    mem_wipe(token, sizeof token);
    return err;
}

enum err sign_up_find(const struct act *act, struct str token, struct str *ret_email)
{
    struct token found;
    TRY(token_find(act, TOKEN_SIGN_UP, token, &found));
    *ret_email = found.email;
    return OK;
}

enum err sign_up_confirm_check(const struct act *act, void *work)
{
    struct arrival *is = work;
    struct attempt_draw draw;
    bool equal = false, stale;
    TRY(check_open(act->config, act->fail));
    TRY(token_find(act, TOKEN_SIGN_UP, is->text, &is->token));
    TRY(attempts_draw(
        is->attempts, STR("confirm"), is->token.email, is->client, act->now_ms, &draw, &is->retry_s,
        act->fail));
    TRY(password_compare(is->token.password_hash, is->password, false, &equal, &stale, act->fail));
    if (!equal)
        return fail_set(
            act->fail, ERR_REFUSED, "this is not the password that you chose when you signed up");
    return OK;
}

/* As the log names an invitation: it has no addresses. */
static struct str number_of(const struct token *invitation, struct arena *arena)
{
    return arena_fmt(arena, "%lld", (long long)invitation->no);
}

/* Of concurrent confirmations of one address one makes the account: account_create is one INSERT
 * into a unique column. */
static enum err make_account(
    const struct act *act, struct arrival *is, const struct token *token, struct str hash,
    enum action action)
{
    struct account account;
    enum err err = token_use(act, token->no);
    if (!err)
        err = account_create(act, token->email, token->plan, token->role, &account);
    if (err == ERR_EXISTS)
        return fail_set(act->fail, ERR_EXISTS, "this address already has an account: sign in");
    if (err)
        return err;
    TRY(account_replace_password(act, account.no, STR_NULL, hash));
    TRY(account_confirm(act, account.no));
    TRY(token_drop_email(act, TOKEN_SIGN_UP, token->email));
    TRY(token_drop_email(act, TOKEN_INVITATION, token->email));
    const struct actor actor = {
        .kind = ACTOR_KIND_ACCOUNT, .account_id = account.id, .account_no = account.no};
    struct act by_owner = *act;
    by_owner.actor = &actor;
    bool invited = token->purpose == TOKEN_INVITATION;
    TRY(action_log_add(
        &by_owner, action, account.id, invited ? STR("invitation") : STR_NULL,
        invited ? number_of(token, act->arena) : STR_NULL, STR_NULL));
    return sign_in_begin(act, &account, is->origin, &is->done);
}

enum err sign_up_confirm(const struct act *act, void *work)
{
    struct arrival *is = work;
    struct token token = is->token;
    token.plan = PLAN_SCOUT;
    token.role = ROLE_MEMBER;
    return make_account(act, is, &token, token.password_hash, ACTION_ACCOUNT_SIGN_UP);
}

/* --- invitations */

static enum err check_invites(
    const struct account_config *config, const struct actor *actor, struct fail *fail)
{
    TRY(actor_check_admin(actor, fail));
    if (config->signup == SIGNUP_OFF)
        return fail_set(
            fail, ERR_REFUSED,
            "invitations are off: set STOCKACT_SIGNUP=invite, or create the account with `stockact "
            "accounts create`");
    return OK;
}

static enum err put_invitation(
    const struct act *act, const struct token *invitation, struct str *ret_link)
{
    char token[TOKEN_SIZE];
    struct token added;
    TRY(token_drop_email(act, TOKEN_INVITATION, invitation->email));
    TRY(token_add(act, invitation, token));
    TRY(token_find(act, TOKEN_INVITATION, str_of(token, sizeof token), &added));
    struct str text = arena_str(act->arena, str_of(token, sizeof token));
    const struct letter_call call = {
        .letter = LETTER_INVITATION, .to = invitation->email, .token = text};
    struct str detail = arena_fmt(
        act->arena, "role %.*s, plan %.*s", STR_ARG(role_name(invitation->role)),
        STR_ARG(plan_info(invitation->plan)->key));
    *ret_link = letter_link(act->config, LETTER_INVITATION, text, act->arena);
    mem_wipe(token, sizeof token);
    TRY(letter_send(act, &call));
    return action_log_add(
        act, ACTION_ACCOUNT_INVITE, STR_NULL, STR("invitation"), number_of(&added, act->arena),
        detail);
}

enum err invite_send(const struct act *act, void *work)
{
    struct subject *is = work;
    const struct token invitation = {
        .purpose = TOKEN_INVITATION,
        .email = is->email,
        .plan = is->plan,
        .role = is->role,
        .by_id = act->actor->kind == ACTOR_KIND_ACCOUNT ? act->actor->account_id : STR_NULL};
    struct account account;
    bool known = false;
    TRY(check_invites(act->config, act->actor, act->fail));
    TRY(letter_check_address(is->email, act->fail));
    TRY(find_account(act, is->email, &known, &account));
    if (known)
        return fail_set(act->fail, ERR_EXISTS, "this address already has an account");
    return put_invitation(act, &invitation, &is->link);
}

enum err invite_withdraw(const struct act *act, void *work)
{
    const int64_t no = *(const int64_t *)work;
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)no);
    TRY(actor_check_admin(act->actor, act->fail));
    TRY(invitation_withdraw(act, no));
    return action_log_add(
        act, ACTION_ACCOUNT_WITHDRAW_INVITATION, STR_NULL, STR("invitation"), str_from(number),
        STR_NULL);
}

/* An invitation ends when the admin who sent it is none any more. */
static enum err check_inviter(const struct act *act, const struct token *token)
{
    struct account by;
    if (str_is_null(token->by_id))
        return OK; /* the operator */
    enum err err = account_find_id(act, token->by_id, &by);
    if (err && err != ERR_NOT_FOUND)
        return err;
    if (err || by.role != ROLE_ADMIN || by.disabled_at != INSTANT_NONE)
        return fail_set(
            act->fail, ERR_NOT_FOUND, "the sender of this invitation is no longer an admin");
    return OK;
}

enum err join_find(const struct act *act, struct str token, struct token *ret)
{
    TRY(token_find(act, TOKEN_INVITATION, token, ret));
    return check_inviter(act, ret);
}

enum err join_prepare(const struct act *act, void *work)
{
    struct arrival *is = work;
    TRY(join_find(act, is->text, &is->token));
    if (act->config->signup == SIGNUP_OFF)
        return fail_set(
            act->fail, ERR_REFUSED, "invitations are off: ask the operator for an account");
    return make_hash(act, is, is->token.email, STR("join"));
}

enum err join_write(const struct act *act, void *work)
{
    struct arrival *is = work;
    TRY(check_inviter(act, &is->token));
    return make_account(act, is, &is->token, str_from(is->hash), ACTION_ACCOUNT_JOIN);
}
