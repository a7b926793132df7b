/*
 * Dates of a trade that cannot be right as filed (sources.md 1). They are published as they are
 * filed, with a doubt.
 */
#pragma once

#include "base/instant.h"
#include "base/str.h"

enum date_doubt {
    DATE_DOUBT_NONE,
    DATE_DOUBT_NOTIFIED_BEFORE_TRADED,
    DATE_DOUBT_NOTIFIED_AFTER_FILED,
    DATE_DOUBT_TRADED_AFTER_FILED,
    DATE_DOUBT_TRADED_LONG_BEFORE_FILED, /* more than DATE_DOUBT_YEARS: year 0205 */
    DATE_DOUBT_COUNT
};

enum { DATE_DOUBT_YEARS = 10 };

struct str date_doubt_name(enum date_doubt doubt); /* "traded_after_filed"; NONE: null */

/* DAY_NONE for a date that is not known: nothing is said about it. */
bool date_doubt_holds(enum date_doubt doubt, int32_t traded, int32_t notified, int32_t filed);
