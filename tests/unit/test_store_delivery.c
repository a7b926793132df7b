/* Outcomes of attempts, and changes of deliveries by the clock and by people; claims have their own
 * test. */
#include "delivery_sample.h"

enum { NOW = 1000000000 };

#define SQL(f, sql) store_fixture_number((f), (sql))
#define WRITE(f, call)                                                                             \
    do {                                                                                           \
        assert_ok((f), db_begin((f)->db, &(f)->fail));                                             \
        assert_ok((f), (call));                                                                    \
        assert_ok((f), db_commit((f)->db, &(f)->fail));                                            \
    } while (0)

/* Creates one account and one endpoint; returns the endpoint's id. */
static struct str fill(struct store_fixture *f)
{
    delivery_sample_account(f, "owner@example.org");
    return delivery_sample_endpoint(f, "owner@example.org", "https://example.org/hook");
}

static struct delivery_claims claims;

/* Claims everything that is due; returns its number. */
static size_t claim(struct store_fixture *f, const char *node, int64_t at)
{
    const struct delivery_claim with = {
        .node = str_from(node),
        .now_ms = at,
        .limit = DELIVERY_CLAIM_MAX,
        .bodies_max = 1 << 20,
        .per_endpoint_max = 100,
    };
    int64_t ended_at;
    WRITE(f, delivery_claim(f->db, &with, &f->arena, &claims, &ended_at, &f->fail));
    return claims.count;
}

static struct delivery_outcome outcome_of(
    const struct delivery_claimed *claimed, int status, int64_t at)
{
    bool accepted = status >= 200 && status <= 299;
    return (struct delivery_outcome){
        .delivery_no = claimed->no,
        .attempt = claimed->attempt,
        .accepted = accepted,
        .started_at = at - 5,
        .ended_at = at,
        .status = status,
        .error = accepted ? STR_NULL : STR("5xx"),
        .remote = STR("203.0.113.5:443"),
        .tls_ms = -1,
        .wait_ms = 5,
        .url = STR("https://example.org/hook"),
        .request = STR("POST /hook HTTP/1.1\r\n\r\n"),
    };
}

static struct delivery_effect end(
    struct store_fixture *f, const struct delivery_claimed *claimed, int status, int64_t at)
{
    const struct delivery_outcome outcome = outcome_of(claimed, status, at);
    struct delivery_effect effect;
    WRITE(f, delivery_end(f->db, &outcome, &effect, &f->fail));
    return effect;
}

static int64_t count_in(struct store_fixture *f, const char *delivery_state)
{
    struct query q;
    int64_t count = -1;
    query_start(&q, f->db, "SELECT count(*) FROM delivery WHERE state = $1");
    query_str(&q, str_from(delivery_state));
    if (query_row(&q))
        count = query_get_i64(&q, 0);
    assert_ok(f, query_end(&q, &f->fail));
    return count;
}

/* --- outcomes */

static void outcome_ends_lease_and_is_logged(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_event(f, "body", NOW);
    assert_int_equal(claim(f, "a", NOW), 1);
    struct delivery_effect effect = end(f, &claims.items[0], 500, NOW + 10);
    assert_true(effect.known);
    assert_int_equal(effect.before.failures, 0);
    assert_int_equal(effect.after.failures, 1);
    assert_int_equal(SQL(f, "SELECT due_at FROM delivery"), NOW + 10 + 30 * SECOND_MS);
    assert_int_equal(SQL(f, "SELECT count(lease_node) FROM delivery"), 0);
    assert_int_equal(claim(f, "a", NOW + 10 + 30 * SECOND_MS - 1), 0);
    assert_int_equal(claim(f, "a", NOW + 10 + 30 * SECOND_MS), 1);
    assert_int_equal(claims.items[0].attempt, 2);
    effect = end(f, &claims.items[0], 204, NOW + 60000);
    assert_int_equal(effect.after.failures, 0);
    assert_int_equal(count_in(f, "delivered"), 1);
    assert_int_equal(SQL(f, "SELECT count(*) FROM attempt"), 2);
    assert_int_equal(SQL(f, "SELECT ended_at FROM delivery"), NOW + 60000);
}

