/* The difference between the clocks of a server and of its database. */
#include "unit.h"

#include "serve/follow.h"

enum { OFF = CLOCK_WATCH_OFF_MS, NOW = 1000 * 1000 };

static void difference_counts_from_the_middle_of_the_question(void **state)
{
    struct clock_watch watch = {0};
    clock_watch_note(&watch, NOW, NOW - 500, NOW + 200);
    assert_int_equal(watch.ahead_ms, 600);
    clock_watch_note(&watch, NOW, NOW + 5100, NOW + 200);
    assert_int_equal(watch.ahead_ms, -5000);
}

/* A slow database, a frozen server, and a clock that was set meanwhile. */
static void late_answer_changes_nothing(void **state)
{
    struct clock_watch watch = {0};
    clock_watch_note(&watch, NOW, NOW - 7, NOW);
    clock_watch_note(&watch, NOW, NOW, NOW + CLOCK_WATCH_ANSWER_MS + 1);
    clock_watch_note(&watch, NOW, NOW, NOW - 1);
    assert_int_equal(watch.ahead_ms, 7);
}

static void clock_is_off_until_half_of_the_difference_is_left(void **state)
{
    static const struct {
        int64_t ahead_ms;
        bool is_off;
    } steps[] = {{OFF, false},     {OFF + 1, true},   {OFF, true},     {OFF / 2 + 1, true},
                 {OFF / 2, false}, {OFF, false},      {-OFF, false},   {-OFF - 1, true},
                 {-OFF, true},     {-OFF / 2, false}, {-OFF - 1, true}};
    struct clock_watch watch = {0};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        clock_watch_note(&watch, NOW, NOW - steps[i].ahead_ms, NOW);
        assert_int_equal(watch.is_off, steps[i].is_off);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(difference_counts_from_the_middle_of_the_question),
        cmocka_unit_test(late_answer_changes_nothing),
        cmocka_unit_test(clock_is_off_until_half_of_the_difference_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
