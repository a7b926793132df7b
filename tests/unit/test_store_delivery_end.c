/* Late outcomes, rows changed by another server meanwhile, and clocks that were ahead. */
#include "delivery_sample.h"

#include <pthread.h>

#include "base/clock.h"

enum { NOW = 1000000 };

#define OWNER "owner@example.org"

static struct delivery_claims claims;

/* One endpoint with one event, due now. */
static void fill(struct store_fixture *f)
{
    delivery_sample_account(f, OWNER);
    delivery_sample_endpoint(f, OWNER, "https://example.org/hook");
    delivery_sample_event(f, "body", NOW);
}

static struct delivery_claim claim_at(int64_t now_ms)
{
    return (struct delivery_claim){
        .node = STR("here"),
        .now_ms = now_ms,
        .limit = 1,
        .bodies_max = 1 << 20,
        .per_endpoint_max = 4,
    };
}

static void claim_in(struct store_fixture *f, const struct delivery_claim *claim)
{
    int64_t ended_at;
    assert_ok(f, delivery_claim(f->db, claim, &f->arena, &claims, &ended_at, &f->fail));
}

/* Returns the attempt's number; 0: none was due. */
static int64_t take(struct store_fixture *f, int64_t now_ms)
{
    const struct delivery_claim claim = claim_at(now_ms);
    assert_ok(f, db_begin(f->db, &f->fail));
    claim_in(f, &claim);
    assert_ok(f, db_commit(f->db, &f->fail));
    return claims.count ? claims.items[0].attempt : 0;
}

static struct delivery_outcome outcome_of(int64_t attempt, bool accepted, int64_t at)
{
    return (struct delivery_outcome){
        .delivery_no = 1,
        .attempt = attempt,
        .accepted = accepted,
        .started_at = at,
        .ended_at = at,
        .status = accepted ? 200 : 500,
        .error = accepted ? STR_NULL : STR("5xx"),
    };
}

static enum err end_in(struct db *db, const struct delivery_outcome *outcome, struct fail *fail)
{
    struct delivery_effect effect;
    enum err err = db_begin(db, fail);
    if (!err)
        err = delivery_end(db, outcome, &effect, fail);
    if (!err)
        return db_commit(db, fail);
    db_rollback(db);
    return err;
}

static void end_attempt(struct store_fixture *f, int64_t attempt, bool accepted, int64_t at)
{
    const struct delivery_outcome outcome = outcome_of(attempt, accepted, at);
    assert_ok(f, end_in(f->db, &outcome, &f->fail));
}

static int64_t due_at(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT due_at FROM delivery WHERE no = 1");
}

static void assert_state(struct store_fixture *f, const char *name)
{
    struct query q;
    char found[16] = "";
    query_start(&q, f->db, "SELECT state FROM delivery WHERE no = 1");
    if (query_row(&q))
        snprintf(found, sizeof found, "%.*s", STR_ARG(query_get_str(&q, 0)));
    assert_ok(f, query_end(&q, &f->fail));
    assert_string_equal(found, name);
}

static void late_2xx_after_last_failure_counts(void **state)
{
    struct store_fixture *f = *state;
    int64_t now_ms = NOW;
    fill(f);
    for (int i = 1; i < DELIVERY_TRIES_MAX; i++) {
        assert_int_equal(take(f, now_ms), i);
        end_attempt(f, i, false, now_ms);
        now_ms = due_at(f);
    }
    int64_t late = take(f, now_ms); /* by a server that has lost the store */
    now_ms += DELIVERY_LEASE_MS;
    end_attempt(f, take(f, now_ms), false, now_ms);
    assert_state(f, "failed");
    end_attempt(f, late, true, now_ms);
    assert_state(f, "delivered");
    assert_int_equal(store_fixture_number(f, "SELECT failures FROM endpoint"), 0);
}

/* --- two servers, on PostgreSQL only */

struct other_server {
    struct store_fixture *f;
    struct db *db;
    struct delivery_outcome outcome;
    enum err err;
    struct fail fail;
};

static bool end_meanwhile(void *ctx, int64_t delivery_no)
{
    struct other_server *other = ctx;
    other->err = end_in(other->db, &other->outcome, &other->fail);
    return false;
}

static void delivery_ended_by_another_server_is_not_claimed(void **state)
{
    struct store_fixture *f = *state;
    if (!store_fixture_is_postgresql())
        skip();
    fill(f);
    struct other_server other = {
        .f = f,
        .db = store_fixture_open(f),
        .outcome = outcome_of(take(f, NOW), true, NOW + DELIVERY_LEASE_MS),
    };
    struct delivery_claim claim = claim_at(NOW + DELIVERY_LEASE_MS);
    claim.in_hand = end_meanwhile;
    claim.ctx = &other;
    assert_ok(f, db_begin(f->db, &f->fail));
    claim_in(f, &claim);
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(other.err, OK);
    assert_int_equal(claims.count, 0);
    assert_state(f, "delivered");
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM delivery WHERE lease_node IS NOT NULL"), 0);
    db_close(other.db);
}

static void *end_late(void *arg)
{
    struct other_server *other = arg;
    other->err = end_in(other->db, &other->outcome, &other->fail);
    return NULL;
}

