/*
 * Time as values, without a clock. An instant is int64 milliseconds since 1970-01-01T00:00:00Z; a
 * day is int32 days since 1970-01-01; a month is year * 12 + (month - 1). Years 1 to 9999.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

#define INSTANT_NONE INT64_MIN
#define DAY_NONE INT32_MIN

enum {
    INSTANT_TEXT_SIZE = 24, /* 2026-11-20T08:12:45.123Z */
    DAY_TEXT_SIZE = 10,     /* 2026-11-20 */
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
    HOUR_MS = 60 * MINUTE_MS,
    DAY_MS = 24 * HOUR_MS,
};

/* RFC 3339 with a mandatory offset (decision 4): "T" (either case) between date and time, then "Z"
 * or +hh:mm. A space is accepted in place of "+", because URL decoding turns an unencoded "+" into
 * a space. Digits after the third of a fraction round up to the next millisecond. Second 60
 * is valid only where a leap second can be: 23:59:60 UTC on June 30 or December 31, from 1972 on.
 * All of it counts as 00:00:00.000 UTC of the next day. */
bool instant_parse(struct str text, int64_t *ret_ms);
void instant_print(int64_t ms, char ret[static INSTANT_TEXT_SIZE]); /* no NUL */
void instant_put(struct buf *b, int64_t ms);

bool day_parse(struct str text, int32_t *ret);               /* yyyy-mm-dd, a real date */
void day_print(int32_t day, char ret[static DAY_TEXT_SIZE]); /* no NUL */
void day_put(struct buf *b, int32_t day);
struct str day_str(struct arena *arena, int32_t day); /* null of DAY_NONE */

/* false: no such date */
bool day_from_civil(int year, int month, int day, int32_t *ret);
void day_to_civil(int32_t day, int *ret_year, int *ret_month, int *ret_day);
int day_year(int32_t day); /* 0 of DAY_NONE */

int32_t instant_day_utc(int64_t ms);
int32_t instant_month_utc(int64_t ms);
int64_t month_start_ms(int32_t month); /* the 1st, 00:00:00Z */

/* The instant of a Washington wall-clock time (America/New_York by the U.S. rules since 1987). A
 * time skipped in spring counts as standard time; a time repeated in autumn means its first
 * occurrence. */
int64_t instant_from_new_york(int32_t day, int minute_of_day);
int32_t instant_day_new_york(int64_t ms); /* the date in Washington at that instant */

/* Appends the time in Washington with its zone, "2026-11-20 03:12 EST"; seconds are cut off. */
void instant_put_new_york(struct buf *b, int64_t ms);
/* The same for an instant that may stand for a date without a time: at midnight the date alone. */
void instant_put_new_york_date(struct buf *b, int64_t ms);
