/* What a person sends: one delivery again, many again, and tests. */
#include "delivery_sample.h"

#include "store/account/delivery_by_hand.h"

enum { NOW = 1000000000 };

#define OWNER "owner@example.org"
#define SQL(f, sql) store_fixture_number((f), (sql))
#define EXEC(f, sql) assert_ok((f), db_exec((f)->db, (sql), &(f)->fail))
#define WRITE(f, call)                                                                             \
    do {                                                                                           \
        assert_ok((f), db_begin((f)->db, &(f)->fail));                                             \
        assert_ok((f), (call));                                                                    \
        assert_ok((f), db_commit((f)->db, &(f)->fail));                                            \
    } while (0)
#define REFUSED(f, call, error)                                                                    \
    do {                                                                                           \
        assert_ok((f), db_begin((f)->db, &(f)->fail));                                             \
        assert_int_equal((call), (error));                                                         \
        db_rollback((f)->db);                                                                      \
    } while (0)
#define NOTICES "SELECT count(*) FROM change WHERE noun = 'endpoint'"

static struct delivery_claims claims;

static size_t claim(struct store_fixture *f, int64_t at)
{
    const struct delivery_claim with = {
        .node = STR("a"),
        .now_ms = at,
        .limit = DELIVERY_CLAIM_MAX,
        .bodies_max = 1 << 20,
        .replays_max = 2,
        .per_endpoint_max = 100,
    };
    int64_t ended_at;
    WRITE(f, delivery_claim(f->db, &with, &f->arena, &claims, &ended_at, &f->fail));
    return claims.count;
}

static struct delivery_effect end(
    struct store_fixture *f, const struct delivery_claimed *claimed, int status, int64_t at)
{
    const struct delivery_outcome outcome = {
        .delivery_no = claimed->no,
        .attempt = claimed->attempt,
        .accepted = status == 200,
        .started_at = at - 5,
        .ended_at = at,
        .status = status,
        .error = status == 200 ? STR_NULL : STR("5xx"),
    };
    struct delivery_effect effect;
    WRITE(f, delivery_end(f->db, &outcome, &effect, &f->fail));
    return effect;
}

static struct str fill(struct store_fixture *f)
{
    delivery_sample_account(f, OWNER);
    return delivery_sample_endpoint(f, OWNER, "https://example.org/hook");
}

/* The id of the delivery with this number. */
static struct str id_of(struct store_fixture *f, int64_t no)
{
    struct query q;
    struct str id = STR_NULL;
    query_start(&q, f->db, "SELECT id FROM delivery WHERE no = $1");
    query_i64(&q, no);
    if (query_row(&q))
        id = arena_str(&f->arena, query_get_str(&q, 0));
    assert_ok(f, query_end(&q, &f->fail));
    return id;
}

/* --- one */

static void replayed_delivery_keeps_id_and_gets_six_attempts(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_event(f, "body", NOW);
    claim(f, NOW);
    struct str id = claims.items[0].id;
    REFUSED(f, delivery_replay(f->db, id, NOW, &f->fail), ERR_REFUSED); /* in flight */
    REFUSED(f, delivery_replay(f->db, STR("dlv_0"), NOW, &f->fail), ERR_NOT_FOUND);
    end(f, &claims.items[0], 200, NOW + 1);
    int64_t notices = SQL(f, NOTICES);
    WRITE(f, delivery_replay(f->db, id, NOW + 9, &f->fail));
    assert_int_equal(SQL(f, NOTICES), notices + 1);
    for (int i = 0; i < DELIVERY_TRIES_MAX; i++) {
        assert_int_equal(claim(f, NOW + (i + 1) * (int64_t)DAY_MS), 1);
        assert_str(claims.items[0].id, id.p);
        assert_int_equal(claims.items[0].attempt, i + 2); /* numbers continue */
        end(f, &claims.items[0], 500, NOW + (i + 1) * (int64_t)DAY_MS);
    }
    assert_int_equal(SQL(f, "SELECT count(*) FROM delivery WHERE state = 'failed'"), 1);
    assert_int_equal(SQL(f, "SELECT failures FROM endpoint"), 0);
}

