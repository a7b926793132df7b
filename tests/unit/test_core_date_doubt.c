/* Impossible dates of a trade. */
#include "unit.h"

#include "core/date_doubt.h"

enum { TRADED = 20000, FILED = 20030 };

/* The names of the doubts that hold, with a space after each. */
static const char *doubts(int32_t traded, int32_t notified, int32_t filed)
{
    static char text[256];
    size_t n = 0;
    for (int d = 1; d < DATE_DOUBT_COUNT; d++) {
        struct str name = date_doubt_name((enum date_doubt)d);
        if (!date_doubt_holds((enum date_doubt)d, traded, notified, filed))
            continue;
        for (size_t i = 0; i < name.n; i++)
            text[n++] = name.p[i];
        text[n++] = ' ';
    }
    text[n] = '\0';
    return text;
}

static void possible_dates_have_no_doubt(void **state)
{
    assert_string_equal(doubts(TRADED, TRADED, FILED), "");
    assert_string_equal(doubts(FILED, FILED, FILED), "");
    assert_string_equal(doubts(FILED - 3650, FILED, FILED), "");
}

static void impossible_dates_are_named(void **state)
{
    assert_string_equal(doubts(TRADED, TRADED - 1, FILED), "notified_before_traded ");
    assert_string_equal(doubts(TRADED, FILED + 1, FILED), "notified_after_filed ");
    assert_string_equal(
        doubts(FILED + 1, FILED, FILED), "notified_before_traded traded_after_filed ");
    assert_string_equal(doubts(FILED - 3651, FILED, FILED), "traded_long_before_filed ");
    assert_string_equal(doubts(-644000, FILED, FILED), "traded_long_before_filed ");
}

static void nothing_is_said_about_missing_dates(void **state)
{
    assert_string_equal(doubts(DAY_NONE, DAY_NONE, FILED), "");
    assert_string_equal(doubts(FILED + 1, DAY_NONE, DAY_NONE), "");
    assert_string_equal(doubts(DAY_NONE, FILED + 1, FILED), "notified_after_filed ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(possible_dates_have_no_doubt),
        cmocka_unit_test(impossible_dates_are_named),
        cmocka_unit_test(nothing_is_said_about_missing_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
