/* The rules of deliveries and endpoints: every state and event, the schedule, the failure count,
 * and the pauses of an endpoint that is half open. */
#include "unit.h"

#include <stdlib.h>

#include "rule/delivery.h"

enum { NOW = 1000000 };

static const struct endpoint_is fresh = {.state = ENDPOINT_ENABLED, .streak = 1};

static void names_are_read_back(void **state)
{
    for (enum delivery_state i = 0; i < DELIVERY_STATE_COUNT; i++)
        assert_int_equal(delivery_state_from_name(delivery_state_name(i)), i);
    for (enum delivery_cause i = 0; i < DELIVERY_CAUSE_COUNT; i++)
        assert_int_equal(delivery_cause_from_name(delivery_cause_name(i)), i);
    for (enum endpoint_state i = 0; i < ENDPOINT_STATE_COUNT; i++)
        assert_int_equal(endpoint_state_from_name(endpoint_state_name(i)), i);
    assert_int_equal(delivery_state_from_name(STR("Pending")), DELIVERY_STATE_COUNT);
    assert_int_equal(endpoint_state_from_name(STR_NULL), ENDPOINT_STATE_COUNT);
}

/* --- one delivery */

enum { NOTHING = DELIVERY_STATE_COUNT }; /* the event is ignored in this state */

static void every_event_moves_a_delivery_as_the_table_says(void **state)
{
    static const int becomes[DELIVERY_STATE_COUNT][DELIVERY_EVENT_COUNT] = {
        [DELIVERY_PENDING] =
            {
                [DELIVERY_ACCEPTED] = DELIVERY_DELIVERED,
                [DELIVERY_REFUSED] = DELIVERY_PENDING,
                [DELIVERY_GONE] = DELIVERY_PENDING,
                [DELIVERY_EXPIRE] = DELIVERY_EXPIRED,
                [DELIVERY_REPLAY] = DELIVERY_PENDING,
            },
        [DELIVERY_DELIVERED] = {NOTHING, NOTHING, NOTHING, NOTHING, DELIVERY_PENDING},
        [DELIVERY_FAILED] = {DELIVERY_DELIVERED, NOTHING, NOTHING, NOTHING, DELIVERY_PENDING},
        [DELIVERY_EXPIRED] = {DELIVERY_DELIVERED, NOTHING, NOTHING, NOTHING, DELIVERY_PENDING},
    };
    for (enum delivery_state from = 0; from < DELIVERY_STATE_COUNT; from++)
        for (enum delivery_event event = 0; event < DELIVERY_EVENT_COUNT; event++) {
            const struct delivery_is before = {.state = from, .tries = 2, .due_at = 77};
            struct delivery_is delivery = before;
            struct endpoint_is endpoint = fresh;
            bool moved = delivery_step(&delivery, &endpoint, event, NOW, NOW);
            assert_int_equal(moved, becomes[from][event] != NOTHING);
            assert_int_equal(delivery.state, moved ? becomes[from][event] : (int)from);
            if (!moved) {
                assert_memory_equal(&delivery, &before, sizeof before);
                assert_memory_equal(&endpoint, &fresh, sizeof fresh);
            }
        }
}

static void six_attempts_follow_fixed_steps(void **state)
{
    static const int64_t at_seconds[DELIVERY_TRIES_MAX] = {
        0, 30, 5 * 60 + 30, 35 * 60 + 30, (2 * 60 + 35) * 60 + 30, (14 * 60 + 35) * 60 + 30};
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .due_at = NOW};
    struct endpoint_is endpoint = fresh;
    for (int i = 0; i < DELIVERY_TRIES_MAX; i++) {
        assert_int_equal(delivery.state, DELIVERY_PENDING);
        assert_int_equal(delivery.due_at, NOW + at_seconds[i] * SECOND_MS);
        assert_true(delivery_step(
            &delivery, &endpoint, DELIVERY_REFUSED, delivery.due_at, delivery.due_at));
        assert_int_equal(delivery.tries, i + 1);
    }
    assert_int_equal(delivery.state, DELIVERY_FAILED);
    assert_false(delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW, NOW));
    assert_int_equal(
        endpoint.failures, 1); /* one delivery counts once, however many attempts it had */
}

