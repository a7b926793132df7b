/* Passwords, codes and sessions; see sign_in.h. */
#include "account/sign_in.h"

#include <endian.h>

#include "account/second_factor.h"
#include "base/codec.h"

/* Marks of known browsers. */

/* Of the id: the instant, big-endian, and random bytes. As base64url. */
enum { ID_BYTES = 24, ID_SIZE = 32, MAC_SIZE = 43, TEXT_MAX = 1024 };

_Static_assert(ID_SIZE + 2 * MAC_SIZE == KNOWN_BROWSER_SIZE, "an id and two digests");

/* Over the id and a text, which is hashed first, so that its length does not matter. */
static void put_mac(
    struct buf *b, const struct account_config *config, const char *what, struct str id,
    struct str first, struct str second)
{
    uint8_t digest[SHA256_SIZE];
    char text[ID_SIZE + 16 + 2 * SHA256_SIZE];
    struct buf signed_text = buf_over(text, sizeof text);
    buf_text(&signed_text, what);
    buf_str(&signed_text, id);
    sha256(first, digest);
    buf_str(&signed_text, str_of((const char *)digest, sizeof digest));
    sha256(second, digest);
    buf_str(&signed_text, str_of((const char *)digest, sizeof digest));
    hmac_sha256(
        str_of((const char *)config->known_key, sizeof config->known_key), buf_view(&signed_text),
        digest);
    base64url_encode(b, digest, sizeof digest);
}

static void put_email_mac(
    struct buf *b, const struct account_config *config, struct str id, struct str email)
{
    char folded[TEXT_MAX];
    struct buf text = buf_over(folded, sizeof folded);
    for (size_t i = 0; i < email.n; i++)
        buf_char(&text, ascii_lower(email.p[i]));
    put_mac(b, config, "email", id, buf_view(&text), STR(""));
}

static void put_account_mac(
    struct buf *b, const struct account_config *config, struct str id,
    const struct account *account)
{
    put_mac(b, config, "account", id, account->id, account->password_hash);
}

void known_browser_make(
    const struct account_config *config, const struct account *account, int64_t now_ms,
    char ret[static KNOWN_BROWSER_SIZE])
{
    uint8_t id[ID_BYTES];
    uint64_t at = htobe64((uint64_t)now_ms);
    struct buf b = buf_over(ret, KNOWN_BROWSER_SIZE);
    random_bytes(id, sizeof id);
    memcpy(id, &at, sizeof at);
    base64url_encode(&b, id, sizeof id);
    struct str id_text = str_of(ret, ID_SIZE);
    put_email_mac(&b, config, id_text, account->email);
    put_account_mac(&b, config, id_text, account);
}

static struct str id_of(struct str mark)
{
    return str_of(mark.p, ID_SIZE);
}

struct str known_browser_id(
    const struct account_config *config, struct str email, struct str mark, int64_t now_ms)
{
    char mac[MAC_SIZE];
    uint8_t id[ID_BYTES];
    uint64_t at;
    struct buf b = buf_over(mac, sizeof mac), decoded = buf_over((char *)id, sizeof id);
    if (mark.n != KNOWN_BROWSER_SIZE || email.n > TEXT_MAX)
        return STR_NULL;
    put_email_mac(&b, config, id_of(mark), email);
    if (!crypto_equal(mac, mark.p + ID_SIZE, sizeof mac) ||
        !base64url_decode(&decoded, id_of(mark)))
        return STR_NULL;
    memcpy(&at, id, sizeof at);
    bool over = now_ms - (int64_t)be64toh(at) > (int64_t)KNOWN_BROWSER_DAYS * DAY_MS;
    return over ? STR_NULL : id_of(mark);
}

bool known_browser_holds(
    const struct account_config *config, const struct account *account, struct str mark)
{
    char mac[MAC_SIZE];
    struct buf b = buf_over(mac, sizeof mac);
    put_account_mac(&b, config, id_of(mark), account);
    return crypto_equal(mac, mark.p + ID_SIZE + MAC_SIZE, sizeof mac);
}

