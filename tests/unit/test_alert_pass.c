/* Passes over the sequence of changes, and the e-mails that they cause, on a real database. */
#include "store_sample.h"

#include "alert/digest.h"
#include "alert/pass.h"
#include "html/templates.h"
#include "store/account.h"
#include "store/alert.h"
#include "store/alert_match.h"

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

static struct digest_result digest(struct store_fixture *f, const char *period)
{
    const struct alert_work work = work_of(f);
    struct mustache_set *templates = templates_create();
    struct seal_key key;
    struct digest_result result;
    seal_key_init(&key, STR("0123456789abcdef0123456789abcdef"), STR("mail body"));
    const struct digest_config config = {
        .base_url = STR("https://trades.example.org"),
        .mail_key = &key,
        .template = mustache_find(templates, STR("alert_mail")),
    };
    assert_ok(f, digest_run(&work, &config, ALERT_NOW, str_from(period), &result, &f->fail));
    mustache_set_destroy(templates);
    seal_key_finish(&key);
    return result;
}

static int64_t person(struct store_fixture *f, const char *email)
{
    struct account account;
    struct alert_person person;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f,
        account_create(
            f->db, str_from(email), PLAN_DEN, ROLE_MEMBER, NOW_MS, &f->arena, &account, &f->fail));
    assert_ok(f, account_confirm(f->db, account.no, NOW_MS, &f->fail));
    assert_ok(f, alert_person_need(f->db, account.no, &f->arena, &person, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return account.no;
}

static struct str alert(struct store_fixture *f, int64_t account_no, struct alert_rule rule)
{
    struct str id;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, alert_insert(f->db, account_no, ALERT_NOW, &rule, NOW_MS, &f->arena, &id, &f->fail));
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

static void three_refusals_in_a_row_end_the_alerts(void **state)
{
    struct store_fixture *f = *state;
    int64_t ada = person(f, "ada@example.org");
    alert(f, ada, house);
    for (int i = 0; i < ALERT_REFUSALS_MAX; i++) {
        assert_int_equal(
            store_fixture_number(f, "SELECT count(*) FROM alert WHERE state = 'enabled'"), 1);
        assert_ok(f, db_begin(f->db, &f->fail));
        assert_ok(f, alert_mail_refused(f->db, ada, STR("550 no such user"), NOW_MS, &f->fail));
        assert_ok(f, db_commit(f->db, &f->fail));
    }
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM alert WHERE state = 'refused'"), 1);
}

static void ended_alert_loses_what_it_has_not_sent(void **state)
{
    struct store_fixture *f = *state;
    struct alert found;
    struct str id = alert(f, person(f, "ada@example.org"), house);
    publish(f, "house-1", 1);
    pass(f);
    assert_ok(f, alert_find(f->db, id, &f->arena, &found, &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, alert_set_state(f->db, found.no, ALERT_ENDED, NOW_MS, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(digest(f, "1").emails, 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM alert_match"), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            one_publication_is_one_mail_for_a_person, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            alert_ignores_what_is_older_than_itself, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            unconfirmed_address_matches_nothing, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            bulk_history_matches_nothing, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(same_period_is_sent_once, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            interrupted_pass_is_repeated_whole, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            six_hundred_rows_take_two_passes_and_one_mail, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            three_refusals_in_a_row_end_the_alerts, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            ended_alert_loses_what_it_has_not_sent, setup, store_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            without_alerts_the_position_moves_to_the_end, setup, store_fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
