/* Secrets and codes of a second factor; see second_factor.h. */
#include "account/second_factor.h"

#include <assert.h>
#include <endian.h>
#include <liboath/oath.h>
#include <pthread.h>
#include <stdlib.h>

#include "account/letter.h"
#include "store/account/session.h"
#include "store/account/token.h"

/* Codes by liboath. */

enum { DRIFT_STEPS = 1, ADDRESS_SIZE_MAX = 2048, SECRET_GROUP = 4 };

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    if (oath_init() != OATH_OK)
        abort();
}

/* Writes the digits without spaces. False: not six of them. */
static bool read_digits(struct str code, char ret[static TOTP_DIGITS + 1])
{
    size_t n = 0;
    for (size_t i = 0; i < code.n; i++) {
        if (code.p[i] == ' ')
            continue;
        if (!ascii_is_digit(code.p[i]) || n == TOTP_DIGITS)
            return false;
        ret[n++] = code.p[i];
    }
    ret[n] = '\0';
    return n == TOTP_DIGITS;
}

bool totp_shaped(struct str code)
{
    char digits[TOTP_DIGITS + 1];
    return read_digits(code, digits);
}

bool totp_matches(
    const uint8_t secret[static TOTP_SECRET_SIZE], struct str code, int64_t now_ms,
    int64_t *ret_step)
{
    char digits[TOTP_DIGITS + 1];
    uint64_t counter = 0;
    int position;
    if (!read_digits(code, digits) || now_ms < 0)
        return false;
    pthread_once(&initialised, initialise);
    int found = oath_totp_validate3(
        (const char *)secret, TOTP_SECRET_SIZE, (time_t)(now_ms / SECOND_MS), TOTP_STEP_S, 0,
        DRIFT_STEPS, &position, &counter, digits);
    mem_wipe(digits, sizeof digits);
    if (found < 0)
        return false;
    *ret_step = (int64_t)counter;
    return true;
}

/* RFC 4648, without padding: 20 bytes are 32 characters. */
static void put_base32(struct buf *b, const uint8_t *p, size_t n, size_t group)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    uint32_t bits = 0;
    size_t left = 0, written = 0;
    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | p[i];
        for (left += 8; left >= 5; left -= 5) {
            if (group && written && written % group == 0)
                buf_char(b, ' ');
            buf_char(b, alphabet[bits >> (left - 5) & 31]);
            written++;
        }
    }
}

struct str totp_text(const uint8_t secret[static TOTP_SECRET_SIZE], struct arena *arena)
{
    char space[64];
    struct buf b = buf_over(space, sizeof space);
    put_base32(&b, secret, TOTP_SECRET_SIZE, SECRET_GROUP);
    struct str text = arena_str(arena, buf_view(&b));
    mem_wipe(space, sizeof space);
    return text;
}

static void put_percent(struct buf *b, struct str text)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (ascii_is_alnum((char)c) || c == '-' || c == '.' || c == '_' || c == '~' || c == '@') {
            buf_char(b, (char)c);
        } else {
            buf_char(b, '%');
            buf_char(b, digits[c >> 4]);
            buf_char(b, digits[c & 15]);
        }
    }
}

struct str totp_address(
    const uint8_t secret[static TOTP_SECRET_SIZE], struct str issuer, struct str account,
    struct arena *arena)
{
    BUF_SCOPED(b, ADDRESS_SIZE_MAX);
    buf_text(&b, "otpauth://totp/");
    put_percent(&b, issuer);
    buf_char(&b, ':');
    put_percent(&b, account);
    buf_text(&b, "?secret=");
    put_base32(&b, secret, TOTP_SECRET_SIZE, 0);
    buf_text(&b, "&issuer=");
    put_percent(&b, issuer);
    struct str text = b.overflow ? STR("") : arena_str(arena, buf_view(&b));
    if (b.p)
        mem_wipe(b.p, b.n);
    return text;
}

/* Recovery codes. */

enum { LETTERS = 16, GROUP = 4 };

/* Without 0, 1, 8, 9, which look like letters: RFC 4648's base32 in small letters. */
static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

