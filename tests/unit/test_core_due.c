#include "unit.h"

#include "core/due.h"

static int32_t day(int month, int day_of_month)
{
    int32_t day;
    assert_true(day_from_civil(2026, month, day_of_month, &day));
    return day;
}

static void examples_of_guide_are_correct(void **state)
{
    assert_int_equal(due_day(day(7, 9), day(7, 15)), day(8, 14));
    assert_int_equal(due_day(day(7, 17), day(8, 4)), day(8, 31));
    assert_int_equal(due_day(day(7, 9), day(7, 30)), day(8, 23));
    assert_int_equal(due_day(day(7, 12), day(7, 12)), day(8, 11)); /* the filer's own trade */
    assert_int_equal(due_day(day(7, 12), day(7, 15)), day(8, 14));
}

static void missing_date_uses_latest_legal_day(void **state)
{
    assert_int_equal(due_day(day(7, 9), DAY_NONE), day(8, 23));
    assert_int_equal(due_day(DAY_NONE, day(7, 15)), day(8, 14));
    assert_int_equal(due_day(DAY_NONE, DAY_NONE), DAY_NONE);
    assert_int_equal(due_day(day(7, 9), day(7, 8)), day(8, 23));
}

static void report_is_late_from_the_day_after_it_was_due(void **state)
{
    assert_int_equal(due_days_late(day(8, 14), day(7, 20)), 0);
    assert_int_equal(due_days_late(day(8, 14), day(8, 14)), 0);
    assert_int_equal(due_days_late(day(8, 14), day(8, 15)), 1);
    assert_int_equal(due_days_late(day(8, 14), day(9, 14)), 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_guide_are_correct),
        cmocka_unit_test(missing_date_uses_latest_legal_day),
        cmocka_unit_test(report_is_late_from_the_day_after_it_was_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