static void wait_starts_at_end_of_failed_attempt(void **state)
{
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .due_at = NOW};
    struct endpoint_is endpoint = fresh;
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW + 10000, NOW + 10000);
    assert_int_equal(delivery.due_at, NOW + 10000 + 30 * SECOND_MS);
}

static void replay_gives_six_attempts_starting_at_once(void **state)
{
    struct delivery_is delivery = {
        .state = DELIVERY_FAILED, .tries = DELIVERY_TRIES_MAX, .counted_in = 1};
    struct endpoint_is endpoint = fresh;
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REPLAY, NOW, NOW));
    assert_int_equal(delivery.due_at, NOW);
    int attempts = 0;
    while (delivery.state == DELIVERY_PENDING && attempts <= DELIVERY_TRIES_MAX) {
        delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW, NOW);
        attempts++;
    }
    assert_int_equal(attempts, DELIVERY_TRIES_MAX);
    assert_int_equal(delivery.state, DELIVERY_FAILED);
}

static void replay_neither_counts_as_failure_nor_ends_a_streak(void **state)
{
    struct endpoint_is endpoint = {.state = ENDPOINT_ENABLED, .failures = 9, .streak = 3};
    const struct endpoint_is before = endpoint;
    struct delivery_is delivery = {.state = DELIVERY_FAILED, .tries = 6, .counted_in = 1};
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REPLAY, NOW, NOW));
    assert_int_equal(delivery.cause, DELIVERY_BY_REPLAY);
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW, NOW));
    assert_memory_equal(&endpoint, &before, sizeof before);
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_ACCEPTED, NOW, NOW));
    assert_memory_equal(&endpoint, &before, sizeof before);
    assert_int_equal(delivery.state, DELIVERY_DELIVERED);
}

static void test_has_one_attempt_and_does_not_count(void **state)
{
    struct endpoint_is endpoint = {.state = ENDPOINT_ENABLED, .failures = 9, .streak = 3};
    const struct endpoint_is before = endpoint;
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .cause = DELIVERY_BY_TEST};
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW, NOW));
    assert_int_equal(delivery.state, DELIVERY_FAILED);
    assert_int_equal(delivery.tries, 1);
    assert_memory_equal(&endpoint, &before, sizeof before);
}

/* --- endpoints */

static void every_event_moves_an_endpoint_as_the_table_says(void **state)
{
    enum { ON = ENDPOINT_ENABLED, OFF, PAUSED, GONE, NO };
    static const int becomes[ENDPOINT_STATE_COUNT][ENDPOINT_EVENT_COUNT] = {
        /* tenth failure, go, disable, enable, pause, resume, delete */
        [ENDPOINT_ENABLED] = {OFF, OFF, OFF, ON, PAUSED, NO, GONE},
        [ENDPOINT_DISABLED] = {NO, NO, OFF, ON, PAUSED, NO, GONE},
        [ENDPOINT_PAUSED] = {NO, NO, NO, NO, PAUSED, ON, GONE},
        [ENDPOINT_DELETED] = {NO, NO, NO, NO, NO, NO, NO},
    };
    for (enum endpoint_state from = 0; from < ENDPOINT_STATE_COUNT; from++)
        for (enum endpoint_event event = 0; event < ENDPOINT_EVENT_COUNT; event++) {
            struct endpoint_is endpoint = {.state = from, .failures = 4, .streak = 7};
            int next = becomes[from][event];
            assert_int_equal(endpoint_step(&endpoint, event), next != NO);
            assert_int_equal(endpoint.state, next == NO ? (int)from : next);
            assert_int_equal(endpoint.failures, next == ON ? 0 : 4);
            assert_int_equal(endpoint.streak, next == ON ? 8 : 7);
        }
}

/* A new delivery has one attempt, which begins when the last one has ended, and takes a second. */
static void attempt(struct endpoint_is *endpoint, enum delivery_event event)
{
    static int64_t now_ms = NOW;
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .due_at = NOW};
    int64_t started_ms = now_ms + 1;
    now_ms += SECOND_MS;
    assert_true(delivery_step(&delivery, endpoint, event, started_ms, now_ms));
}

static void attempts(struct endpoint_is *endpoint, int count, enum delivery_event event)
{
    for (int i = 0; i < count; i++)
        attempt(endpoint, event);
}

