/* Sign-in, re-authentication, the second factor, sign-out. */
#include "account/sign_in.h"
#include "account_fixture.h"

#include <dlfcn.h>
#include <liboath/oath.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "account/password_change.h"
#include "account/second_factor.h"
#include "store/account/action_log.h"

#define PASSWORD "correct horse battery"

static void right_password_begins_a_session(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "Ada@example.org", ROLE_MEMBER, PASSWORD), owner;
    struct sign_in_done done;
    struct session session;
    assert_ok(f, test_sign_in(f, &config, "ada@EXAMPLE.org", PASSWORD, NOW, &done));
    assert_false(done.code_needed);
    assert_false(done.must_set_up);
    assert_ok(
        f, session_find(
               ACT(f, .now_ms = NOW), str_of(done.token, sizeof done.token), &session, &owner));
    assert_true(str_eq(owner.id, account.id));
    assert_true(session_is_proved(&session, NOW + 1));
    assert_int_equal(test_logged(f, "session.start"), 1);
    test_log_is_clean(f);
}

static void every_wrong_pair_gets_the_same_sentence(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    const struct actor by_operator = ACTOR_OPERATOR;
    struct account account;
    struct sign_in_done done;
    static const char *const wrong[][2] = {
        {"ada@example.org", "wrong horse battery"},
        {"nobody@example.org", PASSWORD},
        {"disabled@example.org", PASSWORD},
        {"empty@example.org", ""},
        {"empty@example.org", PASSWORD},
        {"no address", PASSWORD},
        {"", ""},
    };
    test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct account disabled = test_account(f, "disabled@example.org", ROLE_MEMBER, PASSWORD);
    test_account(f, "empty@example.org", ROLE_MEMBER, "");
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), manage_disable,
                   (struct subject){.account = {.no = disabled.no}}, &account, NULL)));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(
            test_sign_in(f, &config, wrong[i][0], wrong[i][1], NOW, &done), ERR_REFUSED);
        assert_string_equal(f->fail.text, "the address or the password is wrong");
    }
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM session"), 0);
}

/* What the checks of passwords cost: calls of libsodium, and the parameters of the last hash. */
static struct {
    int verified, made;
    char parameters[32];
} cost;

static void note_parameters(const char *hash)
{
    const char *salt = strrchr(hash, ',');
    salt = salt ? strchr(salt, '$') : NULL;
    assert_non_null(salt);
    assert_true((size_t)(salt - hash) < sizeof cost.parameters);
    snprintf(cost.parameters, sizeof cost.parameters, "%.*s", (int)(salt - hash), hash);
}

int crypto_pwhash_str_verify(
    const char hash[crypto_pwhash_STRBYTES], const char *password, unsigned long long n)
{
    int (*real)(const char *hash, const char *password, unsigned long long n);
    *(void **)&real = dlsym(RTLD_NEXT, "crypto_pwhash_str_verify");
    cost.verified++;
    note_parameters(hash);
    return real(hash, password, n);
}

int crypto_pwhash_str_alg(
    char hash[crypto_pwhash_STRBYTES], const char *password, unsigned long long n,
    unsigned long long passes, size_t memory, int algorithm)
{
    int (*real)(
        char *hash, const char *password, unsigned long long n, unsigned long long passes,
        size_t memory, int algorithm);
    *(void **)&real = dlsym(RTLD_NEXT, "crypto_pwhash_str_alg");
    cost.made++;
    return real(hash, password, n, passes, memory, algorithm);
}

/* One hash with the same parameters: all else is small beside it. pages_timing.test.mjs measures.
 */