static void make_one(char ret[static RECOVERY_SIZE + 1])
{
    uint8_t random[LETTERS];
    size_t at = 0;
    random_bytes(random, sizeof random);
    for (size_t i = 0; i < LETTERS; i++) {
        if (i && i % GROUP == 0)
            ret[at++] = '-';
        ret[at++] = alphabet[random[i] & 31];
    }
    ret[at] = '\0';
    mem_wipe(random, sizeof random);
}

void recovery_make(struct recovery_codes *ret)
{
    for (size_t i = 0; i < RECOVERY_COUNT; i++)
        make_one(ret->text[i]);
}

void recovery_finish(struct recovery_codes *codes)
{
    mem_wipe(codes, sizeof *codes);
}

bool recovery_hash(struct str typed, uint8_t ret[static SHA256_SIZE])
{
    char letters[LETTERS];
    size_t n = 0;
    for (size_t i = 0; i < typed.n; i++) {
        char c = ascii_lower(typed.p[i]);
        if (c == '-' || c == ' ')
            continue;
        if (n == LETTERS || !c || !memchr(alphabet, c, sizeof alphabet - 1))
            return false;
        letters[n++] = c;
    }
    if (n == LETTERS)
        sha256(str_of(letters, n), ret);
    mem_wipe(letters, sizeof letters);
    return n == LETTERS;
}

enum {
    SEALED_SIZE = TOTP_SECRET_SIZE + SEAL_OVERHEAD,
    PENDING_SIZE = TOTP_SECRET_SIZE + 8, /* the secret, and when it was made: ms, big-endian */
    PENDING_SEALED_SIZE = PENDING_SIZE + SEAL_OVERHEAD,
    PENDING_OWNER_MAX = 128, /* ids of the account and the session */
};

static enum err open_secret(
    const struct account_config *config, const struct account *account, struct str sealed,
    uint8_t ret[static TOTP_SECRET_SIZE], struct fail *fail)
{
    return seal_open(&config->totp_key, account->id, sealed, ret, TOTP_SECRET_SIZE, fail);
}

static void seal_secret(
    const struct account_config *config, const struct account *account,
    const uint8_t secret[static TOTP_SECRET_SIZE], uint8_t ret[static SEALED_SIZE])
{
    seal(&config->totp_key, account->id, str_of((const char *)secret, TOTP_SECRET_SIZE), ret);
}

/* --- the secret that waits for its first code */

/* Another session cannot open it: it cannot read the secret, nor leave one for the owner to find.
 */
static struct str pending_owner(
    const struct account *account, struct str session_id, char space[static PENDING_OWNER_MAX])
{
    struct buf b = buf_over(space, PENDING_OWNER_MAX);
    buf_fmt(&b, "%.*s %.*s", STR_ARG(account->id), STR_ARG(session_id));
    assert(!b.overflow);
    return buf_view(&b);
}

static void seal_pending(
    const struct account_config *config, const struct account *account, struct str session_id,
    const uint8_t secret[static TOTP_SECRET_SIZE], int64_t now_ms,
    uint8_t ret[static PENDING_SEALED_SIZE])
{
    char owner[PENDING_OWNER_MAX];
    uint8_t pending[PENDING_SIZE];
    const uint64_t made_at = htobe64((uint64_t)now_ms);
    memcpy(pending, secret, TOTP_SECRET_SIZE);
    memcpy(pending + TOTP_SECRET_SIZE, &made_at, sizeof made_at);
    seal(
        &config->totp_key, pending_owner(account, session_id, owner),
        str_of((const char *)pending, sizeof pending), ret);
    mem_wipe(pending, sizeof pending);
}

/* ERR_NOT_FOUND: none that this session began in the last hour. */
static enum err open_pending(
    const struct account_config *config, const struct account *account, struct str session_id,
    int64_t now_ms, uint8_t ret[static TOTP_SECRET_SIZE], struct fail *fail)
{
    char owner[PENDING_OWNER_MAX];
    uint8_t pending[PENDING_SIZE] = {0};
    uint64_t wide;
    bool open = !str_is_null(account->totp_pending) &&
                seal_open(
                    &config->totp_key, pending_owner(account, session_id, owner),
                    account->totp_pending, pending, sizeof pending, NULL) == OK;
    memcpy(&wide, pending + TOTP_SECRET_SIZE, sizeof wide);
    int64_t made_at = (int64_t)be64toh(wide);
    /* one from the future was made before the clock was set back */
    open = open && now_ms >= made_at && now_ms < made_at + SECOND_FACTOR_SETUP_MS;
    if (open)
        memcpy(ret, pending, TOTP_SECRET_SIZE);
    mem_wipe(pending, sizeof pending);
    return open ? OK
                : fail_set(
                      fail, ERR_NOT_FOUND, "no setup of a second factor is under way: start again");
}

