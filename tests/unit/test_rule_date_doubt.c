/* Impossible dates of a trade. */
#include "unit.h"

#include "paper/cell/printed.h"

enum { TRADED = 20000, FILED = 20030 }; /* a Thursday, a Saturday */

/* The names of the doubts that hold, with a space after each. */
static const char *doubts_of(int32_t traded, int32_t notified, int32_t filed, bool listed)
{
    static char text[256];
    size_t n = 0;
    for (int d = 1; d < DATE_DOUBT_COUNT; d++) {
        struct str name = date_doubt_name((enum date_doubt)d);
        if (!date_doubt_holds((enum date_doubt)d, traded, notified, filed, listed))
            continue;
        for (size_t i = 0; i < name.n; i++)
            text[n++] = name.p[i];
        text[n++] = ' ';
    }
    text[n] = '\0';
    return text;
}

/* Of a security without a symbol. */
static const char *doubts(int32_t traded, int32_t notified, int32_t filed)
{
    return doubts_of(traded, notified, filed, false);
}

static void possible_dates_have_no_doubt(void **state)
{
    assert_string_equal(doubts(TRADED, TRADED, FILED), "");
    assert_string_equal(doubts(FILED, FILED, FILED), "");
    assert_string_equal(doubts(FILED - 180, FILED, FILED), "");
    assert_string_equal(doubts(FILED - 730, DAY_NONE, FILED), "");
}

static void impossible_dates_are_named(void **state)
{
    assert_string_equal(doubts(TRADED, TRADED - 1, FILED), "notified_before_traded ");
    assert_string_equal(doubts(TRADED, FILED + 1, FILED), "notified_after_filed ");
    assert_string_equal(
        doubts(FILED + 1, FILED, FILED), "notified_before_traded traded_after_filed ");
    assert_string_equal(
        doubts(FILED - 3651, FILED, FILED),
        "traded_long_before_filed traded_years_before_filed notified_long_after_traded ");
    assert_string_equal(
        doubts(-644001, FILED, FILED),
        "traded_long_before_filed traded_years_before_filed notified_long_after_traded ");
}

static void unlikely_dates_are_named_for_reviewers(void **state)
{
    assert_string_equal(doubts(FILED - 181, FILED, FILED), "notified_long_after_traded ");
    assert_string_equal(doubts(FILED - 731, DAY_NONE, FILED), "traded_years_before_filed ");
}

static void listed_securities_are_not_traded_on_weekends(void **state)
{
    int32_t friday;
    assert_true(day_parse(STR("2025-07-11"), &friday));
    for (int d = 0; d < 14; d++) {
        bool weekend = d % 7 == 1 || d % 7 == 2;
        assert_string_equal(
            doubts_of(friday + d, DAY_NONE, friday + d, true), weekend ? "traded_on_weekend " : "");
    }
    assert_false(
        date_doubt_holds(DATE_DOUBT_TRADED_ON_WEEKEND, friday + 1, DAY_NONE, friday + 2, false));
}

static void nothing_is_said_about_missing_dates(void **state)
{
    assert_string_equal(doubts(DAY_NONE, DAY_NONE, FILED), "");
    assert_string_equal(doubts(FILED + 1, DAY_NONE, DAY_NONE), "");
    assert_string_equal(doubts(DAY_NONE, FILED + 1, FILED), "notified_after_filed ");
}

/* The number of public doubts of a trade; *ret_first is the first of them. */
static size_t public_doubts(
    int32_t traded, int32_t notified, const char *printed, const char *notice,
    enum date_doubt *ret_first)
{
    struct str cells[CELL_COUNT] = {{NULL, 0}};
    enum date_doubt doubts[DATE_DOUBT_PUBLIC_COUNT] = {DATE_DOUBT_NONE};
    cells[CELL_DATE] = printed ? str_from(printed) : STR_NULL;
    cells[CELL_NOTIFIED] = notice ? str_from(notice) : STR_NULL;
    size_t count = printed_date_doubts(traded, notified, FILED, cells, doubts);
    *ret_first = doubts[0];
    return count;
}

static void printed_date_that_is_none_is_doubted_until_there_is_one(void **state)
{
    enum date_doubt first;
    assert_int_equal(public_doubts(DAY_NONE, TRADED, "13/45/2026", "10/05/2024", &first), 1);
    assert_int_equal(first, DATE_DOUBT_TRADED_UNREADABLE);
    assert_int_equal(public_doubts(TRADED, DAY_NONE, "10/04/2024", "02/30/2024", &first), 1);
    assert_int_equal(first, DATE_DOUBT_NOTICE_UNREADABLE);
    assert_int_equal(public_doubts(TRADED, TRADED, "13/45/2026", "02/30/2024", &first), 0);
    assert_int_equal(public_doubts(DAY_NONE, DAY_NONE, "--", "", &first), 0);
    assert_int_equal(public_doubts(DAY_NONE, DAY_NONE, NULL, NULL, &first), 0);
    assert_int_equal(public_doubts(FILED + 1, DAY_NONE, NULL, NULL, &first), 1);
    assert_int_equal(first, DATE_DOUBT_TRADED_AFTER_FILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(possible_dates_have_no_doubt),
        cmocka_unit_test(impossible_dates_are_named),
        cmocka_unit_test(unlikely_dates_are_named_for_reviewers),
        cmocka_unit_test(listed_securities_are_not_traded_on_weekends),
        cmocka_unit_test(nothing_is_said_about_missing_dates),
        cmocka_unit_test(printed_date_that_is_none_is_doubted_until_there_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
