/* Change of the password; see password_change.h. */
#include "account/password_change.h"

#include "account/letter.h"
#include "account/second_factor.h"
#include "store/account/session.h"
#include "store/account/token.h"

enum err password_change_settle(
    struct db *db, const struct account_config *config, const struct actor *actor,
    enum action action, const struct account *account, struct str kept_session, int64_t now_ms,
    struct fail *fail)
{
    int64_t ended;
    enum err err = session_end_all(db, account->no, kept_session, &ended, fail);
    if (!err)
        err = token_drop_all(db, account->no, fail);
    if (!err)
        err = second_factor_drop_pending(db, account, fail);
    if (!err)
        err = letter_to_owner(db, config, account, LETTER_PASSWORD_CHANGED, STR_NULL, now_ms, fail);
    return err ? err : action_log_account(db, actor, action, account->id, STR_NULL, now_ms, fail);
}

enum err password_change(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, struct str old_hash, struct str hash, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct account account;
    arena_init(&arena);
    enum err err = account_lock_no(db, account_no, &arena, &account, fail);
    if (!err)
        err = account_replace_password(db, account_no, old_hash, hash, now_ms, fail);
    if (!err)
        err = password_change_settle(
            db, config, actor, ACTION_PASSWORD_CHANGE, &account, actor->session_id, now_ms, fail);
    arena_finish(&arena);
    return err;
}
