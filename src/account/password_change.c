/* Change of the password; see password_change.h. */
#include "account/password_change.h"

#include "account/letter.h"
#include "account/second_factor.h"
#include "store/account/session.h"
#include "store/account/token.h"

enum err password_change_settle(
    const struct act *act, enum action action, const struct account *account,
    struct str kept_session)
{
    int64_t ended;
    TRY(session_end_all(act, account->no, kept_session, &ended));
    TRY(token_drop_all(act, account->no));
    TRY(second_factor_drop_pending(act, account));
    TRY(letter_to_owner(act, account, LETTER_PASSWORD_CHANGED, STR_NULL));
    return action_log_account(act, action, account->id, STR_NULL);
}

enum err password_change(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account account;
    TRY(subject_find(act, is));
    TRY(account_lock_no(act, is->account.no, &account));
    TRY(account_replace_password(act, account.no, is->account.password_hash, is->hash));
    TRY(password_change_settle(act, ACTION_PASSWORD_CHANGE, &account, act->actor->session_id));
    return account_find_no(act, account.no, &is->account);
}
