/* The next run of a daily job. */
#include "unit.h"

#include "base/instant.h"
#include "serve/daily_job.h"
#include "serve/daily_on.h"

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

enum { NEVER = CLOCK_TIME_NONE };

static void daily_job_is_on_by_its_own_setting(void **state)
{
    static const struct {
        struct settings settings;
        struct job_daily daily;
    } cases[] = {
        {{.sync_at = NEVER, .sweep_at = NEVER, .snapshot_at = NEVER}, {{false}}},
        {{.sync_at = 0, .sweep_at = NEVER, .snapshot_at = NEVER}, {{[JOB_SYNC] = true}}},
        {{.sync_at = NEVER, .sweep_at = 0, .snapshot_at = NEVER}, {{[JOB_SWEEP] = true}}},
        {{.sync_at = NEVER, .sweep_at = NEVER, .snapshot_at = 0}, {{[JOB_SNAPSHOT] = true}}},
        {{.sync_at = NEVER, .sweep_at = NEVER, .snapshot_at = NEVER, .sample_rows = 1},
         {{[JOB_SAMPLE] = true}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct job_daily daily = daily_on(&cases[i].settings);
        assert_memory_equal(&daily, &cases[i].daily, sizeof daily);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_run_is_later_today_or_tomorrow),
        cmocka_unit_test(daily_job_is_on_by_its_own_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