static void every_wrong_pair_costs_the_same(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account;
    static const char *const addresses[] = {
        "ada@example.org", "nobody@example.org", "disabled@example.org", "empty@example.org",
        "no address"};
    struct sign_in_done done;
    char parameters[sizeof cost.parameters];
    test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct account disabled = test_account(f, "disabled@example.org", ROLE_MEMBER, PASSWORD);
    test_account(f, "empty@example.org", ROLE_MEMBER, "");
    assert_ok(
        f,
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &ACTOR_OPERATOR, .now_ms = NOW, .config = &config), manage_disable,
                (struct subject){.account = {.no = disabled.no}}, &account, NULL)));
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        memset(&cost, 0, sizeof cost);
        assert_int_equal(
            test_sign_in(f, &config, addresses[i], "wrong horse battery", NOW, &done), ERR_REFUSED);
        assert_int_equal(cost.verified, 1);
        assert_true(cost.made == 0 || i == 0); /* the hash that no password matches, once */
        if (i == 0)
            memcpy(parameters, cost.parameters, sizeof parameters);
        assert_string_equal(cost.parameters, parameters);
    }
}

static void mark_of_a_browser_is_of_one_account_and_password(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    const int64_t last = NOW + KNOWN_BROWSER_DAYS * (int64_t)DAY_MS;
    char text[KNOWN_BROWSER_SIZE];
    struct account ada = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    known_browser_make(&config, &ada, NOW, text);
    struct str mark = str_of(text, sizeof text), email = STR("ADA@Example.org");
    assert_false(str_is_null(known_browser_id(&config, email, mark, last)));
    assert_true(known_browser_holds(&config, &ada, mark));
    assert_true(str_is_null(known_browser_id(&config, email, mark, last + 1)));
    assert_true(str_is_null(known_browser_id(&config, STR("ben@example.org"), mark, NOW)));
    assert_true(str_is_null(known_browser_id(&config, email, STR_NULL, NOW)));
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] ^= 1;
        assert_false(
            !str_is_null(known_browser_id(&config, email, mark, NOW)) &&
            known_browser_holds(&config, &ada, mark));
        text[i] ^= 1;
    }
    ada.password_hash = STR("another");
    assert_false(known_browser_holds(&config, &ada, mark));
}

/* A mark from before the change of the password is like none: the tries of strangers count. */
static void known_browser_signs_in_while_strangers_are_refused(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    const struct limits_options options = {.master_key = STR("0123456789abcdef0123456789abcdef")};
    struct attempts *attempts;
    struct attempt_draw draw;
    char text[KNOWN_BROWSER_SIZE], old[KNOWN_BROWSER_SIZE];
    int64_t retry_s;
    struct account ada = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    assert_ok(f, attempts_create(&options, &attempts, &f->fail));
    known_browser_make(&config, &ada, NOW, text);
    ada.password_hash = STR("the one before");
    known_browser_make(&config, &ada, NOW, old);
    for (int i = 0; i < ATTEMPTS_PER_ACCOUNT; i++)
        assert_ok(
            f, attempts_draw_password(
                   attempts, ada.email, STR_NULL, &test_client, NOW, &draw, &retry_s, &f->fail));
    const struct {
        struct str mark, password;
        enum err err;
    } rows[] = {
        {STR_NULL, STR(PASSWORD), ERR_LIMIT},
        {str_of(old, sizeof old), STR(PASSWORD), ERR_LIMIT},
        {str_of(text, sizeof text), STR("not the password"), ERR_REFUSED},
        {str_of(text, sizeof text), STR(PASSWORD), OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arrival is = {
            .email = ada.email,
            .password = rows[i].password,
            .mark = rows[i].mark,
            .client = &test_client,
            .attempts = attempts};
        assert_int_equal(sign_in_check(ACT(f, .now_ms = NOW, .config = &config), &is), rows[i].err);
    }
    attempts_destroy(attempts);
}

/* The check passed, and then the account changed before the write. */
static void changes_between_check_and_write_refuse_the_sign_in(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    const struct actor by_operator = ACTOR_OPERATOR;
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    for (int i = 0; i < 2; i++) {
        struct arrival is = test_arrival("ada@example.org", PASSWORD);
        assert_ok(f, sign_in_check(ACT(f, .now_ms = NOW, .config = &config), &is));
        assert_ok(
            f, in_transaction(
                   f, f->db,
                   i == 0 ? account_replace_password(
                                ACT(f, .now_ms = NOW), account.no, account.password_hash, STR("x"))
                          : test_on(
                                ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config),
                                manage_disable, (struct subject){.account = {.no = account.no}},
                                &account, NULL)));
        assert_int_equal(
            in_transaction(f, f->db, sign_in_write(ACT(f, .now_ms = NOW, .config = &config), &is)),
            ERR_REFUSED);
        assert_ok(
            f, in_transaction(
                   f, f->db,
                   account_replace_password(
                       ACT(f, .now_ms = NOW), account.no, i == 0 ? STR("x") : account.password_hash,
                       account.password_hash)));
    }
}

