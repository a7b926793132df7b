/* Work in the background: its priority, and when the call returns. */
#include "unit.h"

#include <sys/resource.h>

#include "base/rcu.h"
#include "serve/background.h"

struct seen {
    int nice;
    bool done;
};

static void look(void *ctx)
{
    struct seen *seen = ctx;
    rcu_read_begin();
    seen->nice = getpriority(PRIO_PROCESS, 0);
    rcu_read_end();
    seen->done = true;
}

static void call_runs_at_low_priority_and_keeps_the_callers(void **state)
{
    struct seen seen = {0};
    int before = getpriority(PRIO_PROCESS, 0);
    int lowest = 19;
    background_call(look, &seen);
    assert_true(seen.done);
    assert_int_equal(
        seen.nice, before + BACKGROUND_NICE < lowest ? before + BACKGROUND_NICE : lowest);
    assert_int_equal(getpriority(PRIO_PROCESS, 0), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(call_runs_at_low_priority_and_keeps_the_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