static void second_replay_waits_for_ten_seconds(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_event(f, "body", NOW);
    EXEC(f, "UPDATE delivery SET state = 'failed', tries = 6, attempts = 6, ended_at = 5");
    struct str id = id_of(f, 1);
    WRITE(f, delivery_replay(f->db, id, NOW, &f->fail));
    for (int i = 0; i < 19; i++)
        REFUSED(f, delivery_replay(f->db, id, NOW + i, &f->fail), ERR_REFUSED);
    assert_int_equal(claim(f, NOW), 1);
    end(f, &claims.items[0], 200, NOW + 20);
    REFUSED(f, delivery_replay(f->db, id, NOW + DELIVERY_PAUSE_MS - 1, &f->fail), ERR_REFUSED);
    WRITE(f, delivery_replay(f->db, id, NOW + DELIVERY_PAUSE_MS, &f->fail));
    assert_int_equal(claim(f, NOW + DELIVERY_PAUSE_MS), 1);
}

static void replay_of_a_streak_at_nine_does_not_disable_and_does_not_reset(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    delivery_sample_event(f, "body", NOW);
    EXEC(f, "UPDATE delivery SET state = 'failed', tries = 6, attempts = 6, ended_at = 5");
    EXEC(f, "UPDATE endpoint SET failures = 9");
    WRITE(f, delivery_replay(f->db, id_of(f, 1), NOW, &f->fail));
    assert_int_equal(claim(f, NOW), 1);
    struct delivery_effect effect = end(f, &claims.items[0], 500, NOW);
    assert_int_equal(effect.after.failures, 9);
    assert_int_equal(claim(f, NOW + MINUTE_MS), 1);
    effect = end(f, &claims.items[0], 200, NOW + MINUTE_MS);
    assert_int_equal(effect.after.failures, 9);
    assert_int_equal(SQL(f, "SELECT count(*) FROM endpoint WHERE state = 'enabled'"), 1);
}

static void replay_is_sent_to_a_disabled_endpoint_and_held_events_are_not(void **state)
{
    struct store_fixture *f = *state;
    struct str endpoint = fill(f);
    delivery_sample_event(f, "replayed", NOW);
    EXEC(f, "UPDATE delivery SET state = 'expired', ended_at = 5");
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), endpoint, ENDPOINT_DISABLE));
    delivery_sample_event(f, "held", NOW);
    assert_int_equal(claim(f, NOW), 0);
    WRITE(f, delivery_replay(f->db, id_of(f, 1), NOW, &f->fail));
    assert_int_equal(claim(f, NOW), 1);
    assert_str(claims.items[0].event->body, "replayed");
    end(f, &claims.items[0], 200, NOW);
    assert_int_equal(SQL(f, "SELECT count(*) FROM endpoint WHERE state = 'disabled'"), 1);
    assert_int_equal(claim(f, NOW + HOUR_MS), 0);
}

static void old_replay_to_a_disabled_endpoint_does_not_expire(void **state)
{
    struct store_fixture *f = *state;
    int64_t count, later = NOW + 40 * (int64_t)DAY_MS;
    struct str endpoint = fill(f);
    delivery_sample_event(f, "body", NOW);
    EXEC(f, "UPDATE delivery SET state = 'expired', ended_at = 5");
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), endpoint, ENDPOINT_DISABLE));
    WRITE(f, delivery_replay(f->db, id_of(f, 1), later, &f->fail));
    WRITE(f, delivery_expire(f->db, later, 100, &count, &f->fail));
    assert_int_equal(count, 0);
    WRITE(f, account_disable(ACT(f, .now_ms = later), STR(OWNER))); /* now it is held */
    WRITE(f, delivery_expire(f->db, later + 29 * (int64_t)DAY_MS, 100, &count, &f->fail));
    assert_int_equal(count, 0);
    WRITE(f, delivery_expire(f->db, later + 30 * (int64_t)DAY_MS, 100, &count, &f->fail));
    assert_int_equal(count, 1);
}