static void hash_with_old_parameters_is_replaced(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    /* Argon2id of "correct horse battery" with 19 MiB, as versions before step 16 wrote it */
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    assert_false(password_is_stale(account.password_hash));
    assert_true(password_is_stale(STR("$argon2id$v=19$m=19456,t=2,p=1$"
                                      "c29tZXNhbHRzb21lc2FsdA$"
                                      "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")));
    (void)config;
}

/* --- the second factor */

/* The code that an authenticator shows. `text`: the secret as the page prints it. */
static void code_at(struct str text, int64_t now_ms, char ret[static TOTP_DIGITS + 1])
{
    char spaced[64] = {0}, *secret;
    size_t n, at = 0;
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] != ' ')
            spaced[at++] = text.p[i];
    assert_int_equal(oath_base32_decode(spaced, at, &secret, &n), OATH_OK);
    assert_int_equal(n, TOTP_SECRET_SIZE);
    assert_int_equal(
        oath_totp_generate(secret, n, (time_t)(now_ms / 1000), 30, 0, TOTP_DIGITS, ret), OATH_OK);
    free(secret);
}

static enum err begin(
    struct store_fixture *f, const struct account_config *config, const struct account *account,
    const char *session_id, int64_t now_ms, struct second_factor_setup *ret)
{
    return in_transaction(
        f, f->db,
        second_factor_begin(
            ACT(f, .now_ms = now_ms, .config = config), account->no, str_from(session_id), ret));
}

/* Enters the code that an authenticator with this secret shows, with the session's cookie. */
static enum err finish(
    struct store_fixture *f, const struct account_config *config, const struct account *account,
    const char *session_id, struct str secret, int64_t now_ms, struct recovery_codes *ret)
{
    struct actor actor = test_actor(account);
    char code[TOTP_DIGITS + 1];
    actor.session_id = str_from(session_id);
    code_at(secret, now_ms, code);
    return in_transaction(
        f, f->db,
        second_factor_on(
            ACT(f, .actor = &actor, .now_ms = now_ms, .config = config), account->no,
            str_from(code), ret));
}

static struct str turn_on(
    struct store_fixture *f, const struct account_config *config, const struct account *account,
    int64_t now_ms, struct recovery_codes *codes)
{
    struct actor actor = test_actor(account);
    struct second_factor_setup setup, again;
    actor.session_id = STR("ses_own");
    assert_ok(f, begin(f, config, account, "ses_own", now_ms, &setup));
    assert_ok(f, begin(f, config, account, "ses_own", now_ms, &again));
    assert_true(str_eq(setup.address, again.address));
    assert_int_equal(
        in_transaction(
            f, f->db,
            second_factor_on(
                ACT(f, .actor = &actor, .now_ms = now_ms, .config = config), account->no,
                STR("000000"), codes)),
        ERR_INVALID);
    assert_ok(f, finish(f, config, account, "ses_own", setup.secret_text, now_ms, codes));
    return setup.secret_text;
}

static enum err show(
    struct store_fixture *f, const struct account_config *config, const struct account *account,
    const char *session_id, int64_t now_ms, struct second_factor_setup *ret)
{
    struct account now;
    assert_ok(f, account_find_no(ACT(f), account->no, &now));
    return second_factor_show(config, &now, str_from(session_id), now_ms, &f->arena, ret, &f->fail);
}

