/* Sign-up, invitations, reset, changes of password and address, deletion, export: with what each
 * sends, logs and refuses, and with many at the same time. */
#include "account_fixture.h"

#include <pthread.h>

#include "account/address_change.h"
#include "account/delete.h"
#include "account/export.h"
#include "account/password_change.h"
#include "account/reset.h"
#include "account/second_factor.h"
#include "account/sign_up.h"
#include "store/account/endpoint.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/token.h"
#include "store/public/event.h"

#define PASSWORD "correct horse battery"
#define OTHER "another long password"

static const struct actor by_operator = {.kind = ACTOR_KIND_OPERATOR, .role = ROLE_ADMIN};

static int64_t count(struct store_fixture *f, const char *sql)
{
    return store_fixture_number(f, sql);
}

/* --- sign-up */

static enum err sign_up_as(
    struct store_fixture *f, const struct account_config *config, const char *email,
    const char *password, int64_t now_ms)
{
    struct arrival is = test_arrival(email, password);
    const struct act *act = ACT(f, .now_ms = now_ms, .config = config);
    enum err err = sign_up_prepare(act, &is);
    return err ? err : in_transaction(f, f->db, sign_up_write(act, &is));
}

static enum err confirm_sign_up(
    struct store_fixture *f, struct db *db, const struct account_config *config, struct str token,
    const char *password, int64_t now_ms, struct sign_in_done *ret)
{
    struct arrival is = test_arrival("", password);
    const struct act act = {
        .db = db, .now_ms = now_ms, .arena = &f->arena, .fail = &f->fail, .config = config};
    is.text = token;
    enum err err = sign_up_confirm_check(&act, &is);
    if (!err)
        err = in_transaction(f, db, sign_up_confirm(&act, &is));
    *ret = is.done;
    return err;
}

static void operator_cannot_create_an_address_that_sign_up_refuses(void **state)
{
    struct store_fixture *f = *state;
    struct account_config config = test_config();
    static const char *const addresses[] = {
        "a@-example.org", "a@exa_mple.org", "a..b@example.org", "a\"b@example.org"};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct account account;
        struct arrival is = test_arrival(addresses[i], PASSWORD);
        assert_int_equal(
            sign_up_prepare(ACT(f, .now_ms = NOW, .config = &config), &is), ERR_INVALID);
        assert_int_equal(
            in_transaction(
                f, f->db,
                test_on(
                    ACT(f, .actor = &by_operator, .now_ms = NOW), manage_create,
                    (struct subject){
                        .email = str_from(addresses[i]),
                        .plan = PLAN_PACK,
                        .role = ROLE_MEMBER,
                        .hash = STR("")},
                    &account, NULL)),
            ERR_INVALID);
    }
}

static void confirmed_sign_up_makes_an_account_and_a_session(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct sign_in_done done;
    assert_ok(f, sign_up_as(f, &config, "New@example.org", PASSWORD, NOW));
    assert_int_equal(count(f, "SELECT count(*) FROM account"), 0);
    assert_int_equal(count(f, "SELECT count(*) FROM mail WHERE body <> ''"), 0); /* sealed */
    struct mail_queue_claimed mail = test_mail(f, &config, "New@example.org", NOW);
    assert_int_equal(count(f, "SELECT count(*) FROM mail WHERE body_sealed IS NOT NULL"), 0);
    struct str token = test_token(mail.body), email;
    assert_ok(f, sign_up_find(ACT(f, .now_ms = NOW), token, &email));
    assert_str(email, "New@example.org");
    assert_int_equal(confirm_sign_up(f, f->db, &config, token, OTHER, NOW, &done), ERR_REFUSED);
    assert_ok(f, confirm_sign_up(f, f->db, &config, token, PASSWORD, NOW, &done));
    assert_false(done.code_needed);
    assert_int_equal(done.account.role, ROLE_MEMBER);
    assert_int_equal(done.account.plan, PLAN_SCOUT);
    assert_int_equal(
        confirm_sign_up(f, f->db, &config, token, PASSWORD, NOW, &done), ERR_NOT_FOUND);
    assert_ok(f, test_sign_in(f, &config, "new@example.org", PASSWORD, NOW, &done));
    assert_int_equal(test_logged(f, "account.sign_up"), 1);
    test_log_is_clean(f);
}

static void link_of_a_sign_up_lasts_an_hour(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct sign_in_done done;
    struct str email;
    assert_ok(f, sign_up_as(f, &config, "new@example.org", PASSWORD, NOW));
    struct str token = test_token(test_mail(f, &config, "new@example.org", NOW).body);
    assert_ok(f, sign_up_find(ACT(f, .now_ms = NOW + HOUR_MS - 1), token, &email));
    assert_int_equal(
        confirm_sign_up(f, f->db, &config, token, PASSWORD, NOW + HOUR_MS, &done), ERR_NOT_FOUND);
    /* the clock was set back a day: the link still works, once */
    assert_ok(f, confirm_sign_up(f, f->db, &config, token, PASSWORD, NOW - DAY_MS, &done));
}

/* Two sign-ups with one address: the link works with its own password only, and the second
 * confirmation says that there is an account. */
