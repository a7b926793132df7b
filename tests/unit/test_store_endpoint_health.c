/* The health of an endpoint: hours, the queue, and the last attempt. */
#include "delivery_sample.h"

#include "store/account/delivery_by_hand.h"
#include "store/account/endpoint_health.h"

enum { HOUR_NOW = 1000 }; /* the current hour, since 1970 */

static const int64_t now = HOUR_NOW * (int64_t)HOUR_MS + 5 * MINUTE_MS;

static struct endpoint_health health(struct store_fixture *f)
{
    struct endpoint_health h;
    assert_ok(f, endpoint_health(f->db, 1, now, &f->arena, &h, &f->fail));
    return h;
}

/* Attempt `number` of the first delivery. */
static void attempt(struct store_fixture *f, int64_t number, int64_t at, bool delivered)
{
    const struct delivery_outcome outcome = {
        .delivery_no = 1,
        .attempt = number,
        .accepted = delivered,
        .started_at = at,
        .ended_at = at + 5,
        .status = delivered ? 204 : 500,
        .error = delivered ? STR_NULL : STR("5xx"),
    };
    struct delivery_effect effect;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, delivery_end(f->db, &outcome, &effect, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void attempts_are_counted_by_hour_and_tests_are_not(void **state)
{
    struct store_fixture *f = *state;
    char id[DELIVERY_ID_MAX];
    delivery_sample_account(f, "owner@example.org");
    struct str endpoint = delivery_sample_endpoint(f, "owner@example.org", "https://example.org/");
    struct endpoint_health h = health(f);
    assert_int_equal(h.delivered + h.failed + h.waiting, 0);
    assert_int_equal(h.next_at, INSTANT_NONE);
    assert_int_equal(h.last.at, INSTANT_NONE);
    assert_int_equal(h.hours[0].from_ms, (HOUR_NOW - 23) * (int64_t)HOUR_MS);
    assert_int_equal(h.hours[23].from_ms, HOUR_NOW * (int64_t)HOUR_MS);

    delivery_sample_event(f, "body", now + 7);
    const int64_t first = (HOUR_NOW - 23) * (int64_t)HOUR_MS;
    attempt(f, 1, first - 1, false); /* before the day */
    attempt(f, 2, first, false);
    attempt(f, 3, first + 1, true);
    attempt(f, 4, first + HOUR_MS - 1, true);
    attempt(f, 5, now, false);
    h = health(f);
    assert_int_equal(h.hours[0].failed, 1);
    assert_int_equal(h.hours[0].delivered, 2);
    assert_int_equal(h.hours[23].failed, 1);
    assert_int_equal(h.delivered, 2);
    assert_int_equal(h.failed, 2);
    assert_int_equal(h.last.at, now);
    assert_int_equal(h.last.status, 500);
    assert_str(h.last.error, "5xx");

    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, delivery_test(f->db, endpoint, STR("x"), now, id, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(health(f).waiting, 0);
    delivery_sample_event(f, "body", now + 8);
    h = health(f);
    assert_int_equal(h.waiting, 1);
    assert_int_equal(h.next_at, now + 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(attempts_are_counted_by_hour_and_tests_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
