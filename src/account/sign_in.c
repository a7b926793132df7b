/* Passwords, codes and sessions; see sign_in.h. */
#include "account/sign_in.h"

#include "account/known_browser.h"
#include "account/second_factor.h"

_Static_assert(
    (int)TOKEN_SIZE == (int)SESSION_TOKEN_SIZE, "struct sign_in_done has room for either");

/* The one sentence for all that is wrong with an address and a password. */
static enum err refuse(struct fail *fail)
{
    return fail_set(fail, ERR_REFUSED, "the address or the password is wrong");
}

/* --- the check */

/* An unknown or disabled account is compared with a hash of nothing. `known`: null if the mark of
 * the browser proves to be from before a change of the password; the attempt counts anew then. */
static enum err look_up(
    struct db *db, const struct account_config *config, const struct sign_in_form *form,
    struct arena *arena, struct account *ret, struct str *known, struct fail *fail)
{
    enum err err = account_find(db, form->email, arena, ret, NULL);
    if (err && err != ERR_NOT_FOUND)
        return fail_set(fail, err, "the database does not answer: try again");
    if (err || ret->disabled_at != INSTANT_NONE)
        ret->password_hash = STR_NULL;
    if (!str_is_null(*known) && !known_browser_holds(config, ret, form->mark))
        *known = STR_NULL;
    return OK;
}

enum err sign_in_check(
    struct db *db, const struct account_config *config, struct attempts *attempts,
    const struct sign_in_form *form, int64_t now_ms, struct arena *arena, struct sign_in *ret,
    int64_t *ret_retry_s, struct fail *fail)
{
    bool equal = false, stale = false;
    struct account *account = &ret->account;
    struct str id = known_browser_id(config, form->email, form->mark, now_ms), known = id;
    *ret = (struct sign_in){.attempts = attempts};
    enum err err = attempts_draw_password(
        attempts, form->email, known, form->client, now_ms, &ret->draw, ret_retry_s, fail);
    if (err)
        return err;
    err = look_up(db, config, form, arena, account, &known, fail);
    if (!err && !str_eq(known, id)) {
        attempts_untried(attempts, &ret->draw);
        err = attempts_draw_password(
            attempts, form->email, known, form->client, now_ms, &ret->draw, ret_retry_s, fail);
        if (err)
            return err;
    }
    if (!err)
        err = password_compare(
            account->password_hash, form->password, !str_is_null(known), &equal, &stale, fail);
    if (err) {
        attempts_untried(attempts, &ret->draw);
        return err;
    }
    if (!equal) {
        attempts_failed(attempts, &ret->draw);
        return refuse(fail);
    }
    if (stale && password_make(form->password, STR(""), true, ret->fresh_hash, NULL))
        ret->fresh_hash[0] = '\0'; /* too short by the present rules, or busy: another time */
    return OK;
}

/* --- the session */

static struct actor actor_of(const struct account *account, struct str session_id)
{
    return (struct actor){
        .kind = ACTOR_KIND_ACCOUNT,
        .account_id = account->id,
        .account_no = account->no,
        .role = account->role,
        .session_id = session_id,
    };
}

static enum err start_session(
    struct db *db, const struct account_config *config, const struct account *account,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    ret->code_needed = false;
    ret->account = *account;
    ret->must_set_up =
        account_demands_factor(config, account->role) && account->totp_at == INSTANT_NONE;
    enum err err =
        session_create(db, account->no, origin, now_ms, arena, ret->token, &ret->session, fail);
    if (err)
        return err;
    const struct actor actor = actor_of(account, ret->session.id);
    return action_log_add(
        db, &actor, ACTION_SESSION_START, account->id, STR("session"), ret->session.id, STR_NULL,
        now_ms, fail);
}

enum err sign_in_begin(
    struct db *db, const struct account_config *config, const struct account *account,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    const struct token token = {.purpose = TOKEN_SIGN_IN, .account_no = account->no};
    *ret = (struct sign_in_done){.account = *account};
    if (account->totp_at == INSTANT_NONE)
        return start_session(db, config, account, origin, now_ms, arena, ret, fail);
    ret->code_needed = true;
    return token_add(db, &token, now_ms, ret->token, fail);
}

static bool same_text(struct str a, struct str b)
{
    return str_eq(a, b) && !str_is_null(a);
}

enum err sign_in_write(
    struct db *db, const struct account_config *config, struct sign_in *sign_in,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    struct account account;
    struct str hash = sign_in->account.password_hash;
    enum err err = account_lock_no(db, sign_in->account.no, arena, &account, NULL);
    if (err == ERR_NOT_FOUND || err == ERR_REFUSED)
        return refuse(fail);
    if (err)
        return fail_set(fail, err, "the database does not answer: try again");
    if (!same_text(account.password_hash, hash))
        return refuse(fail);
    if (sign_in->fresh_hash[0]) {
        account.password_hash = arena_str(arena, str_from(sign_in->fresh_hash));
        err = account_replace_password(db, account.no, hash, account.password_hash, now_ms, fail);
    }
    if (!err)
        err = sign_in_begin(db, config, &account, origin, now_ms, arena, ret, fail);
    if (!err && !ret->code_needed)
        attempts_succeeded(sign_in->attempts, &sign_in->draw);
    return err;
}

