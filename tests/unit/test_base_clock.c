/* The monotonic clock, which tests move forward. */
#include "unit.h"

#include <errno.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/instant.h"

static void moved_clock_is_ahead(void **state)
{
    int64_t before_ms = clock_mono_ms(), ahead_ms = clock_mono_ahead_ms();
    clock_mono_advance(HOUR_MS);
    assert_int_equal(clock_mono_ahead_ms(), ahead_ms + HOUR_MS);
    assert_true(clock_mono_ms() >= before_ms + HOUR_MS);
    assert_true(clock_mono_ns() / 1000000 >= before_ms + HOUR_MS);
}

/* The kernel's clock was not moved: without the difference this would take hours. */
static void wait_on_a_condition_ends_at_its_instant(void **state)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_condattr_t attr;
    pthread_cond_t never;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&never, &attr);
    clock_mono_advance(HOUR_MS);
    int64_t until_ms = clock_mono_ms() + 5;
    const struct timespec until = clock_mono_timespec(until_ms);
    pthread_mutex_lock(&lock);
    while (pthread_cond_timedwait(&never, &lock, &until) != ETIMEDOUT) {
    }
    pthread_mutex_unlock(&lock);
    assert_true(clock_mono_ms() >= until_ms);
    pthread_cond_destroy(&never);
    pthread_condattr_destroy(&attr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moved_clock_is_ahead),
        cmocka_unit_test(wait_on_a_condition_ends_at_its_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