static void outcome_written_twice_changes_nothing(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_event(f, "body", NOW);
    claim(f, "a", NOW);
    struct delivery_claimed claimed = claims.items[0];
    end(f, &claimed, 500, NOW + 10);
    struct delivery_effect again = end(f, &claimed, 500, NOW + 99);
    assert_false(again.known);
    assert_false(end(f, &claimed, 200, NOW + 99).known); /* the first outcome stays */
    assert_int_equal(SQL(f, "SELECT failures FROM endpoint"), 1);
    assert_int_equal(SQL(f, "SELECT tries FROM delivery"), 1);
    assert_int_equal(SQL(f, "SELECT due_at FROM delivery"), NOW + 10 + 30 * SECOND_MS);
    assert_int_equal(SQL(f, "SELECT count(*) FROM attempt"), 1);
}

static void overtaken_attempt_counts_only_if_accepted(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_event(f, "refused", NOW);
    delivery_sample_event(f, "accepted", NOW + 1);
    assert_int_equal(claim(f, "a", NOW + 1), 2);
    struct delivery_claimed first = claims.items[0], second = claims.items[1];
    int64_t later = NOW + 1 + DELIVERY_LEASE_MS;
    assert_int_equal(claim(f, "b", later), 2); /* a's leases expired */
    assert_true(end(f, &first, 500, later + 1).known);
    assert_true(end(f, &second, 200, later + 1).known);
    assert_int_equal(SQL(f, "SELECT count(*) FROM delivery WHERE lease_node = 'b'"), 1);
    assert_int_equal(SQL(f, "SELECT failures FROM endpoint"), 0);
    assert_int_equal(count_in(f, "delivered"), 1);
    end(f, &claims.items[1], 500, later + 2); /* b's attempt of a delivery that a completed */
    assert_int_equal(count_in(f, "delivered"), 1);
    assert_int_equal(SQL(f, "SELECT failures FROM endpoint"), 0);
    assert_int_equal(SQL(f, "SELECT count(*) FROM attempt"), 3);
}

static void tenth_failed_delivery_disables_endpoint_and_adds_notice(void **state)
{
    struct store_fixture *f = *state;
    static const char notices[] = "SELECT count(*) FROM change WHERE noun = 'endpoint'";
    struct delivery_effect effect = {.known = false};
    fill(f);
    for (int i = 0; i < 12; i++)
        delivery_sample_event(f, "body", NOW + i);
    assert_int_equal(claim(f, "a", NOW + 20), 12);
    int64_t before = SQL(f, notices);
    for (int i = 0; i < 10; i++)
        effect = end(f, &claims.items[i], 500, NOW + 20 + 10 * i); /* one after the other */
    assert_int_equal(effect.before.state, ENDPOINT_ENABLED);
    assert_int_equal(effect.after.state, ENDPOINT_DISABLED);
    assert_int_equal(SQL(f, notices), before + 1);
    end(f, &claims.items[10], 200, NOW + 200);
    assert_int_equal(SQL(f, "SELECT count(*) FROM endpoint WHERE state = 'disabled'"), 1);
    assert_int_equal(SQL(f, "SELECT failures FROM endpoint"), 0);
    assert_int_equal(claim(f, "a", NOW + DAY_MS), 0);
}

static void enabled_endpoint_gets_held_deliveries_oldest_first(void **state)
{
    struct store_fixture *f = *state;
    struct str id = fill(f);
    delivery_sample_event(f, "retried", NOW);
    claim(f, "a", NOW);
    end(f, &claims.items[0], 500, NOW + 1);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW + 2), id, ENDPOINT_DISABLE));
    delivery_sample_event(f, "held", NOW + 3);
    assert_int_equal(claim(f, "a", NOW + HOUR_MS), 0);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW + 4), id, ENDPOINT_ENABLE));
    assert_int_equal(claim(f, "a", NOW + 4), 2); /* the retry does not wait for its step */
    assert_str(claims.items[0].event->body, "retried");
    assert_str(claims.items[1].event->body, "held");
}

