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
    enum err err = session_end_all(act, account->no, kept_session, &ended);
    if (!err)
        err = token_drop_all(act, account->no);
    if (!err)
        err = second_factor_drop_pending(act, account);
    if (!err)
        err = letter_to_owner(act, account, LETTER_PASSWORD_CHANGED, STR_NULL);
    return err ? err : action_log_account(act, action, account->id, STR_NULL);
}

enum err password_change(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account account;
    enum err err = subject_find(act, is);
    if (!err)
        err = account_lock_no(act, is->account.no, &account);
    if (!err)
        err = account_replace_password(act, account.no, is->account.password_hash, is->hash);
    if (!err)
        err = password_change_settle(act, ACTION_PASSWORD_CHANGE, &account, act->actor->session_id);
    return err ? err : account_find_no(act, account.no, &is->account);
}
