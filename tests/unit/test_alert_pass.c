/* Passes over the sequence of changes, and the e-mails that they cause, on a real database. */
#include "store_sample.h"

#include "alert/digest.h"
#include "alert/pass.h"
#include "html/templates.h"
#include "store/account/account.h"
#include "store/account/alert.h"
#include "store/account/alert_match.h"
#include "store/account/mail_queue.h"

enum { NOW = 1790000000 };
#define NOW_MS (INT64_C(1000) * NOW)

static enum err write_now(void *ctx, writer_run *run, void *run_ctx, struct fail *fail)
{
    struct store_fixture *f = ctx;
    enum err err = db_begin(f->db, fail);
    if (!err)
        err = db_end(f->db, run(f->db, run_ctx, fail), fail);
    return err;
}

static bool never(void *ctx)
{
    return false;
}

static struct alert_work work_of(struct store_fixture *f)
{
    return (struct alert_work){
        .db = f->db, .now_ms = NOW_MS, .write = write_now, .stop = never, .ctx = f};
}

static int64_t pass(struct store_fixture *f)
{
    const struct alert_work work = work_of(f);
    struct pass_result result;
    int64_t matches = 0;
    do {
        assert_ok(f, pass_run(&work, &result, &f->fail));
        matches += result.matches;
    } while (result.more);
    return matches;
}

static struct digest_result digest_from(
    struct store_fixture *f, const char *period, struct str base_url)
{
    const struct alert_work work = work_of(f);
    struct mustache_set *templates = templates_create();
    struct seal_key key;
    struct digest_result result;
    seal_key_init(&key, STR("0123456789abcdef0123456789abcdef"), STR("mail body"));
    const struct digest_config config = {
        .base_url = base_url,
        .mail_key = &key,
        .template = mustache_find(templates, STR("alert_mail")),
    };
    assert_ok(f, digest_run(&work, &config, ALERT_NOW, str_from(period), &result, &f->fail));
    mustache_set_destroy(templates);
    seal_key_finish(&key);
    return result;
}

static struct digest_result digest(struct store_fixture *f, const char *period)
{
    return digest_from(f, period, STR("https://trades.example.org"));
}

static int64_t person(struct store_fixture *f, const char *email)
{
    struct account account;
    struct alert_person person;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f,
        account_create(ACT(f, .now_ms = NOW_MS), str_from(email), PLAN_DEN, ROLE_MEMBER, &account));
    assert_ok(f, account_confirm(ACT(f, .now_ms = NOW_MS), account.no));
    assert_ok(f, alert_person_need(ACT(f), account.no, &person));
    assert_ok(f, db_commit(f->db, &f->fail));
    return account.no;
}

static struct str alert(struct store_fixture *f, int64_t account_no, struct alert_rule rule)
{
    struct str id;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, alert_insert(ACT(f, .now_ms = NOW_MS), account_no, ALERT_NOW, &rule, &id));
    assert_ok(f, db_commit(f->db, &f->fail));
    return id;
}

static int setup(void **state)
{
    store_fixture_setup(state);
    struct store_fixture *f = *state;
    assert_ok(f, db_begin(f->db, &f->fail));
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, db_commit(f->db, &f->fail));
    return 0;
}

static void publish(struct store_fixture *f, const char *id, int rows)
{
    store_sample_publish(f, id, rows, PUBLICATION_LIVE, NOW_MS - 1000, NOW_MS);
}

static const struct alert_rule house = {.chamber = CHAMBER_HOUSE};
static const struct alert_rule senate = {.chamber = CHAMBER_SENATE};

