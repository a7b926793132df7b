#include "unit.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "rule/window.h"

static int64_t at(const char *text)
{
    int64_t ms;
    if (!instant_parse(str_from(text), &ms))
        fail_msg("no instant: %s", text);
    return ms;
}

static struct window_time read_at(struct window_clock *clock, const char *text)
{
    return window_clock_read(clock, at(text));
}

static void minute_window_is_the_clock_minute(void **state)
{
    static const struct {
        const char *now;
        int64_t wait_s;
    } cases[] = {
        {"2026-11-20T10:00:00Z", 60}, {"2026-11-20T10:00:00.001Z", 60},
        {"2026-11-20T10:00:01Z", 59}, {"2026-11-20T10:00:58.999Z", 2},
        {"2026-11-20T10:00:59Z", 1},  {"2026-11-20T10:00:59.999Z", 1}, /* RL-03 */
    };
    int64_t reset_s = at("2026-11-20T10:01:00Z") / SECOND_MS;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct window_clock clock;
        window_clock_init(&clock);
        struct window_time time = read_at(&clock, cases[i].now);
        assert_int_equal(window_minute_end_s(time.minute), reset_s);
        assert_int_equal(window_minute_wait_s(&time), cases[i].wait_s);
        window_clock_finish(&clock);
    }
    assert_int_equal(
        window_minute(at("2026-11-20T10:01:00Z")), window_minute(at("2026-11-20T10:00:00Z")) + 1);
    assert_int_equal(window_minute(-1), 0);
}