static void setup_belongs_to_the_session_that_began_it(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, "");
    struct second_factor_setup planted, own, seen;
    struct recovery_codes codes;
    assert_ok(f, begin(f, &config, &account, "ses_other", NOW, &planted));
    assert_int_equal(show(f, &config, &account, "ses_own", NOW, &seen), ERR_NOT_FOUND);
    assert_int_equal(
        finish(f, &config, &account, "ses_own", planted.secret_text, NOW, &codes), ERR_REFUSED);
    assert_ok(f, begin(f, &config, &account, "ses_own", NOW, &own));
    assert_false(str_eq(own.secret_text, planted.secret_text));
    assert_int_equal(show(f, &config, &account, "ses_other", NOW, &seen), ERR_NOT_FOUND);
    assert_int_equal(
        finish(f, &config, &account, "ses_own", planted.secret_text, NOW, &codes), ERR_INVALID);
    assert_ok(f, finish(f, &config, &account, "ses_own", own.secret_text, NOW, &codes));
}

static void setup_ends_after_an_hour(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, "");
    struct second_factor_setup first, second, seen;
    struct recovery_codes codes;
    const int64_t hour = 60 * 60 * SECOND_MS;
    assert_ok(f, begin(f, &config, &account, "ses_own", NOW, &first));
    assert_ok(f, show(f, &config, &account, "ses_own", NOW + hour - 1, &seen));
    assert_true(str_eq(seen.secret_text, first.secret_text));
    assert_int_equal(show(f, &config, &account, "ses_own", NOW + hour, &seen), ERR_NOT_FOUND);
    assert_int_equal(show(f, &config, &account, "ses_own", NOW - 1, &seen), ERR_NOT_FOUND);
    assert_int_equal(
        finish(f, &config, &account, "ses_own", first.secret_text, NOW + hour, &codes),
        ERR_REFUSED);
    assert_ok(f, begin(f, &config, &account, "ses_own", NOW + hour, &second));
    assert_false(str_eq(second.secret_text, first.secret_text));
}

static void setup_ends_with_a_new_password(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, ""), after;
    struct actor actor = test_actor(&account);
    struct second_factor_setup setup;
    actor.session_id = STR("ses_own");
    assert_ok(f, begin(f, &config, &account, "ses_own", NOW, &setup));
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), password_change,
                   (struct subject){
                       .account = {.no = account.no, .password_hash = account.password_hash},
                       .hash = STR("$new")},
                   NULL, NULL)));
    assert_int_equal(show(f, &config, &account, "ses_own", NOW, &setup), ERR_NOT_FOUND);
    assert_ok(f, account_find_no(ACT(f), account.no, &after));
    assert_true(str_is_null(after.totp_pending));
}

static struct arrival code_entry(const struct sign_in_done *first, const char *code)
{
    struct arrival is = test_arrival("", "");
    is.text = str_of(first->token, sizeof first->token);
    is.code = str_from(code);
    return is;
}

static struct sign_in_done with_code(
    struct store_fixture *f, const struct account_config *config, const struct sign_in_done *first,
    const char *code, int64_t now_ms)
{
    struct arrival is = code_entry(first, code);
    assert_ok(
        f, in_transaction(f, f->db, sign_in_code(ACT(f, .now_ms = now_ms, .config = config), &is)));
    return is.done;
}

static void code_of_the_authenticator_works_once(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct recovery_codes codes;
    struct str secret = turn_on(f, &config, &account, NOW, &codes);
    struct sign_in_done first, second;
    char code[TOTP_DIGITS + 1];
    int64_t later = NOW + 60 * SECOND_MS;
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, later, &first));
    assert_true(first.code_needed);
    code_at(secret, later - 30 * SECOND_MS, code); /* one step behind */
    assert_false(with_code(f, &config, &first, code, later).wrong_code);
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, later, &second));
    struct sign_in_done again = with_code(f, &config, &second, code, later);
    assert_true(again.wrong_code);
    assert_non_null(strstr(again.why, "used before"));
    code_at(secret, later + 30 * SECOND_MS, code); /* one step ahead */
    assert_false(with_code(f, &config, &second, code, later).wrong_code);
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, later, &second));
    code_at(secret, later + 90 * SECOND_MS, code); /* too far ahead */
    assert_true(with_code(f, &config, &second, code, later).wrong_code);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM session"), 2);
}

