/* The rule of lateness; see lateness.h. */
#include "rule/lateness.h"

#include <assert.h>

#include "base/closed_list.h"
#include "rule/date_doubt.h"

enum { DAYS_NOTIFIED = 30, DAYS_TRADED = 45 };

static const struct str statuses[LATE_STATUS_COUNT] = {
    [LATE_LATE] = STR_INIT("late"),
    [LATE_ON_TIME] = STR_INIT("on_time"),
    [LATE_UNKNOWN] = STR_INIT("unknown"),
};

static const struct {
    struct str name;
    enum late_status status;
    struct str sentence;
} reasons[LATE_REASON_COUNT] = {
    [LATE_AFTER_DUE] =
        {STR_INIT("after_due_date"), LATE_LATE,
         STR_INIT("The report was filed after the latest day that the law can allow.")},
    [LATE_BY_DUE] =
        {STR_INIT("by_due_date"), LATE_ON_TIME,
         STR_INIT("The report was filed by the latest day that the law can allow.")},
    [LATE_NO_TRADE_DATE] =
        {STR_INIT("no_trade_date"), LATE_UNKNOWN, STR_INIT("The date of the trade is not known.")},
    [LATE_DATE_DOUBTED] =
        {STR_INIT("date_doubted"), LATE_UNKNOWN,
         STR_INIT("The report states a date that cannot be right.")},
    [LATE_NO_FILING_DAY] =
        {STR_INIT("no_filing_day"), LATE_UNKNOWN,
         STR_INIT("The day on which the report was filed is not known.")},
    [LATE_ORIGINAL_MISSING] =
        {STR_INIT("original_missing"), LATE_UNKNOWN,
         STR_INIT("The row is of an amendment. The report that it amends is not here, and may have "
                  "disclosed the trade in time.")},
    [LATE_ORIGINAL_DIFFERS] =
        {STR_INIT("original_differs"), LATE_UNKNOWN,
         STR_INIT("The row is of an amendment. It may correct a row of the original report, which "
                  "may have been in time.")},
};

ENUM_NAME(late_status_name, late_status, statuses[value], LATE_STATUS_COUNT)
ENUM_NAME(late_reason_name, late_reason, reasons[value].name, LATE_REASON_COUNT)
ENUM_NAME(late_reason_sentence, late_reason, reasons[value].sentence, LATE_REASON_COUNT)

enum late_status late_reason_status(enum late_reason reason)
{
    assert(reason < LATE_REASON_COUNT);
    return reasons[reason].status;
}

struct trade_report lateness_known(const struct trade_report *report, int64_t line_ms)
{
    struct trade_report known = *report;
    if (line_ms != INSTANT_NONE && report->settled_at && report->settled_at >= line_ms) {
        known.first = report->first_before;
        known.first_filed = report->first_filed_before;
    }
    return known;
}

static bool has_doubt(int32_t traded, const struct trade_report *r)
{
    for (int d = 1; d < DATE_DOUBT_PUBLIC_COUNT; d++)
        if (date_doubt_holds((enum date_doubt)d, traded, r->notified, r->first_filed, false))
            return true;
    return false;
}

static int32_t due_day(int32_t traded, int32_t notified)
{
    int32_t by_trade = traded == DAY_NONE ? DAY_NONE : traded + DAYS_TRADED;
    int32_t by_notice = notified == DAY_NONE ? DAY_NONE : notified + DAYS_NOTIFIED;
    if (by_trade == DAY_NONE || by_notice == DAY_NONE)
        return by_trade == DAY_NONE ? by_notice : by_trade;
    return by_notice < by_trade ? by_notice : by_trade;
}

/* `due` is that of dates without a doubt; a trade with a date has one. */
static enum late_reason judge(int32_t traded, const struct trade_report *r, int32_t due)
{
    if (r->first == FIRST_REPORT_MISSING)
        return LATE_ORIGINAL_MISSING;
    if (r->first == FIRST_REPORT_DIFFERS)
        return LATE_ORIGINAL_DIFFERS;
    if (r->first_filed == DAY_NONE)
        return LATE_NO_FILING_DAY;
    if (traded == DAY_NONE)
        return LATE_NO_TRADE_DATE;
    return r->first_filed > due ? LATE_AFTER_DUE : LATE_BY_DUE;
}

struct lateness lateness_of(int32_t traded, const struct trade_report *r)
{
    struct lateness l = {
        .reason = LATE_DATE_DOUBTED,
        .due = DAY_NONE,
        .first_filed = r->first == FIRST_REPORT_KNOWN ? r->first_filed : DAY_NONE,
        .days_to_report = LATE_DAYS_NONE,
        .days_late = LATE_DAYS_NONE,
    };
    if (has_doubt(traded, r))
        return l;
    l.due = due_day(traded, r->notified);
    l.reason = judge(traded, r, l.due);
    if (traded != DAY_NONE && l.first_filed != DAY_NONE)
        l.days_to_report = l.first_filed - traded;
    if (lateness_status(&l) != LATE_UNKNOWN)
        l.days_late = l.reason == LATE_AFTER_DUE ? l.first_filed - l.due : 0;
    return l;
}