static void attempts_that_overlap_count_once(void **state)
{
    struct endpoint_is endpoint = fresh;
    struct delivery_is deliveries[12];
    for (int i = 0; i < 12; i++) { /* all begin together and end one after the other */
        deliveries[i] = (struct delivery_is){.state = DELIVERY_PENDING};
        delivery_step(&deliveries[i], &endpoint, DELIVERY_REFUSED, NOW, NOW + 100 + i);
    }
    assert_int_equal(endpoint.failures, 1);
    assert_int_equal(endpoint.pauses, 1);
    assert_int_equal(endpoint.next_try_at, NOW + 100 + SECOND_MS);
    delivery_step(&deliveries[5], &endpoint, DELIVERY_REFUSED, NOW + 101, NOW + 300);
    assert_int_equal(endpoint.failures, 2); /* it was not counted yet */
    delivery_step(&deliveries[5], &endpoint, DELIVERY_REFUSED, NOW + 301, NOW + 400);
    assert_int_equal(endpoint.failures, 2);
    assert_int_equal(endpoint.pauses, 3);
}

static void failure_after_a_step_of_the_clock_counts(void **state)
{
    struct endpoint_is endpoint = fresh;
    struct delivery_is first = {.state = DELIVERY_PENDING}, second = first;
    delivery_step(&first, &endpoint, DELIVERY_REFUSED, NOW + HOUR_MS, NOW + HOUR_MS + 1);
    delivery_step(&second, &endpoint, DELIVERY_REFUSED, NOW, NOW + 1); /* by a clock behind */
    assert_int_equal(endpoint.failures, 2);
    assert_int_equal(endpoint.next_try_at, NOW + 1 + 2 * SECOND_MS);
}

static void pauses_double_up_to_a_minute_and_end_with_a_success(void **state)
{
    static const int seconds[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};
    struct endpoint_is endpoint = fresh;
    int64_t now_ms = NOW;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        struct delivery_is delivery = {.state = DELIVERY_PENDING};
        delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, now_ms, now_ms + 5);
        assert_int_equal(endpoint.next_try_at, now_ms + 5 + seconds[i] * SECOND_MS);
        now_ms = endpoint.next_try_at;
    }
    assert_int_equal(endpoint.state, ENDPOINT_ENABLED);
    assert_true(now_ms - NOW > 4 * MINUTE_MS); /* ten failures take longer */
    attempt(&endpoint, DELIVERY_ACCEPTED);
    assert_int_equal(endpoint.state, ENDPOINT_ENABLED);
    assert_int_equal(endpoint.streak, fresh.streak + 1);
    assert_int_equal(endpoint.failures, 0);
    assert_int_equal(endpoint.pauses, 0);
    assert_int_equal(endpoint.failed_at, 0);
    assert_int_equal(endpoint.next_try_at, 0);
}

static void status_410_disables_at_once(void **state)
{
    struct endpoint_is endpoint = fresh;
    struct endpoint_is before = endpoint;
    attempt(&endpoint, DELIVERY_GONE);
    assert_int_equal(endpoint.state, ENDPOINT_DISABLED);
    assert_int_equal(endpoint_reason(&endpoint), ENDPOINT_IS_GONE);
    assert_true(endpoint_notices(&before, &endpoint));
    assert_true(endpoint_step(&endpoint, ENDPOINT_ENABLE));
    assert_false(endpoint_is_failing(&endpoint));
    attempts(&endpoint, 10, DELIVERY_REFUSED);
    assert_int_equal(endpoint_reason(&endpoint), ENDPOINT_BY_FAILURES);
}

static void nine_failures_a_success_and_nine_more_leave_it_enabled(void **state)
{
    struct endpoint_is endpoint = fresh;
    attempts(&endpoint, 9, DELIVERY_REFUSED);
    assert_int_equal(endpoint.failures, 9);
    attempt(&endpoint, DELIVERY_ACCEPTED);
    assert_int_equal(endpoint.failures, 0);
    assert_int_equal(endpoint.streak, fresh.streak + 1);
    attempts(&endpoint, 9, DELIVERY_REFUSED);
    assert_int_equal(endpoint.state, ENDPOINT_ENABLED);
    attempt(&endpoint, DELIVERY_REFUSED);
    assert_int_equal(endpoint.state, ENDPOINT_DISABLED);
    assert_int_equal(endpoint_reason(&endpoint), ENDPOINT_BY_FAILURES);
    assert_int_equal(endpoint.failures, 10);
}

