/* Trades over time; see activity_view.h. */
#include "site/frame/activity_view.h"

#include "base/search.h"
#include "html/chart.h"

enum { QUARTERED_YEARS = 5, BOUGHT = 0, SOLD, EXCHANGED };

static int32_t month_start(int year, int month)
{
    int32_t day = DAY_NONE;
    (void)day_from_civil(year + (month - 1) / 12, (month - 1) % 12 + 1, 1, &day);
    return day;
}

void activity_begin(
    const struct page_call *call, const struct feed_counts *counts, struct activity_period period,
    struct activity *ret)
{
    int last = day_year(instant_day_new_york(call->now_ms));
    /* A trade is disclosed some weeks after it was made: the first may be of the year before. */
    int first = counts->trades ? day_year(instant_day_new_york(counts->first_activity)) - 1 : last;
    *ret = (struct activity){.quarters = last - first < QUARTERED_YEARS};
    int months = ret->quarters ? 3 : 12;
    if (last - first >= ACTIVITY_BARS_MAX)
        first = last - ACTIVITY_BARS_MAX + 1;
    for (int year = first; year <= last; year++)
        for (int month = 1; month <= 12; month += months) {
            struct activity_bar bar = {.year = year, .month = month};
            bar.from = month_start(year, month);
            bar.to = month_start(year, month + months) - 1;
            if (period.from != DAY_NONE && bar.from < period.from)
                bar.from = period.from;
            if (period.to != DAY_NONE && bar.to > period.to)
                bar.to = period.to;
            if (bar.from <= bar.to)
                ret->bars[ret->count++] = bar;
        }
}

void activity_add(struct activity *activity, int32_t traded, enum side side)
{
    size_t low = FIRST_NOT(i, activity->count, activity->bars[i].to < traded);
    if (low == activity->count || traded < activity->bars[low].from || traded == DAY_NONE) {
        activity->left_out++;
        return;
    }
    int64_t *values = activity->bars[low].values;
    values[BOUGHT] += side == SIDE_BUY;
    values[SOLD] += side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
    values[EXCHANGED] += side == SIDE_EXCHANGE;
}

static bool is_empty(const struct activity_bar *bar)
{
    return bar->values[BOUGHT] + bar->values[SOLD] + bar->values[EXCHANGED] == 0;
}

void activity_put(struct page_call *call, const char *name, const struct activity *activity)
{
    static const struct chart_series series[ACTIVITY_SERIES] = {
        [BOUGHT] = {"bought", CHART_MAIN},
        [SOLD] = {"sold", CHART_QUIET},
        [EXCHANGED] = {"exchanged", CHART_WARNING}};
    struct str labels[ACTIVITY_BARS_MAX];
    int64_t values[ACTIVITY_BARS_MAX * ACTIVITY_SERIES];
    size_t n = 0;
    for (size_t i = 0; i < activity->count; i++) {
        const struct activity_bar *bar = &activity->bars[i];
        if (n == 0 && is_empty(bar))
            continue;
        for (size_t k = 0; k < ACTIVITY_SERIES; k++)
            values[n * ACTIVITY_SERIES + k] = bar->values[k];
        labels[n++] = activity->quarters
                          ? arena_fmt(call->arena, "%d Q%d", bar->year, bar->month / 3 + 1)
                          : arena_fmt(call->arena, "%d", bar->year);
    }
    const struct chart chart = {
        .id = name,
        .title = activity->quarters ? "Trades per quarter" : "Trades per year",
        .axis = activity->quarters ? "Quarter of the trade" : "Year of the trade",
        .empty = "No trade has a date.",
        .series = series,
        .series_count = ACTIVITY_SERIES,
        .labels = labels,
        .values = values,
        .count = n,
    };
    chart_bars(call->view, name, &chart);
    view_null(call->view, "leftOut");
    if (n && activity->left_out)
        view_count(call->view, "leftOut", activity->left_out);
}
