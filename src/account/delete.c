/* Deletion; see delete.h. */
#include "account/delete.h"

#include "account/letter.h"
#include "account/manage.h"
#include "store/account/alert.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/mail_queue.h"
#include "store/account/session.h"
#include "store/account/token.h"
#include "store/desk/typed.h"

static enum err revoke_keys(const struct act *act, const struct account *account)
{
    struct key_list keys;
    TRY(key_list_active(act, account->no, KEY_KIND_COUNT, &keys));
    for (size_t i = 0; i < keys.count; i++)
        TRY(key_revoke(act, keys.items[i].id));
    return key_erase_names(act, account->no);
}

static enum err remove_endpoints(const struct act *act, const struct account *account)
{
    struct endpoint_list endpoints;
    TRY(endpoint_list(act, account->email, &endpoints));
    for (size_t i = 0; i < endpoints.count; i++)
        TRY(endpoint_do(act, endpoints.items[i].id, ENDPOINT_DELETE));
    return endpoint_erase_all(act, account->no);
}

static enum err erase_secrets(const struct act *act, const struct account *account)
{
    int64_t ended;
    TRY(session_end_all(act, account->no, STR_NULL, &ended));
    TRY(typed_drop_all(act->db, account->no, act->fail));
    TRY(token_drop_all(act, account->no));
    TRY(token_drop_email(act, TOKEN_SIGN_UP, account->email));
    TRY(token_drop_email(act, TOKEN_INVITATION, account->email));
    return recovery_code_replace(act, account->no, NULL, 0);
}

static enum err erase(const struct act *act, const struct account *account)
{
    TRY(revoke_keys(act, account));
    TRY(key_usage_erase(act, account->no));
    TRY(remove_endpoints(act, account));
    TRY(erase_secrets(act, account));
    TRY(alert_erase_all(act, account->no));
    TRY(mail_queue_erase(act->db, account->no, account->email, act->fail));
    TRY(letter_to_owner(act, account, LETTER_DELETED, STR_NULL));
    TRY(account_erase(act, account->no));
    TRY(manage_check_admins(act, account));
    return action_log_account(act, ACTION_ACCOUNT_DELETE, account->id, STR_NULL);
}

/* The operator may delete a disabled account too. */
enum err account_delete(const struct act *act, void *work)
{
    struct subject *is = work;
    struct account *account = &is->account;
    TRY(subject_find(act, is));
    TRY(act->actor->kind == ACTOR_KIND_OPERATOR ? account_lock_row(act, account->no, account)
                                                : account_lock_no(act, account->no, account));
    return erase(act, account);
}
