/* Rate-limit headers, and how often `stockact listen` asks. */
#include "unit.h"

#include "listen/listen.h"

static struct rate read(const char *limit, const char *policy)
{
    struct rate rate;
    rate_read(str_from(limit), str_from(policy), &rate);
    return rate;
}

static void assert_window(const struct rate_window *w, int64_t limit, int64_t left, int64_t ends_s)
{
    assert_true(w->limit == limit && w->left == left && w->ends_s == ends_s);
}

static void headers_of_both_windows_are_read(void **state)
{
    struct rate rate = read(
        "\"minute\";r=59;t=42, \"month\";r=99000;t=86400",
        "\"minute\";q=60;w=60, \"month\";q=100000;w=2592000");
    assert_window(&rate.minute, 60, 59, 42);
    assert_window(&rate.month, 100000, 99000, 86400);
    rate = read("\"minute\"; r=1 ;t=2", NULL);
    assert_window(&rate.minute, -1, 1, 2);
    assert_window(&rate.month, -1, -1, -1);
}

static void other_headers_are_left_out(void **state)
{
    static const char *const texts[] = {
        NULL,
        "",
        ",",
        ";;",
        "minute;r=5",
        "\"minute\"",
        "\"minute\";r=",
        "\"minute\";r=-1",
        "\"minute\";r=99999999999999999999",
        "\"minute\";=5",
        "\"hour\";r=5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct rate rate = read(texts[i], texts[i]);
        assert_window(&rate.minute, -1, -1, -1);
        assert_window(&rate.month, -1, -1, -1);
    }
}

static int64_t wait(const char *limit, const char *policy, int64_t quiet_ms)
{
    struct rate rate = read(limit, policy);
    return pace_next_ms(&rate, quiet_ms);
}

#define POLICY "\"minute\";q=60;w=60, \"month\";q=100000;w=2592000"

static void listening_takes_at_most_half_of_the_limits(void **state)
{
    assert_int_equal(wait(NULL, NULL, 0), 2000);
    assert_int_equal(wait("\"minute\";r=59;t=59", POLICY, 0), 2000);
    assert_int_equal(wait("\"minute\";r=59;t=59", POLICY, PACE_QUIET_AFTER_MS), 10000);
    assert_int_equal(wait("\"minute\";r=19;t=59", "\"minute\";q=20;w=60", 0), 6000);
    /* others use the key as well */
    assert_int_equal(wait("\"minute\";r=10;t=40", POLICY, 0), 8000);
    assert_int_equal(wait("\"minute\";r=1;t=40", POLICY, 0), 40000);
    assert_int_equal(wait("\"minute\";r=0;t=40", POLICY, 0), 40000);
    /* half of the month is used up */
    assert_int_equal(wait("\"month\";r=50000;t=1296000", POLICY, 0), 2000);
    assert_int_equal(wait("\"month\";r=49999;t=1250000", POLICY, 0), 50001);
    assert_int_equal(wait("\"month\";r=0;t=1296000", POLICY, 0), PACE_MAX_MS);
    assert_int_equal(wait("\"month\";r=1;t=9223372036854775807", POLICY, 0), PACE_MAX_MS);
}

static void pauses_after_failures_grow_to_half_a_minute(void **state)
{
    static const int64_t waits[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000};
    for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++)
        assert_int_equal(pace_retry_ms(i + 1), waits[i]);
    assert_int_equal(pace_retry_ms(UINT32_MAX), 30000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_of_both_windows_are_read),
        cmocka_unit_test(other_headers_are_left_out),
        cmocka_unit_test(listening_takes_at_most_half_of_the_limits),
        cmocka_unit_test(pauses_after_failures_grow_to_half_a_minute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
