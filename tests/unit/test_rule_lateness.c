/* The rule of lateness: every reason, and late only where it is late in every possible case. */
#include "unit.h"

#include "rule/lateness.h"

static int32_t day(int month, int day_of_month)
{
    int32_t day;
    assert_true(day_from_civil(2026, month, day_of_month, &day));
    return day;
}

static struct lateness of(int32_t traded, int32_t notified, int32_t filed)
{
    const struct trade_report report = {.filed = filed, .first_filed = filed, .notified = notified};
    return lateness_of(traded, &report);
}

static void assert_reason(struct lateness l, enum late_reason reason, int32_t due, int32_t late)
{
    assert_int_equal(l.reason, reason);
    assert_int_equal(l.due, due);
    assert_int_equal(l.days_late, late);
}

static void examples_of_guide_are_correct(void **state)
{
    static const struct {
        int traded, notified[2], due[2];
    } examples[] = {
        {9, {7, 15}, {8, 14}},  {17, {8, 4}, {8, 31}},
        {9, {7, 30}, {8, 23}},  {12, {7, 12}, {8, 11}}, /* the filer's own trade */
        {12, {7, 15}, {8, 14}},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        int32_t traded = day(7, examples[i].traded);
        int32_t notified = day(examples[i].notified[0], examples[i].notified[1]);
        int32_t due = day(examples[i].due[0], examples[i].due[1]);
        assert_reason(of(traded, notified, notified), LATE_BY_DUE, due, 0);
        assert_reason(of(traded, notified, due), LATE_BY_DUE, due, 0);
        assert_reason(of(traded, notified, due + 1), LATE_AFTER_DUE, due, 1);
        assert_reason(of(traded, notified, due + 31), LATE_AFTER_DUE, due, 31);
        assert_int_equal(of(traded, notified, due + 31).days_to_report, due + 31 - traded);
    }
}

static void missing_notice_leaves_the_day_of_the_trade(void **state)
{
    assert_reason(of(day(7, 9), DAY_NONE, day(8, 23)), LATE_BY_DUE, day(8, 23), 0);
    assert_reason(of(day(7, 9), DAY_NONE, day(8, 24)), LATE_AFTER_DUE, day(8, 23), 1);
}

static void missing_trade_date_is_not_known(void **state)
{
    assert_reason(
        of(DAY_NONE, day(7, 15), day(8, 15)), LATE_NO_TRADE_DATE, day(8, 14), LATE_DAYS_NONE);
    assert_reason(
        of(DAY_NONE, day(7, 15), day(8, 14)), LATE_NO_TRADE_DATE, day(8, 14), LATE_DAYS_NONE);
    assert_reason(of(DAY_NONE, DAY_NONE, day(8, 14)), LATE_NO_TRADE_DATE, DAY_NONE, LATE_DAYS_NONE);
}

static void nothing_is_derived_from_a_doubted_date(void **state)
{
    int32_t year_3031, year_205;
    assert_true(day_from_civil(3031, 5, 8, &year_3031));
    assert_true(day_from_civil(205, 5, 8, &year_205));
    const struct lateness doubted[] = {
        of(year_3031, DAY_NONE, day(5, 28)),   of(year_205, day(5, 1), day(5, 28)),
        of(day(5, 29), DAY_NONE, day(5, 28)),  of(day(1, 8), day(1, 7), day(5, 28)),
        of(day(1, 8), day(5, 29), day(5, 28)), of(DAY_NONE, year_3031, day(5, 28)),
    };
    for (size_t i = 0; i < sizeof doubted / sizeof *doubted; i++) {
        assert_reason(doubted[i], LATE_DATE_DOUBTED, DAY_NONE, LATE_DAYS_NONE);
        assert_int_equal(doubted[i].days_to_report, LATE_DAYS_NONE);
    }
}

/* A date that seldom is right may be: only reviewers have a doubt. */
static void trade_of_years_before_is_late(void **state)
{
    int32_t traded = day(1, 8) - 3 * 365;
    assert_reason(
        of(traded, DAY_NONE, day(5, 28)), LATE_AFTER_DUE, traded + 45, day(5, 28) - traded - 45);
}

