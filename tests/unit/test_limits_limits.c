#include "limits_unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

static struct limits *limits;

static int setup(void **state)
{
    limits = limits_unit_create((struct limits_sizes){0});
    return 0;
}

static int teardown(void **state)
{
    limits_destroy(limits);
    return 0;
}

/* RL-01 */
static void first_request_leaves_one_less(void **state)
{
    struct limits_answer answer = draw(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:17.5Z");
    assert_answer(answer, LIMITS_GRANTED, 60, 59, 0);
    assert_int_equal(answer.reset_s, at("2026-11-20T10:01:00Z") / 1000);
}

/* RL-02 */
static void request_after_the_last_is_denied(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    for (uint32_t i = 1; i <= 60; i++)
        assert_answer(draw(limits, k, "2026-11-20T10:00:17.5Z"), LIMITS_GRANTED, 60, 60 - i, 0);
    for (int i = 0; i < 3; i++)
        assert_answer(draw(limits, k, "2026-11-20T10:00:17.5Z"), LIMITS_DENIED_MINUTE, 60, 0, 43);
}

/* RL-03 */
static void window_opens_exactly_at_reset(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:00:17Z", 61), 60);
    assert_answer(draw(limits, k, "2026-11-20T10:00:59.999Z"), LIMITS_DENIED_MINUTE, 60, 0, 1);
    assert_answer(draw(limits, k, "2026-11-20T10:01:00Z"), LIMITS_GRANTED, 60, 59, 0);
}

/* RL-04 */
static void last_and_first_instant_of_windows_are_separate(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:00:59.999Z", 60), 60);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:01:00Z", 60), 60);
}

/* RL-05 */
static void denied_requests_draw_from_neither(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:00:00Z", 560), 60);
    struct limits_usage usage = limits_key_usage(limits, 1, at("2026-11-20T10:00:00Z"));
    assert_int_equal(usage.minute_used, 60);
    assert_int_equal(usage.month_used, 60);
}

static void use_up_the_month(struct limits_caller caller, const char *hour)
{
    int64_t start = at(hour);
    for (uint32_t i = 0; i < caller.per_month; i++) {
        struct limits_answer answer =
            draw_ms(limits, &caller, start + (int64_t)(i / caller.per_minute) * MINUTE_MS);
        assert_int_equal(answer.verdict, LIMITS_GRANTED);
    }
}

/* RL-06, MQ-06: the last draw is granted, the next is denied */
static void exhausted_month_denies_and_shows_minute(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    use_up_the_month(k, "2026-11-20T00:00:00Z");
    int64_t wait_s = (at("2026-12-01T00:00:00Z") - at("2026-11-28T00:00:00Z")) / 1000;
    assert_answer(draw(limits, k, "2026-11-28T00:00:00Z"), LIMITS_DENIED_MONTH, 60, 60, wait_s);
    assert_answer(draw(limits, k, "2026-11-28T00:00:00Z"), LIMITS_DENIED_MONTH, 60, 60, wait_s);
    struct limits_usage usage = limits_key_usage(limits, 1, at("2026-11-28T00:00:00Z"));
    assert_int_equal(usage.minute_used, 0);
    assert_int_equal(usage.month_used, 100000);
    assert_answer(draw(limits, k, "2026-12-01T00:00:00Z"), LIMITS_GRANTED, 60, 59, 0);
}

/* RL-07, RL-08 */
static void longer_wait_of_two_exhausted_windows_wins(void **state)
{
    struct limits_caller k = {.keyed = true, .key_no = 1, .per_minute = 5, .per_month = 5};
    assert_int_equal(draw_many(limits, k, "2026-11-30T23:30:00Z", 9), 5);
    assert_answer(draw(limits, k, "2026-11-30T23:30:00Z"), LIMITS_DENIED_MONTH, 5, 0, 1800);
    assert_answer(draw(limits, k, "2026-11-30T23:59:59.5Z"), LIMITS_DENIED_MONTH, 5, 5, 1);
}

/* RL-10 */
static void keys_have_separate_windows_and_months(void **state)
{
    for (int64_t key_no = 1; key_no <= 100; key_no++)
        assert_int_equal(
            draw_many(limits, keyed(key_no, PLAN_PACK), "2026-11-20T10:00:00Z", 61), 60);
    for (int64_t key_no = 1; key_no <= 100; key_no++) {
        struct limits_usage usage = limits_key_usage(limits, key_no, at("2026-11-20T10:00:00Z"));
        assert_int_equal(usage.minute_used, 60);
        assert_int_equal(usage.month_used, 60);
    }
}

