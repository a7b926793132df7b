/* Congresses and their first days. */
#include "unit.h"
#include "day_from.h"

#include "market/congress.h"

static void congress_changes_on_january_3_of_odd_years(void **state)
{
    static const struct {
        const char *day;
        int number;
    } cases[] = {
        {"2011-01-03", 112}, {"2012-11-09", 112}, {"2013-01-02", 112}, {"2013-01-03", 113},
        {"2014-01-03", 113}, {"2015-01-02", 113}, {"2015-01-03", 114}, {"2019-01-01", 115},
        {"2021-01-23", 117}, {"2025-01-03", 119}, {"2026-12-31", 119}, {"2027-01-03", 120},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(congress_of(day_from(cases[i].day)), cases[i].number);
    assert_int_equal(congress_first_day(113), day_from("2013-01-03"));
    for (int number = 81; number < 130; number++) {
        assert_int_equal(congress_of(congress_first_day(number)), number);
        assert_int_equal(congress_of(congress_first_day(number) - 1), number - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(congress_changes_on_january_3_of_odd_years),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