_Static_assert(
    (int)TOKEN_SIZE == (int)SESSION_TOKEN_SIZE, "struct sign_in_done has room for either");

/* The one sentence for all that is wrong with an address and a password. */
static enum err refuse(struct fail *fail)
{
    return fail_set(fail, ERR_REFUSED, "the address or the password is wrong");
}

/* --- the check */

/* An unknown or disabled account is compared with a hash of nothing. `known` becomes null if
 * the browser got its mark before the password was changed; the attempt is then counted anew, as a
 * stranger's. */
static enum err look_up(
    const struct act *act, const struct arrival *is, struct account *ret, struct str *known)
{
    enum err err = account_find(
        &(struct act){.db = act->db, .arena = act->arena, .fail = NULL}, is->email, ret);
    if (err && err != ERR_NOT_FOUND)
        return fail_set(act->fail, err, "the database does not answer: try again");
    if (err || ret->disabled_at != INSTANT_NONE)
        ret->password_hash = STR_NULL;
    if (!str_is_null(*known) && !known_browser_holds(act->config, ret, is->mark))
        *known = STR_NULL;
    return OK;
}

static enum err draw(const struct act *act, struct arrival *is, struct str known)
{
    return attempts_draw_password(
        is->attempts, is->email, known, is->client, act->now_ms, &is->draw, &is->retry_s,
        act->fail);
}

enum err sign_in_check(const struct act *act, void *work)
{
    bool equal = false, stale = false;
    struct arrival *is = work;
    struct account *account = &is->account;
    struct str id = known_browser_id(act->config, is->email, is->mark, act->now_ms), known = id;
    TRY(draw(act, is, known));
    enum err err = look_up(act, is, account, &known);
    if (!err && !str_eq(known, id)) {
        attempts_untried(is->attempts, &is->draw);
        err = draw(act, is, known);
        if (err)
            return err;
    }
    if (!err)
        err = password_compare(
            account->password_hash, is->password, !str_is_null(known), &equal, &stale, act->fail);
    if (err) {
        attempts_untried(is->attempts, &is->draw);
        return err;
    }
    if (!equal) {
        attempts_failed(is->attempts, &is->draw);
        return refuse(act->fail);
    }
    if (stale && password_make(is->password, STR(""), true, is->hash, NULL))
        is->hash[0] = '\0'; /* too short by the present rules, or busy: another time */
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
    const struct act *act, const struct account *account, const struct session_origin *origin,
    struct sign_in_done *ret)
{
    ret->code_needed = false;
    ret->account = *account;
    ret->must_set_up =
        account_demands_factor(act->config, account->role) && account->totp_at == INSTANT_NONE;
    TRY(session_create(act, account->no, origin, ret->token, &ret->session));
    const struct actor actor = actor_of(account, ret->session.id);
    struct act by_owner = *act;
    by_owner.actor = &actor;
    return action_log_add(
        &by_owner, ACTION_SESSION_START, account->id, STR("session"), ret->session.id, STR_NULL);
}

enum err sign_in_begin(
    const struct act *act, const struct account *account, const struct session_origin *origin,
    struct sign_in_done *ret)
{
    const struct token token = {.purpose = TOKEN_SIGN_IN, .account_no = account->no};
    *ret = (struct sign_in_done){.account = *account};
    if (account->totp_at == INSTANT_NONE)
        return start_session(act, account, origin, ret);
    ret->code_needed = true;
    return token_add(act, &token, ret->token);
}

static bool same_text(struct str a, struct str b)
{
    return str_eq(a, b) && !str_is_null(a);
}

enum err sign_in_write(const struct act *act, void *work)
{
    struct arrival *is = work;
    struct account account;
    struct str hash = is->account.password_hash;
    enum err err = account_lock_no(
        &(struct act){.db = act->db, .arena = act->arena, .fail = NULL}, is->account.no, &account);
    if (err == ERR_NOT_FOUND || err == ERR_REFUSED)
        return refuse(act->fail);
    if (err)
        return fail_set(act->fail, err, "the database does not answer: try again");
    if (!same_text(account.password_hash, hash))
        return refuse(act->fail);
    if (is->hash[0]) {
        account.password_hash = arena_str(act->arena, str_from(is->hash));
        err = account_replace_password(act, account.no, hash, account.password_hash);
    }
    if (!err)
        err = sign_in_begin(act, &account, is->origin, &is->done);
    if (!err && !is->done.code_needed)
        attempts_succeeded(is->attempts, &is->draw);
    return err;
}

