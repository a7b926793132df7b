/* Work in the background: at what priority it runs, and when the caller goes on. */
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

static void work_runs_at_low_priority_and_leaves_the_caller_as_it_was(void **state)
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
        cmocka_unit_test(work_runs_at_low_priority_and_leaves_the_caller_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
