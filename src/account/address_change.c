/* Change of the address; see address_change.h. */
#include "account/address_change.h"

#include "account/letter.h"
#include "store/account/alert.h"
#include "store/account/token.h"

static enum err check_address(const struct account *account, struct str email, struct fail *fail)
{
    TRY(letter_check_address(email, fail));
    if (str_eq(account->email, email))
        return fail_set(fail, ERR_INVALID, "the account has this address");
    return OK;
}

/* --- asking */

static enum err send_link(
    const struct act *act, const struct account *account, enum token_purpose purpose,
    struct str email)
{
    const struct token new = {.purpose = purpose, .account_no = account->no, .email = email};
    bool old = purpose == TOKEN_ADDRESS_OLD;
    char token[TOKEN_SIZE];
    enum err err = token_drop(act, purpose, account->no);
    if (!err)
        err = token_add(act, &new, token);
    const struct letter_call call = {
        .letter = old ? LETTER_ADDRESS_OLD : LETTER_ADDRESS_NEW,
        .to = old ? account->email : email,
        .account_no = account->no,
        .token = str_of(token, sizeof token),
        .word = email};
    if (!err)
        err = letter_send(act, &call);
    mem_wipe(token, sizeof token);
    return err;
}

static enum err ask(const struct act *act, const struct account *account, struct str email)
{
    bool recent = false;
    if (!act->config->mail)
        return fail_set(
            act->fail, ERR_REFUSED, "this site sends no e-mail: ask its operator for the change");
    TRY(check_address(account, email, act->fail));
    TRY(letter_is_recent(act, LETTER_ADDRESS_NEW, email, &recent));
    if (recent)
        return fail_set(
            act->fail, ERR_LIMIT, "a link was sent to this address less than five minutes ago");
    TRY(send_link(act, account, TOKEN_ADDRESS_OLD, email));
    return send_link(act, account, TOKEN_ADDRESS_NEW, email);
}

enum err address_change_ask(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account account;
    TRY(account_lock_no(act, is->account.no, &account));
    TRY(ask(act, &account, is->to));
    return action_log_account(act, ACTION_ADDRESS_CHANGE_ASK, account.id, STR_NULL);
}

enum err address_change_pending(
    const struct act *act, int64_t account_no, struct address_change *ret)
{
    struct token old, new;
    TRY(token_find_of(act, TOKEN_ADDRESS_OLD, account_no, &old));
    TRY(token_find_of(act, TOKEN_ADDRESS_NEW, account_no, &new));
    *ret = (struct address_change){
        .email = new.email,
        .expires_at = new.expires_at,
        .old_confirmed = old.used_at != INSTANT_NONE,
        .new_confirmed = new.used_at != INSTANT_NONE,
    };
    return OK;
}

/* --- confirming */

static enum err find_either(const struct act *act, struct str text, struct token *ret)
{
    enum err err = token_find(act, TOKEN_ADDRESS_OLD, text, ret);
    return err == ERR_NOT_FOUND ? token_find(act, TOKEN_ADDRESS_NEW, text, ret) : err;
}

enum err address_change_find(
    const struct act *act, struct str text, struct str *ret_email, bool *ret_is_new)
{
    struct token token;
    TRY(find_either(act, text, &token));
    *ret_email = token.email;
    *ret_is_new = token.purpose == TOKEN_ADDRESS_NEW;
    return OK;
}

/* Sets the address and tells the old one. Links that were sent to the old address end. */
static enum err change(const struct act *act, const struct account *account, struct str email)
{
    TRY(account_set_email(act, account->no, email));
    if (act->actor->kind != ACTOR_KIND_OPERATOR) /* both addresses followed their links */
        TRY(account_confirm(act, account->no));
    TRY(alert_refused_forget(act, account->no));
    TRY(token_drop_all(act, account->no));
    TRY(letter_to_owner(act, account, LETTER_ADDRESS_CHANGED, email));
    return action_log_account(act, ACTION_ADDRESS_CHANGE, account->id, STR_NULL);
}

/* With the account locked, so that two confirmations at the same time see each other. */
enum err address_change_confirm(const struct act *act, struct str text, bool *ret_done)
{
    const struct act by_link = act_of_visitor(act);
    struct token token;
    struct account account;
    struct address_change pending;
    *ret_done = false;
    TRY(find_either(act, text, &token));
    TRY(account_lock_no(act, token.account_no, &account));
    TRY(token_use(act, token.no));
    TRY(address_change_pending(act, account.no, &pending));
    *ret_done = pending.old_confirmed && pending.new_confirmed;
    return *ret_done ? change(&by_link, &account, pending.email) : OK;
}

/* --- by the operator */

enum err address_set(const struct act *act, void *work)
{
    struct subject *is = work;
    TRY(subject_find(act, is));
    TRY(account_lock_no(act, is->account.no, &is->account));
    TRY(check_address(&is->account, is->to, act->fail));
    TRY(change(act, &is->account, is->to));
    return account_find_no(act, is->account.no, &is->account);
}
