/* Claims of deliveries: shares, caps, where a claim starts, and its cost if none is due. */
#include "delivery_sample.h"

enum { NOW = 1000000, ENDPOINTS = 5, EVENTS = 6 };

static struct delivery_claims claims;

static struct delivery_claim ordinary_claim(void)
{
    return (struct delivery_claim){
        .node = STR("here"),
        .now_ms = NOW,
        .limit = DELIVERY_CLAIM_MAX,
        .bodies_max = 1 << 20,
        .per_endpoint_max = 4,
    };
}

/* Five endpoints, six events: "body 0" to "body 5", a second apart and all due. */
static void fill(struct store_fixture *f)
{
    delivery_sample_account(f, "owner@example.org");
    for (int i = 0; i < ENDPOINTS; i++)
        delivery_sample_endpoint(f, "owner@example.org", "https://example.org/hook");
    for (int i = 0; i < EVENTS; i++) {
        char body[16];
        snprintf(body, sizeof body, "body %d", i);
        delivery_sample_event(f, body, NOW - 60000 + i * 1000);
    }
}

/* Returns the position where the claim ended. */
static int64_t take(struct store_fixture *f, const struct delivery_claim *claim)
{
    int64_t ended_at = -1;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, delivery_claim(f->db, claim, &f->arena, &claims, &ended_at, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return ended_at;
}

static int64_t endpoint_no(struct store_fixture *f, int i)
{
    struct query q;
    int64_t no = 0;
    query_start(&q, f->db, "SELECT no FROM endpoint ORDER BY no LIMIT 1 OFFSET $1");
    query_i64(&q, i);
    if (query_row(&q))
        no = query_get_i64(&q, 0);
    assert_ok(f, query_end(&q, &f->fail));
    return no;
}

static size_t count_of(int64_t endpoint)
{
    size_t n = 0;
    for (size_t i = 0; i < claims.count; i++)
        n += claims.items[i].endpoint_no == endpoint;
    return n;
}

static void each_endpoint_gets_its_share_oldest_first(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    take(f, &claim);
    assert_int_equal(claims.count, ENDPOINTS * 4);
    assert_true(claims.capped);
    assert_false(claims.more);
    for (size_t i = 0; i < claims.count; i++) {
        char body[16];
        snprintf(body, sizeof body, "body %d", (int)(i % 4));
        assert_str(claims.items[i].event->body, body);
        assert_int_equal(claims.items[i].endpoint_no, endpoint_no(f, (int)(i / 4)));
        assert_int_equal(claims.items[i].attempt, 1);
    }
    take(f, &claim); /* all are in flight */
    assert_int_equal(claims.count, 0);
    assert_true(claims.capped);
}

static void body_is_read_once_for_all_its_endpoints(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    take(f, &claim);
    for (size_t i = 4; i < claims.count; i++)
        assert_ptr_equal(claims.items[i].event, claims.items[i - 4].event);
}

static void next_claim_continues_after_last_one(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    claim.limit = 2;
    claim.per_endpoint_max = 1;
    claim.after_endpoint = take(f, &claim);
    assert_int_equal(claims.items[1].endpoint_no, endpoint_no(f, 1));
    assert_true(claims.more);
    claim.after_endpoint = take(f, &claim);
    assert_int_equal(claims.items[0].endpoint_no, endpoint_no(f, 2));
    claim.per_endpoint_max = 2;
    take(f, &claim);
    assert_int_equal(count_of(endpoint_no(f, 4)), 2);
    claim.limit = 3;
    claim.after_endpoint = endpoint_no(f, 4);
    take(f, &claim); /* wraps around to the first */
    assert_int_equal(count_of(endpoint_no(f, 0)), 1);
    assert_int_equal(count_of(endpoint_no(f, 1)), 1);
    assert_int_equal(count_of(endpoint_no(f, 2)), 1);
}

static void claim_ends_with_row_that_reaches_bodies_max(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    claim.bodies_max = sizeof "body 0" + 1; /* fits one body only */
    take(f, &claim);
    assert_int_equal(claims.count, 2);
    assert_true(claims.more);
}

static void claim_without_due_deliveries_writes_nothing(void **state)
{
    struct store_fixture *f = *state;
    static const char locks[] = "SELECT value FROM counter WHERE name = 'claim'";
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    claim.now_ms = NOW - 120000;
    int64_t before = store_fixture_number(f, locks);
    claim.after_endpoint = 3;
    assert_int_equal(take(f, &claim), 3);
    assert_int_equal(claims.count, 0);
    assert_false(claims.more || claims.capped);
    assert_int_equal(store_fixture_number(f, locks), before);
}

static bool is_third(void *ctx, int64_t delivery_no)
{
    return delivery_no == *(const int64_t *)ctx;
}

static void claimed_deliveries_are_skipped(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    int64_t third = store_fixture_number(
        f, "SELECT no FROM delivery ORDER BY endpoint_no, due_at LIMIT 1 OFFSET 2");
    claim.in_hand = is_third;
    claim.ctx = &third;
    take(f, &claim);
    assert_int_equal(count_of(endpoint_no(f, 0)), 4);
    for (size_t i = 0; i < claims.count; i++)
        assert_int_not_equal(claims.items[i].no, third);
    assert_str(claims.items[2].event->body, "body 3");
}

static void half_open_endpoint_gets_one_the_least_tried_after_its_pause(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    assert_ok(
        f,
        db_exec(
            f->db, "UPDATE endpoint SET pauses = 3, next_try_at = 1000001 WHERE no = 2", &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "UPDATE delivery SET tries = 1 WHERE no IN (SELECT no FROM delivery WHERE"
               " endpoint_no = 2 ORDER BY due_at LIMIT 2)",
               &f->fail));
    take(f, &claim); /* a millisecond too early */
    assert_int_equal(count_of(2), 0);
    assert_int_equal(count_of(3), 4);
    claim.now_ms++;
    take(f, &claim);
    assert_int_equal(count_of(2), 1);
    assert_str(claims.items[0].event->body, "body 2");
    claim.node = STR("another");
    claim.now_ms += 10 * SECOND_MS;
    take(f, &claim); /* the one is in flight */
    assert_int_equal(count_of(2), 0);
    assert_ok(
        f, db_exec(
               f->db,
               "UPDATE delivery SET cause = 'replay' WHERE no = (SELECT no FROM delivery"
               " WHERE endpoint_no = 2 AND lease_node IS NULL ORDER BY due_at LIMIT 1)",
               &f->fail));
    take(f, &claim); /* what a person sends waits for nothing */
    assert_int_equal(count_of(2), 1);
}

static void pause_by_a_clock_ahead_is_no_pause(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    assert_ok(
        f,
        db_exec(
            f->db, "UPDATE endpoint SET pauses = 3, next_try_at = 1060001 WHERE no = 2", &f->fail));
    take(f, &claim);
    assert_int_equal(count_of(2), 1);
}

static void only_enabled_endpoints_of_accounts_that_are_not_disabled_are_served(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET state = 'disabled' WHERE no = 2", &f->fail));
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET state = 'paused' WHERE no = 3", &f->fail));
    take(f, &claim);
    assert_int_equal(count_of(2) + count_of(3), 0);
    assert_int_equal(claims.count, 3 * 4);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_disable(ACT(f, .now_ms = NOW), STR("owner@example.org")));
    assert_ok(f, db_commit(f->db, &f->fail));
    claim.now_ms = NOW + DELIVERY_LEASE_MS + 1;
    take(f, &claim);
    assert_int_equal(claims.count, 0);
}

