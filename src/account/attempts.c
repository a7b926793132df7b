/* Limits of sign-ins; see attempts.h. */
#include "account/attempts.h"

#include <netinet/in.h>

#include "base/crypto.h"
#include "base/mem.h"
#include "limits/limits_wait.h"

enum { EMAIL_HASHED_MAX = 512, IPV4_BITS = 128, IPV6_BITS = 64 };
enum { IPV4_NETWORK_BITS = 120, IPV6_NETWORK_BITS = 48 };

struct attempts {
    struct limits *limits;
    uint8_t key[SHA256_SIZE]; /* hashes the addresses of accounts */
};

enum err attempts_create(
    const struct limits_options *options, struct attempts **ret, struct fail *fail)
{
    struct attempts *attempts = MEM_NEW(struct attempts);
    uint8_t own[SHA256_SIZE];
    hkdf_sha256(options->master_key, STR("sign-in windows"), own);
    hkdf_sha256(options->master_key, STR("sign-in accounts"), attempts->key);
    struct limits_options windows = *options;
    windows.master_key = str_of((const char *)own, sizeof own);
    windows.counts = "sign-ins";
    windows.redis_alone = false; /* several servers would grant as many times the guesses */
    enum err err = limits_create(&windows, &attempts->limits, fail);
    mem_wipe(own, sizeof own);
    if (err)
        mem_free(attempts);
    else
        *ret = attempts;
    return err;
}

void attempts_destroy(struct attempts *attempts)
{
    if (!attempts)
        return;
    limits_destroy(attempts->limits);
    mem_wipe(attempts->key, sizeof attempts->key);
    mem_free(attempts);
}

/* --- callers */

/* Months are not limited: an attacker could lock an owner out until the month ends. */
static struct limits_caller caller_of(const struct address *address, uint32_t per_minute)
{
    return (struct limits_caller){
        .address = *address, .per_minute = per_minute, .per_month = UINT32_MAX};
}

/* Counts an account like an address: in 100::/8, which no client has (RFC 6666 discards it),
 * and the keyed hash of purpose and folded address. Accounts that share a /48 or a /32 have its
 * wider limits together, 10 and 100 times as large; which ones do is not known from outside. */
static struct address account_address(
    const struct attempts *attempts, struct str purpose, struct str email)
{
    char text[EMAIL_HASHED_MAX];
    struct buf b = buf_over(text, sizeof text);
    uint8_t digest[SHA256_SIZE];
    struct address address = {{0x01}};
    buf_str(&b, purpose);
    buf_char(&b, '\0');
    for (size_t i = 0; i < email.n; i++)
        buf_char(&b, ascii_lower(email.p[i]));
    hmac_sha256(str_of((const char *)attempts->key, sizeof attempts->key), buf_view(&b), digest);
    memcpy(address.bytes + 1, digest, sizeof address.bytes - 1);
    return address;
}

static enum err refuse(const struct limits_answer *answer, int64_t *ret_retry_s, struct fail *fail)
{
    *ret_retry_s = answer->retry_after_s;
    if (answer->verdict == LIMITS_UNAVAILABLE)
        return fail_set(
            fail, ERR_UNAVAILABLE, "sign-in is not available right now: try again in a minute");
    return fail_set(
        fail, ERR_LIMIT, "too many attempts: try again in %lld seconds",
        (long long)answer->retry_after_s);
}

/* One of a window. */
static enum err draw_one(
    struct attempts *attempts, const struct address *address, uint32_t per_minute, int window,
    int64_t now_ms, struct attempt_draw *ret, int64_t *ret_retry_s, struct fail *fail)
{
    ret->callers[window] = caller_of(address, per_minute);
    ret->answers[window] = limits_draw_wait(attempts->limits, &ret->callers[window], now_ms);
    return ret->answers[window].verdict == LIMITS_GRANTED
               ? OK
               : refuse(&ret->answers[window], ret_retry_s, fail);
}

static enum err draw_account(
    struct attempts *attempts, struct str purpose, struct str email, uint32_t per_minute,
    int window, int64_t now_ms, struct attempt_draw *ret, int64_t *ret_retry_s, struct fail *fail)
{
    const struct address address = account_address(attempts, purpose, email);
    return draw_one(attempts, &address, per_minute, window, now_ms, ret, ret_retry_s, fail);
}

enum err attempts_draw(
    struct attempts *attempts, struct str purpose, struct str email, const struct address *client,
    int64_t now_ms, struct attempt_draw *ret, int64_t *ret_retry_s, struct fail *fail)
{
    enum err err = OK;
    *ret = (struct attempt_draw){0};
    *ret_retry_s = 0;
    for (int i = 0; i < ATTEMPT_WINDOWS; i++)
        ret->answers[i].verdict = LIMITS_UNAVAILABLE; /* nothing to give back */
    if (!attempts)
        return OK;
    if (client)
        err = draw_one(
            attempts, client, ATTEMPTS_PER_ADDRESS, ATTEMPT_ADDRESS, now_ms, ret, ret_retry_s,
            fail);
    if (err || str_is_null(email))
        return err;
    return draw_account(
        attempts, purpose, email, ATTEMPTS_PER_ACCOUNT, ATTEMPT_ACCOUNT, now_ms, ret, ret_retry_s,
        fail);
}

