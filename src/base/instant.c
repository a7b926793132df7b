/* Calendar arithmetic on the proleptic Gregorian calendar; see instant.h. */
#include "base/instant.h"

/* Days from 1970-01-01 of a date. Years start in March here, so that a leap day ends its year. */
static int32_t days_from_civil(int year, int month, int day)
{
    year -= month <= 2;
    int era = (year >= 0 ? year : year - 399) / 400;
    int year_of_era = year - era * 400;
    int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static int days_in_month(int year, int month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

bool day_from_civil(int year, int month, int day, int32_t *ret)
{
    if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 ||
        day > days_in_month(year, month))
        return false;
    *ret = days_from_civil(year, month, day);
    return true;
}

void day_to_civil(int32_t day, int *ret_year, int *ret_month, int *ret_day)
{
    int64_t shifted = (int64_t)day + 719468;
    int era = (int)((shifted >= 0 ? shifted : shifted - 146096) / 146097);
    int day_of_era = (int)(shifted - (int64_t)era * 146097);
    int year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int from_march = (5 * day_of_year + 2) / 153;
    *ret_day = day_of_year - (153 * from_march + 2) / 5 + 1;
    *ret_month = from_march < 10 ? from_march + 3 : from_march - 9;
    *ret_year = year_of_era + era * 400 + (*ret_month <= 2);
}

int day_year(int32_t day)
{
    int year = 0, month, of_month;
    if (day != DAY_NONE)
        day_to_civil(day, &year, &month, &of_month);
    return year;
}

/* Parses exactly n digits at text[at]; -1: there are fewer. */
static int digits_at(struct str text, size_t at, size_t n)
{
    int value = 0;
    if (at + n > text.n)
        return -1;
    for (size_t i = at; i < at + n; i++) {
        if (!ascii_is_digit(text.p[i]))
            return -1;
        value = value * 10 + (text.p[i] - '0');
    }
    return value;
}

bool day_parse(struct str text, int32_t *ret)
{
    if (text.n != DAY_TEXT_SIZE || text.p[4] != '-' || text.p[7] != '-')
        return false;
    int year = digits_at(text, 0, 4), month = digits_at(text, 5, 2), day = digits_at(text, 8, 2);
    return day_from_civil(year, month, day, ret);
}

/* Parses ".ddd..." at *at as milliseconds, rounded up (possibly to 1000); moves *at past it. */
static bool parse_fraction(struct str text, size_t *at, int *ret_ms)
{
    *ret_ms = 0;
    if (*at >= text.n || text.p[*at] != '.')
        return true;
    size_t first = ++*at;
    int scale = 100;
    bool more = false;
    for (; *at < text.n && ascii_is_digit(text.p[*at]); ++*at) {
        int digit = text.p[*at] - '0';
        *ret_ms += digit * scale;
        more |= scale == 0 && digit != 0;
        scale /= 10;
    }
    *ret_ms += more;
    return *at > first;
}

static bool parse_offset(struct str text, int *ret_minutes)
{
    if (text.n == 1 && (text.p[0] == 'Z' || text.p[0] == 'z')) {
        *ret_minutes = 0;
        return true;
    }
    if (text.n != 6 || text.p[3] != ':')
        return false;
    char sign = text.p[0];
    int hours = digits_at(text, 1, 2), minutes = digits_at(text, 4, 2);
    if ((sign != '+' && sign != '-' && sign != ' ') || hours < 0 || hours > 23 || minutes < 0 ||
        minutes > 59)
        return false;
    *ret_minutes = (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
    return true;
}

/* Whether UTC may have a leap second before this instant: at the end of June or December, since
 * 1972. (Rules also allow other months; none has had one.) */
static bool ends_leap_second(int64_t ms)
{
    int year, month, day;
    day_to_civil(instant_day_utc(ms), &year, &month, &day);
    return ms % DAY_MS == 0 && day == 1 &&
           ((month == 7 && year >= 1972) || (month == 1 && year > 1972));
}

bool instant_parse(struct str text, int64_t *ret_ms)
{
    int32_t day;
    if (text.n < 20 || !day_parse(str_slice(text, 0, DAY_TEXT_SIZE), &day) ||
        (text.p[10] != 'T' && text.p[10] != 't') || text.p[13] != ':' || text.p[16] != ':')
        return false;
    int hour = digits_at(text, 11, 2), minute = digits_at(text, 14, 2),
        second = digits_at(text, 17, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return false;
    size_t at = 19;
    int fraction_ms, offset_minutes;
    if (!parse_fraction(text, &at, &fraction_ms) ||
        !parse_offset(str_slice(text, at, text.n), &offset_minutes))
        return false;
    int64_t whole_ms = (int64_t)day * DAY_MS + hour * (int64_t)HOUR_MS +
                       (minute - offset_minutes) * (int64_t)MINUTE_MS + second * (int64_t)SECOND_MS;
    *ret_ms = second == 60 ? whole_ms : whole_ms + fraction_ms;
    return second < 60 || ends_leap_second(whole_ms);
}

static void put_digits(char *to, int value, int n)
{
    while (n--) {
        to[n] = (char)('0' + value % 10);
        value /= 10;
    }
}

void day_print(int32_t day, char ret[static DAY_TEXT_SIZE])
{
    int y, m, d;
    day_to_civil(day, &y, &m, &d);
    put_digits(ret, y, 4);
    ret[4] = '-';
    put_digits(ret + 5, m, 2);
    ret[7] = '-';
    put_digits(ret + 8, d, 2);
}

void day_put(struct buf *b, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    day_print(day, text);
    buf_put(b, text, sizeof text);
}

struct str day_str(struct arena *arena, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    if (day == DAY_NONE)
        return STR_NULL;
    day_print(day, text);
    return arena_str(arena, str_of(text, sizeof text));
}

void instant_print(int64_t ms, char ret[static INSTANT_TEXT_SIZE])
{
    int32_t day = instant_day_utc(ms);
    int of_day = (int)(ms - (int64_t)day * DAY_MS);
    day_print(day, ret);
    ret[10] = 'T';
    put_digits(ret + 11, of_day / HOUR_MS, 2);
    ret[13] = ':';
    put_digits(ret + 14, of_day / MINUTE_MS % 60, 2);
    ret[16] = ':';
    put_digits(ret + 17, of_day / SECOND_MS % 60, 2);
    ret[19] = '.';
    put_digits(ret + 20, of_day % SECOND_MS, 3);
    ret[23] = 'Z';
}

void instant_put(struct buf *b, int64_t ms)
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(ms, text);
    buf_put(b, text, sizeof text);
}

int32_t instant_day_utc(int64_t ms)
{
    return (int32_t)((ms >= 0 ? ms : ms - (DAY_MS - 1)) / DAY_MS);
}

int32_t instant_month_utc(int64_t ms)
{
    int year, month, day;
    day_to_civil(instant_day_utc(ms), &year, &month, &day);
    return year * 12 + month - 1;
}

int64_t month_start_ms(int32_t month)
{
    return (int64_t)days_from_civil(month / 12, month % 12 + 1, 1) * DAY_MS;
}

/* The n-th Sunday of a month (n counted from 1), or the last one for n = 0. */
static int32_t sunday_of(int year, int month, int n)
{
    int32_t first = days_from_civil(year, month, 1);
    int weekday = (int)(((first % 7) + 7 + 4) % 7); /* 1970-01-01 was a Thursday; Sunday is 0 */
    int32_t sunday = first + (7 - weekday) % 7;
    if (n)
        return sunday + 7 * (n - 1);
    sunday += 28;
    return sunday - first >= days_in_month(year, month) ? sunday - 7 : sunday;
}

int64_t instant_from_new_york(int32_t day, int minute_of_day)
{
    int year, month, of_month;
    day_to_civil(day, &year, &month, &of_month);
    bool since_2007 = year >= 2007; /* Energy Policy Act of 2005 */
    int32_t begins = since_2007 ? sunday_of(year, 3, 2) : sunday_of(year, 4, 1);
    int32_t ends = since_2007 ? sunday_of(year, 11, 1) : sunday_of(year, 10, 0);
    bool daylight = (day > begins || (day == begins && minute_of_day >= 3 * 60)) &&
                    (day < ends || (day == ends && minute_of_day < 2 * 60));
    return (int64_t)day * DAY_MS + (minute_of_day + (daylight ? 4 : 5) * 60) * (int64_t)MINUTE_MS;
}

int32_t instant_day_new_york(int64_t ms)
{
    int32_t day =
        instant_day_utc(ms); /* Washington is behind UTC: the same day or the previous one */
    return ms < instant_from_new_york(day, 0) ? day - 1 : day;
}

void instant_put_new_york(struct buf *b, int64_t ms)
{
    int64_t minute = ms - ((ms % MINUTE_MS) + MINUTE_MS) % MINUTE_MS;
    int64_t local = minute - 4 * (int64_t)HOUR_MS; /* daylight saving time */
    int32_t day = instant_day_utc(local);
    int of_day = (int)((local - (int64_t)day * DAY_MS) / MINUTE_MS);
    bool daylight = instant_from_new_york(day, of_day) == minute;
    if (!daylight) {
        local -= HOUR_MS;
        day = instant_day_utc(local);
        of_day = (int)((local - (int64_t)day * DAY_MS) / MINUTE_MS);
    }
    day_put(b, day);
    buf_fmt(b, " %02d:%02d %s", of_day / 60, of_day % 60, daylight ? "EDT" : "EST");
}

void instant_put_new_york_date(struct buf *b, int64_t ms)
{
    int32_t day = instant_day_new_york(ms);
    if (ms != instant_from_new_york(day, 0))
        instant_put_new_york(b, ms);
    else
        day_put(b, day);
}