static void paused_and_removed_endpoints_are_not_replayed(void **state)
{
    struct store_fixture *f = *state;
    int64_t count = -1;
    struct str endpoint = fill(f);
    delivery_sample_event(f, "body", NOW);
    EXEC(f, "UPDATE delivery SET state = 'failed', ended_at = 5");
    const struct delivery_matching all = {1, DELIVERY_FAILED, 0, NOW};
    struct str id = id_of(f, 1);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), endpoint, ENDPOINT_PAUSE));
    REFUSED(f, delivery_replay(f->db, id, NOW, &f->fail), ERR_REFUSED);
    REFUSED(f, delivery_replay_start(f->db, &all, NOW, &count, &f->fail), ERR_REFUSED);
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), endpoint, ENDPOINT_DELETE));
    REFUSED(f, delivery_replay(f->db, id, NOW, &f->fail), ERR_NOT_FOUND);
    REFUSED(f, delivery_replay_start(f->db, &all, NOW, &count, &f->fail), ERR_NOT_FOUND);
}

/* --- many */

static void replay_of_many_selects_state_endpoint_and_end_time_and_runs_in_batches(void **state)
{
    struct store_fixture *f = *state;
    struct delivery_bulk bulk;
    int64_t count = -1;
    fill(f);
    delivery_sample_endpoint(f, OWNER, "https://example.org/other");
    for (int i = 0; i < 6; i++)
        delivery_sample_event(f, "body", NOW + i); /* two deliveries each */
    EXEC(
        f, "UPDATE delivery SET tries = 6, ended_at = created_at,"
           " state = CASE WHEN event_no = 6 THEN 'expired' ELSE 'failed' END");
    const struct delivery_matching which = {1, DELIVERY_FAILED, NOW + 1, NOW + 4};
    int64_t later = NOW + HOUR_MS;
    assert_ok(f, delivery_count_matching(f->db, &which, &count, &f->fail));
    assert_int_equal(count, 3);
    WRITE(f, delivery_replay_start(f->db, &which, later, &count, &f->fail));
    assert_int_equal(count, 3);
    REFUSED(f, delivery_replay_start(f->db, &which, later, &count, &f->fail), ERR_REFUSED);
    assert_int_equal(claim(f, later), 2); /* replays_max */
    assert_true(claims.more);
    assert_ok(f, delivery_bulk_find(f->db, 1, &bulk, &f->fail));
    assert_int_equal(bulk.replayed, 2);
    assert_int_equal(bulk.ended_at, INSTANT_NONE);
    for (size_t i = 0; i < 2; i++) /* they fail again, and are not replayed again */
        end(f, &claims.items[i], 500, later);
    assert_int_equal(claim(f, later), 1);
    assert_ok(f, delivery_bulk_find(f->db, 1, &bulk, &f->fail));
    assert_int_equal(bulk.matched, 3);
    assert_int_equal(bulk.replayed, 3);
    assert_int_equal(bulk.ended_at, later);
    assert_int_equal(claim(f, later), 0);
    assert_int_equal(SQL(f, "SELECT count(*) FROM delivery WHERE cause = 'replay'"), 3);
    const struct delivery_matching none = {1, DELIVERY_FAILED, NOW + 99, NOW + 100};
    WRITE(f, delivery_replay_start(f->db, &none, later, &count, &f->fail));
    assert_int_equal(count, 0);
    const struct delivery_matching expired = {2, DELIVERY_EXPIRED, 0, INT64_MAX};
    WRITE(f, delivery_replay_start(f->db, &expired, later, &count, &f->fail));
    assert_int_equal(count, 1);
    assert_int_equal(claim(f, later), 1);
    assert_int_equal(claims.items[0].endpoint_no, 2);
}

