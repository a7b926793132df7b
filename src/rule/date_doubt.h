/*
 * Dates of a trade that cannot be right as filed (sources.md 1), and dates that seldom are. They
 * are published as they are filed; those that cannot be right have a public doubt.
 */
#pragma once

#include "base/instant.h"

enum date_doubt {
    DATE_DOUBT_NONE,
    DATE_DOUBT_NOTIFIED_BEFORE_TRADED,
    DATE_DOUBT_NOTIFIED_AFTER_FILED,
    DATE_DOUBT_TRADED_AFTER_FILED,
    DATE_DOUBT_TRADED_LONG_BEFORE_FILED, /* more than DATE_DOUBT_YEARS: year 0205 */
    DATE_DOUBT_TRADED_UNREADABLE,        /* 13/45/2026: the trade has no date then */
    DATE_DOUBT_NOTICE_UNREADABLE,
    DATE_DOUBT_PUBLIC_COUNT, /* those before are a trade's `doubts`; the others are for reviewers */
    DATE_DOUBT_TRADED_YEARS_BEFORE_FILED = DATE_DOUBT_PUBLIC_COUNT,
    DATE_DOUBT_NOTIFIED_LONG_AFTER_TRADED,
    DATE_DOUBT_TRADED_ON_WEEKEND, /* only of a listed security */
    DATE_DOUBT_COUNT
};

enum {
    DATE_DOUBT_YEARS = 10,
    DATE_DOUBT_YEARS_REVIEWED = 2,
    DATE_DOUBT_NOTICE_DAYS = 180,
};

struct str date_doubt_name(enum date_doubt doubt); /* "traded_after_filed"; NONE: null */

/* Whether it is about the date of the notice, not of the trade. */
bool date_doubt_is_of_notice(enum date_doubt doubt);

/* DAY_NONE for a date that is not known: nothing is said about it. `listed`: the security has a
 * symbol. False for the two doubts about what is printed. */
bool date_doubt_holds(
    enum date_doubt doubt, int32_t traded, int32_t notified, int32_t filed, bool listed);

/* Whether it is one of these two. */
bool date_doubt_is_of_print(enum date_doubt doubt);
