#include "unit.h"

#include "base/instant.h"

static void instants_round_trip(void **state)
{
    for (int64_t ms = -62135596800000; ms < 253402300800000; ms += INT64_C(86399999) * 3700 + 1) {
        char text[INSTANT_TEXT_SIZE];
        int64_t back;
        instant_print(ms, text);
        assert_true(instant_parse(str_of(text, sizeof text), &back));
        assert_int_equal(back, ms);
    }
}

static void instants_are_parsed_by_decision_4(void **state)
{
    static const struct {
        const char *text, *printed; /* NULL: refused */
    } cases[] = {
        {"2026-11-20T08:12:45.123Z", "2026-11-20T08:12:45.123Z"},
        {"2026-11-20t08:12:45z", "2026-11-20T08:12:45.000Z"},
        {"2026-11-20T08:12:45+05:30", "2026-11-20T02:42:45.000Z"},
        {"2026-11-20T08:12:45 05:30", "2026-11-20T02:42:45.000Z"},
        {"2026-11-20T23:59:59-00:01", "2026-11-21T00:00:59.000Z"},
        {"2026-11-20T08:12:45.1230000Z", "2026-11-20T08:12:45.123Z"},
        {"2026-11-20T08:12:45.1230001Z", "2026-11-20T08:12:45.124Z"},
        {"2026-11-20T08:12:45.9999Z", "2026-11-20T08:12:46.000Z"},
        {"2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"},
        {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"},
        {"2016-12-31T23:59:60.000Z", "2017-01-01T00:00:00.000Z"},
        {"2016-12-31T23:59:60.999999Z", "2017-01-01T00:00:00.000Z"},
        {"2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"},
        {"2017-01-01T05:29:60 05:30", "2017-01-01T00:00:00.000Z"},
        {"2016-12-31T18:59:60-05:00", "2017-01-01T00:00:00.000Z"},
        {"2017-01-01T23:58:60+23:59", "2017-01-01T00:00:00.000Z"},
        {"2016-12-31T00:00:60-23:59", "2017-01-01T00:00:00.000Z"},
        {"2015-06-30T23:59:60z", "2015-07-01T00:00:00.000Z"},
        {"2015-06-30T19:59:60-04:00", "2015-07-01T00:00:00.000Z"},
        {"1972-06-30T23:59:60Z", "1972-07-01T00:00:00.000Z"},
        {"1972-12-31T23:59:60Z", "1973-01-01T00:00:00.000Z"},
        {"2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000Z"},
        {"1971-12-31T23:59:60Z", NULL},
        {"1971-06-30T23:59:60Z", NULL},
        {"2026-11-20T08:12:60Z", NULL},
        {"2016-12-31T23:58:60Z", NULL},
        {"2016-12-31T22:59:60Z", NULL},
        {"2016-12-31T00:00:60Z", NULL},
        {"2016-12-30T23:59:60Z", NULL},
        {"2016-12-31T23:59:60+01:00", NULL},
        {"2016-12-31T23:59:60-00:01", NULL},
        {"2017-01-01T00:59:60Z", NULL},
        {"2017-01-01T01:59:60+01:00", NULL},
        {"2016-03-31T23:59:60Z", NULL},
        {"2016-09-30T23:59:60Z", NULL},
        {"2016-07-01T23:59:60Z", NULL},
        {"2016-02-29T23:59:60Z", NULL},
        {"2016-12-31T23:59:61Z", NULL},
        {"2016-12-31T23:59:61.5Z", NULL},
        {"2026-02-29T00:00:00Z", NULL},
        {"2026-11-20T08:12:45", NULL},
        {"2026-11-20", NULL},
        {"2026-11-20T08:12:45.Z", NULL},
        {"2026-11-20T24:00:00Z", NULL},
        {"2026-11-20T08:12:45+0530", NULL},
        {"2026-11-20T08:12:45+24:00", NULL},
        {"2026-11-20 08:12:45Z", NULL},
        {"0000-01-01T00:00:00Z", NULL},
        {"2026-11-20T08:12:45Zx", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ms;
        bool parsed = instant_parse(str_from(cases[i].text), &ms);
        if (parsed != (cases[i].printed != NULL))
            fail_msg("%s: parsed %d", cases[i].text, parsed);
        if (parsed) {
            char text[INSTANT_TEXT_SIZE];
            instant_print(ms, text);
            assert_str(str_of(text, sizeof text), cases[i].printed);
        }
    }
}

static void washington_time_follows_daylight_saving(void **state)
{
    static const struct {
        int year, month, day, minute;
        const char *utc;
    } cases[] = {
        {2025, 1, 15, 0, "2025-01-15T05:00:00.000Z"},
        {2025, 7, 15, 9 * 60 + 30, "2025-07-15T13:30:00.000Z"},
        {2025, 3, 9, 1 * 60 + 59, "2025-03-09T06:59:00.000Z"},
        {2025, 3, 9, 3 * 60, "2025-03-09T07:00:00.000Z"},
        {2025, 11, 2, 1 * 60 + 30, "2025-11-02T05:30:00.000Z"},
        {2025, 11, 2, 2 * 60, "2025-11-02T07:00:00.000Z"},
        {2020, 3, 8, 12 * 60, "2020-03-08T16:00:00.000Z"},
        {2015, 11, 1, 0, "2015-11-01T04:00:00.000Z"},
        {2006, 4, 2, 4 * 60, "2006-04-02T08:00:00.000Z"},
        {2006, 10, 29, 4 * 60, "2006-10-29T09:00:00.000Z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t day;
        char text[INSTANT_TEXT_SIZE];
        assert_true(day_from_civil(cases[i].year, cases[i].month, cases[i].day, &day));
        instant_print(instant_from_new_york(day, cases[i].minute), text);
        assert_str(str_of(text, sizeof text), cases[i].utc);
    }
}

static void months_start_on_their_first_day(void **state)
{
    int64_t ms;
    assert_true(instant_parse(STR("2026-01-31T23:59:59.999Z"), &ms));
    int32_t january = instant_month_utc(ms);
    assert_int_equal(month_start_ms(january + 1), ms + 1);
    assert_int_equal(instant_month_utc(ms + 1), january + 1);
    assert_int_equal(instant_month_utc(-1), 1969 * 12 + 11);
}

static void washington_date_changes_at_local_midnight(void **state)
{
    for (int32_t day = 19000; day < 19400; day++) {
        int64_t midnight_ms = instant_from_new_york(day, 0);
        assert_int_equal(instant_day_new_york(midnight_ms), day);
        assert_int_equal(instant_day_new_york(midnight_ms - 1), day - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_round_trip),
        cmocka_unit_test(instants_are_parsed_by_decision_4),
        cmocka_unit_test(washington_time_follows_daylight_saving),
        cmocka_unit_test(months_start_on_their_first_day),
        cmocka_unit_test(washington_date_changes_at_local_midnight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