static void starting_server_ends_only_its_own_leases(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_event(f, "first", NOW);
    claim(f, "a", NOW);
    delivery_sample_event(f, "second", NOW + 1);
    claim(f, "b", NOW + 1);
    WRITE(f, delivery_end_leases(f->db, STR("a"), NOW + 2, &f->fail));
    assert_int_equal(claim(f, "a", NOW + 2), 1);
    assert_str(claims.items[0].event->body, "first");
    assert_int_equal(claims.items[0].attempt, 2);
}

/* A delivery whose lease is over waits since then: it keeps its place in the queue. */
static void ended_lease_keeps_the_time_since_which_it_is_due(void **state)
{
    struct store_fixture *f = *state;
    int64_t over = NOW + DELIVERY_LEASE_MS;
    fill(f);
    delivery_sample_event(f, "one", NOW);
    claim(f, "a", NOW);
    WRITE(f, delivery_end_leases(f->db, STR("a"), over + 500, &f->fail));
    assert_int_equal(SQL(f, "SELECT due_at FROM delivery"), over);
    claim(f, "a", over + 500);
    WRITE(f, delivery_end_leases(f->db, STR("a"), over + 501, &f->fail));
    assert_int_equal(SQL(f, "SELECT due_at FROM delivery"), over + 501);
}

/* --- by the clock */

static void held_deliveries_expire_after_thirty_days(void **state)
{
    struct store_fixture *f = *state;
    int64_t count = -1, month = (int64_t)DELIVERY_HELD_DAYS * DAY_MS;
    struct str off = fill(f);
    delivery_sample_endpoint(f, "owner@example.org", "https://example.org/on");
    delivery_sample_event(f, "old", NOW);
    delivery_sample_event(f, "new", NOW + 1);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), off, ENDPOINT_DISABLE));
    WRITE(f, delivery_expire(f->db, NOW + month - 1, 10, &count, &f->fail));
    assert_int_equal(count, 0);
    WRITE(f, delivery_expire(f->db, NOW + month, 10, &count, &f->fail));
    assert_int_equal(count, 1);
    assert_int_equal(count_in(f, "pending"), 3); /* also the enabled endpoint's */
    WRITE(f, delivery_expire(f->db, NOW + month + 5, 10, &count, &f->fail));
    assert_int_equal(count, 1);
    assert_int_equal(SQL(f, "SELECT max(ended_at) FROM delivery"), NOW + month + 5);
}

/* Its attempt may arrive: the outcome decides. */
static void delivery_in_flight_does_not_expire(void **state)
{
    struct store_fixture *f = *state;
    int64_t count = -1, month = (int64_t)DELIVERY_HELD_DAYS * DAY_MS;
    struct str id = fill(f);
    delivery_sample_event(f, "old", NOW);
    claim(f, "a", NOW);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), id, ENDPOINT_DISABLE));
    WRITE(f, delivery_expire(f->db, NOW + month, 10, &count, &f->fail));
    assert_int_equal(count, 0);
    WRITE(f, delivery_end_leases(f->db, STR("a"), NOW + month, &f->fail));
    WRITE(f, delivery_expire(f->db, NOW + month, 10, &count, &f->fail));
    assert_int_equal(count, 1);
}