static void sign_up_with_somebody_elses_address_does_not_own_it(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct sign_in_done done;
    int64_t later = NOW + 6 * MINUTE_MS;
    assert_ok(f, sign_up_as(f, &config, "ada@example.org", "attackers password", NOW));
    struct str first = test_token(test_mail(f, &config, "ada@example.org", NOW).body);
    assert_ok(f, sign_up_as(f, &config, "Ada@example.org", PASSWORD, later));
    struct str second = test_token(test_mail(f, &config, "Ada@example.org", later).body);
    assert_int_equal(
        confirm_sign_up(f, f->db, &config, first, PASSWORD, later, &done), ERR_REFUSED);
    assert_ok(f, confirm_sign_up(f, f->db, &config, second, PASSWORD, later, &done));
    assert_int_equal(
        confirm_sign_up(f, f->db, &config, first, "attackers password", later, &done),
        ERR_NOT_FOUND);
    assert_int_equal(
        test_sign_in(f, &config, "ada@example.org", "attackers password", later, &done),
        ERR_REFUSED);
}

static void address_gets_one_mail_in_five_minutes(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    test_account(f, "known@example.org", ROLE_MEMBER, "");
    for (int i = 0; i < 10; i++) {
        assert_ok(
            f, sign_up_as(
                   f, &config, i % 2 ? "new@example.org" : "NEW@example.org", PASSWORD,
                   NOW + i * 29 * SECOND_MS));
        assert_ok(
            f, sign_up_as(f, &config, "known@example.org", PASSWORD, NOW + i * 29 * SECOND_MS));
    }
    assert_int_equal(test_mails_waiting(f), 2);
    assert_int_equal(count(f, "SELECT count(*) FROM token"), 1);
    struct mail_queue_claimed mail = test_mail(f, &config, "known@example.org", NOW);
    assert_str(mail.subject, "You already have an account");
    assert_ok(f, sign_up_as(f, &config, "new@example.org", PASSWORD, NOW + 5 * MINUTE_MS));
    assert_ok(f, sign_up_as(f, &config, "other@example.org", PASSWORD, NOW));
    assert_int_equal(count(f, "SELECT count(*) FROM mail WHERE kind = 'sign_up'"), 3);
}

static void sign_up_is_refused_when_it_is_closed_or_wrong(void **state)
{
    struct store_fixture *f = *state;
    struct account_config config = test_config();
    static const char *const addresses[] = {
        "", "ada", "a@b@c", "a b@c.org", "a@b\r\nBcc: x@y.org", "\xc3\xa4@example.org"};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        assert_int_equal(sign_up_as(f, &config, addresses[i], PASSWORD, NOW), ERR_INVALID);
    char longest[PASSWORD_MAX + 2];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(sign_up_as(f, &config, "a@example.org", longest, NOW), ERR_INVALID);
    longest[PASSWORD_MAX] = '\0';
    assert_ok(f, sign_up_as(f, &config, "a@example.org", longest, NOW));
    assert_int_equal(sign_up_as(f, &config, "b@example.org", "123456789", NOW), ERR_INVALID);
    assert_int_equal(
        sign_up_as(f, &config, "bernard@example.org", "Bernard@Example.org", NOW), ERR_INVALID);
    config.signup = SIGNUP_INVITE;
    assert_int_equal(sign_up_as(f, &config, "b@example.org", PASSWORD, NOW), ERR_REFUSED);
    config = test_config();
    config.mail = false;
    assert_int_equal(sign_up_as(f, &config, "b@example.org", PASSWORD, NOW), ERR_REFUSED);
}

/* --- invitations */

static void invitation_makes_an_account_with_its_role(void **state)
{
    struct store_fixture *f = *state;
    struct account_config config = test_config();
    struct account admin = test_account(f, "admin@example.org", ROLE_ADMIN, "");
    struct account member = test_account(f, "member@example.org", ROLE_MEMBER, "");
    const struct actor actor = test_actor(&admin), wrong = test_actor(&member);
    struct sign_in_done done;
    struct token invitation;
    struct str link;
#define INVITE(actor_, email_)                                                                     \
    in_transaction(                                                                                \
        f, f->db,                                                                                  \
        test_on(                                                                                   \
            ACT(f, .actor = &(actor_), .now_ms = NOW, .config = &config), invite_send,             \
            (struct subject){.email = STR(email_), .plan = PLAN_PACK, .role = ROLE_REVIEWER},      \
            NULL, &link))
    assert_int_equal(INVITE(wrong, "rev@example.org"), ERR_REFUSED);
    assert_int_equal(INVITE(actor, "member@example.org"), ERR_EXISTS);
    assert_int_equal(INVITE(actor, "nobody"), ERR_INVALID);
    config.signup = SIGNUP_OFF;
    assert_int_equal(INVITE(actor, "rev@example.org"), ERR_REFUSED);
    config.signup = SIGNUP_INVITE;
    assert_ok(f, INVITE(actor, "rev@example.org"));
    struct str first = test_token(test_mail(f, &config, "rev@example.org", NOW).body);
    assert_ok(f, INVITE(actor, "Rev@example.org"));
    struct str second = test_token(link);
    assert_int_equal(join_find(ACT(f, .now_ms = NOW), first, &invitation), ERR_NOT_FOUND);
    assert_ok(f, join_find(ACT(f, .now_ms = NOW + 7 * (int64_t)DAY_MS - 1), second, &invitation));
    assert_int_equal(invitation.role, ROLE_REVIEWER);
    struct arrival is = test_arrival("", PASSWORD);
    is.text = second;
    const struct act *act = ACT(f, .now_ms = NOW, .config = &config);
    assert_ok(f, join_prepare(act, &is));
    assert_ok(f, in_transaction(f, f->db, join_write(act, &is)));
    assert_int_equal(is.done.account.role, ROLE_REVIEWER);
    assert_int_equal(is.done.account.plan, PLAN_PACK);
    assert_int_equal(in_transaction(f, f->db, join_write(act, &is)), ERR_NOT_FOUND);
    assert_ok(f, test_sign_in(f, &config, "rev@example.org", PASSWORD, NOW, &done));
    assert_int_equal(test_logged(f, "account.invite"), 2);
    test_log_is_clean(f);
}

