/* A store with accounts, and the settings of part `account`, for its tests. */
#pragma once

#include "store_fixture.h"

#include "account/config.h"
#include "account/manage.h"
#include "account/sign_in.h"
#include "store/account/mail_queue.h"

#define NOW INT64_C(1790000000000)

static const struct session_origin test_origin = {
    STR_INIT("203.0.113.0/24"), STR_INIT("Firefox on Linux")};
static const struct address test_client = {{[10] = 0xff, [11] = 0xff, 203, 0, 113, 7}};

static inline struct account_config test_config(void)
{
    struct account_config config = {
        .base_url = STR("https://trades.example.org"), .mail = true, .signup = SIGNUP_OPEN};
    account_config_keys(&config, STR("0123456789abcdef0123456789abcdef"));
    return config;
}

static inline void begin_transaction(struct store_fixture *f, struct db *db)
{
    assert_ok(f, db_begin(db, &f->fail));
}

/* Runs an expression of an action in one transaction; its result. */
#define in_transaction(f, db, call) (begin_transaction((f), (db)), db_end((db), (call), &(f)->fail))

/* Runs the action. *ret, if it is not NULL: the account afterwards; *ret_link: what is passed on.
 */
static inline enum err test_on(
    const struct act *act, act_run *run, struct subject is, struct account *ret,
    struct str *ret_link)
{
    enum err err = run(act, &is);
    if (ret)
        *ret = is.account;
    if (ret_link)
        *ret_link = is.link;
    return err;
}

/* An account with this password; an empty one: without. Hashing takes 0.1 s. */
static inline struct account test_account(
    struct store_fixture *f, const char *email, enum role role, const char *password)
{
    const struct actor actor = ACTOR_OPERATOR;
    char hash[PASSWORD_HASH_SIZE] = "";
    struct account account;
    if (*password)
        assert_ok(f, password_make(str_from(password), str_from(email), false, hash, &f->fail));
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &actor, .now_ms = NOW), manage_create,
                   (struct subject){
                       .email = str_from(email),
                       .plan = PLAN_PACK,
                       .role = role,
                       .hash = str_from(hash)},
                   &account, NULL)));
    return account;
}

static inline struct actor test_actor(const struct account *account)
{
    return (struct actor){
        .kind = ACTOR_KIND_ACCOUNT,
        .account_id = account->id,
        .account_no = account->no,
        .role = account->role,
    };
}

static inline struct arrival test_arrival(const char *email, const char *password)
{
    return (struct arrival){
        .email = str_from(email),
        .password = str_from(password),
        .client = &test_client,
        .origin = &test_origin};
}

/* Signs in through both halves. */
static inline enum err test_sign_in(
    struct store_fixture *f, const struct account_config *config, const char *email,
    const char *password, int64_t now_ms, struct sign_in_done *ret)
{
    struct arrival is = test_arrival(email, password);
    const struct act *act = ACT(f, .now_ms = now_ms, .config = config);
    enum err err = sign_in_check(act, &is);
    if (!err)
        err = in_transaction(f, f->db, sign_in_write(act, &is));
    *ret = is.done;
    return err;
}

/* The newest mail to this address, its body opened; it counts as sent. Fails without one. */
static inline struct mail_queue_claimed test_mail(
    struct store_fixture *f, const struct account_config *config, const char *to, int64_t now_ms)
{
    struct mail_queue_claimed mail;
    size_t found = 0;
    for (;;) {
        assert_ok(
            f, in_transaction(
                   f, f->db,
                   mail_queue_claim(
                       ACT(f, .now_ms = now_ms + DAY_MS), STR("n"), now_ms + DAY_MS, 1, &mail,
                       &found)));
        if (!found)
            fail_msg("no mail to %s", to);
        assert_ok(f, mail_queue_open(&config->mail_key, &mail, &f->arena, &f->fail));
        assert_ok(f, in_transaction(f, f->db, mail_queue_sent(f->db, mail.no, now_ms, &f->fail)));
        if (str_eq(mail.to, str_from(to)))
            return mail;
    }
}

/* The token of the link in a mail. */
static inline struct str test_token(struct str body)
{
    ptrdiff_t at = str_find(body, STR("?token="));
    assert_true(at > 0);
    struct str token = str_slice(body, (size_t)at + 7, (size_t)at + 7 + TOKEN_SIZE);
    assert_int_equal(token.n, TOKEN_SIZE);
    return token;
}

static inline int64_t test_mails_waiting(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT count(*) FROM mail WHERE ended_at IS NULL");
}

static inline int64_t test_logged(struct store_fixture *f, const char *action)
{
    struct query q;
    int64_t n = 0;
    query_start(&q, f->db, "SELECT count(*) FROM action_log WHERE action = $1");
    query_str(&q, str_from(action));
    if (query_row(&q))
        n = query_get_i64(&q, 0);
    assert_ok(f, query_end(&q, &f->fail));
    return n;
}

/* No row of the action log has an @. */
static inline void test_log_is_clean(struct store_fixture *f)
{
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM action_log WHERE detail LIKE '%@%' OR subject_id LIKE '%@%'"),
        0);
}