static void one_publication_is_one_mail_for_a_person(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    alert(f, ada, house);
    alert(f, ada, (struct alert_rule){.ticker = STR("ABC")});
    alert(f, ada, senate);
    publish(f, "house-1", 3);
    assert_int_equal(pass(f), 2);
    struct digest_result result = digest(f, "1");
    assert_int_equal(result.emails, 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM mail WHERE subject = '3 trades reported by Robin Vale'"),
        1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM alert WHERE emails = 1"), 2);
    assert_int_equal(pass(f), 0);
    result = digest(f, "2");
    assert_int_equal(result.emails, 0);
}

static void queues_of_alerts_are_counted(void **state)
{
    struct store_fixture *f = *state;
    struct alert_behind behind;
    struct mail_counts mail;
    alert(f, person(f, "ada@example.org"), house);
    assert_ok(f, alert_behind(f->db, &behind, &f->fail));
    assert_int_equal(behind.entries, 0);
    assert_int_equal(behind.oldest_at, INSTANT_NONE);
    store_sample_publish(f, "house-1", 2, PUBLICATION_LIVE, NOW_MS - 1000, NOW_MS);
    store_sample_publish(f, "house-2", 3, PUBLICATION_LIVE, NOW_MS, NOW_MS + 5000);
    assert_ok(f, alert_behind(f->db, &behind, &f->fail));
    assert_int_equal(behind.entries, store_fixture_number(f, "SELECT count(*) FROM change_log"));
    assert_in_range(behind.entries, 5, INT64_MAX);
    assert_int_equal(behind.oldest_at, NOW_MS);
    assert_int_equal(pass(f), 1);
    assert_ok(f, alert_behind(f->db, &behind, &f->fail));
    assert_int_equal(behind.entries, 0);
    assert_int_equal(behind.oldest_at, INSTANT_NONE);
    assert_int_equal(digest(f, "1").emails, 1);
    assert_ok(f, mail_queue_count(f->db, &f->arena, &mail, &f->fail));
    assert_int_equal(mail.bulk, 1);
}

static void alert_ignores_what_is_older_than_itself(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    alert(f, ada, senate); /* so that there is one */
    publish(f, "house-1", 1);
    alert(f, ada, house);
    assert_int_equal(pass(f), 0);
    publish(f, "house-2", 1);
    assert_int_equal(pass(f), 1);
}

static void unconfirmed_address_matches_nothing(void **state)
{
    struct store_fixture *f = *state;
    alert(f, person(f, "ada@example.org"), house);
    assert_ok(f, db_exec(f->db, "UPDATE account SET confirmed_at = NULL", &f->fail));
    publish(f, "house-1", 1);
    assert_int_equal(pass(f), 0);
}

static void bulk_history_matches_nothing(void **state)
{
    struct store_fixture *f = *state;
    alert(f, person(f, "ada@example.org"), house);
    store_sample_publish(f, "house-1", 2, PUBLICATION_BACKFILL, NOW_MS - DAY_MS, NOW_MS);
    assert_int_equal(pass(f), 0);
}

static void same_period_is_sent_once(void **state)
{
    struct store_fixture *f = *state;
    alert(f, person(f, "ada@example.org"), house);
    publish(f, "house-1", 1);
    pass(f);
    assert_int_equal(digest(f, "1").emails, 1);
    publish(f, "house-2", 1);
    pass(f);
    assert_int_equal(digest(f, "1").emails, 0); /* as after a kill, with something new */
    assert_int_equal(digest(f, "2").emails, 1); /* which waits for the next period */
}

static void alert_changed_to_now_sends_what_it_matched_before(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    alert(f, ada, (struct alert_rule){.ticker = STR("ABC")});
    assert_ok(f, db_exec(f->db, "UPDATE alert SET pace = 'weekly'", &f->fail));
    publish(f, "house-1", 1);
    alert(f, ada, house);
    publish(f, "house-2", 2);
    assert_int_equal(pass(f), 2);
    assert_int_equal(digest(f, "3").emails, 1); /* two trades of the second filing */
    assert_ok(f, db_exec(f->db, "UPDATE alert SET pace = 'now'", &f->fail));
    assert_int_equal(digest(f, "3").emails, 1); /* the trade of the first one */
    assert_int_equal(digest(f, "3").emails, 0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM mail WHERE subject = '1 trade reported by Robin Vale'"),
        1);
}

static void change_to(
    struct store_fixture *f, struct str id, enum alert_pace pace, struct alert_rule rule)
{
    struct alert found;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, alert_find(ACT(f), id, &found));
    assert_ok(f, alert_update(ACT(f, .now_ms = NOW_MS), found.no, pace, &rule));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void change_of_pace_keeps_what_no_pass_has_seen(void **state)
{
    struct store_fixture *f = *state;
    struct str id = alert(f, person(f, "ada@example.org"), house);
    publish(f, "house-1", 1);
    change_to(f, id, ALERT_DAILY, house);
    change_to(f, id, ALERT_NOW, house);
    assert_int_equal(pass(f), 1);
    assert_int_equal(digest(f, "1").emails, 1);
    publish(f, "house-2", 1);
    change_to(f, id, ALERT_NOW, (struct alert_rule){.ticker = STR("ABC")});
    assert_int_equal(pass(f), 0);
}

/* With a base address of 60 KB, twenty links are too long, and one is not. */
static void mail_that_is_too_long_does_not_stop_the_others(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    char *base = arena_alloc(&f->arena, 60000);
    memset(base, 'a', 60000);
    for (int i = 0; i < 20; i++)
        alert(f, ada, house);
    alert(f, person(f, "bo@example.org"), house);
    publish(f, "house-1", 1);
    assert_int_equal(pass(f), 21);
    struct digest_result result = digest_from(f, "1", str_of(base, 60000));
    assert_int_equal(result.emails, 1);
    assert_int_equal(result.too_long, 1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM mail WHERE to_email = 'bo@example.org'"), 1);
}

/* A pass that a killed server did not end is made again, with what came since. */
static void interrupted_pass_is_repeated_whole(void **state)
{
    struct store_fixture *f = *state;
    alert(f, person(f, "ada@example.org"), house);
    publish(f, "house-1", 2);
    pass(f);
    assert_ok(f, db_exec(f->db, "UPDATE counter SET value = 0 WHERE name = 'alert'", &f->fail));
    assert_int_equal(digest(f, "0").emails, 0); /* only ended passes are sent */
    publish(f, "house-2", 3);
    assert_int_equal(pass(f), 1);
    assert_int_equal(digest(f, "1").emails, 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM mail WHERE subject = '5 trades reported by Robin Vale'"),
        1);
}

static void six_hundred_rows_take_two_passes_and_one_mail(void **state)
{
    struct store_fixture *f = *state;
    alert(f, person(f, "ada@example.org"), house);
    publish(f, "house-1", 600);
    assert_int_equal(pass(f), 2);
    assert_int_equal(digest(f, "1").emails, 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM mail WHERE subject = '600 trades reported by Robin Vale'"),
        1);
}

/* An e-mail of alerts to the account's present address, which the mail server refuses for good. */
static int64_t mail_to(struct store_fixture *f, int64_t account_no)
{
    struct account account;
    struct seal_key key;
    seal_key_init(&key, STR("0123456789abcdef0123456789abcdef"), STR("mail body"));
    assert_ok(f, account_find_no(ACT(f), account_no, &account));
    const struct mail_letter letter = {
        .to = account.email,
        .subject = STR("1 trade"),
        .html = STR(""),
        .unsubscribe = STR(""),
        .account_no = account_no,
        .seal_key = &key,
        .bulk = true,
    };
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, mail_queue_add(f->db, &letter, NOW_MS, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    seal_key_finish(&key);
    return store_fixture_number(f, "SELECT max(no) FROM mail");
}

static void refuse(struct store_fixture *f, int64_t mail_no)
{
    struct mail_queue_claimed mail;
    size_t count;
    bool given_up;
    struct str node = STR("node"), why = STR("550 no such user");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, mail_queue_claim(ACT(f, .now_ms = NOW_MS), node, NOW_MS, 1, &mail, &count));
    assert_int_equal(count, 1);
    assert_int_equal(mail.no, mail_no);
    assert_ok(f, mail_queue_failed(ACT(f, .now_ms = NOW_MS), mail_no, node, why, true, &given_up));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_true(given_up);
}

static void three_refusals_in_a_row_end_the_alerts(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    alert(f, ada, house);
    for (int i = 0; i < ALERT_REFUSALS_MAX; i++) {
        assert_int_equal(
            store_fixture_number(f, "SELECT count(*) FROM alert WHERE state = 'enabled'"), 1);
        refuse(f, mail_to(f, ada));
    }
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM alert WHERE state = 'refused'"), 1);
}

static void refusal_by_an_earlier_address_does_not_count(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    alert(f, ada, house);
    for (int i = 1; i < ALERT_REFUSALS_MAX; i++)
        refuse(f, mail_to(f, ada));
    int64_t old = mail_to(f, ada);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_set_email(ACT(f), ada, STR("ada.vale@example.org")));
    assert_ok(f, db_commit(f->db, &f->fail));
    refuse(f, old);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM alert WHERE state = 'enabled'"), 1);
    refuse(f, mail_to(f, ada)); /* the third in a row */
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM alert WHERE state = 'refused'"), 1);
}

static void set_state(
    struct store_fixture *f, struct str id, enum alert_state state, int64_t now_ms)
{
    struct alert found;
    assert_ok(f, alert_find(ACT(f), id, &found));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, alert_set_state(ACT(f, .now_ms = now_ms), found.no, state));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void ended_alert_loses_what_it_has_not_sent(void **state)
{
    struct store_fixture *f = *state;
    struct str id = alert(f, person(f, "ada@example.org"), house);
    publish(f, "house-1", 1);
    pass(f);
    set_state(f, id, ALERT_ENDED, NOW_MS);
    assert_int_equal(digest(f, "1").emails, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM alert_match"), 0);
}

/* The owner is faster than the pass: it writes what it matched before. */
struct overtaking {
    struct store_fixture *f;
    struct str id;
    bool done;
};

static enum err pause_and_write(void *ctx, writer_run *run, void *run_ctx, struct fail *fail)
{
    struct overtaking *o = ctx;
    if (!o->done)
        set_state(o->f, o->id, ALERT_PAUSED, NOW_MS);
    o->done = true;
    return write_now(o->f, run, run_ctx, fail);
}

static void pass_while_paused(struct store_fixture *f, struct str id)
{
    struct overtaking o = {f, id, false};
    struct alert_work work = work_of(f);
    struct pass_result result;
    work.write = pause_and_write;
    work.ctx = &o;
    assert_ok(f, pass_run(&work, &result, &f->fail));
    assert_int_equal(result.matches, 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM alert_match"), 1);
}

static void alert_paused_during_a_pass_sends_nothing_when_it_is_resumed(void **state)
{
    struct store_fixture *f = *state;
    struct str id = alert(f, person(f, "ada@example.org"), house);
    publish(f, "house-1", 1);
    pass_while_paused(f, id);
    set_state(f, id, ALERT_ENABLED, NOW_MS);
    assert_int_equal(digest(f, "1").emails, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM alert_match"), 0);
}

typedef enum err prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

static int64_t prune_at(struct store_fixture *f, prune *run, int64_t now_ms)
{
    int64_t count;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, run(f->db, now_ms, 10, &count, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return count;
}

static void upkeep_deletes_what_a_paused_alert_will_not_send(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    struct str id = alert(f, ada, house);
    publish(f, "house-1", 1);
    pass_while_paused(f, id);
    alert(f, ada, (struct alert_rule){.ticker = STR("ABC")});
    publish(f, "house-2", 1);
    assert_int_equal(pass(f), 1);
    assert_int_equal(prune_at(f, alert_match_prune_orphans, NOW_MS), 1);
    assert_int_equal(digest(f, "1").emails, 1); /* of the other alert */
}

static void ended_alert_is_deleted_after_its_time(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    alert(f, ada, senate);
    struct str id = alert(f, ada, house);
    int64_t last_ms = NOW_MS + (int64_t)ALERT_ENDED_DAYS * DAY_MS;
    set_state(f, id, ALERT_ENDED, NOW_MS);
    assert_int_equal(prune_at(f, alert_prune_ended, last_ms), 0);
    assert_int_equal(prune_at(f, alert_prune_ended, last_ms + 1), 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM alert"), 1);
}

static void without_alerts_the_position_moves_to_the_end(void **state)
{
    struct store_fixture *f = *state;
    int64_t position;
    publish(f, "house-1", 600);
    assert_int_equal(pass(f), 0);
    assert_ok(f, alert_position(f->db, &position, &f->fail));
    assert_int_equal(position, 600);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, store_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(queues_of_alerts_are_counted),
        TEST(one_publication_is_one_mail_for_a_person),
        TEST(alert_ignores_what_is_older_than_itself),
        TEST(unconfirmed_address_matches_nothing),
        TEST(bulk_history_matches_nothing),
        TEST(same_period_is_sent_once),
        TEST(alert_changed_to_now_sends_what_it_matched_before),
        TEST(change_of_pace_keeps_what_no_pass_has_seen),
        TEST(mail_that_is_too_long_does_not_stop_the_others),
        TEST(interrupted_pass_is_repeated_whole),
        TEST(six_hundred_rows_take_two_passes_and_one_mail),
        TEST(three_refusals_in_a_row_end_the_alerts),
        TEST(refusal_by_an_earlier_address_does_not_count),
        TEST(ended_alert_loses_what_it_has_not_sent),
        TEST(alert_paused_during_a_pass_sends_nothing_when_it_is_resumed),
        TEST(upkeep_deletes_what_a_paused_alert_will_not_send),
        TEST(ended_alert_is_deleted_after_its_time),
        TEST(without_alerts_the_position_moves_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
