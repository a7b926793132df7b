/* Deletion; see delete.h. */
#include "account/delete.h"

#include "account/letter.h"
#include "account/manage.h"
#include "store/account/alert.h"
#include "store/account/endpoint.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/mail_queue.h"
#include "store/account/recovery_code.h"
#include "store/account/session.h"
#include "store/account/token.h"
#include "store/desk/typed.h"

static enum err revoke_keys(
    struct db *db, const struct account *account, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    struct key_list keys;
    enum err err = key_list_active(db, account->no, arena, &keys, fail);
    for (size_t i = 0; !err && i < keys.count; i++)
        err = key_revoke(db, keys.items[i].id, now_ms, fail);
    return err ? err : key_erase_names(db, account->no, fail);
}

static enum err remove_endpoints(
    struct db *db, const struct account *account, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    struct endpoint_list endpoints;
    enum err err = endpoint_list(db, account->email, arena, &endpoints, fail);
    for (size_t i = 0; !err && i < endpoints.count; i++)
        err = endpoint_do(db, endpoints.items[i].id, ENDPOINT_DELETE, now_ms, fail);
    return err ? err : endpoint_erase_all(db, account->no, fail);
}

static enum err erase_secrets(
    struct db *db, const struct account *account, int64_t now_ms, struct fail *fail)
{
    int64_t ended;
    enum err err = session_end_all(db, account->no, STR_NULL, &ended, fail);
    if (!err)
        err = typed_drop_all(db, account->no, fail);
    if (!err)
        err = token_drop_all(db, account->no, fail);
    if (!err)
        err = token_drop_email(db, TOKEN_SIGN_UP, account->email, fail);
    if (!err)
        err = token_drop_email(db, TOKEN_INVITATION, account->email, fail);
    return err ? err : recovery_code_replace(db, account->no, NULL, 0, now_ms, fail);
}

static enum err erase(
    struct db *db, const struct account_config *config, const struct actor *actor,
    const struct account *account, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    enum err err = revoke_keys(db, account, now_ms, arena, fail);
    if (!err)
        err = key_usage_erase(db, account->no, fail);
    if (!err)
        err = remove_endpoints(db, account, now_ms, arena, fail);
    if (!err)
        err = erase_secrets(db, account, now_ms, fail);
    if (!err)
        err = alert_erase_all(db, account->no, fail);
    if (!err)
        err = mail_queue_erase(db, account->no, account->email, fail);
    if (!err)
        err = letter_to_owner(db, config, account, LETTER_DELETED, STR_NULL, now_ms, fail);
    if (!err)
        err = account_erase(db, account->no, now_ms, fail);
    if (!err)
        err = manage_check_admins(db, account, fail);
    return err ? err
               : action_log_account(
                     db, actor, ACTION_ACCOUNT_DELETE, account->id, STR_NULL, now_ms, fail);
}

/* The operator may delete a disabled account too. */
static enum err lock(
    struct db *db, const struct actor *actor, int64_t account_no, struct arena *arena,
    struct account *ret, struct fail *fail)
{
    return actor->kind == ACTOR_KIND_OPERATOR ? account_lock_row(db, account_no, arena, ret, fail)
                                              : account_lock_no(db, account_no, arena, ret, fail);
}

enum err account_delete(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct account account;
    arena_init(&arena);
    enum err err = lock(db, actor, account_no, &arena, &account, fail);
    if (!err)
        err = erase(db, config, actor, &account, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}
