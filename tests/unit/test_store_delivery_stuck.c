/* Endpoints whose deliveries are late or held. */
#include "delivery_sample.h"

#include "store/account/delivery_stuck.h"

enum { AT = 1000000000 };

static struct delivery_stuck_list stuck_at(struct store_fixture *f, int64_t after, int64_t now)
{
    struct delivery_stuck_list list;
    assert_ok(f, delivery_stuck_list(f->db, after, 2, now, &f->arena, &list, &f->fail));
    return list;
}

/* Four endpoints of two accounts, each with two deliveries. */
static void make_queues(struct store_fixture *f)
{
    delivery_sample_account(f, "a@example.org");
    delivery_sample_account(f, "b@example.org");
    delivery_sample_endpoint(f, "a@example.org", "https://one.example/");
    delivery_sample_endpoint(f, "a@example.org", "https://two.example/");
    delivery_sample_endpoint(f, "b@example.org", "https://three.example/");
    delivery_sample_event(f, "{}", AT);
    delivery_sample_event(f, "{}", AT + 1);
}

static void deliveries_of_an_enabled_endpoint_are_stuck_when_they_are_late(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(stuck_at(f, 0, AT).count, 0);
    make_queues(f);
    assert_int_equal(stuck_at(f, 0, AT + DELIVERY_LATE_MS).count, 0);
    struct delivery_stuck_list list = stuck_at(f, 0, AT + DELIVERY_LATE_MS + 1);
    assert_int_equal(list.count, 2);
    assert_true(list.more);
    assert_str(list.items[0].url, "https://one.example/");
    assert_str(list.items[0].email, "a@example.org");
    assert_int_equal(list.items[0].reason, STUCK_LATE);
    assert_int_equal(list.items[0].queued, 2);
    assert_int_equal(list.items[0].oldest_due, AT);
    assert_false(list.items[0].more);
    assert_true(str_is_null(list.items[0].error));
    list = stuck_at(f, list.items[1].endpoint_no, AT + DELIVERY_LATE_MS + 1);
    assert_int_equal(list.count, 1);
    assert_false(list.more);
    assert_str(list.items[0].url, "https://three.example/");
}

static void deliveries_of_disabled_endpoints_and_owners_are_stuck_at_once(void **state)
{
    struct store_fixture *f = *state;
    make_queues(f);
    assert_ok(
        f,
        db_exec(
            f->db, "UPDATE endpoint SET state = 'disabled', failures = 10 WHERE url LIKE '%two%'",
            &f->fail));
    assert_ok(
        f,
        db_exec(
            f->db, "UPDATE account SET disabled_at = 5 WHERE email = 'b@example.org'", &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO attempt (delivery_no, number, started_at, ended_at, status, detail)"
               " SELECT d.no, 1, 1, 2, 500, 'the receiver answered with status 500' FROM delivery d"
               " JOIN endpoint e ON e.no = d.endpoint_no WHERE e.url LIKE '%two%'",
               &f->fail));
    struct delivery_stuck_list list = stuck_at(f, 0, AT);
    assert_int_equal(list.count, 2);
    assert_false(list.more);
    assert_int_equal(list.items[0].reason, STUCK_DISABLED);
    assert_int_equal(list.items[0].failures, 10);
    assert_str(list.items[0].error, "the receiver answered with status 500");
    assert_int_equal(list.items[1].reason, STUCK_OWNER);
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET state = 'deleted'", &f->fail));
    assert_int_equal(stuck_at(f, 0, AT).count, 0);
}

static void only_a_thousand_deliveries_are_counted(void **state)
{
    struct store_fixture *f = *state;
    delivery_sample_account(f, "a@example.org");
    delivery_sample_endpoint(f, "a@example.org", "https://one.example/");
    delivery_sample_event(f, "{}", AT);
    assert_ok(
        f, db_exec(
               f->db,
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
               " INSERT INTO event (id, type, created_at, body)"
               " SELECT 'evt_' || i, 'trade.published', 1, '{}' FROM n",
               &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at,"
               " created_at) SELECT 'dlv' || v.no, v.no, e.no, 'pending', 0, 7, 1 FROM event v,"
               " endpoint e WHERE v.id LIKE 'evt\\__%' ESCAPE '\\' AND NOT EXISTS (SELECT 1"
               " FROM delivery d WHERE d.event_no = v.no)",
               &f->fail));
    struct delivery_stuck_list list = stuck_at(f, 0, AT);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].queued, DELIVERY_STUCK_COUNTED_MAX);
    assert_true(list.items[0].more);
    assert_int_equal(list.items[0].oldest_due, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(deliveries_of_an_enabled_endpoint_are_stuck_when_they_are_late),
        store_test(deliveries_of_disabled_endpoints_and_owners_are_stuck_at_once),
        store_test(only_a_thousand_deliveries_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