/* --- reset */

static enum err ask_reset(
    struct store_fixture *f, const struct account_config *config, const char *email, int64_t now_ms)
{
    const struct actor visitor = ACTOR_VISITOR;
    struct str link;
    return in_transaction(
        f, f->db,
        test_on(
            ACT(f, .actor = &visitor, .now_ms = now_ms, .config = config), reset_ask,
            (struct subject){.email = str_from(email)}, NULL, &link));
}

static enum err do_reset(
    struct store_fixture *f, const struct account_config *config, struct str token,
    const char *password, int64_t now_ms, struct sign_in_done *ret)
{
    struct arrival is = test_arrival("", password);
    const struct act *act = ACT(f, .now_ms = now_ms, .config = config);
    is.text = token;
    enum err err = reset_prepare(act, &is);
    if (!err)
        err = in_transaction(f, f->db, reset_write(act, &is));
    *ret = is.done;
    return err;
}

static void invitation_ends_with_the_admin_who_sent_it(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    test_account(f, "stays@example.org", ROLE_ADMIN, "");
    static const char *const emails[] = {"role@example.org", "gone@example.org", "off@example.org"};
    for (int how = 0; how < 3; how++) {
        struct account admin = test_account(f, emails[how], ROLE_ADMIN, "");
        const struct actor actor = test_actor(&admin);
        struct token invitation, again;
        struct str link;
        assert_ok(
            f, in_transaction(
                   f, f->db,
                   test_on(
                       ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), invite_send,
                       (struct subject){
                           .email = STR("own@example.org"), .plan = PLAN_PACK, .role = ROLE_ADMIN},
                       NULL, &link)));
        struct str token = test_token(link);
        assert_ok(f, join_find(ACT(f, .now_ms = NOW), token, &invitation));
        enum err err = OK;
        begin_transaction(f, f->db);
        if (how == 0)
            err = account_set_role(ACT(f), admin.email, ROLE_REVIEWER);
        else if (how == 1)
            err = test_on(
                ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), account_delete,
                (struct subject){.account = {.no = admin.no}}, NULL, NULL);
        else
            err = account_disable(ACT(f, .now_ms = NOW), admin.email);
        assert_ok(f, db_end(f->db, err, &f->fail));
        assert_int_equal(join_find(ACT(f, .now_ms = NOW), token, &again), ERR_NOT_FOUND);
        /* the page was open before */
        assert_int_equal(
            in_transaction(
                f, f->db,
                join_write(
                    ACT(f, .now_ms = NOW, .config = &config),
                    &(struct arrival){
                        .token = invitation, .hash = "$hash", .origin = &test_origin})),
            ERR_NOT_FOUND);
    }
    assert_int_equal(count(f, "SELECT count(*) FROM account WHERE email = 'own@example.org'"), 0);
}

static void reset_sets_the_password_and_ends_all_sessions(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct sign_in_done done;
    struct session session;
    struct account owner;
    test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &done));
    struct sign_in_done before = done;
    assert_ok(f, ask_reset(f, &config, "ADA@example.org", NOW));
    struct str token = test_token(test_mail(f, &config, "ada@example.org", NOW).body), email;
    assert_ok(f, reset_find(ACT(f, .now_ms = NOW), token, &email));
    assert_str(email, "ada@example.org");
    assert_int_equal(do_reset(f, &config, token, "short", NOW, &done), ERR_INVALID);
    assert_int_equal(do_reset(f, &config, token, OTHER, NOW + HOUR_MS, &done), ERR_NOT_FOUND);
    assert_ok(f, do_reset(f, &config, token, OTHER, NOW, &done));
    assert_int_equal(do_reset(f, &config, token, PASSWORD, NOW, &done), ERR_NOT_FOUND);
    assert_int_equal(
        session_find(
            ACT(f, .now_ms = NOW), str_of(before.token, sizeof before.token), &session, &owner),
        ERR_NOT_FOUND);
    assert_int_equal(
        test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &done), ERR_REFUSED);
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", OTHER, NOW, &done));
    assert_str(test_mail(f, &config, "ada@example.org", NOW).subject, "Your password was changed");
    test_log_is_clean(f);
}