/* MQ-01, MQ-02; the tests run in Pacific/Auckland, which is MQ-03 */
static void month_ends_on_the_first_in_utc(void **state)
{
    static const struct {
        const char *now;
        int64_t wait_s;
    } cases[] = {
        {"2026-01-31T23:59:59Z", 1},          {"2026-02-28T23:59:30Z", 30},
        {"2028-02-29T12:00:00Z", 43200},      {"2026-12-31T23:59:59Z", 1},
        {"2026-03-31T00:00:00Z", 86400},      {"2026-04-30T23:00:00Z", 3600},
        {"2028-02-28T00:00:00Z", 172800},     {"2026-10-31T23:30:00Z", 1800}, /* RL-08 */
        {"2026-01-01T00:00:00Z", 31 * 86400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct window_clock clock;
        window_clock_init(&clock);
        struct window_time time = read_at(&clock, cases[i].now);
        assert_int_equal(window_month_wait_s(&time), cases[i].wait_s);
        window_clock_finish(&clock);
    }
}

/* MQ-04 */
static void one_reading_gives_minute_and_month_of_same_instant(void **state)
{
    struct window_clock clock;
    window_clock_init(&clock);
    struct window_time time = read_at(&clock, "2026-11-30T23:59:59.999Z");
    assert_int_equal(window_minute_end_s(time.minute) * SECOND_MS, month_start_ms(time.month + 1));
    assert_int_equal(window_month_wait_s(&time), 1);
    assert_int_equal(window_minute_wait_s(&time), 1);
    window_clock_finish(&clock);
}

/* CL-01, CL-02 */
static void short_step_back_keeps_last_window(void **state)
{
    struct window_clock clock;
    window_clock_init(&clock);
    struct window_time last = read_at(&clock, "2026-11-20T10:00:05Z"), time;
    time = read_at(&clock, "2026-11-20T09:59:54Z");
    assert_int_equal(time.minute, last.minute);
    assert_int_equal(window_minute_wait_s(&time), 60);
    time = read_at(&clock, "2026-11-20T09:55:05Z");
    assert_int_equal(time.minute, last.minute);
    assert_int_equal(time.back_ms, 0);
    assert_int_equal(window_minute_wait_s(&time), 60);
    time = read_at(&clock, "2026-11-20T10:00:04Z");
    assert_int_equal(time.minute, last.minute);
    time = read_at(&clock, "2026-11-20T10:01:00Z");
    assert_int_equal(time.minute, last.minute + 1);
    assert_false(time.again);
    window_clock_finish(&clock);
}

/* CL-02 */
static void long_step_back_is_accepted_once(void **state)
{
    struct window_clock clock;
    window_clock_init(&clock);
    (void)read_at(&clock, "2026-11-20T10:00:05Z");
    struct window_time time = read_at(&clock, "2026-11-20T09:55:04.999Z");
    assert_int_equal(time.back_ms, 5 * MINUTE_MS + 1);
    assert_int_equal(time.minute, window_minute(at("2026-11-20T09:55:00Z")));
    assert_false(time.again);
    time = read_at(&clock, "2026-11-20T09:55:05Z");
    assert_int_equal(time.back_ms, 0);
    time = read_at(&clock, "2026-11-20T10:00:00Z");
    assert_true(time.again);
    time = read_at(&clock, "2026-11-20T10:01:00Z");
    assert_false(time.again);
    window_clock_finish(&clock);
}

/* Up to five idle minutes belong to the run of minutes around them. */
static void short_gap_counts_as_used_and_a_longer_one_does_not(void **state)
{
    for (int gap = 5; gap <= 6; gap++) {
        struct window_clock clock;
        int64_t start = at("2026-11-20T10:00:05Z");
        window_clock_init(&clock);
        (void)window_clock_read(&clock, start);
        (void)window_clock_read(&clock, start + gap * (int64_t)MINUTE_MS);
        struct window_time time = window_clock_read(&clock, start - 60 * (int64_t)MINUTE_MS);
        assert_int_equal(time.back_ms, (60 + gap) * (int64_t)MINUTE_MS);
        for (int minute = 0; minute <= gap; minute++) {
            time = window_clock_peek(&clock, start + minute * (int64_t)MINUTE_MS);
            assert_int_equal(time.again, gap == 5 || minute == 0 || minute == gap);
        }
        window_clock_finish(&clock);
    }
}

/* One run too many joins the two closest, wherever they are in the list; the minutes between them
 * count as used, and no others. */
static void two_closest_runs_are_joined(void **state)
{
    static const struct {
        int64_t minutes[WINDOW_RUNS_MAX]; /* at each of which a run begins */
        int64_t between, elsewhere[2];
    } cases[] = {
        {{0, 1000, 3000, 6000, 10000, 15000, 21000, 28000}, 500, {2000, 24000}},
        {{0, 7000, 13000, 18000, 22000, 25000, 27000, 28000}, 27500, {500, 26000}},
        {{0, 50000, 20000, 90000, 20500, 70000, 3000, 120000}, 20250, {10000, 80000}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct window_clock clock;
        int64_t start = at("2026-11-20T10:00:05Z");
        window_clock_init(&clock);
        for (size_t run = 0; run < WINDOW_RUNS_MAX; run++)
            (void)window_clock_read(&clock, start + cases[i].minutes[run] * MINUTE_MS);
        (void)window_clock_read(&clock, start + 200000 * (int64_t)MINUTE_MS);
        assert_true(window_clock_peek(&clock, start + cases[i].between * MINUTE_MS).again);
        for (int k = 0; k < 2; k++)
            assert_false(
                window_clock_peek(&clock, start + cases[i].elsewhere[k] * MINUTE_MS).again);
        for (size_t run = 0; run < WINDOW_RUNS_MAX; run++)
            assert_true(window_clock_peek(&clock, start + cases[i].minutes[run] * MINUTE_MS).again);
        window_clock_finish(&clock);
    }
}

/* A minute of the current run is used for the first time. */
static void current_run_is_not_again(void **state)
{
    struct window_clock clock;
    window_clock_init(&clock);
    (void)read_at(&clock, "2026-11-20T10:00:05Z");
    assert_false(window_clock_peek(&clock, at("2026-11-20T10:00:06Z")).again);
    assert_true(window_clock_peek(&clock, at("2026-11-20T09:00:06Z")).minute < clock.runs[0].from);
    (void)read_at(&clock, "2026-11-20T09:00:05Z");
    assert_false(window_clock_peek(&clock, at("2026-11-20T09:00:06Z")).again);
    assert_true(window_clock_peek(&clock, at("2026-11-20T10:00:06Z")).again);
    window_clock_finish(&clock);
}

/* The clock stays in a minute whose end the wall clock has reached. */
static void wait_after_the_end_is_one_second(void **state)
{
    struct window_time time = {.minute = 7};
    for (int64_t past_ms = 0; past_ms <= 2000; past_ms += 500) {
        time.wall_ms = window_minute_end_s(7) * SECOND_MS + past_ms;
        assert_int_equal(window_minute_wait_s(&time), 1);
    }
}

/* CL-03 */
static void skipped_minutes_are_unused(void **state)
{
    struct window_clock clock;
    window_clock_init(&clock);
    (void)read_at(&clock, "2026-11-20T10:00:05Z");
    (void)read_at(&clock, "2026-11-21T10:00:05Z");
    struct window_time time = read_at(&clock, "2026-11-20T10:00:10Z");
    assert_int_equal(time.back_ms, DAY_MS - 5 * SECOND_MS);
    assert_true(time.again);
    time = read_at(&clock, "2026-11-20T10:01:10Z");
    assert_false(time.again);
    time = read_at(&clock, "2026-11-21T10:00:10Z");
    assert_true(time.again);
    window_clock_finish(&clock);
}

static void peek_does_not_advance_clock(void **state)
{
    struct window_clock clock;
    window_clock_init(&clock);
    struct window_time time = window_clock_peek(&clock, at("2026-11-20T10:00:05Z"));
    assert_int_equal(time.minute, window_minute(at("2026-11-20T10:00:05Z")));
    (void)read_at(&clock, "2026-11-20T10:00:05Z");
    time = window_clock_peek(&clock, at("2026-11-20T11:00:05Z"));
    assert_int_equal(time.minute, window_minute(at("2026-11-20T11:00:05Z")));
    time = window_clock_peek(&clock, at("2026-11-20T09:58:00Z"));
    assert_int_equal(time.minute, window_minute(at("2026-11-20T10:00:05Z")));
    time = window_clock_peek(&clock, at("2026-11-20T09:00:00Z"));
    assert_int_equal(time.minute, window_minute(at("2026-11-20T09:00:00Z")));
    time = read_at(&clock, "2026-11-20T10:00:06Z");
    assert_int_equal(time.back_ms, 0);
    assert_false(time.again);
    window_clock_finish(&clock);
}

/* CL-02: draws of a window stay counted after the ring has lost it. */
static void reopened_window_keeps_count(void **state)
{
    struct window_clock clock;
    struct window_slot ring[4] = {{0}};
    struct window_lost lost = {0};
    window_clock_init(&clock);
    static const char *const first[] = {"10:00", "10:01", "10:02", "10:03",
                                        "10:04", "10:05", "10:06"};
    for (int i = 0; i < 7; i++) {
        char text[] = "2026-11-20T00:00:30Z";
        for (int k = 0; k < 5; k++)
            text[11 + k] = first[i][k];
        struct window_time time = read_at(&clock, text);
        window_open(ring, 4, &lost, &time)->used = 10 + (uint32_t)i;
    }
    assert_int_equal(lost.peak, 12);
    struct window_time time = read_at(&clock, "2026-11-20T10:01:29Z");
    assert_int_equal(window_used(ring, 4, &lost, &time), 12); /* lost: 11, at most 12 */
    time = read_at(&clock, "2026-11-20T10:05:30Z");
    assert_int_equal(window_used(ring, 4, &lost, &time), 15);
    time = read_at(&clock, "2026-11-20T10:07:30Z");
    assert_int_equal(window_used(ring, 4, &lost, &time), 0);
    window_clock_finish(&clock);
}

/* No minute grants more than the limit, whatever the clock does. */
enum { WALK_LIMIT = 5, WALK_MINUTES = 6000, WALK_STEPS = 60000 };

static void walk(uint64_t seed, size_t ring_size)
{
    struct window_clock clock;
    struct window_slot ring[64] = {{0}};
    struct window_lost lost = {0};
    uint8_t *granted = mem_zalloc(WALK_MINUTES);
    uint32_t refused = 0, first_minute = window_minute(at("2026-11-20T10:00:00Z"));
    int64_t now = 1000 * MINUTE_MS;
    window_clock_init(&clock);
    for (uint64_t i = 0; i < WALK_STEPS; i++) {
        uint64_t r = hash_seeded(str_of((const char *)&i, sizeof i), seed);
        int64_t reach = r % 97 ? (r % 7 ? 20 * SECOND_MS : 6 * MINUTE_MS)
                               : (r % 3 ? 40 * MINUTE_MS : 1500 * MINUTE_MS);
        now += (int64_t)((r >> 20) % (uint64_t)(2 * reach)) - reach * 2 / 3;
        now = now < 0 ? 0 : now;
        now = now >= (int64_t)WALK_MINUTES * MINUTE_MS ? 1000 * MINUTE_MS : now;
        struct window_time time =
            window_clock_read(&clock, (int64_t)first_minute * MINUTE_MS + now);
        struct window_slot *slot = window_open(ring, ring_size, &lost, &time);
        if (slot->used < WALK_LIMIT) {
            slot->used++;
            granted[time.minute - first_minute]++;
            assert_in_range(granted[time.minute - first_minute], 1, WALK_LIMIT);
        } else {
            refused++;
        }
    }
    assert_in_range(refused, 1, WALK_STEPS - 1000);
    mem_free(granted);
    window_clock_finish(&clock);
}

static void no_clock_change_grants_too_much(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        walk(seed, 64);
        walk(seed, 4);
    }
}

struct racer {
    struct window_clock *clock;
    uint32_t minute; /* latest seen */
};

static void *race(void *arg)
{
    struct racer *racer = arg;
    int64_t start = at("2026-11-20T10:00:00Z");
    for (int64_t i = 0; i < 7000; i++) {
        struct window_time time = window_clock_read(racer->clock, start + i * 37);
        if (time.minute < racer->minute || time.back_ms)
            abort();
        racer->minute = time.minute;
    }
    return NULL;
}

static void minute_never_decreases_across_threads(void **state)
{
    struct window_clock clock;
    struct racer racers[4];
    pthread_t threads[4];
    window_clock_init(&clock);
    for (int i = 0; i < 4; i++) {
        racers[i] = (struct racer){&clock, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    struct window_time time = read_at(&clock, "2026-11-20T10:00:00Z");
    for (int i = 0; i < 4; i++)
        assert_int_equal(racers[i].minute, time.minute);
    window_clock_finish(&clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minute_window_is_the_clock_minute),
        cmocka_unit_test(month_ends_on_the_first_in_utc),
        cmocka_unit_test(one_reading_gives_minute_and_month_of_same_instant),
        cmocka_unit_test(short_step_back_keeps_last_window),
        cmocka_unit_test(long_step_back_is_accepted_once),
        cmocka_unit_test(short_gap_counts_as_used_and_a_longer_one_does_not),
        cmocka_unit_test(two_closest_runs_are_joined),
        cmocka_unit_test(current_run_is_not_again),
        cmocka_unit_test(wait_after_the_end_is_one_second),
        cmocka_unit_test(skipped_minutes_are_unused),
        cmocka_unit_test(peek_does_not_advance_clock),
        cmocka_unit_test(reopened_window_keeps_count),
        cmocka_unit_test(no_clock_change_grants_too_much),
        cmocka_unit_test(minute_never_decreases_across_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
