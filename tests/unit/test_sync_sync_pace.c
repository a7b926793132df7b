/* The request rate, on a clock that the test sets. */
#include "unit.h"

#include "sync/sync.h"

static int64_t now, waited;

static int64_t clock_now(void)
{
    return now;
}

/* Returns early once, as a sleep may. */
static void wait_half_first(int64_t ms)
{
    int64_t length = waited == 0 ? ms / 2 : ms;
    now += length;
    waited += length;
}

static struct sync_pace pace_of(int64_t every_ms)
{
    struct sync_pace pace;
    sync_pace_init(&pace, every_ms);
    pace.now_ms = clock_now;
    pace.wait_ms = wait_half_first;
    now = 1000;
    waited = 0;
    return pace;
}

static void first_request_does_not_wait(void **state)
{
    struct sync_pace pace = pace_of(2000);
    sync_pace_wait(&pace);
    assert_int_equal(waited, 0);
}

static void pause_begins_at_the_end_of_the_answer(void **state)
{
    struct sync_pace pace = pace_of(2000);
    sync_pace_wait(&pace);
    now += 700; /* the duration of the request */
    sync_pace_done(&pace);
    sync_pace_wait(&pace);
    assert_int_equal(waited, 2000);
    assert_int_equal(now, 1000 + 700 + 2000);
}

static void time_between_requests_counts_toward_the_pause(void **state)
{
    struct sync_pace pace = pace_of(2000);
    sync_pace_done(&pace);
    now += 1500; /* the time to process the answer */
    sync_pace_wait(&pace);
    assert_int_equal(waited, 500);
    sync_pace_done(&pace);
    now += 2000;
    sync_pace_wait(&pace);
    assert_int_equal(waited, 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_request_does_not_wait),
        cmocka_unit_test(pause_begins_at_the_end_of_the_answer),
        cmocka_unit_test(time_between_requests_counts_toward_the_pause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