static void flood_of_resets_sends_one_mail_and_keeps_the_link(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct str email;
    struct account disabled = test_account(f, "off@example.org", ROLE_MEMBER, "");
    test_account(f, "ada@example.org", ROLE_MEMBER, "");
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), manage_disable,
                   (struct subject){.account = {.no = disabled.no}}, &disabled, NULL)));
    assert_str(test_mail(f, &config, "off@example.org", NOW).subject, "Your account is disabled");
    for (int i = 0; i < 50; i++) {
        assert_ok(f, ask_reset(f, &config, "ada@example.org", NOW + i * SECOND_MS));
        assert_ok(f, ask_reset(f, &config, "nobody@example.org", NOW + i * SECOND_MS));
        assert_ok(f, ask_reset(f, &config, "off@example.org", NOW + i * SECOND_MS));
        assert_ok(f, ask_reset(f, &config, "no address", NOW + i * SECOND_MS));
    }
    assert_int_equal(test_mails_waiting(f), 1);
    struct str token = test_token(test_mail(f, &config, "ada@example.org", NOW).body);
    assert_ok(f, reset_find(ACT(f, .now_ms = NOW), token, &email));
    assert_ok(f, ask_reset(f, &config, "ada@example.org", NOW + 5 * MINUTE_MS));
    assert_int_equal(test_mails_waiting(f), 1);
    assert_int_equal(
        reset_find(ACT(f, .now_ms = NOW + 5 * MINUTE_MS), token, &email), ERR_NOT_FOUND);
    /* the clock was set back by a day: mail from the future does not stop a reset */
    assert_ok(f, ask_reset(f, &config, "ada@example.org", NOW - DAY_MS));
    assert_int_equal(test_mails_waiting(f), 2);
}

static void operator_gets_the_link_and_the_truth(void **state)
{
    struct store_fixture *f = *state;
    struct account_config config = test_config();
    struct sign_in_done done;
    struct str link;
    config.mail = false;
    test_account(f, "ada@example.org", ROLE_MEMBER, "");
    assert_int_equal(
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), reset_ask,
                (struct subject){.email = STR("nobody@example.org")}, NULL, &link)),
        ERR_NOT_FOUND);
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), reset_ask,
                   (struct subject){.email = STR("ada@example.org")}, NULL, &link)));
    assert_true(str_starts(link, STR("https://trades.example.org/reset?token=")));
    assert_ok(f, do_reset(f, &config, test_token(link), PASSWORD, NOW, &done));
    assert_int_equal(count(f, "SELECT count(*) FROM mail"), 0);
}

/* --- twenty at the same time */

enum { RACERS = 20 };

struct racer {
    struct store_fixture *f;
    const struct account_config *config;
    const struct arrival *reset;
    pthread_barrier_t *start;
    struct db *db;
    struct arena arena;
    enum err err;
};

static void *race_reset(void *arg)
{
    struct racer *racer = arg;
    struct arrival is = *racer->reset;
    struct fail fail;
    pthread_barrier_wait(racer->start);
    racer->err = db_begin(racer->db, &fail);
    if (!racer->err)
        racer->err = db_end(
            racer->db,
            reset_write(
                &(struct act){
                    .db = racer->db,
                    .now_ms = NOW,
                    .arena = &racer->arena,
                    .fail = &fail,
                    .config = racer->config},
                &is),
            &fail);
    return NULL;
}

static void twenty_uses_of_one_link_give_one_success(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct racer racers[RACERS];
    pthread_t threads[RACERS];
    pthread_barrier_t start;
    struct arrival reset = test_arrival("", OTHER);
    test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    assert_ok(f, ask_reset(f, &config, "ada@example.org", NOW));
    struct str token = test_token(test_mail(f, &config, "ada@example.org", NOW).body);
    reset.text = token;
    assert_ok(f, reset_prepare(ACT(f, .now_ms = NOW), &reset));
    pthread_barrier_init(&start, NULL, RACERS);
    for (int i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){
            .f = f,
            .config = &config,
            .reset = &reset,
            .start = &start,
            .db = store_fixture_open(f)};
        arena_init(&racers[i].arena);
        assert_int_equal(pthread_create(&threads[i], NULL, race_reset, &racers[i]), 0);
    }
    int won = 0;
    for (int i = 0; i < RACERS; i++) {
        pthread_join(threads[i], NULL);
        won += racers[i].err == OK;
        assert_true(racers[i].err == OK || racers[i].err == ERR_NOT_FOUND);
        db_close(racers[i].db);
        arena_finish(&racers[i].arena);
    }
    pthread_barrier_destroy(&start);
    assert_int_equal(won, 1);
    assert_int_equal(count(f, "SELECT count(*) FROM session"), 1);
    assert_int_equal(test_logged(f, "password.reset"), 1);
}

/* --- change of the password */

static void change_of_the_password_keeps_the_own_session_only(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct sign_in_done own, other;
    char hash[PASSWORD_HASH_SIZE];
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &own));
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &other));
    struct actor actor = test_actor(&account);
    actor.session_id = own.session.id;
    assert_ok(f, password_make(STR(OTHER), account.email, false, hash, &f->fail));
    for (int i = 0; i < 2; i++) /* two forms at the same time: the second is refused */
        assert_int_equal(
            in_transaction(
                f, f->db,
                test_on(
                    ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), password_change,
                    (struct subject){
                        .account = {.no = account.no, .password_hash = account.password_hash},
                        .hash = str_from(hash)},
                    NULL, NULL)),
            i ? ERR_BUSY : OK);
    struct session_list list;
    assert_ok(f, session_list(ACT(f, .now_ms = NOW), account.no, &list));
    assert_int_equal(list.count, 1);
    assert_true(str_eq(list.items[0].id, own.session.id));
    assert_str(test_mail(f, &config, "ada@example.org", NOW).subject, "Your password was changed");
}

