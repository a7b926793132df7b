/* The table of impossible and unlikely dates; see date_doubt.h. */
#include "rule/date_doubt.h"

#include <assert.h>

#include "base/closed_list.h"

enum {
    YEAR_DAYS = 365,
    WEEK_DAYS = 7,
    SATURDAY = 2, /* of day 0, a Thursday */
    SUNDAY = 3,
};

enum date_doubt_day { DAY_TRADED, DAY_NOTIFIED, DAY_FILED, DAY_COUNT };

/* It holds where `later` is more than `days` after `earlier`. */
static const struct {
    struct str name;
    enum date_doubt_day earlier, later;
    int days;
} doubts[DATE_DOUBT_COUNT] = {
    [DATE_DOUBT_NOTIFIED_BEFORE_TRADED] =
        {STR_INIT("notified_before_traded"), DAY_NOTIFIED, DAY_TRADED, 0},
    [DATE_DOUBT_NOTIFIED_AFTER_FILED] =
        {STR_INIT("notified_after_filed"), DAY_FILED, DAY_NOTIFIED, 0},
    [DATE_DOUBT_TRADED_AFTER_FILED] = {STR_INIT("traded_after_filed"), DAY_FILED, DAY_TRADED, 0},
    [DATE_DOUBT_TRADED_LONG_BEFORE_FILED] =
        {STR_INIT("traded_long_before_filed"), DAY_TRADED, DAY_FILED, DATE_DOUBT_YEARS *YEAR_DAYS},
    [DATE_DOUBT_TRADED_UNREADABLE] = {STR_INIT("date_unreadable"), DAY_TRADED, DAY_TRADED, 0},
    [DATE_DOUBT_NOTICE_UNREADABLE] =
        {STR_INIT("notified_unreadable"), DAY_NOTIFIED, DAY_NOTIFIED, 0},
    [DATE_DOUBT_TRADED_YEARS_BEFORE_FILED] =
        {STR_INIT("traded_years_before_filed"), DAY_TRADED, DAY_FILED,
         DATE_DOUBT_YEARS_REVIEWED *YEAR_DAYS},
    [DATE_DOUBT_NOTIFIED_LONG_AFTER_TRADED] =
        {STR_INIT("notified_long_after_traded"), DAY_TRADED, DAY_NOTIFIED, DATE_DOUBT_NOTICE_DAYS},
    [DATE_DOUBT_TRADED_ON_WEEKEND] = {STR_INIT("traded_on_weekend"), DAY_TRADED, DAY_TRADED, 0},
};

ENUM_NAME(date_doubt_name, date_doubt, doubts[value].name, DATE_DOUBT_COUNT)

bool date_doubt_is_of_notice(enum date_doubt doubt)
{
    return doubt == DATE_DOUBT_NOTIFIED_BEFORE_TRADED || doubt == DATE_DOUBT_NOTIFIED_AFTER_FILED ||
           doubt == DATE_DOUBT_NOTIFIED_LONG_AFTER_TRADED || doubt == DATE_DOUBT_NOTICE_UNREADABLE;
}

static bool is_weekend(int32_t day)
{
    int32_t of_week = (day % WEEK_DAYS + WEEK_DAYS) % WEEK_DAYS;
    return day != DAY_NONE && (of_week == SATURDAY || of_week == SUNDAY);
}

bool date_doubt_is_of_print(enum date_doubt doubt)
{
    return doubt == DATE_DOUBT_TRADED_UNREADABLE || doubt == DATE_DOUBT_NOTICE_UNREADABLE;
}

bool date_doubt_holds(
    enum date_doubt doubt, int32_t traded, int32_t notified, int32_t filed, bool listed)
{
    const int32_t day[DAY_COUNT] = {
        [DAY_TRADED] = traded, [DAY_NOTIFIED] = notified, [DAY_FILED] = filed};
    assert(doubt < DATE_DOUBT_COUNT);
    if (doubt == DATE_DOUBT_NONE || date_doubt_is_of_print(doubt))
        return false;
    if (doubt == DATE_DOUBT_TRADED_ON_WEEKEND)
        return listed && is_weekend(traded);
    int32_t earlier = day[doubts[doubt].earlier], later = day[doubts[doubt].later];
    return earlier != DAY_NONE && later != DAY_NONE &&
           (int64_t)later - earlier > doubts[doubt].days;
}