static void attempts_leave_the_log_after_thirty_days(void **state)
{
    struct store_fixture *f = *state;
    int64_t count = -1, month = (int64_t)DELIVERY_LOG_DAYS * DAY_MS;
    fill(f);
    delivery_sample_event(f, "one", NOW);
    delivery_sample_event(f, "two", NOW);
    claim(f, "a", NOW);
    end(f, &claims.items[0], 200, NOW + 5); /* begun at NOW */
    end(f, &claims.items[1], 200, NOW + 1000);
    WRITE(f, delivery_prune(f->db, NOW + month, 10, &count, &f->fail));
    assert_int_equal(count, 0);
    WRITE(f, delivery_prune(f->db, NOW + month + 1, 10, &count, &f->fail));
    assert_int_equal(count, 1);
    WRITE(f, delivery_prune(f->db, NOW + 2 * month, 10, &count, &f->fail));
    assert_int_equal(count, 1);
    assert_int_equal(count_in(f, "delivered"), 2); /* the deliveries stay */
}

/* --- the log */

struct seen {
    int64_t no[8];
    int64_t number[8];
    int status[8];
    struct delivery_place place[8];
    size_t count;
};

static void see_delivery(void *ctx, const struct delivery_row *row)
{
    struct seen *seen = ctx;
    seen->place[seen->count] = (struct delivery_place){row->no, row->created_at};
    seen->no[seen->count++] = row->no;
}

static void see_attempt(void *ctx, const struct delivery_outcome *attempt)
{
    struct seen *seen = ctx;
    assert_int_equal(attempt->tls_ms, -1);
    assert_int_equal(attempt->wait_ms, 5);
    assert_str(attempt->remote, "203.0.113.5:443");
    assert_str(attempt->url, "https://example.org/hook");
    assert_str(attempt->request, "POST /hook HTTP/1.1\r\n\r\n");
    seen->number[seen->count] = attempt->attempt;
    seen->status[seen->count++] = attempt->status;
}

static struct seen list(struct store_fixture *f, struct delivery_filter filter, int64_t limit)
{
    struct seen seen = {.count = 0};
    assert_ok(f, delivery_each(f->db, &filter, limit, see_delivery, &seen, &f->fail));
    return seen;
}

static void log_is_newest_first_and_paged(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_filter filter = DELIVERY_FILTER_ALL;
    struct str id = fill(f);
    for (int i = 0; i < 3; i++)
        delivery_sample_event(f, "body", NOW + i);
    struct seen all = list(f, filter, 8);
    assert_int_equal(all.count, 3);
    assert_true(all.no[0] > all.no[1] && all.no[1] > all.no[2]);
    assert_ok(f, endpoint_number(f->db, id, &filter.endpoint_no, &f->fail));
    filter.before = all.place[0];
    struct seen page = list(f, filter, 1);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.no[0], all.no[1]);
    assert_int_equal(
        endpoint_number(f->db, STR("ep_0"), &filter.endpoint_no, &f->fail), ERR_NOT_FOUND);
    filter.endpoint_no = 99;
    filter.before.no = 0;
    assert_int_equal(list(f, filter, 8).count, 0);
}

static void log_is_filtered_by_state_and_time(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_endpoint(f, "owner@example.org", "https://example.org/other");
    for (int i = 0; i < 3; i++)
        delivery_sample_event(f, "body", NOW + i); /* two deliveries each */
    assert_ok(
        f, db_exec(
               f->db, "UPDATE delivery SET state = 'failed', ended_at = 5 WHERE event_no <> 2",
               &f->fail));
    for (int by_number = 0; by_number < 2; by_number++) {
        struct delivery_filter filter = DELIVERY_FILTER_ALL;
        int one = by_number ? 1 : 2; /* endpoints in the list */
        filter.endpoint_no = by_number;
        assert_int_equal(list(f, filter, 8).count, 3 * one);
        filter.since = NOW + 1;
        assert_int_equal(list(f, filter, 8).count, 2 * one);
        filter.until = NOW + 2;
        assert_int_equal(list(f, filter, 8).count, one);
        filter.state = DELIVERY_FAILED;
        assert_int_equal(list(f, filter, 8).count, 0);
        filter.since = filter.until = INSTANT_NONE;
        struct seen failed = list(f, filter, 8);
        assert_int_equal(failed.count, 2 * one);
        filter.after = failed.place[failed.count - 1]; /* the page before, oldest first */
        struct seen newer = list(f, filter, 8);
        assert_int_equal(newer.count, 2 * one - 1);
        assert_int_equal(newer.no[newer.count - 1], failed.no[0]);
        filter.after.no = 0;
        filter.before = failed.place[0];
        assert_int_equal(list(f, filter, 8).count, 2 * one - 1);
    }
}