static void amendment_is_late_only_if_no_earlier_report_may_have_the_trade(void **state)
{
    struct trade_report r = {.filed = day(5, 28), .first_filed = day(5, 28), .notified = DAY_NONE};
    r.first = FIRST_REPORT_MISSING;
    struct lateness l = lateness_of(day(1, 8), &r);
    assert_reason(l, LATE_ORIGINAL_MISSING, day(2, 22), LATE_DAYS_NONE);
    assert_int_equal(l.days_to_report, LATE_DAYS_NONE);
    assert_int_equal(l.first_filed, DAY_NONE);
    r.first = FIRST_REPORT_DIFFERS;
    assert_reason(lateness_of(day(1, 8), &r), LATE_ORIGINAL_DIFFERS, day(2, 22), LATE_DAYS_NONE);
    r.first = FIRST_REPORT_KNOWN;
    assert_reason(lateness_of(day(1, 8), &r), LATE_AFTER_DUE, day(2, 22), 95);
    r.first_filed = day(2, 1);
    l = lateness_of(day(1, 8), &r);
    assert_reason(l, LATE_BY_DUE, day(2, 22), 0);
    assert_int_equal(l.days_to_report, 24);
}

static void history_without_filing_day_is_not_known(void **state)
{
    struct lateness l = of(day(1, 8), DAY_NONE, DAY_NONE);
    assert_reason(l, LATE_NO_FILING_DAY, day(2, 22), LATE_DAYS_NONE);
    assert_int_equal(l.days_to_report, LATE_DAYS_NONE);
}

static void reader_of_earlier_publications_knows_what_was_known_before(void **state)
{
    struct trade_report r = {
        .filed = day(5, 28),
        .first_filed = day(2, 1),
        .first = FIRST_REPORT_KNOWN,
        .first_before = FIRST_REPORT_MISSING,
        .first_filed_before = day(5, 28),
        .settled_at = 1000,
    };
    struct trade_report before = lateness_known(&r, 1000), after = lateness_known(&r, 1001);
    assert_int_equal(before.first, FIRST_REPORT_MISSING);
    assert_int_equal(before.first_filed, day(5, 28));
    assert_int_equal(after.first, FIRST_REPORT_KNOWN);
    assert_int_equal(after.first_filed, day(2, 1));
    assert_int_equal(lateness_known(&r, INSTANT_NONE).first_filed, day(2, 1));
    r.settled_at = 0; /* known since the trade is public */
    assert_int_equal(lateness_known(&r, 0).first, FIRST_REPORT_KNOWN);
}

static void every_reason_has_a_name_a_status_and_a_sentence(void **state)
{
    size_t of_status[LATE_STATUS_COUNT] = {0};
    for (int i = 1; i < LATE_REASON_COUNT; i++) {
        enum late_reason reason = (enum late_reason)i;
        assert_true(late_reason_name(reason).n > 0);
        assert_true(str_ends(late_reason_sentence(reason), STR(".")));
        assert_true(late_status_name(late_reason_status(reason)).n > 0);
        of_status[late_reason_status(reason)]++;
    }
    assert_int_equal(of_status[LATE_STATUS_NONE], 0);
    assert_int_equal(of_status[LATE_LATE], 1);
    assert_int_equal(of_status[LATE_ON_TIME], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_guide_are_correct),
        cmocka_unit_test(missing_notice_leaves_the_day_of_the_trade),
        cmocka_unit_test(missing_trade_date_is_not_known),
        cmocka_unit_test(nothing_is_derived_from_a_doubted_date),
        cmocka_unit_test(trade_of_years_before_is_late),
        cmocka_unit_test(amendment_is_late_only_if_no_earlier_report_may_have_the_trade),
        cmocka_unit_test(history_without_filing_day_is_not_known),
        cmocka_unit_test(reader_of_earlier_publications_knows_what_was_known_before),
        cmocka_unit_test(every_reason_has_a_name_a_status_and_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