static enum err count_wrong_code(
    struct db *db, const struct token *token, int64_t now_ms, struct fail *fail)
{
    int64_t tries = 0;
    enum err err = token_try(db, token->no, &tries, fail);
    return !err && tries >= SIGN_IN_CODE_TRIES ? token_use(db, token->no, now_ms, fail) : err;
}

enum err sign_in_code(
    struct db *db, const struct account_config *config, struct str token_text, struct str code,
    const struct session_origin *origin, int64_t now_ms, struct arena *arena,
    struct sign_in_done *ret, struct fail *fail)
{
    struct token token;
    struct account account;
    bool right = false;
    *ret = (struct sign_in_done){0};
    enum err err = token_find(db, TOKEN_SIGN_IN, token_text, now_ms, arena, &token, fail);
    if (!err)
        err = account_lock_no(db, token.account_no, arena, &account, fail);
    if (!err) /* again, with the account locked: five wrong codes at the same time count as five */
        err = token_find(db, TOKEN_SIGN_IN, token_text, now_ms, arena, &token, fail);
    if (err == ERR_NOT_FOUND || err == ERR_REFUSED)
        return fail_set(fail, ERR_NOT_FOUND, "this sign-in has expired: begin again");
    if (err)
        return err;
    int64_t tries = 0;
    err = token_tries_of(db, TOKEN_SIGN_IN, account.no, now_ms, &tries, fail);
    if (err)
        return err;
    if (account.totp_at != INSTANT_NONE && tries >= SIGN_IN_CODE_TRIES_ALL && totp_shaped(code)) {
        ret->wrong_code = true;
        ret->why = "too many wrong codes: wait ten minutes, or enter a recovery code";
        return OK;
    }
    if (account.totp_at == INSTANT_NONE) /* turned off in between: the password is enough */
        right = true;
    else
        err = second_factor_use(db, config, &account, code, now_ms, &right, &ret->why, fail);
    if (err)
        return err;
    if (!right) {
        ret->wrong_code = true;
        return count_wrong_code(db, &token, now_ms, fail);
    }
    err = token_use(db, token.no, now_ms, fail);
    return err ? err : start_session(db, config, &account, origin, now_ms, arena, ret, fail);
}

/* --- re-authentication */

enum err sign_in_prove_check(
    struct attempts *attempts, const struct account *account, struct str session_id,
    struct str password, int64_t now_ms, int64_t *ret_retry_s, struct fail *fail)
{
    struct attempt_draw draw;
    bool equal = false, stale;
    enum err err = attempts_draw_password(
        attempts, STR_NULL, session_id, NULL, now_ms, &draw, ret_retry_s, fail);
    if (err)
        return err;
    err = password_compare(account->password_hash, password, true, &equal, &stale, fail);
    if (err) {
        attempts_untried(attempts, &draw);
        return err;
    }
    if (!equal) {
        attempts_failed(attempts, &draw);
        return fail_set(fail, ERR_REFUSED, "the password is wrong");
    }
    if (account->totp_at == INSTANT_NONE) /* else the code can still be wrong: let it count */
        attempts_succeeded(attempts, &draw);
    return OK;
}

enum err sign_in_prove_write(
    struct db *db, const struct account_config *config, int64_t session_no, int64_t account_no,
    struct str code, int64_t now_ms, bool *ret_right, const char **ret_why, struct fail *fail)
{
    struct arena arena;
    struct account account;
    arena_init(&arena);
    enum err err = account_lock_no(db, account_no, &arena, &account, fail);
    *ret_right = true;
    if (!err && account.totp_at != INSTANT_NONE)
        err = second_factor_use(db, config, &account, code, now_ms, ret_right, ret_why, fail);
    if (!err && *ret_right)
        err = session_prove(db, session_no, now_ms, fail);
    arena_finish(&arena);
    return err;
}

/* --- sign-out */

enum err sign_out(
    struct db *db, const struct actor *actor, const struct account *account, struct str session_id,
    int64_t now_ms, struct fail *fail)
{
    enum err err = session_end(db, account->no, session_id, fail);
    return err ? err
               : action_log_add(
                     db, actor, ACTION_SESSION_END, account->id, STR("session"), session_id,
                     STR_NULL, now_ms, fail);
}

enum err sign_out_everywhere(
    struct db *db, const struct actor *actor, const struct account *account, struct str but,
    int64_t now_ms, int64_t *ret_count, struct fail *fail)
{
    char detail[40];
    struct buf b = buf_over(detail, sizeof detail);
    enum err err = session_end_all(db, account->no, but, ret_count, fail);
    if (err)
        return err;
    buf_fmt(&b, "sessions %lld", (long long)*ret_count);
    return action_log_account(
        db, actor, ACTION_SESSION_END_ALL, account->id, buf_view(&b), now_ms, fail);
}