static void replay_of_many_ends_with_its_endpoint(void **state)
{
    struct store_fixture *f = *state;
    int64_t count = -1;
    struct str endpoint = fill(f);
    delivery_sample_event(f, "body", NOW);
    EXEC(f, "UPDATE delivery SET state = 'failed', ended_at = 5");
    const struct delivery_matching all = {1, DELIVERY_FAILED, 0, NOW};
    WRITE(f, delivery_replay_start(f->db, &all, NOW, &count, &f->fail));
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), endpoint, ENDPOINT_DELETE));
    assert_int_equal(claim(f, NOW), 0);
    assert_int_equal(SQL(f, "SELECT replayed FROM bulk_replay WHERE ended_at IS NOT NULL"), 0);
    assert_int_equal(SQL(f, "SELECT count(*) FROM delivery WHERE state = 'failed'"), 1);
}

/* --- tests */

static void test_is_sent_once_and_before_what_is_due(void **state)
{
    struct store_fixture *f = *state;
    char id[DELIVERY_ID_MAX], other[DELIVERY_ID_MAX];
    struct str endpoint = fill(f);
    EXEC(f, "UPDATE endpoint SET failures = 9");
    delivery_sample_event(f, "due", NOW);
    WRITE(f, delivery_test(f->db, endpoint, STR("tested"), NOW + 1, id, &f->fail));
    REFUSED(
        f, delivery_test(f->db, endpoint, STR("x"), NOW + HOUR_MS, other, &f->fail), ERR_REFUSED);
    assert_int_equal(claim(f, NOW + 1), 2);
    assert_str(claims.items[0].event->body, "tested");
    assert_str(claims.items[0].event->type, "test");
    assert_str(claims.items[0].id, id);
    assert_int_equal(strncmp(id, "test_", 5), 0);
    struct delivery_effect effect = end(f, &claims.items[0], 500, NOW + 2);
    assert_int_equal(effect.after.failures, 9);
    assert_int_equal(SQL(f, "SELECT count(*) FROM delivery WHERE state = 'failed'"), 1);
    assert_int_equal(SQL(f, "SELECT count(endpoint_no) FROM attempt"), 0); /* not of its health */
    REFUSED(f, delivery_replay(f->db, str_from(id), NOW + HOUR_MS, &f->fail), ERR_REFUSED);
    REFUSED(
        f, delivery_test(f->db, endpoint, STR("x"), NOW + DELIVERY_PAUSE_MS, other, &f->fail),
        ERR_REFUSED);
    WRITE(
        f, delivery_test(f->db, endpoint, STR("x"), NOW + 1 + DELIVERY_PAUSE_MS, other, &f->fail));
}

static void account_sends_ten_tests_in_a_minute_with_its_removed_endpoints(void **state)
{
    struct store_fixture *f = *state;
    char id[DELIVERY_ID_MAX];
    struct str endpoint = fill(f);
    delivery_sample_account(f, "other@example.org");
    struct str other = delivery_sample_endpoint(f, "other@example.org", "https://example.com/");
    for (int i = 0; i < DELIVERY_TESTS_MAX; i++) {
        WRITE(f, delivery_test(f->db, endpoint, STR("x"), NOW + i, id, &f->fail));
        WRITE(f, endpoint_do(ACT(f, .now_ms = NOW + i), endpoint, ENDPOINT_DELETE));
        endpoint = delivery_sample_endpoint(f, OWNER, "https://example.org/hook");
    }
    REFUSED(f, delivery_test(f->db, endpoint, STR("x"), NOW + 20, id, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "10 tests"));
    REFUSED(
        f, delivery_test(f->db, endpoint, STR("x"), NOW + MINUTE_MS - 1, id, &f->fail),
        ERR_REFUSED);
    WRITE(f, delivery_test(f->db, other, STR("x"), NOW + 20, id, &f->fail));
    WRITE(f, delivery_test(f->db, endpoint, STR("x"), NOW + MINUTE_MS, id, &f->fail));
    assert_int_equal(SQL(f, "SELECT count(*) FROM delivery WHERE state = 'pending'"), 2);
}