static void removed_endpoint_expires_its_queue_and_keeps_a_late_2xx(void **state)
{
    struct store_fixture *f = *state;
    struct str id = fill(f);
    int64_t count;
    delivery_sample_event(f, "in flight", NOW);
    delivery_sample_event(f, "in flight too", NOW);
    assert_int_equal(claim(f, "a", NOW), 2);
    delivery_sample_event(f, "waits", NOW);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW + 1), id, ENDPOINT_DELETE));
    assert_int_equal(count_in(f, "expired"), 3);
    end(f, &claims.items[0], 204, NOW + 2);
    end(f, &claims.items[1], 500, NOW + 2); /* it is not tried again */
    assert_int_equal(count_in(f, "delivered"), 1);
    assert_int_equal(count_in(f, "expired"), 2);
    /* one that an older version left */
    assert_ok(
        f, db_exec(
               f->db, "UPDATE delivery SET state = 'pending', ended_at = NULL WHERE no = 3",
               &f->fail));
    WRITE(f, delivery_expire(f->db, NOW + 3, 10, &count, &f->fail));
    assert_int_equal(count, 1);
}

static void attempt_in_flight_is_stored_empty_after_its_account_was_deleted(void **state)
{
    struct store_fixture *f = *state;
    struct str id = fill(f);
    for (int i = 0; i < 2; i++)
        delivery_sample_event(f, "in flight", NOW);
    assert_int_equal(claim(f, "a", NOW), 2);
    struct delivery_outcome outcome = outcome_of(&claims.items[0], 500, NOW + 5);
    struct delivery_effect effect;
    outcome.answer = STR("secrets");
    outcome.detail = STR("the receiver of example.org answered with status 500");
    WRITE(f, delivery_end(f->db, &outcome, &effect, &f->fail));
    assert_int_equal(SQL(f, "SELECT count(url) + count(request) + count(answer) FROM attempt"), 3);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW + 5), id, ENDPOINT_DELETE));
    WRITE(f, endpoint_erase_all(ACT(f), 1));
    outcome.delivery_no = claims.items[1].no;
    WRITE(f, delivery_end(f->db, &outcome, &effect, &f->fail));
    assert_true(effect.known);
    assert_int_equal(SQL(f, "SELECT count(*) FROM attempt WHERE status = 500"), 2);
    assert_int_equal(
        SQL(f, "SELECT count(url) + count(request) + count(answer) + count(detail) + count(remote)"
               " FROM attempt"),
        0);
}

static void delivery_is_found_with_its_body_and_last_attempt(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_row row;
    struct str body;
    struct str endpoint = fill(f);
    delivery_sample_event(f, "the body", NOW);
    claim(f, "a", NOW);
    struct str id = claims.items[0].id;
    assert_ok(f, delivery_find(f->db, id, &f->arena, &row, &body, &f->fail));
    assert_true(row.in_flight);
    assert_int_equal(row.status, 0);
    end(f, &claims.items[0], 500, NOW);
    claim(f, "a", NOW + HOUR_MS);
    end(f, &claims.items[0], 503, NOW + HOUR_MS);
    assert_ok(f, delivery_find(f->db, id, &f->arena, &row, &body, &f->fail));
    assert_str(body, "the body");
    assert_str(row.id, id.p);
    assert_str(row.endpoint_id, endpoint.p);
    assert_str(row.event_type, "trade.published");
    assert_int_equal(row.status, 503);
    assert_str(row.error, "5xx");
    assert_false(row.in_flight);
    assert_int_equal(row.cause, DELIVERY_BY_EVENT);
    assert_int_equal(
        delivery_find(f->db, STR("dlv_0"), &f->arena, &row, &body, &f->fail), ERR_NOT_FOUND);
}

