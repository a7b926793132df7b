/* The pause of a sweep after a transaction. */
#include "unit.h"

#include "serve/sweep_pace.h"

static void pause_is_as_long_as_the_transaction_within_bounds(void **state)
{
    assert_int_equal(sweep_pace_ms(0), 1);
    assert_int_equal(sweep_pace_ms(900000), 1);
    assert_int_equal(sweep_pace_ms(12345678), 12);
    assert_int_equal(sweep_pace_ms(999999999), 999);
    assert_int_equal(sweep_pace_ms(60000000000), 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pause_is_as_long_as_the_transaction_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
