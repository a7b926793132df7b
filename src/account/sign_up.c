/* New accounts; see sign_up.h. */
#include "account/sign_up.h"

#include <stdio.h>

#include "account/letter.h"
#include "store/account/invitation.h"

/* The address has an account. */
static enum err find_account(
    struct db *db, struct str email, struct arena *arena, bool *ret, struct account *ret_account,
    struct fail *fail)
{
    enum err err = account_find(db, email, arena, ret_account, fail);
    *ret = !err;
    return err == ERR_NOT_FOUND ? OK : err;
}

/* --- sign-up */

static enum err check_open(const struct account_config *config, struct fail *fail)
{
    if (config->signup == SIGNUP_OPEN && config->mail)
        return OK;
    if (config->signup == SIGNUP_OPEN)
        return fail_set(
            fail, ERR_REFUSED,
            "this server sends no e-mail, so it cannot create accounts: ask the operator for one");
    return fail_set(
        fail, ERR_REFUSED,
        config->signup == SIGNUP_INVITE ? "accounts are created by invitation only"
                                        : "sign-up is closed: ask the operator for an account");
}

enum err sign_up_prepare(
    const struct account_config *config, struct attempts *attempts, struct str email,
    struct str password, const struct address *client, int64_t now_ms, struct sign_up *ret,
    const char **ret_field, int64_t *ret_retry_s, struct fail *fail)
{
    struct attempt_draw draw;
    *ret_retry_s = 0;
    *ret_field = "email";
    ret->email = email;
    enum err err = check_open(config, fail);
    if (!err)
        err = letter_check_address(email, fail);
    if (!err) {
        *ret_field = "password";
        err = password_check_rules(password, email, fail);
    }
    if (!err)
        err = attempts_draw(
            attempts, STR("sign up"), STR_NULL, client, now_ms, &draw, ret_retry_s, fail);
    return err ? err : password_make(password, email, false, ret->hash, fail);
}

/* Both branches write, and both begin with the same look-ups. */
enum err sign_up_write(
    struct db *db, const struct account_config *config, const struct sign_up *sign_up,
    int64_t now_ms, struct fail *fail)
{
    const struct token new = {
        .purpose = TOKEN_SIGN_UP,
        .email = sign_up->email,
        .password_hash = str_from(sign_up->hash)};
    struct arena arena;
    struct account account = {0};
    char token[TOKEN_SIZE];
    bool known = false, recent = false;
    arena_init(&arena);
    enum err err = find_account(db, sign_up->email, &arena, &known, &account, fail);
    struct letter_call call = {
        .letter = known ? LETTER_SIGN_UP_KNOWN : LETTER_SIGN_UP,
        .to = known ? account.email : sign_up->email,
        .account_no = account.no};
    if (!err)
        err = letter_is_recent(db, call.letter, call.to, now_ms, &recent, fail);
    if (!err && !recent && !known) {
        err = token_add(db, &new, now_ms, token, fail);
        call.token = str_of(token, sizeof token);
    }
    if (!err && !recent)
        err = letter_send(db, config, &call, now_ms, fail);
    mem_wipe(token, sizeof token);
    arena_finish(&arena);
    return err;
}

enum err sign_up_find(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct str *ret_email,
    struct fail *fail)
{
    struct token found;
    enum err err = token_find(db, TOKEN_SIGN_UP, token, now_ms, arena, &found, fail);
    if (!err)
        *ret_email = found.email;
    return err;
}

enum err sign_up_confirm_check(
    struct db *db, const struct account_config *config, struct attempts *attempts, struct str token,
    struct str password, const struct address *client, int64_t now_ms, struct arena *arena,
    struct token *ret, int64_t *ret_retry_s, struct fail *fail)
{
    struct attempt_draw draw;
    bool equal = false, stale;
    *ret_retry_s = 0;
    enum err err = check_open(config, fail);
    if (!err)
        err = token_find(db, TOKEN_SIGN_UP, token, now_ms, arena, ret, fail);
    if (!err)
        err = attempts_draw(
            attempts, STR("confirm"), ret->email, client, now_ms, &draw, ret_retry_s, fail);
    if (!err)
        err = password_compare(ret->password_hash, password, false, &equal, &stale, fail);
    if (!err && !equal)
        err = fail_set(
            fail, ERR_REFUSED, "this is not the password that you chose when you signed up");
    return err;
}

/* As the log names an invitation: it has no addresses. */
static struct str number_of(const struct token *invitation, struct arena *arena)
{
    return arena_fmt(arena, "%lld", (long long)invitation->no);
}

/* Of concurrent confirmations of one address one makes the account: account_create is one INSERT
 * into a unique column. */
static enum err make_account(
    struct db *db, const struct account_config *config, const struct token *token, struct str hash,
    enum action action, const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    struct account account;
    enum err err = token_use(db, token->no, now_ms, fail);
    if (!err)
        err = account_create(
            db, token->email, token->plan, token->role, now_ms, arena, &account, fail);
    if (err == ERR_EXISTS)
        return fail_set(fail, ERR_EXISTS, "this address already has an account: sign in");
    if (!err)
        err = account_replace_password(db, account.no, STR_NULL, hash, now_ms, fail);
    if (!err)
        err = account_confirm(db, account.no, now_ms, fail);
    if (!err)
        err = token_drop_email(db, TOKEN_SIGN_UP, token->email, fail);
    if (!err)
        err = token_drop_email(db, TOKEN_INVITATION, token->email, fail);
    if (err)
        return err;
    const struct actor actor = {
        .kind = ACTOR_KIND_ACCOUNT, .account_id = account.id, .account_no = account.no};
    bool invited = token->purpose == TOKEN_INVITATION;
    err = action_log_add(
        db, &actor, action, account.id, invited ? STR("invitation") : STR_NULL,
        invited ? number_of(token, arena) : STR_NULL, STR_NULL, now_ms, fail);
    return err ? err : sign_in_begin(db, config, &account, origin, now_ms, arena, ret, fail);
}