static void disabled_and_paused_endpoints_are_tested(void **state)
{
    static const enum endpoint_event events[] = {ENDPOINT_DISABLE, ENDPOINT_PAUSE};
    struct store_fixture *f = *state;
    char id[DELIVERY_ID_MAX];
    struct str endpoint = fill(f);
    delivery_sample_event(f, "held", NOW);
    for (int i = 0; i < 2; i++) {
        int64_t at = NOW + i * (int64_t)HOUR_MS;
        WRITE(f, endpoint_do(ACT(f, .now_ms = at), endpoint, events[i]));
        WRITE(f, delivery_test(f->db, endpoint, STR("tested"), at, id, &f->fail));
        assert_int_equal(claim(f, at), 1);
        assert_str(claims.items[0].event->body, "tested");
        end(f, &claims.items[0], 200, at);
    }
    WRITE(f, endpoint_do(ACT(f, .now_ms = NOW), endpoint, ENDPOINT_DELETE));
    REFUSED(f, delivery_test(f->db, endpoint, STR("x"), NOW + DAY_MS, id, &f->fail), ERR_NOT_FOUND);
}

static void tests_are_deleted_after_thirty_days_and_events_stay(void **state)
{
    struct store_fixture *f = *state;
    char id[DELIVERY_ID_MAX];
    int64_t count, later = NOW + 31 * (int64_t)DAY_MS;
    struct str endpoint = fill(f);
    delivery_sample_event(f, "kept", NOW);
    WRITE(f, delivery_test(f->db, endpoint, STR("tested"), NOW, id, &f->fail));
    assert_int_equal(claim(f, NOW), 2);
    for (size_t i = 0; i < 2; i++)
        end(f, &claims.items[i], 200, NOW);
    WRITE(f, delivery_prune_tests(f->db, NOW + 29 * (int64_t)DAY_MS, 100, &count, &f->fail));
    assert_int_equal(count, 0);
    WRITE(f, delivery_prune_tests(f->db, later, 100, &count, &f->fail));
    assert_int_equal(count, 0); /* its attempts are in the log */
    WRITE(f, delivery_prune(f->db, later, 100, &count, &f->fail));
    WRITE(f, delivery_prune_tests(f->db, later, 100, &count, &f->fail));
    assert_int_equal(count, 1);
    assert_int_equal(SQL(f, "SELECT count(*) FROM event WHERE type = 'test'"), 0);
    assert_int_equal(SQL(f, "SELECT count(*) FROM delivery"), 1);
}

/* --- held events */

static void events_of_a_disabled_account_are_held_and_sent_when_it_is_enabled(void **state)
{
    struct store_fixture *f = *state;
    fill(f);
    WRITE(f, account_disable(ACT(f, .now_ms = NOW), STR(OWNER)));
    delivery_sample_event(f, "held", NOW);
    assert_int_equal(claim(f, NOW), 0);
    WRITE(f, account_enable(ACT(f), STR(OWNER)));
    assert_int_equal(claim(f, NOW), 1);
    assert_str(claims.items[0].event->body, "held");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(replayed_delivery_keeps_id_and_gets_six_attempts),
        store_test(second_replay_waits_for_ten_seconds),
        store_test(replay_of_a_streak_at_nine_does_not_disable_and_does_not_reset),
        store_test(replay_is_sent_to_a_disabled_endpoint_and_held_events_are_not),
        store_test(old_replay_to_a_disabled_endpoint_does_not_expire),
        store_test(paused_and_removed_endpoints_are_not_replayed),
        store_test(replay_of_many_selects_state_endpoint_and_end_time_and_runs_in_batches),
        store_test(replay_of_many_ends_with_its_endpoint),
        store_test(test_is_sent_once_and_before_what_is_due),
        store_test(account_sends_ten_tests_in_a_minute_with_its_removed_endpoints),
        store_test(disabled_and_paused_endpoints_are_tested),
        store_test(tests_are_deleted_after_thirty_days_and_events_stay),
        store_test(events_of_a_disabled_account_are_held_and_sent_when_it_is_enabled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