/* RL-11, decision 27 */
static void plan_change_applies_at_once_and_keeps_usage(void **state)
{
    assert_int_equal(draw_many(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:00Z", 40), 40);
    assert_answer(
        draw(limits, keyed(1, PLAN_DEN), "2026-11-20T10:00:01Z"), LIMITS_GRANTED, 300, 259, 0);
    assert_int_equal(draw_many(limits, keyed(1, PLAN_DEN), "2026-11-20T10:00:02Z", 109), 109);
    assert_answer(
        peek(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:03Z"), LIMITS_DENIED_MINUTE, 60, 0, 57);
    assert_answer(
        draw(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:03Z"), LIMITS_DENIED_MINUTE, 60, 0, 57);
    assert_answer(
        draw(limits, keyed(1, PLAN_DEN), "2026-11-20T10:00:04Z"), LIMITS_GRANTED, 300, 149, 0);
}

static void peek_draws_nothing(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK), a = anonymous("203.0.113.5");
    for (int i = 0; i < 100; i++) {
        assert_answer(peek(limits, k, "2026-11-20T10:00:00Z"), LIMITS_GRANTED, 60, 60, 0);
        assert_answer(peek(limits, a, "2026-11-20T10:00:00Z"), LIMITS_GRANTED, 10, 10, 0);
    }
    assert_answer(draw(limits, k, "2026-11-20T10:00:00Z"), LIMITS_GRANTED, 60, 59, 0);
    assert_answer(draw(limits, a, "2026-11-20T10:00:00Z"), LIMITS_GRANTED, 10, 9, 0);
    assert_answer(peek(limits, k, "2026-11-20T10:00:00Z"), LIMITS_GRANTED, 60, 59, 0);
}

static void refund_returns_both_draws(void **state)
{
    struct limits_caller callers[] = {
        keyed(1, PLAN_PACK), anonymous("203.0.113.5"), anonymous("2001:db8::1")};
    for (size_t i = 0; i < 3; i++) {
        uint32_t limit = callers[i].per_minute;
        struct limits_answer answer = draw(limits, callers[i], "2026-11-30T23:59:59.9Z");
        assert_answer(answer, LIMITS_GRANTED, limit, limit - 1, 0);
        /* The answer came in the next month; the draw returns to its own month. */
        assert_answer(
            draw(limits, callers[i], "2026-12-01T00:00:00Z"), LIMITS_GRANTED, limit, limit - 1, 0);
        limits_refund(limits, &callers[i], &answer);
        assert_int_equal(answer.remaining, limit);
        assert_answer(
            peek(limits, callers[i], "2026-12-01T00:00:00Z"), LIMITS_GRANTED, limit, limit - 1, 0);
        uint32_t keys_draws = callers[i].keyed ? 1 : 0;
        assert_int_equal(
            limits_key_usage(limits, 1, at("2026-12-01T00:00:00Z")).month_used, keys_draws);
        assert_int_equal(limits_key_usage(limits, 1, at("2026-11-01T00:00:00Z")).month_used, 0);
        limits_destroy(limits);
        limits = limits_unit_create((struct limits_sizes){0});
    }
}

static void denied_answer_cannot_be_refunded(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:00:00Z", 60), 60);
    struct limits_answer answer = draw(limits, k, "2026-11-20T10:00:00Z");
    limits_refund(limits, &k, &answer);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:00:00Z", 5), 0);
}

/* CL-01, CL-02 */
static void short_step_back_opens_no_window(void **state)
{
    struct limits_caller callers[] = {keyed(1, PLAN_PACK), anonymous("203.0.113.5")};
    for (size_t i = 0; i < 2; i++) {
        uint32_t limit = callers[i].per_minute;
        const char *day = i ? "2026-11-21" : "2026-11-20";
        char now[40];
        static const char *const steps[] = {"10:00:05", "09:59:54", "09:58:00", "09:55:06"};
        uint32_t last = limit;
        for (size_t s = 0; s < 4; s++) {
            snprintf(now, sizeof now, "%sT%sZ", day, steps[s]);
            struct limits_answer answer = draw(limits, callers[i], now);
            assert_int_equal(answer.verdict, LIMITS_GRANTED);
            assert_int_equal(answer.remaining, last - 1);
            assert_int_equal(answer.clock_back_ms, 0);
            last = answer.remaining;
        }
        assert_int_equal(draw_many(limits, callers[i], now, (int)limit), (int)last);
        assert_answer(draw(limits, callers[i], now), LIMITS_DENIED_MINUTE, limit, 0, 60);
        snprintf(now, sizeof now, "%sT10:00:59Z", day);
        assert_answer(draw(limits, callers[i], now), LIMITS_DENIED_MINUTE, limit, 0, 1);
        snprintf(now, sizeof now, "%sT10:01:00Z", day);
        assert_answer(draw(limits, callers[i], now), LIMITS_GRANTED, limit, limit - 1, 0);
    }
}

/* CL-02 */
static void long_step_back_is_reported_once_and_keeps_windows(void **state)
{
    struct limits_caller k = keyed(1, PLAN_PACK), a = anonymous("203.0.113.5");
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:00:05Z", 50), 50);
    assert_int_equal(draw_many(limits, a, "2026-11-20T10:00:05Z", 8), 8);
    assert_int_equal(draw_many(limits, k, "2026-11-20T11:00:05Z", 5), 5);
    assert_int_equal(draw_many(limits, a, "2026-11-20T11:00:05Z", 5), 5);
    struct limits_answer answer = draw(limits, k, "2026-11-20T10:00:10Z");
    assert_int_equal(answer.clock_back_ms, 59 * MINUTE_MS + 55 * SECOND_MS);
    assert_answer(answer, LIMITS_GRANTED, 60, 9, 0);
    answer = draw(limits, a, "2026-11-20T10:00:10Z");
    assert_int_equal(answer.clock_back_ms, 0);
    assert_answer(answer, LIMITS_GRANTED, 10, 1, 0);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:00:10Z", 60), 9);
    assert_int_equal(draw_many(limits, k, "2026-11-20T10:01:10Z", 61), 60);
    assert_int_equal(draw_many(limits, k, "2026-11-20T11:00:10Z", 61), 55);
    struct limits_stats stats;
    limits_stats(limits, &stats);
    assert_int_equal(stats.clock_steps_back, 1);
}

/* CL-03 */
static void clock_a_day_ahead_and_back_loses_no_month(void **state)
{
    struct limits_caller callers[] = {
        keyed(1, PLAN_PACK), anonymous("203.0.113.5"), anonymous("2001:db8::1")};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(draw_many(limits, callers[i], "2026-11-30T10:00:00Z", 7), 7);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(draw_many(limits, callers[i], "2026-12-01T10:00:00Z", 2), 2);
    for (size_t i = 0; i < 3; i++) {
        callers[i].per_month = 10;
        assert_int_equal(draw_many(limits, callers[i], "2026-11-30T10:01:00Z", 9), 3);
        assert_answer(
            draw(limits, callers[i], "2026-11-30T10:01:30Z"), LIMITS_DENIED_MONTH,
            callers[i].per_minute, callers[i].per_minute - 3, 13 * 3600 + 58 * 60 + 30);
    }
    assert_int_equal(limits_key_usage(limits, 1, at("2026-11-30T10:02:00Z")).month_used, 10);
    assert_int_equal(limits_key_usage(limits, 1, at("2026-12-01T10:02:00Z")).month_used, 2);
}

/* No window of any caller grants more than its limit, whatever the clock does. */
enum { WALK_MINUTES = 3000, WALK_DRAWS = 60000, WALK_CALLERS = 4 };

static void no_clock_change_grants_too_much(void **state)
{
    struct limits_caller callers[WALK_CALLERS] = {
        {.keyed = true, .key_no = 1},
        {.keyed = true, .key_no = 2},
        anonymous("203.0.113.5"),
        anonymous("2001:db8::1")};
    uint8_t(*granted)[WALK_MINUTES] = mem_zalloc(WALK_CALLERS * WALK_MINUTES);
    int64_t start = at("2026-11-20T00:00:00Z"), now = 500 * MINUTE_MS;
    for (size_t i = 0; i < WALK_CALLERS; i++) {
        callers[i].per_minute = 4;
        callers[i].per_month = UINT32_MAX;
    }
    for (uint64_t i = 0; i < WALK_DRAWS; i++) {
        uint64_t r = hash_seeded(str_of((const char *)&i, sizeof i), 7);
        int64_t reach = r % 211 ? 9 * SECOND_MS : r % 5 ? 8 * MINUTE_MS : 900 * MINUTE_MS;
        now += (int64_t)((r >> 20) % (uint64_t)(2 * reach)) - reach * 3 / 4;
        now = now < 0 || now >= (int64_t)WALK_MINUTES * MINUTE_MS ? 500 * MINUTE_MS : now;
        size_t c = (r >> 50) % WALK_CALLERS;
        struct limits_answer answer = draw_ms(limits, &callers[c], start + now);
        assert_in_range(answer.remaining, 0, 4);
        if (answer.verdict == LIMITS_DENIED_MINUTE)
            assert_in_range(answer.retry_after_s, 1, 60);
        if (answer.verdict == LIMITS_GRANTED) {
            uint8_t *count = &granted[c][answer.minute - start / MINUTE_MS];
            assert_in_range(++*count, 1, 4);
        }
    }
    mem_free(granted);
}

enum { RACERS = 64, RACES = 1000 };

struct racer {
    struct limits_caller caller;
    _Atomic int *granted;
};

static void *race(void *arg)
{
    struct racer *racer = arg;
    int64_t now = at("2026-11-20T10:00:17Z");
    for (int i = 0; i < RACES; i++) {
        struct limits_answer answer;
        if (!limits_draw(limits, &racer->caller, now + i, &answer, NULL, NULL))
            abort();
        if (answer.verdict == LIMITS_GRANTED)
            atomic_fetch_add(racer->granted, 1);
    }
    return NULL;
}

static int race_for(struct limits_caller caller)
{
    _Atomic int granted = 0;
    struct racer racer = {caller, &granted};
    pthread_t threads[RACERS];
    for (int i = 0; i < RACERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racer), 0);
    for (int i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    return granted;
}

/* RL-09 */
static void sixty_four_threads_get_exactly_the_limit(void **state)
{
    assert_int_equal(race_for(keyed(1, PLAN_PACK)), 60);
    assert_int_equal(limits_key_usage(limits, 1, at("2026-11-20T10:00:17Z")).month_used, 60);
    assert_int_equal(race_for(anonymous("203.0.113.5")), 10);
    assert_int_equal(race_for(anonymous("2001:db8::1")), 10);
}

static void counts_add_up(void **state)
{
    struct limits_stats stats;
    (void)draw_many(limits, keyed(1, PLAN_PACK), "2026-11-20T10:00:00Z", 63);
    (void)draw_many(limits, anonymous("203.0.113.5"), "2026-11-20T10:00:00Z", 11);
    (void)draw_many(limits, anonymous("2001:db8::1"), "2026-11-20T10:00:00Z", 1);
    struct limits_caller little = {.keyed = true, .key_no = 2, .per_minute = 9, .per_month = 1};
    (void)draw_many(limits, little, "2026-11-20T10:00:00Z", 3);
    limits_stats(limits, &stats);
    assert_int_equal(stats.granted, 60 + 10 + 1 + 1);
    assert_int_equal(stats.denied_minute, 3 + 1);
    assert_int_equal(stats.denied_month, 2);
    assert_int_equal(stats.keys, 2);
    assert_int_equal(stats.minute_addresses, 4); /* IPv6 has three levels */
    assert_int_equal(stats.month_addresses, 4);
    assert_int_equal(stats.unwritten, 6);
}

static void master_key_of_wrong_size_is_refused(void **state)
{
    struct limits_options options = {.master_key = STR("short")};
    struct limits *none;
    struct fail fail;
    assert_int_equal(limits_create(&options, &none, &fail), ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(first_request_leaves_one_less, setup, teardown),
        cmocka_unit_test_setup_teardown(request_after_the_last_is_denied, setup, teardown),
        cmocka_unit_test_setup_teardown(window_opens_exactly_at_reset, setup, teardown),
        cmocka_unit_test_setup_teardown(
            last_and_first_instant_of_windows_are_separate, setup, teardown),
        cmocka_unit_test_setup_teardown(denied_requests_draw_from_neither, setup, teardown),
        cmocka_unit_test_setup_teardown(exhausted_month_denies_and_shows_minute, setup, teardown),
        cmocka_unit_test_setup_teardown(longer_wait_of_two_exhausted_windows_wins, setup, teardown),
        cmocka_unit_test_setup_teardown(keys_have_separate_windows_and_months, setup, teardown),
        cmocka_unit_test_setup_teardown(
            plan_change_applies_at_once_and_keeps_usage, setup, teardown),
        cmocka_unit_test_setup_teardown(peek_draws_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(refund_returns_both_draws, setup, teardown),
        cmocka_unit_test_setup_teardown(denied_answer_cannot_be_refunded, setup, teardown),
        cmocka_unit_test_setup_teardown(short_step_back_opens_no_window, setup, teardown),
        cmocka_unit_test_setup_teardown(
            long_step_back_is_reported_once_and_keeps_windows, setup, teardown),
        cmocka_unit_test_setup_teardown(clock_a_day_ahead_and_back_loses_no_month, setup, teardown),
        cmocka_unit_test_setup_teardown(no_clock_change_grants_too_much, setup, teardown),
        cmocka_unit_test_setup_teardown(sixty_four_threads_get_exactly_the_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(counts_add_up, setup, teardown),
        cmocka_unit_test(master_key_of_wrong_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
