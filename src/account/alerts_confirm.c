/* Confirmation of addresses that get e-mails of alerts; see alerts.h. */
#include "account/alerts.h"
#include "account/alerts_parts.h"
#include "account/letter.h"
#include "store/account/token.h"

static enum err send_link(const struct act *act, const struct account *account)
{
    char text[TOKEN_SIZE];
    uint8_t digest[SHA256_SIZE];
    token_text_make(text);
    sha256(str_of(text, sizeof text), digest);
    enum err err = alert_confirm_put(
        act, account->no, digest, account->email,
        act->now_ms + (int64_t)ALERTS_CONFIRM_DAYS * DAY_MS);
    const struct letter_call call = {
        .letter = LETTER_ALERTS_CONFIRM,
        .to = account->email,
        .account_no = account->no,
        .token = str_of(text, sizeof text),
    };
    if (!err)
        err = letter_send(act, &call);
    mem_wipe(text, sizeof text);
    return err;
}

enum err alerts_ask_once(const struct act *act, const struct account *account)
{
    bool recent = false;
    if (account->confirmed_at != INSTANT_NONE)
        return OK;
    enum err err = letter_is_recent(act, LETTER_ALERTS_CONFIRM, account->email, &recent);
    return err || recent ? err : send_link(act, account);
}

enum err alerts_confirm_ask(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account *account = &is->account;
    struct alert_person person;
    bool recent = false;
    TRY(subject_find(act, is));
    TRY(account_lock_no(act, account->no, account));
    if (account->confirmed_at != INSTANT_NONE)
        return fail_set(
            act->fail, ERR_REFUSED, "the address is already confirmed: no e-mail is needed");
    TRY(letter_is_recent(act, LETTER_ALERTS_CONFIRM, account->email, &recent));
    if (recent)
        return fail_set(
            act->fail, ERR_REFUSED,
            "an e-mail with a link was sent less than five minutes ago: check your spam folder");
    TRY(alert_person_need(act, account->no, &person));
    TRY(send_link(act, account));
    return action_log_account(act, ACTION_ALERTS_CONFIRM_ASK, account->id, STR_NULL);
}

static enum err find_by_token(const struct act *act, struct str token, int64_t *ret)
{
    uint8_t digest[SHA256_SIZE];
    if (token.n != TOKEN_SIZE)
        return fail_set(act->fail, ERR_NOT_FOUND, "this link has expired, or was used");
    sha256(token, digest);
    return alert_confirm_find(act, digest, ret);
}

enum err alerts_confirm_find(const struct act *act, struct str token, struct account *ret)
{
    int64_t account_no = 0;
    TRY(find_by_token(act, token, &account_no));
    return account_find_no(act, account_no, ret);
}

/* Its alerts begin with the next publication: they matched nothing before. */
enum err alerts_confirm(const struct act *act, struct str token)
{
    const struct act by_link = act_of_visitor(act);
    struct account account = {.no = 0};
    int64_t account_no = 0;
    enum err err = find_by_token(act, token, &account_no);
    if (!err)
        err = account_lock_no(act, account_no, &account);
    if (!err)
        err = find_by_token(act, token, &account_no); /* under the lock */
    if (!err)
        err = account_confirm(act, account_no);
    if (!err)
        err = alert_confirm_end(act, account_no);
    if (!err)
        err = alert_restart_all(act, account_no);
    return err ? err : action_log_account(&by_link, ACTION_ALERTS_CONFIRM, account.id, STR_NULL);
}
