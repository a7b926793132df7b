/* The account of an action; see subject.h. */
#include "account/subject.h"

enum err subject_find(const struct act *act, struct subject *is)
{
    return is->account.no ? OK : account_find(act, is->email, &is->account);
}

enum err subject_done(
    const struct act *act, struct subject *is, enum action action, struct str detail)
{
    TRY(account_find_no(act, is->account.no, &is->account));
    return action_log_account(act, action, is->account.id, detail);
}