static void late_outcome_keeps_newer_claim(void **state)
{
    struct store_fixture *f = *state;
    if (!store_fixture_is_postgresql())
        skip();
    pthread_t thread;
    fill(f);
    struct other_server other = {
        .f = f,
        .db = store_fixture_open(f),
        .outcome = outcome_of(take(f, NOW), false, NOW + DELIVERY_LEASE_MS),
    };
    const struct delivery_claim claim = claim_at(NOW + DELIVERY_LEASE_MS);
    assert_ok(f, db_begin(f->db, &f->fail));
    claim_in(f, &claim);
    assert_int_equal(pthread_create(&thread, NULL, end_late, &other), 0);
    store_fixture_wait_for_waiter(f);
    assert_ok(f, db_commit(f->db, &f->fail));
    pthread_join(thread, NULL);
    assert_int_equal(other.err, ERR_BUSY);
    assert_int_equal(due_at(f), NOW + 2 * DELIVERY_LEASE_MS);            /* set by the claim */
    assert_int_equal(end_in(other.db, &other.outcome, &other.fail), OK); /* overtaken meanwhile */
    assert_int_equal(due_at(f), NOW + 2 * DELIVERY_LEASE_MS);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM attempt"), 1);
    db_close(other.db);
}

/* --- the clock, and accounts */

typedef enum err tidy(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

static int64_t do_tidy(struct store_fixture *f, tidy *step, int64_t now_ms)
{
    int64_t count;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, step(f->db, now_ms, 10, &count, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return count;
}

static void publication_by_fast_clock_is_due_after_correction(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    int64_t right = NOW - HOUR_MS;
    assert_int_equal(take(f, right), 0);
    assert_int_equal(do_tidy(f, delivery_draw_in, right), 1);
    assert_int_equal(do_tidy(f, delivery_draw_in, right), 0);
    assert_int_equal(take(f, right), 1);
}

static void retry_planned_by_fast_clock_is_due_after_correction(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    int64_t year = 365 * (int64_t)DAY_MS;
    end_attempt(f, take(f, NOW + year), false, NOW + year);
    assert_int_equal(do_tidy(f, delivery_draw_in, NOW), 1);
    assert_int_equal(due_at(f), NOW);
    assert_int_equal(take(f, NOW), 2);
}

static void delivery_in_flight_is_not_sent_twice_when_clock_is_set_back(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    take(f, NOW + HOUR_MS);
    assert_int_equal(do_tidy(f, delivery_draw_in, NOW), 1);
    assert_int_equal(take(f, NOW + DELIVERY_LEASE_MS - 1), 0);
    assert_int_equal(take(f, NOW + DELIVERY_LEASE_MS), 2); /* its outcome never arrived */
}

static void due_times_of_correct_clock_are_unchanged(void **state)
{
    struct store_fixture *f = *state;
    int64_t now_ms = NOW;
    fill(f);
    for (int i = 1; i < DELIVERY_TRIES_MAX; i++) {
        take(f, now_ms);
        assert_int_equal(do_tidy(f, delivery_draw_in, now_ms), 0); /* in flight */
        end_attempt(f, i, false, now_ms);
        assert_int_equal(do_tidy(f, delivery_draw_in, now_ms), 0);
        now_ms = due_at(f);
    }
}

static void disable_owner(struct store_fixture *f)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, account_disable(ACT(f, .now_ms = NOW), STR(OWNER)));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static void deliveries_of_disabled_owner_are_held(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_counts counts;
    fill(f);
    assert_ok(f, delivery_count(f->db, NOW, &counts, &f->fail));
    assert_int_equal(counts.due, 1);
    assert_int_equal(counts.oldest_due, NOW);
    assert_int_equal(counts.held, 0);
    disable_owner(f);
    assert_ok(f, delivery_count(f->db, NOW, &counts, &f->fail));
    assert_int_equal(counts.due, 0);
    assert_int_equal(counts.oldest_due, INSTANT_NONE);
    assert_int_equal(counts.held, 1);
    assert_int_equal(counts.waiting, 0);
}

static void deliveries_of_disabled_owner_expire(void **state)
{
    struct store_fixture *f = *state;
    int64_t over = NOW + DELIVERY_HELD_DAYS * (int64_t)DAY_MS;
    fill(f);
    assert_int_equal(do_tidy(f, delivery_expire, over), 0); /* a server waits for its outcome */
    disable_owner(f);
    assert_int_equal(do_tidy(f, delivery_expire, over - 1), 0);
    assert_int_equal(do_tidy(f, delivery_expire, over), 1);
    assert_state(f, "expired");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(late_2xx_after_last_failure_counts),
        store_test(delivery_ended_by_another_server_is_not_claimed),
        store_test(late_outcome_keeps_newer_claim),
        store_test(publication_by_fast_clock_is_due_after_correction),
        store_test(retry_planned_by_fast_clock_is_due_after_correction),
        store_test(delivery_in_flight_is_not_sent_twice_when_clock_is_set_back),
        store_test(due_times_of_correct_clock_are_unchanged),
        store_test(deliveries_of_disabled_owner_are_held),
        store_test(deliveries_of_disabled_owner_expire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
