/*
 * When the report of a trade is due (5 U.S.C. 13105(l)): by the earlier of 30 days after the filer
 * was notified of the trade and 45 days after the trade. Weekends and holidays extend neither.
 *
 * Where a report does not state one of the two dates, the other one alone bounds it: that is the
 * latest day which the law can allow, so nobody is called late who may not be. A notification
 * before the trade cannot be and counts as not stated.
 */
#pragma once

#include "base/instant.h"

enum { DUE_DAYS_NOTIFIED = 30, DUE_DAYS_TRADED = 45 };

/* DAY_NONE for a date that is not stated; DAY_NONE when neither is. */
int32_t due_day(int32_t traded, int32_t notified);

/* How many days after it was due it was filed; 0: in time. Both days are known. */
int32_t due_days_late(int32_t due, int32_t filed);