/* Without Redis it is granted. */
static enum err draw_named(
    struct attempts *attempts, struct str purpose, struct str name, uint32_t per_minute,
    int64_t now_ms, int64_t *ret_retry_s, struct fail *fail)
{
    const struct address address = account_address(attempts, purpose, name);
    const struct limits_caller caller = caller_of(&address, per_minute);
    const struct limits_answer answer = limits_draw_wait(attempts->limits, &caller, now_ms);
    if (answer.verdict == LIMITS_GRANTED || answer.verdict == LIMITS_UNAVAILABLE)
        return OK;
    return refuse(&answer, ret_retry_s, fail);
}

/* Apart from the sign-ins of the same address. */
enum err attempts_draw_picture(
    struct attempts *attempts, struct str account_id, const struct address *client, int64_t now_ms,
    int64_t *ret_retry_s, struct fail *fail)
{
    char text[INET6_ADDRSTRLEN];
    struct buf b = buf_over(text, sizeof text);
    *ret_retry_s = 0;
    if (!attempts)
        return OK;
    const struct address place =
        address_prefix(client, address_is_ipv4(client) ? IPV4_BITS : IPV6_BITS);
    address_put(&b, &place);
    struct str whose = str_is_null(account_id) ? buf_view(&b) : account_id;
    return draw_named(
        attempts, STR("picture"), whose, ATTEMPTS_PICTURES, now_ms, ret_retry_s, fail);
}

enum err attempts_draw_form(
    struct attempts *attempts, struct str account_id, bool keeps, int64_t now_ms,
    int64_t *ret_retry_s, struct fail *fail)
{
    *ret_retry_s = 0;
    return attempts ? draw_named(
                          attempts, keeps ? STR("keep") : STR("form"), account_id,
                          keeps ? ATTEMPTS_KEEPS : ATTEMPTS_FORMS, now_ms, ret_retry_s, fail)
                    : OK;
}

/* The network is part of the name, as the list of sessions shows it: one subscriber can have all
 * addresses of a /48, and several of a /24. */
static enum err draw_stranger(
    struct attempts *attempts, struct str email, const struct address *client, int64_t now_ms,
    struct attempt_draw *ret, int64_t *ret_retry_s, struct fail *fail)
{
    char purpose[16 + INET6_ADDRSTRLEN];
    struct buf b = buf_over(purpose, sizeof purpose);
    const struct address network =
        address_prefix(client, address_is_ipv4(client) ? IPV4_NETWORK_BITS : IPV6_NETWORK_BITS);
    buf_text(&b, "sign in ");
    address_put(&b, &network);
    enum err err =
        attempts_draw(attempts, buf_view(&b), email, client, now_ms, ret, ret_retry_s, fail);
    return err ? err
               : draw_account(
                     attempts, STR("sign in"), email, ATTEMPTS_STRANGERS, ATTEMPT_STRANGERS, now_ms,
                     ret, ret_retry_s, fail);
}

enum err attempts_draw_password(
    struct attempts *attempts, struct str email, struct str known, const struct address *client,
    int64_t now_ms, struct attempt_draw *ret, int64_t *ret_retry_s, struct fail *fail)
{
    bool stranger = str_is_null(known);
    enum err err =
        stranger && attempts
            ? draw_stranger(attempts, email, client, now_ms, ret, ret_retry_s, fail)
            : attempts_draw(attempts, STR("known"), known, NULL, now_ms, ret, ret_retry_s, fail);
    if (err || !attempts)
        return err;
    return draw_account(
        attempts, stranger ? STR("signed in") : STR("known in"), stranger ? email : known,
        ATTEMPTS_SUCCEEDED, ATTEMPT_SUCCESS, now_ms, ret, ret_retry_s, fail);
}

static void give_back(struct attempts *attempts, struct attempt_draw *drawn, int window)
{
    if (attempts)
        limits_refund(attempts->limits, &drawn->callers[window], &drawn->answers[window]);
    drawn->answers[window].verdict = LIMITS_UNAVAILABLE; /* once */
}

void attempts_succeeded(struct attempts *attempts, struct attempt_draw *drawn)
{
    give_back(attempts, drawn, ATTEMPT_ADDRESS);
    give_back(attempts, drawn, ATTEMPT_ACCOUNT);
    give_back(attempts, drawn, ATTEMPT_STRANGERS);
}

void attempts_failed(struct attempts *attempts, struct attempt_draw *drawn)
{
    give_back(attempts, drawn, ATTEMPT_SUCCESS);
}

void attempts_untried(struct attempts *attempts, struct attempt_draw *drawn)
{
    for (int i = 0; i < ATTEMPT_WINDOWS; i++)
        give_back(attempts, drawn, i);
}