static enum err count_wrong_code(const struct act *act, const struct token *token)
{
    int64_t tries = 0;
    enum err err = token_try(act, token->no, &tries);
    return !err && tries >= SIGN_IN_CODE_TRIES ? token_use(act, token->no) : err;
}

enum err sign_in_code(const struct act *act, void *work)
{
    struct arrival *is = work;
    struct sign_in_done *ret = &is->done;
    struct token token;
    struct account account;
    bool right = false;
    *ret = (struct sign_in_done){0};
    enum err err = token_find(act, TOKEN_SIGN_IN, is->text, &token);
    if (!err)
        err = account_lock_no(act, token.account_no, &account);
    if (!err) /* again, with the account locked: five wrong codes at the same time count as five */
        err = token_find(act, TOKEN_SIGN_IN, is->text, &token);
    if (err == ERR_NOT_FOUND || err == ERR_REFUSED)
        return fail_set(act->fail, ERR_NOT_FOUND, "this sign-in has expired: begin again");
    if (err)
        return err;
    int64_t tries = 0;
    err = token_tries_of(act, TOKEN_SIGN_IN, account.no, &tries);
    if (err)
        return err;
    if (account.totp_at != INSTANT_NONE && tries >= SIGN_IN_CODE_TRIES_ALL &&
        totp_shaped(is->code)) {
        ret->wrong_code = true;
        ret->why = "too many wrong codes: wait ten minutes, or enter a recovery code";
        return OK;
    }
    if (account.totp_at == INSTANT_NONE) /* turned off in between: the password is enough */
        right = true;
    else
        err = second_factor_use(act, &account, is->code, &right, &ret->why);
    if (err)
        return err;
    if (!right) {
        ret->wrong_code = true;
        return count_wrong_code(act, &token);
    }
    TRY(token_use(act, token.no));
    return start_session(act, &account, is->origin, ret);
}

/* --- re-authentication */

enum err sign_in_prove_check(
    struct attempts *attempts, const struct account *account, struct str session_id,
    struct str password, int64_t now_ms, int64_t *ret_retry_s, struct fail *fail)
{
    struct attempt_draw draw;
    bool equal = false, stale;
    TRY(attempts_draw_password(
        attempts, STR_NULL, session_id, NULL, now_ms, &draw, ret_retry_s, fail));
    enum err err = password_compare(account->password_hash, password, true, &equal, &stale, fail);
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
    const struct act *act, int64_t session_no, int64_t account_no, struct str code, bool *ret_right,
    const char **ret_why)
{
    struct account account;
    TRY(account_lock_no(act, account_no, &account));
    *ret_right = true;
    if (account.totp_at != INSTANT_NONE)
        TRY(second_factor_use(act, &account, code, ret_right, ret_why));
    if (*ret_right)
        TRY(session_prove(act, session_no));
    return OK;
}

/* --- sign-out */

static enum err sign_out_everywhere(const struct act *act, struct subject *is)
{
    TRY(session_end_all(act, is->account.no, STR_NULL, &is->count));
    struct str detail = arena_fmt(act->arena, "sessions %lld", (long long)is->count);
    return action_log_account(act, ACTION_SESSION_END_ALL, is->account.id, detail);
}

enum err sign_out(const struct act *act, void *work)
{
    struct subject *is = work;
    TRY(subject_find(act, is));
    if (str_is_null(is->session))
        return sign_out_everywhere(act, is);
    is->count = 1;
    TRY(session_end(act, is->account.no, is->session));
    return action_log_add(
        act, ACTION_SESSION_END, is->account.id, STR("session"), is->session, STR_NULL);
}

enum err sign_out_own(const struct act *act, void *work)
{
    enum err err = sign_out(act, work);
    return err == ERR_NOT_FOUND ? OK : err;
}
