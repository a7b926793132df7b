/* The table of dates; see dates.h. */
#include "noun/dates.h"

#include "noun/lists.h"

#define NAMED(text) .name = STR_INIT(text), .key = STR_INIT("\"" text "\":")
#define AT(member) .offset = offsetof(struct shape_dates, member)
#define DAY(text, column, member)                                                                  \
    NAMED(text), .kind = SHAPE_DAY, .nullable = true, .format = STR_INIT("date"), AT(member),      \
                 .csv = STR_INIT(column)
#define INSTANT(text, column, member)                                                              \
    NAMED(text), .kind = SHAPE_INSTANT, .format = STR_INIT("date-time"), AT(member),               \
                 .csv = STR_INIT(column)
#define DAYS(text, column, member)                                                                 \
    NAMED(text), .kind = SHAPE_DAYS, .nullable = true, AT(member), .csv = STR_INIT(column)

static const struct shape_field fields[] = {
    {DAY("filedOn", "filed_on", report.filed),
     .description = STR_INIT("Day on which the trade's filing was filed, in Washington, as the "
                             "official site prints it; null when not known.")},
    {INSTANT("filedAt", "filed_at", report.filed_at),
     .description = STR_INIT("Filing.filedAt. Where only the day is known, its begin.")},
    {DAY("firstReportedOn", "first_reported_on", lateness.first_filed),
     .description = STR_INIT(
         "Day of the report that disclosed the trade first: filedOn, or the day of an "
         "earlier report that has the same row. Null when an earlier report may have it.")},
    {DAY("notifiedDate", "notified_date", report.notified),
     .description = STR_INIT("When the filer was notified of the trade; null when not stated.")},
    {DAY("dueDate", "due_date", lateness.due),
     .description =
         STR_INIT("The earlier of 30 days after the notification and 45 days after the trade (5 "
                  "U.S.C. 13105(l)). Where one of the dates is not stated, the other alone gives "
                  "the latest day that the law allows. Null when neither is, and when one of them "
                  "cannot be right.")},
    {DAYS("daysToReport", "days_to_report", lateness.days_to_report),
     .description = STR_INIT("Days from the trade to firstReportedOn; null when not known.")},
    {DAYS("daysLate", "days_late", lateness.days_late),
     .description = STR_INIT("Days from dueDate to firstReportedOn; 0 when on time, null when "
                             "lateStatus is unknown.")},
    {NAMED("lateStatus"), .kind = SHAPE_LISTED, AT(status), .list = &shape_late_statuses,
     .csv = STR_INIT("late_status"),
     .description =
         STR_INIT("late: [reported late](#due) in every possible case. on_time: reported "
                  "by dueDate. unknown: neither is known.")},
    {NAMED("lateReason"), .kind = SHAPE_LISTED, AT(lateness.reason), .list = &shape_late_reasons,
     .csv = STR_INIT("late_reason"),
     .description = STR_INIT("Why: [each reason](#due) has one status.")},
    {INSTANT("firstPublishedAt", "first_published_at", report.first_published_at),
     .description = STR_INIT("When this service showed the trade first. disclosedAt of bulk "
                             "history is the official filing instant; this is its import.")},
};

const struct shape_object shape_dates = {
    STR_INIT("TradeDates"),
    STR_INIT("When a trade was reported, when its report was due, and whether it was late."),
    sizeof fields / sizeof *fields,
    fields,
};

struct shape_dates shape_dates_of(int32_t traded, const struct trade_report *report)
{
    struct shape_dates dates = {.report = *report, .lateness = lateness_of(traded, report)};
    dates.status = lateness_status(&dates.lateness);
    return dates;
}
