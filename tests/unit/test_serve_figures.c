/* How often the figures of the database are counted. */
#include "unit.h"

#include "serve/figures.h"

static void pause_is_fifty_times_the_count_between_two_seconds_and_a_minute(void **state)
{
    static const struct {
        int64_t took_ms, pause_ms;
    } cases[] = {
        {0, 2000},      {13, 2000},        {40, 2000},         {41, 2050},
        {1000, 50000},  {1199, 59950},     {1200, 60000},      {10000, 60000},
        {60000, 60000}, {86400000, 60000}, {INT64_MAX, 60000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(figures_pause_ms(cases[i].took_ms), cases[i].pause_ms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pause_is_fifty_times_the_count_between_two_seconds_and_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