static void recovery_code_works_once_in_any_spelling(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct recovery_codes codes;
    struct sign_in_done first;
    char shouted[RECOVERY_SIZE + 1] = {0};
    turn_on(f, &config, &account, NOW, &codes);
    for (size_t i = 0; i < RECOVERY_SIZE; i++)
        shouted[i] = codes.text[3][i] == '-' ? ' ' : ascii_upper(codes.text[3][i]);
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &first));
    assert_false(with_code(f, &config, &first, shouted, NOW).wrong_code);
    struct mail_queue_claimed mail;
    do
        mail = test_mail(f, &config, "ada@example.org", NOW);
    while (!str_eq(mail.subject, STR("A recovery code was used")));
    assert_true(str_find(mail.body, STR(" 9 codes are")) > 0);
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &first));
    assert_true(with_code(f, &config, &first, codes.text[3], NOW).wrong_code);
    assert_true(with_code(f, &config, &first, "aaaa-aaaa-aaaa-aaaa", NOW).wrong_code);
    assert_false(with_code(f, &config, &first, codes.text[9], NOW).wrong_code);
}

static void five_wrong_codes_end_the_sign_in(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct recovery_codes codes;
    struct sign_in_done first;
    turn_on(f, &config, &account, NOW, &codes);
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &first));
    for (int i = 0; i < SIGN_IN_CODE_TRIES; i++)
        assert_true(with_code(f, &config, &first, "12345", NOW).wrong_code);
    struct arrival is = code_entry(&first, codes.text[0]);
    assert_int_equal(
        in_transaction(f, f->db, sign_in_code(ACT(f, .now_ms = NOW, .config = &config), &is)),
        ERR_NOT_FOUND);
}

/* Each sign-in has five tries: an account has ten in ten minutes, over all of them. */
static void codes_cannot_be_guessed_over_many_sign_ins(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct recovery_codes codes;
    struct str secret = turn_on(f, &config, &account, NOW, &codes);
    struct sign_in_done first, done;
    char code[TOTP_DIGITS + 1];
    int64_t later = NOW + MINUTE_MS;
    for (int i = 0; i < SIGN_IN_CODE_TRIES_ALL; i++) {
        if (i % 4 == 0) /* no sign-in comes to its own bound */
            assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, later, &first));
        assert_true(with_code(f, &config, &first, "000000", later).wrong_code);
    }
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, later, &first));
    code_at(secret, later, code);
    done = with_code(f, &config, &first, code, later);
    assert_true(done.wrong_code);
    assert_non_null(strstr(done.why, "too many wrong codes"));
    assert_false(with_code(f, &config, &first, codes.text[0], later).wrong_code);
    /* the wrong ones are forgotten */
    later += 11 * MINUTE_MS;
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, later, &first));
    code_at(secret, later, code);
    assert_false(with_code(f, &config, &first, code, later).wrong_code);
}

static void setting_demands_a_second_factor_of_reviewers(void **state)
{
    struct store_fixture *f = *state;
    struct account_config config = test_config();
    config.second_factor = SECOND_FACTOR_REVIEWERS;
    struct account reviewer = test_account(f, "rev@example.org", ROLE_REVIEWER, PASSWORD);
    test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    const struct actor actor = test_actor(&reviewer), by_operator = ACTOR_OPERATOR;
    struct recovery_codes codes;
    struct sign_in_done done;
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &done));
    assert_false(done.must_set_up);
    assert_ok(f, test_sign_in(f, &config, "rev@example.org", PASSWORD, NOW, &done));
    assert_true(done.must_set_up);
    turn_on(f, &config, &reviewer, NOW, &codes);
    assert_int_equal(
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), second_factor_off,
                (struct subject){.account = {.no = reviewer.no}}, NULL, NULL)),
        ERR_REFUSED);
    assert_ok(
        f,
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), second_factor_off,
                (struct subject){.account = {.no = reviewer.no}}, NULL, NULL)));
    assert_ok(f, test_sign_in(f, &config, "rev@example.org", PASSWORD, NOW, &done));
    assert_false(done.code_needed);
}

