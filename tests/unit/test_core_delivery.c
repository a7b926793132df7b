/* The rules of deliveries and endpoints: every state and event, the schedule, and the failure
 * count. */
#include "unit.h"

#include <stdlib.h>

#include "core/delivery.h"

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
                [DELIVERY_EXPIRE] = DELIVERY_EXPIRED,
                [DELIVERY_REPLAY] = DELIVERY_PENDING,
            },
        [DELIVERY_DELIVERED] = {NOTHING, NOTHING, NOTHING, DELIVERY_PENDING},
        [DELIVERY_FAILED] = {DELIVERY_DELIVERED, NOTHING, NOTHING, DELIVERY_PENDING},
        [DELIVERY_EXPIRED] = {DELIVERY_DELIVERED, NOTHING, NOTHING, DELIVERY_PENDING},
    };
    for (enum delivery_state from = 0; from < DELIVERY_STATE_COUNT; from++)
        for (enum delivery_event event = 0; event < DELIVERY_EVENT_COUNT; event++) {
            const struct delivery_is before = {.state = from, .tries = 2, .due_at = 77};
            struct delivery_is delivery = before;
            struct endpoint_is endpoint = fresh;
            bool moved = delivery_step(&delivery, &endpoint, event, NOW);
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
        assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, delivery.due_at));
        assert_int_equal(delivery.tries, i + 1);
    }
    assert_int_equal(delivery.state, DELIVERY_FAILED);
    assert_false(delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW));
    assert_int_equal(
        endpoint.failures, 1); /* one delivery counts once, however many attempts it had */
}

static void wait_starts_at_end_of_failed_attempt(void **state)
{
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .due_at = NOW};
    struct endpoint_is endpoint = fresh;
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW + 10000);
    assert_int_equal(delivery.due_at, NOW + 10000 + 30 * SECOND_MS);
}

static void replay_gives_six_attempts_starting_at_once(void **state)
{
    struct delivery_is delivery = {
        .state = DELIVERY_FAILED, .tries = DELIVERY_TRIES_MAX, .counted_in = 1};
    struct endpoint_is endpoint = fresh;
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REPLAY, NOW));
    assert_int_equal(delivery.due_at, NOW);
    int attempts = 0;
    while (delivery.state == DELIVERY_PENDING && attempts <= DELIVERY_TRIES_MAX) {
        delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW);
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
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REPLAY, NOW));
    assert_int_equal(delivery.cause, DELIVERY_BY_REPLAY);
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW));
    assert_memory_equal(&endpoint, &before, sizeof before);
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_ACCEPTED, NOW));
    assert_memory_equal(&endpoint, &before, sizeof before);
    assert_int_equal(delivery.state, DELIVERY_DELIVERED);
}

static void test_has_one_attempt_and_does_not_count(void **state)
{
    struct endpoint_is endpoint = {.state = ENDPOINT_ENABLED, .failures = 9, .streak = 3};
    const struct endpoint_is before = endpoint;
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .cause = DELIVERY_BY_TEST};
    assert_true(delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW));
    assert_int_equal(delivery.state, DELIVERY_FAILED);
    assert_int_equal(delivery.tries, 1);
    assert_memory_equal(&endpoint, &before, sizeof before);
}

/* --- endpoints */

static void every_event_moves_an_endpoint_as_the_table_says(void **state)
{
    enum { ON = ENDPOINT_ENABLED, OFF, PAUSED, GONE, NO };
    static const int becomes[ENDPOINT_STATE_COUNT][ENDPOINT_EVENT_COUNT] = {
        /* tenth failure, disable, enable, pause, resume, delete */
        [ENDPOINT_ENABLED] = {OFF, OFF, ON, PAUSED, NO, GONE},
        [ENDPOINT_DISABLED] = {NO, OFF, ON, PAUSED, NO, GONE},
        [ENDPOINT_PAUSED] = {NO, NO, NO, PAUSED, ON, GONE},
        [ENDPOINT_DELETED] = {NO, NO, NO, NO, NO, NO},
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

/* A new delivery has one attempt. */
static void attempt(struct endpoint_is *endpoint, enum delivery_event event)
{
    struct delivery_is delivery = {.state = DELIVERY_PENDING, .due_at = NOW};
    assert_true(delivery_step(&delivery, endpoint, event, NOW));
}

static void attempts(struct endpoint_is *endpoint, int count, enum delivery_event event)
{
    for (int i = 0; i < count; i++)
        attempt(endpoint, event);
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
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW);
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW);
    assert_int_equal(endpoint.failures, 1);
    attempt(&endpoint, DELIVERY_ACCEPTED);
    delivery_step(&delivery, &endpoint, DELIVERY_REFUSED, NOW);
    assert_int_equal(endpoint.failures, 1);
}

static void failures_after_it_is_disabled_do_not_disable_it_again(void **state)
{
    struct endpoint_is endpoint = fresh;
    attempts(&endpoint, 12, DELIVERY_REFUSED); /* two were in flight */
    assert_int_equal(endpoint.state, ENDPOINT_DISABLED);
    assert_int_equal(endpoint.failures, 12);
}

static void owner_gets_mail_at_five_eight_and_disable(void **state)
{
    struct endpoint_is endpoint = fresh;
    for (int i = 1; i <= 13; i++) {
        struct endpoint_is before = endpoint;
        attempt(&endpoint, DELIVERY_REFUSED);
        assert_int_equal(endpoint_notices(&before, &endpoint), i == 5 || i == 8 || i == 10);
        assert_false(endpoint_notices(&endpoint, &endpoint));
    }
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
        cmocka_unit_test(nine_failures_a_success_and_nine_more_leave_it_enabled),
        cmocka_unit_test(success_without_failures_begins_no_streak),
        cmocka_unit_test(late_success_zeroes_a_disabled_endpoint_and_does_not_enable_it),
        cmocka_unit_test(delivery_counts_again_in_next_streak),
        cmocka_unit_test(failures_after_it_is_disabled_do_not_disable_it_again),
        cmocka_unit_test(owner_gets_mail_at_five_eight_and_disable),
        cmocka_unit_test(owner_gets_no_mail_about_own_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