/* --- change of the address */

static void both_addresses_confirm_in_either_order(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "old@example.org", ROLE_MEMBER, PASSWORD), after;
    const struct actor actor = test_actor(&account);
    for (int round = 0; round < 2; round++) {
        const char *from = round ? "mid@example.org" : "old@example.org";
        const char *to = round ? "new@example.org" : "mid@example.org";
        int64_t now_ms = NOW + round * HOUR_MS;
        struct address_change pending;
        bool done = true;
        assert_ok(
            f, in_transaction(
                   f, f->db,
                   test_on(
                       ACT(f, .actor = &actor, .now_ms = now_ms, .config = &config),
                       address_change_ask,
                       (struct subject){.account = {.no = account.no}, .to = str_from(to)}, NULL,
                       NULL)));
        struct mail_queue_claimed old_mail = test_mail(f, &config, from, now_ms);
        struct mail_queue_claimed new_mail = test_mail(f, &config, to, now_ms);
        struct str tokens[2] = {test_token(old_mail.body), test_token(new_mail.body)};
        assert_true(str_find(old_mail.body, str_from(to)) > 0);
        assert_true(str_find(new_mail.body, str_from(from)) < 0);
        assert_ok(
            f, in_transaction(
                   f, f->db,
                   address_change_confirm(
                       ACT(f, .now_ms = now_ms, .config = &config), tokens[round], &done)));
        assert_false(done);
        assert_ok(f, address_change_pending(ACT(f, .now_ms = now_ms), account.no, &pending));
        assert_int_equal(pending.old_confirmed, round == 0);
        assert_int_equal(pending.new_confirmed, round == 1);
        assert_int_equal(
            in_transaction(
                f, f->db,
                address_change_confirm(
                    ACT(f, .now_ms = now_ms, .config = &config), tokens[round], &done)),
            ERR_NOT_FOUND);
        assert_ok(
            f, in_transaction(
                   f, f->db,
                   address_change_confirm(
                       ACT(f, .now_ms = now_ms, .config = &config), tokens[!round], &done)));
        assert_true(done);
        assert_ok(f, account_find(ACT(f), str_from(to), &after));
        assert_true(str_eq(after.id, account.id));
        assert_int_equal(account_find(ACT(f), str_from(from), &after), ERR_NOT_FOUND);
        assert_str(test_mail(f, &config, from, now_ms).subject, "Your address was changed");
    }
    test_log_is_clean(f);
}

static void address_of_another_account_is_only_told_at_the_end(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, "");
    const struct actor actor = test_actor(&account);
    bool done;
    test_account(f, "ben@example.org", ROLE_MEMBER, "");
#define ASK(to_)                                                                                   \
    in_transaction(                                                                                \
        f, f->db,                                                                                  \
        test_on(                                                                                   \
            ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), address_change_ask,         \
            (struct subject){.account = {.no = account.no}, .to = STR(to_)}, NULL, NULL))
    assert_int_equal(ASK("ada@example.org"), ERR_INVALID);
    assert_int_equal(ASK("nobody"), ERR_INVALID);
    assert_ok(f, ASK("ben@example.org"));
    assert_int_equal(ASK("ben@example.org"), ERR_LIMIT);
    struct str old = test_token(test_mail(f, &config, "ada@example.org", NOW).body);
    struct str new = test_token(test_mail(f, &config, "ben@example.org", NOW).body);
    assert_ok(
        f, in_transaction(
               f, f->db,
               address_change_confirm(ACT(f, .now_ms = NOW, .config = &config), old, &done)));
    assert_int_equal(
        in_transaction(
            f, f->db, address_change_confirm(ACT(f, .now_ms = NOW, .config = &config), new, &done)),
        ERR_EXISTS);
}

/* --- admins */

static void last_admin_stays(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account first = test_account(f, "first@example.org", ROLE_ADMIN, ""), after;
    struct account second = test_account(f, "second@example.org", ROLE_ADMIN, "");
    struct account member = test_account(f, "member@example.org", ROLE_MEMBER, "");
    const struct actor admin = test_actor(&first), wrong = test_actor(&member);
    assert_int_equal(
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &wrong, .now_ms = NOW, .config = &config), manage_disable,
                (struct subject){.account = {.no = second.no}}, &after, NULL)),
        ERR_REFUSED);
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &admin, .now_ms = NOW, .config = &config), manage_disable,
                   (struct subject){.account = {.no = second.no}}, &after, NULL)));
    assert_int_equal(
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &admin, .now_ms = NOW, .config = &config), manage_set_role,
                (struct subject){.account = {.no = first.no}, .role = ROLE_MEMBER}, &after, NULL)),
        ERR_REFUSED);
    assert_int_equal(
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &admin, .now_ms = NOW, .config = &config), manage_disable,
                (struct subject){.account = {.no = first.no}}, &after, NULL)),
        ERR_REFUSED);
    assert_int_equal(
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), account_delete,
                (struct subject){.account = {.no = first.no}}, NULL, NULL)),
        ERR_REFUSED);
    assert_ok(f, account_find(ACT(f), first.email, &after));
    assert_int_equal(after.role, ROLE_ADMIN);
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &admin, .now_ms = NOW, .config = &config), manage_enable,
                   (struct subject){.account = {.no = second.no}}, &after, NULL)));
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &admin, .now_ms = NOW, .config = &config), account_delete,
                   (struct subject){.account = {.no = first.no}}, NULL, NULL)));
}

