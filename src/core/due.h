/*
 * When the report of a trade is due (5 U.S.C. 13105(l)): the earlier of 30 days after the filer was
 * notified of the trade and 45 days after the trade. Weekends and holidays extend neither.
 *
 * If a report lacks one of the two dates, the other one alone sets the limit. That is the latest
 * day the law can allow, so no filer is called late by mistake. A notification before the trade is
 * impossible and counts as missing.
 */
#pragma once

#include "base/instant.h"

enum { DUE_DAYS_NOTIFIED = 30, DUE_DAYS_TRADED = 45 };

/* DAY_NONE for a missing date; returns DAY_NONE if both are missing. */
int32_t due_day(int32_t traded, int32_t notified);

/* The number of days it was filed after the due day; 0: in time. Both days are known. */
int32_t due_days_late(int32_t due, int32_t filed);
