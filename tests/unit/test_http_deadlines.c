#include "unit.h"

#include "http/loop.h"

static struct deadlines ds;
static struct deadline a, b, c;

static int start(void **state)
{
    deadlines_init(&ds);
    ds.length_ms[DEADLINE_IDLE] = 100;
    ds.length_ms[DEADLINE_HEAD] = 10;
    deadline_init(&a);
    deadline_init(&b);
    deadline_init(&c);
    return 0;
}

static void no_deadline_expires_early(void **state)
{
    deadline_set(&ds, &a, DEADLINE_IDLE, 1000);
    assert_null(deadlines_pop(&ds, 1099));
    assert_ptr_equal(deadlines_pop(&ds, 1100), &a);
    assert_int_equal(a.kind, DEADLINE_IDLE);
    assert_null(deadlines_pop(&ds, 5000));
}

static void each_kind_has_its_length(void **state)
{
    deadline_set(&ds, &a, DEADLINE_IDLE, 1000);
    deadline_set(&ds, &b, DEADLINE_HEAD, 1000);
    assert_ptr_equal(deadlines_pop(&ds, 1010), &b);
    assert_null(deadlines_pop(&ds, 1010));
}

static void second_set_moves_deadline(void **state)
{
    deadline_set(&ds, &a, DEADLINE_HEAD, 1000);
    deadline_set(&ds, &b, DEADLINE_HEAD, 1001);
    deadline_set(&ds, &a, DEADLINE_HEAD, 1002);
    assert_ptr_equal(deadlines_pop(&ds, 2000), &b);
    assert_ptr_equal(deadlines_pop(&ds, 2000), &a);
    assert_null(deadlines_pop(&ds, 2000));
}

static void cleared_deadline_never_expires(void **state)
{
    deadline_set(&ds, &a, DEADLINE_HEAD, 1000);
    deadline_set(&ds, &b, DEADLINE_HEAD, 1000);
    deadline_set(&ds, &c, DEADLINE_HEAD, 1000);
    deadline_clear(&b);
    deadline_clear(&b);
    assert_int_equal(b.kind, DEADLINE_NONE);
    assert_ptr_equal(deadlines_pop(&ds, 2000), &a);
    assert_ptr_equal(deadlines_pop(&ds, 2000), &c);
    assert_null(deadlines_pop(&ds, 2000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(no_deadline_expires_early, start),
        cmocka_unit_test_setup(each_kind_has_its_length, start),
        cmocka_unit_test_setup(second_set_moves_deadline, start),
        cmocka_unit_test_setup(cleared_deadline_never_expires, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