struct admin_racer {
    const struct account_config *config;
    int64_t account_no;
    pthread_barrier_t *start;
    struct db *db;
    enum err err;
};

static void *race_delete(void *arg)
{
    struct admin_racer *racer = arg;
    struct fail fail;
    struct arena arena;
    arena_init(&arena);
    pthread_barrier_wait(racer->start);
    racer->err = db_begin(racer->db, &fail);
    if (!racer->err)
        racer->err = db_end(
            racer->db,
            test_on(
                &(struct act){
                    .db = racer->db,
                    .actor = &by_operator,
                    .now_ms = NOW,
                    .arena = &arena,
                    .fail = &fail,
                    .config = racer->config},
                account_delete, (struct subject){.account = {.no = racer->account_no}}, NULL, NULL),
            &fail);
    arena_finish(&arena);
    return NULL;
}

/* Both of the last two admins delete themselves at the same time: one stays. */
static void two_last_admins_cannot_both_leave(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct admin_racer racers[2];
    pthread_t threads[2];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, 2);
    for (int i = 0; i < 2; i++) {
        struct account admin =
            test_account(f, i ? "b@example.org" : "a@example.org", ROLE_ADMIN, "");
        racers[i] = (struct admin_racer){&config, admin.no, &start, store_fixture_open(f), OK};
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, race_delete, &racers[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        db_close(racers[i].db);
    }
    pthread_barrier_destroy(&start);
    assert_int_equal((racers[0].err == OK) + (racers[1].err == OK), 1);
    assert_int_equal(
        count(f, "SELECT count(*) FROM account WHERE role = 'admin' AND deleted_at IS NULL"), 1);
}

struct demotion {
    const struct account_config *config;
    struct db *db;
    int64_t account_no;
    const struct actor *by;
    enum err err;
};

static void *demote(void *arg)
{
    struct demotion *demotion = arg;
    struct arena arena;
    struct account after;
    struct fail fail;
    arena_init(&arena);
    demotion->err = db_begin(demotion->db, &fail);
    if (!demotion->err)
        demotion->err = db_end(
            demotion->db,
            test_on(
                &(struct act){
                    .db = demotion->db,
                    .actor = demotion->by,
                    .now_ms = NOW,
                    .arena = &arena,
                    .fail = &fail,
                    .config = demotion->config},
                manage_set_role,
                (struct subject){.account = {.no = demotion->account_no}, .role = ROLE_MEMBER},
                &after, NULL),
            &fail);
    arena_finish(&arena);
    return NULL;
}

/* The account becomes the only admin in a transaction that another one, which takes its role away,
 * has not seen. */
static void role_of_a_last_admin_that_became_one_meanwhile_stays(void **state)
{
    struct store_fixture *f = *state;
    if (!store_fixture_is_postgresql())
        skip();
    const struct account_config config = test_config();
    struct account old = test_account(f, "old@example.org", ROLE_ADMIN, ""), after;
    struct account new = test_account(f, "new@example.org", ROLE_MEMBER, "");
    const struct actor admin = test_actor(&old);
    struct demotion demotion = {&config, store_fixture_open(f), new.no, &admin, OK};
    pthread_t thread;
    begin_transaction(f, f->db);
    assert_ok(
        f, test_on(
               ACT(f, .actor = &admin, .now_ms = NOW, .config = &config), manage_set_role,
               (struct subject){.account = {.no = new.no}, .role = ROLE_ADMIN}, &after, NULL));
    assert_ok(
        f, test_on(
               ACT(f, .actor = &admin, .now_ms = NOW, .config = &config), manage_set_role,
               (struct subject){.account = {.no = old.no}, .role = ROLE_MEMBER}, &after, NULL));
    assert_int_equal(pthread_create(&thread, NULL, demote, &demotion), 0);
    store_fixture_wait_for_waiter(f);
    assert_ok(f, db_commit(f->db, &f->fail));
    pthread_join(thread, NULL);
    db_close(demotion.db);
    assert_int_equal(demotion.err, ERR_REFUSED);
    assert_int_equal(count(f, "SELECT count(*) FROM account WHERE role = 'admin'"), 1);
}

/* The address moves to another account between the page and the action. */
static void action_of_an_admin_stays_with_the_account(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account first = test_account(f, "first@example.org", ROLE_MEMBER, ""), after;
    struct account second = test_account(f, "second@example.org", ROLE_MEMBER, "");
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), address_set,
                   (struct subject){.account = {.no = first.no}, .to = STR("moved@example.org")},
                   NULL, NULL)));
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), address_set,
                   (struct subject){.account = {.no = second.no}, .to = STR("first@example.org")},
                   NULL, NULL)));
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &by_operator, .now_ms = NOW, .config = &config), manage_set_role,
                   (struct subject){.account = {.no = first.no}, .role = ROLE_REVIEWER}, &after,
                   NULL)));
    assert_str(after.email, "moved@example.org");
    assert_ok(f, account_find_no(ACT(f), second.no, &after));
    assert_int_equal(after.role, ROLE_MEMBER);
}

/* --- deletion and export */

