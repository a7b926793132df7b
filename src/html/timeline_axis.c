/* The calendar below a drawing; see timeline_parts.h. */
#include "html/timeline_parts.h"

/* 2024-01-01 was a Monday. */
enum {
    MONTHS = 12,
    WEEK = 7,
    A_MONDAY = 19723,
    TICKS_MAX = 13, /* shorter than a year; every second one has no text on a phone */
    YEARS_MAX = 16,
};

enum { YEAR_INDEX = 5 };
static const struct timeline_unit units[] = {
    {UNIT_DAY, 1},   {UNIT_WEEK, 1},  {UNIT_MONTH, 1},  {UNIT_MONTH, 3},
    {UNIT_MONTH, 6}, {UNIT_YEAR, 1},  {UNIT_YEAR, 2},   {UNIT_YEAR, 5},
    {UNIT_YEAR, 10}, {UNIT_YEAR, 50}, {UNIT_YEAR, 500},
};

int timeline_units(void)
{
    return (int)(sizeof units / sizeof *units);
}

/* The first day of a month that is counted from year 0. */
static int32_t month_first(int month)
{
    int32_t day = 0;
    if (month < MONTHS || !day_from_civil(month / MONTHS, month % MONTHS + 1, 1, &day))
        (void)day_from_civil(month < MONTHS ? 1 : 9999, 1, 1, &day);
    return day;
}

static int month_of(int32_t day)
{
    int year, month, of_month;
    day_to_civil(day, &year, &month, &of_month);
    return year * MONTHS + month - 1;
}

static int months_of(struct timeline_unit unit)
{
    return unit.kind == UNIT_YEAR ? unit.count * MONTHS : unit.count;
}

int32_t timeline_unit_start(struct timeline_unit unit, int32_t day)
{
    if (unit.kind == UNIT_DAY)
        return day;
    if (unit.kind == UNIT_WEEK)
        return day - ((day - A_MONDAY) % WEEK + WEEK) % WEEK;
    int month = month_of(day);
    return month_first(month - month % months_of(unit));
}

int32_t timeline_unit_next(struct timeline_unit unit, int32_t start)
{
    if (unit.kind == UNIT_DAY)
        return start + 1;
    if (unit.kind == UNIT_WEEK)
        return start + WEEK;
    int32_t next = month_first(month_of(start) + months_of(unit));
    return next > start ? next : INT32_MAX; /* beyond the year 9999 */
}

static bool fits(struct timeline_unit unit, int32_t from, int32_t to, int max)
{
    int32_t day = timeline_unit_start(unit, from);
    for (int n = 0; n < max; n++) {
        day = timeline_unit_next(unit, day);
        if (day >= to)
            return true;
    }
    return false;
}

struct timeline_unit timeline_unit_for(int32_t from, int32_t to, int max, int *index)
{
    while (*index + 1 < timeline_units() && !fits(units[*index], from, to, max))
        ++*index;
    return units[*index];
}

/* Years, where quarters do not fit: half years would only crowd the axis. */
struct timeline_unit timeline_tick_unit(int32_t from, int32_t to)
{
    int index = 0;
    struct timeline_unit unit = timeline_unit_for(from, to, TICKS_MAX, &index);
    while (unit.kind == UNIT_MONTH && unit.count > 3)
        unit = units[++index];
    return unit.kind == UNIT_YEAR ? timeline_unit_for(from, to, YEARS_MAX, &(int){YEAR_INDEX})
                                  : unit;
}

void timeline_unit_text(struct buf *b, struct timeline_unit unit, int32_t start)
{
    static const char *const names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int year, month, day;
    day_to_civil(start, &year, &month, &day);
    if (unit.kind == UNIT_YEAR)
        buf_fmt(b, "%d", year);
    else if (unit.kind == UNIT_MONTH && month == 1)
        buf_fmt(b, "%s %d", names[0], year);
    else if (unit.kind == UNIT_MONTH)
        buf_text(b, names[month - 1]);
    else
        buf_fmt(b, "%s %d", names[month - 1], day);
}

int timeline_middle(const struct timeline *t, int32_t day)
{
    return (int)((2 * ((int64_t)day - t->from) + 1) * 500 / (t->to - t->from));
}

int timeline_at(const struct timeline *t, int32_t day)
{
    if (day <= t->from)
        return 0;
    if (day >= t->to)
        return 1000;
    return (int)(((int64_t)day - t->from) * 1000 / (t->to - t->from));
}
