/* The table of dates; see dates.h. */
#include "noun/dates.h"

#include "noun/lists.h"
#include "noun/rows.h"

static const struct shape_field dates_rows[] = {
    {DAY("filedOn", shape_dates, report.filed), OR_NULL, CSV("filed_on"),
     SAYS("Day on which the trade's filing was filed, in Washington, as the official site prints "
          "it; null when not known.")},
    {INSTANT("filedAt", shape_dates, report.filed_at), CSV("filed_at"),
     SAYS("Filing.filedAt. Where only the day is known, its begin.")},
    {DAY("firstReportedOn", shape_dates, lateness.first_filed), OR_NULL, CSV("first_reported_on"),
     SAYS("Day of the report that disclosed the trade first: filedOn, or the day of an earlier "
          "report that has the same row. Null when an earlier report may have it.")},
    {DAY("notifiedDate", shape_dates, report.notified), OR_NULL, CSV("notified_date"),
     SAYS("When the filer was notified of the trade; null when not stated.")},
    {DAY("dueDate", shape_dates, lateness.due), OR_NULL, CSV("due_date"),
     SAYS("The earlier of 30 days after the notification and 45 days after the trade (5 U.S.C. "
          "13105(l)). Where one of the dates is not stated, the other alone gives the latest day "
          "that the law allows. Null when neither is, and when one of them cannot be right.")},
    {INTEGER("daysToReport", shape_dates, lateness.days_to_report), OR_NULL, CSV("days_to_report"),
     SAYS("Days from the trade to firstReportedOn; null when not known.")},
    {INTEGER("daysLate", shape_dates, lateness.days_late), OR_NULL, CSV("days_late"),
     SAYS(
         "Days from dueDate to firstReportedOn; 0 when on time, null when lateStatus is unknown.")},
    {LISTED("lateStatus", shape_dates, status, &shape_late_statuses), CSV("late_status"),
     SAYS("late: [reported late](#due) in every possible case. on_time: reported by dueDate. "
          "unknown: neither is known.")},
    {LISTED("lateReason", shape_dates, lateness.reason, &shape_late_reasons), CSV("late_reason"),
     SAYS("Why: [each reason](#due) has one status.")},
    {INSTANT("firstPublishedAt", shape_dates, report.first_published_at), CSV("first_published_at"),
     SAYS("When this service showed the trade first. disclosedAt of bulk history is the official "
          "filing instant; this is its import.")},
};

SHAPE(
    dates, "TradeDates",
    "When a trade was reported, when its report was due, and whether it was late.", shape_dates);

struct shape_dates shape_dates_of(int32_t traded, const struct trade_report *report)
{
    struct shape_dates dates = {.report = *report, .lateness = lateness_of(traded, report)};
    dates.status = lateness_status(&dates.lateness);
    return dates;
}