static void expired_lease_makes_delivery_due(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    claim.limit = 1;
    take(f, &claim);
    int64_t first = claims.items[0].no;
    claim.now_ms = NOW + DELIVERY_LEASE_MS;
    claim.limit = DELIVERY_CLAIM_MAX;
    claim.per_endpoint_max = EVENTS;
    take(f, &claim);
    assert_int_equal(claims.items[EVENTS - 1].no, first); /* after the deliveries due earlier */
    assert_int_equal(claims.items[EVENTS - 1].attempt, 2);
}

/* A server whose clock is ten minutes ahead sends nothing that another one has in flight. */
static void lease_is_on_the_database_clock(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    int64_t skew = 10 * MINUTE_MS;
    fill(f);
    take(f, &claim);
    size_t in_flight = claims.count;
    struct delivery_claim fast = claim;
    fast.node = STR("fast");
    fast.now_ms += skew;
    fast.database_ahead_ms = -skew;
    fast.per_endpoint_max = EVENTS;
    take(f, &fast);
    for (size_t i = 0; i < claims.count; i++)
        assert_int_equal(claims.items[i].attempt, 1);
    take(f, &fast);
    assert_int_equal(claims.count, 0);
    fast.now_ms += DELIVERY_LEASE_MS;
    take(f, &fast);
    assert_true(claims.count >= in_flight);
    assert_int_equal(claims.items[0].attempt, 2);
}

