/* Reset of the password by e-mail; see reset.h. */
#include "account/reset.h"

#include "account/letter.h"
#include "account/password_change.h"

/* --- asking for a link */

enum err reset_ask_check(
    const struct account_config *config, struct attempts *attempts, const struct address *client,
    int64_t now_ms, int64_t *ret_retry_s, struct fail *fail)
{
    struct attempt_draw draw;
    *ret_retry_s = 0;
    if (!config->mail)
        return fail_set(
            fail, ERR_REFUSED, "this site sends no e-mail: ask its operator for a new password");
    return attempts_draw(
        attempts, STR("reset"), STR_NULL, client, now_ms, &draw, ret_retry_s, fail);
}

static enum err put_link(
    struct db *db, const struct account_config *config, const struct actor *actor,
    const struct account *account, int64_t now_ms, struct arena *arena, struct str *ret_link,
    struct fail *fail)
{
    const struct token new = {.purpose = TOKEN_RESET, .account_no = account->no};
    char token[TOKEN_SIZE];
    enum err err = token_drop(db, TOKEN_RESET, account->no, fail);
    if (!err)
        err = token_add(db, &new, now_ms, token, fail);
    if (err)
        return err;
    const struct letter_call call = {
        .letter = LETTER_RESET,
        .to = account->email,
        .account_no = account->no,
        .token = str_of(token, sizeof token)};
    err = letter_send(db, config, &call, now_ms, fail);
    if (!err && actor->kind == ACTOR_KIND_OPERATOR)
        *ret_link = letter_link(config, LETTER_RESET, call.token, arena);
    mem_wipe(token, sizeof token);
    return err ? err
               : action_log_account(
                     db, actor, ACTION_PASSWORD_RESET_ASK, account->id, STR_NULL, now_ms, fail);
}

/* A token without an account, so that an unknown address costs a row as well. */
static enum err put_nothing(struct db *db, int64_t now_ms, struct fail *fail)
{
    const struct token dummy = {.purpose = TOKEN_RESET};
    char token[TOKEN_SIZE];
    enum err err = token_add(db, &dummy, now_ms, token, fail);
    mem_wipe(token, sizeof token);
    return err;
}

enum err reset_ask(
    struct db *db, const struct account_config *config, const struct actor *actor, struct str email,
    int64_t now_ms, struct arena *arena, struct str *ret_link, struct fail *fail)
{
    bool by_operator = actor->kind == ACTOR_KIND_OPERATOR, recent = false;
    struct account account;
    *ret_link = STR_NULL;
    enum err err = account_find(db, email, arena, &account, fail);
    bool open = !err && account.disabled_at == INSTANT_NONE;
    if (err && (by_operator || err != ERR_NOT_FOUND))
        return err;
    if (!open && by_operator)
        return fail_set(fail, ERR_REFUSED, "the account is disabled: enable it first");
    err = letter_is_recent(db, LETTER_RESET, email, now_ms, &recent, fail);
    if (err)
        return err;
    if (!open || (recent && !by_operator))
        return put_nothing(db, now_ms, fail);
    return put_link(db, config, actor, &account, now_ms, arena, ret_link, fail);
}

/* --- the link */

/* The account of the token, which cannot be disabled. */
static enum err find_account(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct token *ret,
    struct account *ret_account, struct fail *fail)
{
    enum err err = token_find(db, TOKEN_RESET, token, now_ms, arena, ret, fail);
    if (!err)
        err = account_find_no(db, ret->account_no, arena, ret_account, fail);
    if (err == ERR_NOT_FOUND || (!err && ret_account->disabled_at != INSTANT_NONE))
        return fail_set(fail, ERR_NOT_FOUND, "this link has expired, or was used before");
    return err;
}

enum err reset_find(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct str *ret_email,
    struct fail *fail)
{
    struct token found;
    struct account account;
    enum err err = find_account(db, token, now_ms, arena, &found, &account, fail);
    if (!err)
        *ret_email = account.email;
    return err;
}

enum err reset_prepare(
    struct db *db, struct attempts *attempts, struct str token, struct str password,
    const struct address *client, int64_t now_ms, struct arena *arena, struct reset *ret,
    int64_t *ret_retry_s, struct fail *fail)
{
    struct attempt_draw draw;
    struct account account;
    *ret_retry_s = 0;
    enum err err = find_account(db, token, now_ms, arena, &ret->token, &account, fail);
    if (!err)
        err = password_check_rules(password, account.email, fail);
    if (!err)
        err = attempts_draw(
            attempts, STR("reset"), STR_NULL, client, now_ms, &draw, ret_retry_s, fail);
    return err ? err : password_make(password, account.email, false, ret->hash, fail);
}

enum err reset_write(
    struct db *db, const struct account_config *config, const struct reset *reset,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    const struct actor visitor = ACTOR_VISITOR;
    struct account account;
    enum err err = account_lock_no(db, reset->token.account_no, arena, &account, fail);
    if (!err)
        err = token_use(db, reset->token.no, now_ms, fail);
    if (!err)
        err = account_replace_password(
            db, account.no, account.password_hash, str_from(reset->hash), now_ms, fail);
    account.password_hash = arena_str(arena, str_from(reset->hash));
    if (!err)
        err = password_change_settle(
            db, config, &visitor, ACTION_PASSWORD_RESET, &account, STR_NULL, now_ms, fail);
    return err ? err : sign_in_begin(db, config, &account, origin, now_ms, arena, ret, fail);
}
