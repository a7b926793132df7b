/* The next run of a daily job. */
#include "unit.h"

#include "base/instant.h"
#include "serve/daily_job.h"

static int64_t at(const char *text)
{
    int64_t ms;
    assert_true(instant_parse(str_from(text), &ms));
    return ms;
}

static void next_run_is_later_today_or_tomorrow(void **state)
{
    static const struct {
        const char *now, *next;
        int minute;
    } cases[] = {
        {"2026-03-10T04:29:59.999Z", "2026-03-10T04:30:00Z", 4 * 60 + 30},
        {"2026-03-10T04:30:00Z", "2026-03-11T04:30:00Z", 4 * 60 + 30},
        {"2026-03-10T12:00:00Z", "2026-03-11T04:30:00Z", 4 * 60 + 30},
        {"2026-12-31T23:59:00Z", "2027-01-01T00:00:00Z", 0},
        {"2024-02-28T23:59:30Z", "2024-02-29T23:59:00Z", 23 * 60 + 59},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(daily_job_next(at(cases[i].now), cases[i].minute), at(cases[i].next));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_run_is_later_today_or_tomorrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