/* The issuer is the host of the base URL: what the person knows the site by. */
static struct str issuer_of(const struct account_config *config)
{
    struct str host = config->base_url;
    ptrdiff_t slashes = str_find(host, STR("://"));
    if (slashes >= 0)
        host = str_slice(host, (size_t)slashes + 3, host.n);
    ptrdiff_t end = str_find_char(host, '/');
    return end >= 0 ? str_slice(host, 0, (size_t)end) : host;
}

static void describe(
    const struct account_config *config, const struct account *account,
    const uint8_t secret[static TOTP_SECRET_SIZE], struct arena *arena,
    struct second_factor_setup *ret)
{
    *ret = (struct second_factor_setup){
        .secret_text = totp_text(secret, arena),
        .address = totp_address(secret, issuer_of(config), account->email, arena),
    };
}

enum err second_factor_show(
    const struct account_config *config, const struct account *account, struct str session_id,
    int64_t now_ms, struct arena *arena, struct second_factor_setup *ret, struct fail *fail)
{
    uint8_t secret[TOTP_SECRET_SIZE];
    TRY(open_pending(config, account, session_id, now_ms, secret, fail));
    describe(config, account, secret, arena, ret);
    mem_wipe(secret, sizeof secret);
    return OK;
}

static enum err make_pending(
    const struct act *act, const struct account *account, struct str session_id,
    struct second_factor_setup *ret)
{
    uint8_t secret[TOTP_SECRET_SIZE], sealed[PENDING_SEALED_SIZE];
    random_bytes(secret, sizeof secret);
    seal_pending(act->config, account, session_id, secret, act->now_ms, sealed);
    const struct account_totp totp = {
        .at = INSTANT_NONE, .pending = str_of((const char *)sealed, sizeof sealed)};
    enum err err = account_set_totp(act, account->no, &totp);
    if (!err)
        describe(act->config, account, secret, act->arena, ret);
    mem_wipe(secret, sizeof secret);
    return err;
}

enum err second_factor_begin(
    const struct act *act, int64_t account_no, struct str session_id,
    struct second_factor_setup *ret)
{
    struct account account;
    TRY(account_lock_no(act, account_no, &account));
    if (account.totp_at != INSTANT_NONE)
        return fail_set(act->fail, ERR_REFUSED, "the second factor is already on");
    if (second_factor_show(act->config, &account, session_id, act->now_ms, act->arena, ret, NULL) ==
        OK)
        return OK;
    return make_pending(act, &account, session_id, ret);
}

enum err second_factor_drop_pending(const struct act *act, const struct account *account)
{
    const struct account_totp totp = {
        .sealed = account->totp_sealed, .at = account->totp_at, .step = account->totp_step};
    return str_is_null(account->totp_pending) ? OK : account_set_totp(act, account->no, &totp);
}

/* --- on and off */

static enum err store_codes(const struct act *act, int64_t account_no, struct recovery_codes *ret)
{
    uint8_t digests[RECOVERY_COUNT][SHA256_SIZE];
    recovery_make(ret);
    for (size_t i = 0; i < RECOVERY_COUNT; i++)
        recovery_hash(str_of(ret->text[i], RECOVERY_SIZE), digests[i]);
    return recovery_code_replace(
        act, account_no, (const uint8_t(*)[SHA256_SIZE])digests, RECOVERY_COUNT);
}

/* The first code's step is used up too. */
static enum err turn_on(
    const struct act *act, const struct account *account, struct str session_id, struct str code)
{
    uint8_t secret[TOTP_SECRET_SIZE], sealed[SEALED_SIZE];
    int64_t step = 0;
    if (open_pending(act->config, account, session_id, act->now_ms, secret, act->fail))
        return ERR_REFUSED; /* with its reason */
    bool right = totp_matches(secret, code, act->now_ms, &step);
    seal_secret(act->config, account, secret, sealed);
    mem_wipe(secret, sizeof secret);
    if (!right)
        return fail_set(
            act->fail, ERR_INVALID,
            "the code is wrong: check the clock of your device, and enter the code it shows now");
    const struct account_totp totp = {
        .sealed = str_of((const char *)sealed, sizeof sealed), .at = act->now_ms, .step = step};
    return account_set_totp(act, account->no, &totp);
}