static void success_without_failures_begins_no_streak(void **state)
{
    struct endpoint_is endpoint = fresh;
    attempts(&endpoint, 3, DELIVERY_ACCEPTED);
    assert_memory_equal(&endpoint, &fresh, sizeof fresh);
}

static void late_success_zeroes_a_disabled_endpoint_and_does_not_enable_it(void **state)
{
    struct endpoint_is endpoint = fresh;
    attempts(&endpoint, 10, DELIVERY_REFUSED);
    attempt(&endpoint, DELIVERY_ACCEPTED);
    assert_int_equal(endpoint.state, ENDPOINT_DISABLED);
    assert_int_equal(endpoint.failures, 0);
}

static void delivery_counts_again_in_next_streak(void **state)
{
    struct endpoint_is endpoint = fresh;
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .due_at = NOW};
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW, NOW);
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW, NOW);
    assert_int_equal(endpoint.failures, 1);
    attempt(&endpoint, DELIVERY_ACCEPTED);
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW + 1, NOW + 1);
    assert_int_equal(endpoint.failures, 1);
}

static void failures_after_it_is_disabled_do_not_disable_it_again(void **state)
{
    struct endpoint_is endpoint = fresh;
    attempts(&endpoint, 12, DELIVERY_REFUSED); /* two were in flight */
    assert_int_equal(endpoint.state, ENDPOINT_DISABLED);
    assert_int_equal(endpoint.failures, 12);
}

static void owner_is_told_at_five_when_it_is_disabled_and_when_it_works_again(void **state)
{
    struct endpoint_is endpoint = fresh;
    for (int i = 1; i <= 13; i++) {
        struct endpoint_is before = endpoint;
        attempt(&endpoint, DELIVERY_REFUSED);
        assert_int_equal(endpoint_notices(&before, &endpoint), i == 5 || i == 10);
        assert_false(endpoint_notices(&endpoint, &endpoint));
    }
    endpoint = (struct endpoint_is){.state = ENDPOINT_ENABLED, .failures = 6, .pauses = 6};
    struct endpoint_is before = endpoint;
    attempt(&endpoint, DELIVERY_ACCEPTED);
    assert_true(endpoint_notices(&before, &endpoint));
}

static void owner_gets_no_mail_about_own_action(void **state)
{
    struct endpoint_is before = {.state = ENDPOINT_ENABLED, .failures = 3, .streak = 1};
    struct endpoint_is after = before;
    assert_true(endpoint_step(&after, ENDPOINT_DISABLE));
    assert_false(endpoint_notices(&before, &after));
    before = after;
    assert_true(endpoint_step(&after, ENDPOINT_ENABLE));
    assert_false(endpoint_notices(&before, &after));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_back),
        cmocka_unit_test(every_event_moves_a_delivery_as_the_table_says),
        cmocka_unit_test(six_attempts_follow_fixed_steps),
        cmocka_unit_test(wait_starts_at_end_of_failed_attempt),
        cmocka_unit_test(replay_gives_six_attempts_starting_at_once),
        cmocka_unit_test(replay_neither_counts_as_failure_nor_ends_a_streak),
        cmocka_unit_test(test_has_one_attempt_and_does_not_count),
        cmocka_unit_test(every_event_moves_an_endpoint_as_the_table_says),
        cmocka_unit_test(attempts_that_overlap_count_once),
        cmocka_unit_test(failure_after_a_step_of_the_clock_counts),
        cmocka_unit_test(pauses_double_up_to_a_minute_and_end_with_a_success),
        cmocka_unit_test(status_410_disables_at_once),
        cmocka_unit_test(nine_failures_a_success_and_nine_more_leave_it_enabled),
        cmocka_unit_test(success_without_failures_begins_no_streak),
        cmocka_unit_test(late_success_zeroes_a_disabled_endpoint_and_does_not_enable_it),
        cmocka_unit_test(delivery_counts_again_in_next_streak),
        cmocka_unit_test(failures_after_it_is_disabled_do_not_disable_it_again),
        cmocka_unit_test(owner_is_told_at_five_when_it_is_disabled_and_when_it_works_again),
        cmocka_unit_test(owner_gets_no_mail_about_own_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