#define AGAIN "UPDATE delivery SET lease_until = NULL, lease_node = NULL, due_at = created_at"

/* Something that is no SQL: the trigger of the table does not see it. */
static void damage(struct store_fixture *f, const char *table, const char *change)
{
    struct str lift = arena_fmt(
        &f->arena,
        store_fixture_is_postgresql() ? "ALTER TABLE %s DISABLE TRIGGER %s_unseal"
                                      : "DROP TRIGGER IF EXISTS %.0s%s_unseal",
        table, table);
    assert_ok(f, db_exec(f->db, lift.p, &f->fail));
    assert_ok(f, db_exec(f->db, change, &f->fail));
}

static void nothing_is_sent_to_a_damaged_endpoint_or_of_a_damaged_event(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_claim claim = ordinary_claim();
    fill(f);
    int64_t first = endpoint_no(f, 0), second = endpoint_no(f, 1);
    take(f, &claim);
    assert_true(count_of(first) > 0 && count_of(second) > 0);
    assert_int_equal(claims.damaged, 0);
    assert_ok(f, db_exec(f->db, AGAIN, &f->fail));
    damage(
        f, "endpoint",
        "UPDATE endpoint SET url = 'https://example.net/' WHERE no ="
        " (SELECT min(no) FROM endpoint)");
    damage(f, "event", "UPDATE event SET body = 'other' WHERE no = (SELECT min(no) FROM event)");
    take(f, &claim);
    assert_int_equal(count_of(first), 0);
    assert_true(count_of(second) > 0);
    assert_int_equal(claims.damaged, 2);
    for (size_t i = 0; i < claims.count; i++)
        assert_false(str_eq(claims.items[i].event->body, STR("other")));
    assert_ok(f, db_exec(f->db, "UPDATE endpoint SET url = 'https://example.org/hook'", &f->fail));
    assert_ok(f, db_exec(f->db, AGAIN, &f->fail));
    take(f, &claim);
    assert_true(count_of(first) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(nothing_is_sent_to_a_damaged_endpoint_or_of_a_damaged_event),
        store_test(each_endpoint_gets_its_share_oldest_first),
        store_test(body_is_read_once_for_all_its_endpoints),
        store_test(next_claim_continues_after_last_one),
        store_test(claim_ends_with_row_that_reaches_bodies_max),
        store_test(claim_without_due_deliveries_writes_nothing),
        store_test(claimed_deliveries_are_skipped),
        store_test(half_open_endpoint_gets_one_the_least_tried_after_its_pause),
        store_test(pause_by_a_clock_ahead_is_no_pause),
        store_test(only_enabled_endpoints_of_accounts_that_are_not_disabled_are_served),
        store_test(expired_lease_makes_delivery_due),
        store_test(lease_is_on_the_database_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
