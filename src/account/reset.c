/* Reset of the password by e-mail; see reset.h. */
#include "account/reset.h"

#include "account/letter.h"
#include "account/password_change.h"

/* --- asking for a link */

enum err reset_ask_check(const struct act *act, void *work)
{
    struct arrival *is = work;
    struct attempt_draw draw;
    if (!act->config->mail)
        return fail_set(
            act->fail, ERR_REFUSED,
            "this site sends no e-mail: ask its operator for a new password");
    return attempts_draw(
        is->attempts, STR("reset"), STR_NULL, is->client, act->now_ms, &draw, &is->retry_s,
        act->fail);
}

static enum err put_link(const struct act *act, const struct account *account, struct str *ret_link)
{
    const struct token new = {.purpose = TOKEN_RESET, .account_no = account->no};
    char token[TOKEN_SIZE];
    TRY(token_drop(act, TOKEN_RESET, account->no));
    TRY(token_add(act, &new, token));
    const struct letter_call call = {
        .letter = LETTER_RESET,
        .to = account->email,
        .account_no = account->no,
        .token = str_of(token, sizeof token)};
    enum err err = letter_send(act, &call);
    if (!err && act->actor->kind == ACTOR_KIND_OPERATOR)
        *ret_link = letter_link(act->config, LETTER_RESET, call.token, act->arena);
    mem_wipe(token, sizeof token);
    return err ? err : action_log_account(act, ACTION_PASSWORD_RESET_ASK, account->id, STR_NULL);
}

/* A token without an account, so that an unknown address costs a row as well. */
static enum err put_nothing(const struct act *act)
{
    const struct token dummy = {.purpose = TOKEN_RESET};
    char token[TOKEN_SIZE];
    enum err err = token_add(act, &dummy, token);
    mem_wipe(token, sizeof token);
    return err;
}

enum err reset_ask(const struct act *act, void *work)
{
    struct subject *is = work;
    bool by_operator = act->actor->kind == ACTOR_KIND_OPERATOR, recent = false;
    enum err err = subject_find(act, is);
    bool open = !err && is->account.disabled_at == INSTANT_NONE;
    if (err && (by_operator || err != ERR_NOT_FOUND))
        return err;
    if (!open && by_operator)
        return fail_set(act->fail, ERR_REFUSED, "the account is disabled: enable it first");
    TRY(letter_is_recent(act, LETTER_RESET, is->email, &recent));
    if (!open || (recent && !by_operator))
        return put_nothing(act);
    return put_link(act, &is->account, &is->link);
}

/* --- the link */

/* The account of the token, which cannot be disabled. */
static enum err find_account(
    const struct act *act, struct str token, struct token *ret, struct account *ret_account)
{
    enum err err = token_find(act, TOKEN_RESET, token, ret);
    if (!err)
        err = account_find_no(act, ret->account_no, ret_account);
    if (err == ERR_NOT_FOUND || (!err && ret_account->disabled_at != INSTANT_NONE))
        return fail_set(act->fail, ERR_NOT_FOUND, "this link has expired, or was used before");
    return err;
}

enum err reset_find(const struct act *act, struct str token, struct str *ret_email)
{
    struct token found;
    struct account account;
    TRY(find_account(act, token, &found, &account));
    *ret_email = account.email;
    return OK;
}

enum err reset_prepare(const struct act *act, void *work)
{
    struct arrival *is = work;
    struct attempt_draw draw;
    TRY(find_account(act, is->text, &is->token, &is->account));
    TRY(password_check_rules(is->password, is->account.email, act->fail));
    TRY(attempts_draw(
        is->attempts, STR("reset"), STR_NULL, is->client, act->now_ms, &draw, &is->retry_s,
        act->fail));
    return password_make(is->password, is->account.email, false, is->hash, act->fail);
}

enum err reset_write(const struct act *act, void *work)
{
    struct arrival *is = work;
    const struct act by_link = act_of_visitor(act);
    struct account account;
    TRY(account_lock_no(act, is->token.account_no, &account));
    TRY(token_use(act, is->token.no));
    TRY(account_replace_password(act, account.no, account.password_hash, str_from(is->hash)));
    account.password_hash = arena_str(act->arena, str_from(is->hash));
    TRY(password_change_settle(&by_link, ACTION_PASSWORD_RESET, &account, STR_NULL));
    return sign_in_begin(act, &account, is->origin, &is->done);
}
