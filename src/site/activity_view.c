/* Trades over time; see activity_view.h. */
#include "site/activity_view.h"

#include "feed/trade_filter.h"
#include "html/chart.h"

enum { YEARS_MAX = 30, QUARTERED_YEARS = 5, BARS_MAX = YEARS_MAX, SERIES = 3 };

static int year_of(int64_t ms)
{
    int year, month, day;
    day_to_civil(instant_day_new_york(ms), &year, &month, &day);
    return year;
}

static int32_t month_start(int year, int month)
{
    int32_t day = DAY_NONE;
    (void)day_from_civil(year + (month - 1) / 12, (month - 1) % 12 + 1, 1, &day);
    return day;
}

static void add_day(
    struct feed_filter *filter, struct feed_test tests[static PARAM_TABLE_MAX], const char *name,
    int32_t day)
{
    const struct param_value value = {.text = STR("-"), .number = day};
    trade_filter_add(trade_filter_named(str_from(name)), &value, filter, tests);
}

/* The trades that were made from one day to another, the last one included. */
static void count_days(
    struct page_call *call, const struct feed_filter *base, int32_t from, int32_t to,
    int64_t ret[static SERIES])
{
    MEM_UNFILLED struct feed_test tests[PARAM_TABLE_MAX];
    struct feed_filter filter = *base;
    struct feed_counts counts;
    add_day(&filter, tests, "traded_from", from);
    add_day(&filter, tests, "traded_to", to);
    feed_counts(call->config->feed, &filter, &counts);
    ret[0] = counts.buys;
    ret[1] = counts.sells;
    ret[2] = counts.exchanges;
}

void activity_chart_put(
    struct page_call *call, const char *name, const struct feed_filter *filter,
    const struct feed_counts *counts, struct activity_period period)
{
    static const struct chart_series series[SERIES] = {
        {"bought", CHART_MAIN}, {"sold", CHART_QUIET}, {"exchanged", CHART_WARNING}};
    struct str labels[BARS_MAX];
    int64_t values[BARS_MAX * SERIES];
    size_t n = 0;
    int last = year_of(call->now_ms);
    /* A trade is disclosed some weeks after it was made: the first may be of the year before. */
    int first = counts->trades ? year_of(counts->first_activity) - 1 : last;
    bool quarters = last - first < QUARTERED_YEARS;
    if (last - first >= YEARS_MAX)
        first = last - YEARS_MAX + 1;
    for (int year = first; year <= last; year++)
        for (int month = 1; month <= 12; month += quarters ? 3 : 12) {
            int32_t from = month_start(year, month);
            int32_t to = month_start(year, month + (quarters ? 3 : 12)) - 1;
            if (period.from != DAY_NONE && from < period.from)
                from = period.from;
            if (period.to != DAY_NONE && to > period.to)
                to = period.to;
            if (from > to)
                continue;
            count_days(call, filter, from, to, &values[n * SERIES]);
            const int64_t *v = &values[n * SERIES];
            if (n == 0 && v[0] + v[1] + v[2] == 0)
                continue;
            labels[n++] = quarters ? arena_fmt(call->arena, "%d Q%d", year, month / 3 + 1)
                                   : arena_fmt(call->arena, "%d", year);
        }
    const struct chart chart = {
        .id = name,
        .title = quarters ? "Trades per quarter" : "Trades per year",
        .axis = quarters ? "Quarter of the trade" : "Year of the trade",
        .empty = "No trade has a date.",
        .series = series,
        .series_count = SERIES,
        .labels = labels,
        .values = values,
        .count = n,
    };
    chart_bars(call->view, name, &chart);
}