static void attempts_are_listed_in_order_and_unknown_delivery_is_not_found(void **state)
{
    struct store_fixture *f = *state;
    struct seen seen = {.count = 0};
    fill(f);
    delivery_sample_event(f, "body", NOW);
    claim(f, "a", NOW);
    struct str id = claims.items[0].id;
    assert_ok(f, delivery_each_attempt(f->db, id, see_attempt, &seen, &f->fail));
    assert_int_equal(seen.count, 0); /* exists, without attempts */
    end(f, &claims.items[0], 500, NOW);
    claim(f, "a", NOW + HOUR_MS);
    end(f, &claims.items[0], 204, NOW + HOUR_MS);
    assert_ok(f, delivery_each_attempt(f->db, id, see_attempt, &seen, &f->fail));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.number[0], 1);
    assert_int_equal(seen.status[0], 500);
    assert_int_equal(seen.number[1], 2);
    assert_int_equal(seen.status[1], 204);
    assert_int_equal(
        delivery_each_attempt(f->db, STR("dlv_0"), see_attempt, &seen, &f->fail), ERR_NOT_FOUND);
}

static void queue_is_counted_by_state(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_counts counts;
    struct str off = fill(f);
    assert_ok(f, delivery_count(f->db, NOW, &counts, &f->fail));
    assert_int_equal(counts.due, 0);
    assert_int_equal(counts.oldest_due, INSTANT_NONE);
    delivery_sample_endpoint(f, "owner@example.org", "https://example.org/on");
    delivery_sample_event(f, "held or retried", NOW);
    delivery_sample_event(f, "held or failed", NOW + 1);
    delivery_sample_event(f, "expired or due", NOW + 2);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), off, ENDPOINT_DISABLE));
    assert_int_equal(claim(f, "a", NOW), 1);
    end(f, &claims.items[0], 500, NOW);
    assert_ok(
        f, db_exec(
               f->db,
               "UPDATE delivery SET ended_at = 5, state = CASE endpoint_no WHEN 1 THEN 'expired'"
               " ELSE 'failed' END WHERE (endpoint_no = 1 AND event_no = 3)"
               " OR (endpoint_no = 2 AND event_no = 2)",
               &f->fail));
    assert_ok(f, delivery_count(f->db, NOW + 3, &counts, &f->fail));
    assert_int_equal(counts.due, 1);
    assert_int_equal(counts.oldest_due, NOW + 2);
    assert_int_equal(counts.waiting, 1);
    assert_int_equal(counts.held, 2);
    assert_int_equal(counts.failed, 1);
    assert_int_equal(counts.expired, 1);
    assert_int_equal(counts.disabled_endpoints, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(outcome_ends_lease_and_is_logged),
        store_test(outcome_written_twice_changes_nothing),
        store_test(overtaken_attempt_counts_only_if_accepted),
        store_test(tenth_failed_delivery_disables_endpoint_and_adds_notice),
        store_test(enabled_endpoint_gets_held_deliveries_oldest_first),
        store_test(starting_server_ends_only_its_own_leases),
        store_test(ended_lease_keeps_the_time_since_which_it_is_due),
        store_test(held_deliveries_expire_after_thirty_days),
        store_test(delivery_in_flight_does_not_expire),
        store_test(attempts_leave_the_log_after_thirty_days),
        store_test(log_is_newest_first_and_paged),
        store_test(log_is_filtered_by_state_and_time),
        store_test(removed_endpoint_expires_its_queue_and_keeps_a_late_2xx),
        store_test(attempt_in_flight_is_stored_empty_after_its_account_was_deleted),
        store_test(delivery_is_found_with_its_body_and_last_attempt),
        store_test(attempts_are_listed_in_order_and_unknown_delivery_is_not_found),
        store_test(queue_is_counted_by_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