static enum err add_usage(struct store_fixture *f, int64_t key_no)
{
    const struct usage_counts counts = {{3, 1, 1}};
    const struct usage_error error = {NOW, 404, STR("not_found"), STR("/api/v1/trades/{id}"), 1};
    enum err err = key_day_add(f->db, key_no, instant_day_utc(NOW), &counts, &f->fail);
    if (!err)
        err = key_touch(f->db, key_no, NOW, STR("/api/v1/trades"), &f->fail);
    return err ? err : key_errors_add(f->db, key_no, &error, 1, &f->fail);
}

static void deleted_account_leaves_no_address_and_no_secret(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "Gone@example.org", ROLE_MEMBER, PASSWORD), after;
    const struct actor actor = test_actor(&account);
    struct second_factor_setup setup;
    struct sign_in_done done;
    struct key key;
    char plaintext[API_KEY_SIZE], id[ENDPOINT_ID_SIZE];
    assert_ok(f, test_sign_in(f, &config, "gone@example.org", PASSWORD, NOW, &done));
    assert_ok(f, ask_reset(f, &config, "gone@example.org", NOW));
    endpoint_id_make(id);
    assert_ok(
        f, in_transaction(
               f, f->db,
               key_mint(
                   ACT(f, .now_ms = NOW), account.email, KEY_API, STR("laptop"), plaintext, &key)));
    assert_ok(f, in_transaction(f, f->db, add_usage(f, key.no)));
    assert_ok(
        f, in_transaction(
               f, f->db,
               endpoint_add(
                   ACT(f, .now_ms = NOW), account.email, str_of(id, sizeof id),
                   STR("https://gone.example.org/"), STR("sealed"))));
    assert_ok(
        f, in_transaction(
               f, f->db,
               second_factor_begin(
                   ACT(f, .now_ms = NOW, .config = &config), account.no, STR("ses_1"), &setup)));
    assert_ok(
        f, in_transaction(
               f, f->db,
               test_on(
                   ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), account_delete,
                   (struct subject){.account = {.no = account.no}}, NULL, NULL)));
    assert_int_equal(
        in_transaction(
            f, f->db,
            test_on(
                ACT(f, .actor = &actor, .now_ms = NOW, .config = &config), account_delete,
                (struct subject){.account = {.no = account.no}}, NULL, NULL)),
        ERR_NOT_FOUND);
    assert_ok(f, account_find_id(ACT(f), account.id, &after));
    assert_str(after.email, "");
    assert_true(str_is_null(after.password_hash) && str_is_null(after.totp_pending));
    assert_int_equal(after.deleted_at, NOW);
    assert_int_equal(account_find(ACT(f), account.email, &after), ERR_NOT_FOUND);
    assert_int_equal(count(f, "SELECT count(*) FROM session"), 0);
    assert_int_equal(count(f, "SELECT count(*) FROM token"), 0);
    assert_int_equal(
        count(
            f, "SELECT count(*) FROM api_key WHERE revoked_at IS NULL OR name = 'laptop'"
               " OR last_used_for IS NOT NULL"),
        0);
    assert_int_equal(count(f, "SELECT count(*) FROM key_day"), 0);
    assert_int_equal(count(f, "SELECT count(*) FROM key_error"), 0);
    assert_int_equal(
        count(f, "SELECT count(*) FROM endpoint WHERE url <> '' OR state <> 'deleted'"), 0);
    /* the last message is sent, and then its address is erased */
    assert_int_equal(test_mails_waiting(f), 1);
    assert_str(test_mail(f, &config, "Gone@example.org", NOW).subject, "Your account was deleted");
    assert_int_equal(
        count(f, "SELECT count(*) FROM mail WHERE to_email <> '' OR to_folded <> ''"), 0);
    assert_int_equal(test_logged(f, "account.delete"), 1);
    test_log_is_clean(f);
    store_fixture_assert_sound(f);
    /* the address is free again */
    test_account(f, "gone@example.org", ROLE_MEMBER, "");
}