static void secret_is_sealed_with_the_master_key(void **state)
{
    struct store_fixture *f = *state;
    struct account_config config = test_config(), other = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct recovery_codes codes;
    struct sign_in_done first;
    struct str secret = turn_on(f, &config, &account, NOW, &codes);
    char code[TOTP_DIGITS + 1];
    account_config_keys(&other, STR("another master key of 32 bytes.."));
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &first));
    code_at(secret, NOW + 30 * SECOND_MS, code);
    struct arrival is = code_entry(&first, code);
    assert_int_equal(
        in_transaction(f, f->db, sign_in_code(ACT(f, .now_ms = NOW, .config = &other), &is)),
        ERR_CORRUPT);
    /* recovery codes do not need the key */
    assert_false(with_code(f, &other, &first, codes.text[0], NOW).wrong_code);
}

/* --- re-authentication */

static void password_and_code_prove_a_session(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct recovery_codes codes;
    struct sign_in_done first;
    const char *why = "";
    bool right = false;
    int64_t retry_s, later = NOW + HOUR_MS;
    struct str secret = turn_on(f, &config, &account, NOW, &codes);
    char code[TOTP_DIGITS + 1];
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &first));
    struct sign_in_done done = with_code(f, &config, &first, codes.text[0], NOW);
    assert_false(session_is_proved(&done.session, later));
    assert_int_equal(
        sign_in_prove_check(
            NULL, &account, done.session.id, STR("not the password"), later, &retry_s, &f->fail),
        ERR_REFUSED);
    assert_ok(
        f, sign_in_prove_check(
               NULL, &account, done.session.id, STR(PASSWORD), later, &retry_s, &f->fail));
    assert_ok(
        f, in_transaction(
               f, f->db,
               sign_in_prove_write(
                   ACT(f, .now_ms = later, .config = &config), done.session.no, account.no,
                   STR("000000"), &right, &why)));
    assert_false(right);
    assert_string_equal(why, "the code is wrong");
    code_at(secret, later, code);
    assert_ok(
        f, in_transaction(
               f, f->db,
               sign_in_prove_write(
                   ACT(f, .now_ms = later, .config = &config), done.session.no, account.no,
                   str_from(code), &right, &why)));
    assert_true(right);
    struct session_list list;
    assert_ok(f, session_list(ACT(f, .now_ms = later), account.no, &list));
    assert_true(session_is_proved(&list.items[0], later + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(right_password_begins_a_session),
        store_test(every_wrong_pair_gets_the_same_sentence),
        store_test(every_wrong_pair_costs_the_same),
        store_test(mark_of_a_browser_is_of_one_account_and_password),
        store_test(known_browser_signs_in_while_strangers_are_refused),
        store_test(changes_between_check_and_write_refuse_the_sign_in),
        store_test(hash_with_old_parameters_is_replaced),
        store_test(code_of_the_authenticator_works_once),
        store_test(recovery_code_works_once_in_any_spelling),
        store_test(five_wrong_codes_end_the_sign_in),
        store_test(codes_cannot_be_guessed_over_many_sign_ins),
        store_test(setting_demands_a_second_factor_of_reviewers),
        store_test(setup_belongs_to_the_session_that_began_it),
        store_test(setup_ends_after_an_hour),
        store_test(setup_ends_with_a_new_password),
        store_test(secret_is_sealed_with_the_master_key),
        store_test(password_and_code_prove_a_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
