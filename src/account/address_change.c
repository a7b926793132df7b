/* Change of the address; see address_change.h. */
#include "account/address_change.h"

#include "account/letter.h"
#include "store/account/alert.h"
#include "store/account/token.h"

static enum err check_address(const struct account *account, struct str email, struct fail *fail)
{
    enum err err = letter_check_address(email, fail);
    if (!err && str_eq(account->email, email))
        err = fail_set(fail, ERR_INVALID, "the account has this address");
    return err;
}

/* --- asking */

static enum err send_link(
    struct db *db, const struct account_config *config, const struct account *account,
    enum token_purpose purpose, struct str email, int64_t now_ms, struct fail *fail)
{
    const struct token new = {.purpose = purpose, .account_no = account->no, .email = email};
    bool old = purpose == TOKEN_ADDRESS_OLD;
    char token[TOKEN_SIZE];
    enum err err = token_drop(db, purpose, account->no, fail);
    if (!err)
        err = token_add(db, &new, now_ms, token, fail);
    const struct letter_call call = {
        .letter = old ? LETTER_ADDRESS_OLD : LETTER_ADDRESS_NEW,
        .to = old ? account->email : email,
        .account_no = account->no,
        .token = str_of(token, sizeof token),
        .word = email};
    if (!err)
        err = letter_send(db, config, &call, now_ms, fail);
    mem_wipe(token, sizeof token);
    return err;
}

static enum err ask(
    struct db *db, const struct account_config *config, const struct account *account,
    struct str email, int64_t now_ms, struct fail *fail)
{
    bool recent = false;
    if (!config->mail)
        return fail_set(
            fail, ERR_REFUSED, "this site sends no e-mail: ask its operator for the change");
    enum err err = check_address(account, email, fail);
    if (!err)
        err = letter_is_recent(db, LETTER_ADDRESS_NEW, email, now_ms, &recent, fail);
    if (!err && recent)
        err =
            fail_set(fail, ERR_LIMIT, "a link was sent to this address less than five minutes ago");
    if (!err)
        err = send_link(db, config, account, TOKEN_ADDRESS_OLD, email, now_ms, fail);
    return err ? err : send_link(db, config, account, TOKEN_ADDRESS_NEW, email, now_ms, fail);
}

enum err address_change_ask(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, struct str email, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct account account;
    arena_init(&arena);
    enum err err = account_lock_no(db, account_no, &arena, &account, fail);
    if (!err)
        err = ask(db, config, &account, email, now_ms, fail);
    if (!err)
        err = action_log_account(
            db, actor, ACTION_ADDRESS_CHANGE_ASK, account.id, STR_NULL, now_ms, fail);
    arena_finish(&arena);
    return err;
}

enum err address_change_pending(
    struct db *db, int64_t account_no, int64_t now_ms, struct arena *arena,
    struct address_change *ret, struct fail *fail)
{
    struct token old, new;
    enum err err = token_find_of(db, TOKEN_ADDRESS_OLD, account_no, now_ms, arena, &old, fail);
    if (!err)
        err = token_find_of(db, TOKEN_ADDRESS_NEW, account_no, now_ms, arena, &new, fail);
    if (!err)
        *ret = (struct address_change){
            .email = new.email,
            .expires_at = new.expires_at,
            .old_confirmed = old.used_at != INSTANT_NONE,
            .new_confirmed = new.used_at != INSTANT_NONE,
        };
    return err;
}

/* --- confirming */

static enum err find_either(
    struct db *db, struct str text, int64_t now_ms, struct arena *arena, struct token *ret,
    struct fail *fail)
{
    enum err err = token_find(db, TOKEN_ADDRESS_OLD, text, now_ms, arena, ret, fail);
    return err == ERR_NOT_FOUND ? token_find(db, TOKEN_ADDRESS_NEW, text, now_ms, arena, ret, fail)
                                : err;
}

enum err address_change_find(
    struct db *db, struct str text, int64_t now_ms, struct arena *arena, struct str *ret_email,
    bool *ret_is_new, struct fail *fail)
{
    struct token token;
    enum err err = find_either(db, text, now_ms, arena, &token, fail);
    if (!err) {
        *ret_email = token.email;
        *ret_is_new = token.purpose == TOKEN_ADDRESS_NEW;
    }
    return err;
}

/* Sets the address and tells the old one. Links that were sent to the old address end. */
static enum err change(
    struct db *db, const struct account_config *config, const struct actor *actor,
    const struct account *account, struct str email, int64_t now_ms, struct fail *fail)
{
    enum err err = account_set_email(db, account->no, email, fail);
    if (!err && actor->kind != ACTOR_KIND_OPERATOR) /* both addresses followed their links */
        err = account_confirm(db, account->no, now_ms, fail);
    if (!err)
        err = alert_refused_forget(db, account->no, fail);
    if (!err)
        err = token_drop_all(db, account->no, fail);
    if (!err)
        err = letter_to_owner(db, config, account, LETTER_ADDRESS_CHANGED, email, now_ms, fail);
    return err ? err
               : action_log_account(
                     db, actor, ACTION_ADDRESS_CHANGE, account->id, STR_NULL, now_ms, fail);
}

/* With the account locked, so that two confirmations at the same time see each other. */
static enum err confirm(
    struct db *db, const struct account_config *config, struct str text, int64_t now_ms,
    struct arena *arena, bool *ret_done, struct fail *fail)
{
    const struct actor visitor = ACTOR_VISITOR;
    struct token token;
    struct account account;
    struct address_change pending;
    enum err err = find_either(db, text, now_ms, arena, &token, fail);
    if (!err)
        err = account_lock_no(db, token.account_no, arena, &account, fail);
    if (!err)
        err = token_use(db, token.no, now_ms, fail);
    if (!err)
        err = address_change_pending(db, account.no, now_ms, arena, &pending, fail);
    if (err)
        return err;
    *ret_done = pending.old_confirmed && pending.new_confirmed;
    return *ret_done ? change(db, config, &visitor, &account, pending.email, now_ms, fail) : OK;
}

enum err address_change_confirm(
    struct db *db, const struct account_config *config, struct str token, int64_t now_ms,
    bool *ret_done, struct fail *fail)
{
    struct arena arena;
    *ret_done = false;
    arena_init(&arena);
    enum err err = confirm(db, config, token, now_ms, &arena, ret_done, fail);
    arena_finish(&arena);
    return err;
}

/* --- by the operator */

enum err address_set(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, struct str email, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct account account;
    arena_init(&arena);
    enum err err = account_lock_no(db, account_no, &arena, &account, fail);
    if (!err)
        err = check_address(&account, email, fail);
    if (!err)
        err = change(db, config, actor, &account, email, now_ms, fail);
    arena_finish(&arena);
    return err;
}