static void export_has_everything_but_secrets(void **state)
{
    struct store_fixture *f = *state;
    const struct account_config config = test_config();
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, PASSWORD);
    struct sign_in_done done;
    struct key key;
    struct buf json;
    char plaintext[API_KEY_SIZE], id[ENDPOINT_ID_SIZE];
    test_account(f, "ben@example.org", ROLE_MEMBER, "");
    assert_ok(f, test_sign_in(f, &config, "ada@example.org", PASSWORD, NOW, &done));
    assert_ok(f, ask_reset(f, &config, "ada@example.org", NOW));
    endpoint_id_make(id);
    assert_ok(
        f,
        in_transaction(
            f, f->db,
            key_mint(
                ACT(f, .now_ms = NOW), account.email, KEY_API, STR("lap\"top"), plaintext, &key)));
    assert_ok(f, in_transaction(f, f->db, add_usage(f, key.no)));
    assert_ok(
        f, in_transaction(
               f, f->db,
               endpoint_add(
                   ACT(f, .now_ms = NOW), account.email, str_of(id, sizeof id),
                   STR("https://ada.example.org/"), STR("sealed"))));
    assert_ok(
        f,
        in_transaction(
            f, f->db,
            event_add(
                ACT(f, .now_ms = NOW), STR("trade.published"), 0, 0, STR("{\"body\":1}"), NULL)));
    assert_ok(
        f, store_fixture_prepare(
               f, "INSERT INTO account_address (email, account_no)"
                  " SELECT 'ada@example.com', no FROM account WHERE email = 'ada@example.org'"));
    buf_init(&json, EXPORT_SIZE_MAX);
    assert_ok(f, account_export(ACT(f, .now_ms = NOW), &account, &json));
    struct str text = buf_view(&json);
    static const char *const has[] = {
        "\"email\":\"ada@example.org\"",
        "\"formerEmails\":[\"ada@example.com\"]",
        "\"name\":\"lap\\\"top\"",
        "\"url\":\"https://ada.example.org/\"",
        "\"browser\":\"Firefox on Linux\"",
        "\"action\":\"session.start\"",
        "\"subject\":\"Set a new password\"",
        "\"ok\":3,\"notModified\":1",
        "\"path\":\"/api/v1/trades/{id}\"",
        "\"lastUsedFor\":\"/api/v1/trades\"",
        "\"type\":\"trade.published\",\"state\":\"pending\""};
    for (size_t i = 0; i < sizeof has / sizeof *has; i++)
        if (str_find(text, str_from(has[i])) < 0)
            fail_msg("%s is not in %.*s", has[i], STR_ARG(text));
    assert_true(str_find(text, STR("$argon2id")) < 0);
    assert_true(str_find(text, STR("ben@example.org")) < 0);
    assert_true(str_find(text, str_of(plaintext + 12, API_KEY_SIZE - 12)) < 0);
    assert_true(str_find(text, str_of(done.token, sizeof done.token)) < 0);
    buf_finish(&json);
}

static struct str export_with(
    struct store_fixture *f, const struct account *account, size_t max, enum err expected)
{
    struct buf json;
    buf_init(&json, max);
    assert_int_equal(account_export(ACT(f, .now_ms = NOW), account, &json), expected);
    struct str text = arena_str(&f->arena, buf_view(&json));
    buf_finish(&json);
    return text;
}

/* More than are read at a time, each once. */
static void export_has_the_whole_log(void **state)
{
    enum { ROWS = 2500 };
    struct store_fixture *f = *state;
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, "");
    const struct actor actor = test_actor(&account);
    begin_transaction(f, f->db);
    for (int i = 0; i < ROWS; i++)
        assert_ok(
            f, action_log_add(
                   ACT(f, .actor = &actor, .now_ms = NOW), ACTION_SESSION_END, account.id,
                   STR("session"), arena_fmt(&f->arena, "ses_%06d.", i), STR_NULL));
    assert_ok(f, db_commit(f->db, &f->fail));
    struct str text = export_with(f, &account, EXPORT_SIZE_MAX, OK);
    for (int i = 0; i < ROWS; i++) {
        struct str id = arena_fmt(&f->arena, "ses_%06d.", i);
        ptrdiff_t at = str_find(text, id);
        assert_true(at > 0);
        assert_true(str_find(str_slice(text, (size_t)at + id.n, text.n), id) < 0);
    }
}

static void export_that_is_too_large_says_its_bound(void **state)
{
    struct store_fixture *f = *state;
    struct account account = test_account(f, "ada@example.org", ROLE_MEMBER, "");
    const struct actor actor = test_actor(&account);
    static char large[2000];
    memset(large, 'x', sizeof large);
    begin_transaction(f, f->db);
    for (int i = 0; i < 600; i++)
        assert_ok(
            f, action_log_add(
                   ACT(f, .actor = &actor, .now_ms = NOW), ACTION_SESSION_END, account.id, STR_NULL,
                   STR_NULL, str_of(large, sizeof large)));
    assert_ok(f, db_commit(f->db, &f->fail));
    export_with(f, &account, 1 << 20, ERR_LIMIT);
    assert_string_equal(
        f->fail.text,
        "the export has more than 1 MiB: ask the operator for `stockact accounts export`");
    export_with(f, &account, EXPORT_SIZE_MAX, OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(operator_cannot_create_an_address_that_sign_up_refuses),
        store_test(confirmed_sign_up_makes_an_account_and_a_session),
        store_test(link_of_a_sign_up_lasts_an_hour),
        store_test(sign_up_with_somebody_elses_address_does_not_own_it),
        store_test(address_gets_one_mail_in_five_minutes),
        store_test(sign_up_is_refused_when_it_is_closed_or_wrong),
        store_test(invitation_makes_an_account_with_its_role),
        store_test(invitation_ends_with_the_admin_who_sent_it),
        store_test(reset_sets_the_password_and_ends_all_sessions),
        store_test(flood_of_resets_sends_one_mail_and_keeps_the_link),
        store_test(operator_gets_the_link_and_the_truth),
        store_test(twenty_uses_of_one_link_give_one_success),
        store_test(change_of_the_password_keeps_the_own_session_only),
        store_test(both_addresses_confirm_in_either_order),
        store_test(address_of_another_account_is_only_told_at_the_end),
        store_test(last_admin_stays),
        store_test(two_last_admins_cannot_both_leave),
        store_test(role_of_a_last_admin_that_became_one_meanwhile_stays),
        store_test(action_of_an_admin_stays_with_the_account),
        store_test(deleted_account_leaves_no_address_and_no_secret),
        store_test(export_has_everything_but_secrets),
        store_test(export_has_the_whole_log),
        store_test(export_that_is_too_large_says_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