enum err second_factor_on(
    const struct act *act, int64_t account_no, struct str code, struct recovery_codes *ret)
{
    struct account account;
    int64_t ended;
    TRY(account_lock_no(act, account_no, &account));
    TRY(turn_on(act, &account, act->actor->session_id, code));
    TRY(store_codes(act, account_no, ret));
    TRY(session_end_all(act, account_no, act->actor->session_id, &ended));
    TRY(letter_to_owner(act, &account, LETTER_FACTOR_ON, STR_NULL));
    return action_log_account(act, ACTION_SECOND_FACTOR_ON, account.id, STR_NULL);
}

enum err second_factor_off(const struct act *act, void *work)
{
    const struct account_totp none = {.at = INSTANT_NONE};
    struct subject *is = work;
    struct account *account = &is->account;
    TRY(subject_find(act, is));
    TRY(account_lock_no(act, account->no, account));
    if (account->totp_at == INSTANT_NONE)
        return fail_set(act->fail, ERR_REFUSED, "the second factor is already off");
    if (act->actor->kind != ACTOR_KIND_OPERATOR &&
        account_demands_factor(act->config, account->role))
        return fail_set(
            act->fail, ERR_REFUSED, "this site requires a second factor for %.*ss",
            STR_ARG(role_name(account->role)));
    TRY(account_set_totp(act, account->no, &none));
    TRY(recovery_code_replace(act, account->no, NULL, 0));
    TRY(letter_to_owner(act, account, LETTER_FACTOR_OFF, STR_NULL));
    return subject_done(act, is, ACTION_SECOND_FACTOR_OFF, STR_NULL);
}

enum err second_factor_new_codes(
    const struct act *act, int64_t account_no, struct recovery_codes *ret)
{
    struct account account;
    TRY(account_lock_no(act, account_no, &account));
    if (account.totp_at == INSTANT_NONE)
        return fail_set(act->fail, ERR_REFUSED, "the second factor is off");
    TRY(store_codes(act, account_no, ret));
    TRY(letter_to_owner(act, &account, LETTER_CODES_MADE, STR_NULL));
    return action_log_account(act, ACTION_RECOVERY_CODES_MAKE, account.id, STR_NULL);
}

/* --- using a code */

static enum err use_totp(
    const struct act *act, const struct account *account, struct str code, bool *ret_right,
    const char **ret_why)
{
    uint8_t secret[TOTP_SECRET_SIZE];
    int64_t step;
    enum err err = open_secret(act->config, account, account->totp_sealed, secret, act->fail);
    *ret_right = !err && totp_matches(secret, code, act->now_ms, &step);
    mem_wipe(secret, sizeof secret);
    if (!*ret_right)
        return err;
    err = account_use_totp_step(act->db, account->no, step, NULL);
    if (err == ERR_REFUSED) {
        *ret_right = false;
        *ret_why = "this code was used before: wait for the next one";
        return OK;
    }
    return err;
}

static enum err use_recovery(
    const struct act *act, const struct account *account, struct str code, bool *ret_right)
{
    uint8_t digest[SHA256_SIZE];
    if (!recovery_hash(code, digest))
        return OK;
    enum err err = recovery_code_use(act, account->no, digest);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    *ret_right = true;
    int64_t left = 0;
    char word[24];
    struct buf b = buf_over(word, sizeof word);
    err = recovery_code_count(act, account->no, &left);
    buf_i64(&b, left);
    return err ? err : letter_to_owner(act, account, LETTER_CODE_USED, buf_view(&b));
}

enum err second_factor_use(
    const struct act *act, const struct account *account, struct str code, bool *ret_right,
    const char **ret_why)
{
    *ret_right = false;
    *ret_why = "the code is wrong";
    if (totp_shaped(code) && account->totp_sealed.n == 0) { /* `stockact secret rotate --lost` */
        *ret_why = "this site lost its secret for your app: use a recovery code";
        return OK;
    }
    if (totp_shaped(code))
        return use_totp(act, account, code, ret_right, ret_why);
    return use_recovery(act, account, code, ret_right);
}