enum err sign_up_confirm(
    struct db *db, const struct account_config *config, const struct token *confirmed,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    struct token token = *confirmed;
    token.plan = PLAN_SCOUT;
    token.role = ROLE_MEMBER;
    return make_account(
        db, config, &token, token.password_hash, ACTION_ACCOUNT_SIGN_UP, origin, now_ms, arena, ret,
        fail);
}

/* --- invitations */

static enum err check_invites(
    const struct account_config *config, const struct actor *actor, struct fail *fail)
{
    enum err err = actor_check_admin(actor, fail);
    if (err)
        return err;
    if (config->signup == SIGNUP_OFF)
        return fail_set(
            fail, ERR_REFUSED,
            "invitations are off: set STOCKACT_SIGNUP=invite, or create the account with `stockact "
            "accounts create`");
    return OK;
}

static enum err put_invitation(
    struct db *db, const struct account_config *config, const struct actor *actor,
    const struct token *invitation, int64_t now_ms, struct arena *arena, struct str *ret_link,
    struct fail *fail)
{
    char token[TOKEN_SIZE];
    struct token added;
    enum err err = token_drop_email(db, TOKEN_INVITATION, invitation->email, fail);
    if (!err)
        err = token_add(db, invitation, now_ms, token, fail);
    if (!err)
        err = token_find(
            db, TOKEN_INVITATION, str_of(token, sizeof token), now_ms, arena, &added, fail);
    if (err)
        return err;
    struct str text = arena_str(arena, str_of(token, sizeof token));
    const struct letter_call call = {
        .letter = LETTER_INVITATION, .to = invitation->email, .token = text};
    struct str detail = arena_fmt(
        arena, "role %.*s, plan %.*s", STR_ARG(role_name(invitation->role)),
        STR_ARG(plan_info(invitation->plan)->key));
    *ret_link = letter_link(config, LETTER_INVITATION, text, arena);
    mem_wipe(token, sizeof token);
    err = letter_send(db, config, &call, now_ms, fail);
    return err ? err
               : action_log_add(
                     db, actor, ACTION_ACCOUNT_INVITE, STR_NULL, STR("invitation"),
                     number_of(&added, arena), detail, now_ms, fail);
}

enum err invite_send(
    struct db *db, const struct account_config *config, const struct actor *actor, struct str email,
    enum plan plan, enum role role, int64_t now_ms, struct arena *arena, struct str *ret_link,
    struct fail *fail)
{
    const struct token invitation = {
        .purpose = TOKEN_INVITATION,
        .email = email,
        .plan = plan,
        .role = role,
        .by_id = actor->kind == ACTOR_KIND_ACCOUNT ? actor->account_id : STR_NULL};
    struct account account;
    bool known = false;
    enum err err = check_invites(config, actor, fail);
    if (!err)
        err = letter_check_address(email, fail);
    if (!err)
        err = find_account(db, email, arena, &known, &account, fail);
    if (!err && known)
        err = fail_set(fail, ERR_EXISTS, "this address already has an account");
    return err ? err
               : put_invitation(db, config, actor, &invitation, now_ms, arena, ret_link, fail);
}

enum err invite_withdraw(
    struct db *db, const struct actor *actor, int64_t no, int64_t now_ms, struct fail *fail)
{
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)no);
    enum err err = actor_check_admin(actor, fail);
    if (!err)
        err = invitation_withdraw(db, no, now_ms, fail);
    return err ? err
               : action_log_add(
                     db, actor, ACTION_ACCOUNT_WITHDRAW_INVITATION, STR_NULL, STR("invitation"),
                     str_from(number), STR_NULL, now_ms, fail);
}

/* An invitation ends when the admin who sent it is none any more. */
static enum err check_inviter(
    struct db *db, const struct token *token, struct arena *arena, struct fail *fail)
{
    struct account by;
    if (str_is_null(token->by_id))
        return OK; /* the operator */
    enum err err = account_find_id(db, token->by_id, arena, &by, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    if (err || by.role != ROLE_ADMIN || by.disabled_at != INSTANT_NONE)
        return fail_set(fail, ERR_NOT_FOUND, "the sender of this invitation is no longer an admin");
    return OK;
}

enum err join_find(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct token *ret,
    struct fail *fail)
{
    enum err err = token_find(db, TOKEN_INVITATION, token, now_ms, arena, ret, fail);
    return err ? err : check_inviter(db, ret, arena, fail);
}

enum err join_prepare(
    const struct account_config *config, struct attempts *attempts, const struct token *token,
    struct str password, const struct address *client, int64_t now_ms,
    char ret_hash[static PASSWORD_HASH_SIZE], int64_t *ret_retry_s, struct fail *fail)
{
    struct attempt_draw draw;
    *ret_retry_s = 0;
    if (config->signup == SIGNUP_OFF)
        return fail_set(fail, ERR_REFUSED, "invitations are off: ask the operator for an account");
    enum err err = password_check_rules(password, token->email, fail);
    if (!err)
        err = attempts_draw(
            attempts, STR("join"), STR_NULL, client, now_ms, &draw, ret_retry_s, fail);
    return err ? err : password_make(password, token->email, false, ret_hash, fail);
}

enum err join_write(
    struct db *db, const struct account_config *config, const struct token *token, struct str hash,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    enum err err = check_inviter(db, token, arena, fail);
    return err ? err
               : make_account(
                     db, config, token, hash, ACTION_ACCOUNT_JOIN, origin, now_ms, arena, ret,
                     fail);
}
