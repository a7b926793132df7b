/* Trades over time; see activity_view.h. */
#include "site/frame/activity_view.h"

#include "html/chart.h"

enum { YEAR_FIRST = 2008, QUARTERED_YEARS = 5, QUARTERS = 4, BOUGHT = 0, SOLD, EXCHANGED };

/* The place of the quarter of a day of YEAR_FIRST or later. */
static size_t quarter_of(int32_t day)
{
    int year, month, of_month;
    day_to_civil(day, &year, &month, &of_month);
    return (size_t)(year - YEAR_FIRST) * QUARTERS + (size_t)(month - 1) / 3;
}

void activity_add(struct activity *activity, int32_t traded, int32_t filed, enum side side)
{
    int year = day_year(traded);
    if (year < YEAR_FIRST || year > day_year(filed) ||
        quarter_of(traded) >= ACTIVITY_QUARTERS_MAX) {
        activity->left_out++;
        return;
    }
    int64_t *values = activity->quarters[quarter_of(traded)];
    values[BOUGHT] += side == SIDE_BUY;
    values[SOLD] += side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
    values[EXCHANGED] += side == SIDE_EXCHANGE;
}

/* The quarters from the year of the first trade to `end`; returns the first one. */
static size_t first_quarter(const struct activity *activity, size_t end)
{
    for (size_t i = 0; i < end; i++)
        for (int k = 0; k < ACTIVITY_SERIES; k++)
            if (activity->quarters[i][k])
                return i;
    return end;
}

void activity_put(
    struct page_call *call, const char *name, const struct activity *activity, int32_t to)
{
    static const struct chart_series series[ACTIVITY_SERIES] = {
        [BOUGHT] = {"bought", CHART_MAIN},
        [SOLD] = {"sold", CHART_QUIET},
        [EXCHANGED] = {"exchanged", CHART_WARNING}};
    int32_t last;
    (void)day_from_civil(day_year(instant_day_new_york(call->now_ms)), 12, 31, &last);
    last = to != DAY_NONE && to < last ? to : last;
    size_t end = day_year(last) < YEAR_FIRST ? 0 : quarter_of(last) + 1;
    end = end < ACTIVITY_QUARTERS_MAX ? end : ACTIVITY_QUARTERS_MAX;
    size_t first = first_quarter(activity, end), n = 0;
    bool quarterly = (end - 1) / QUARTERS - first / QUARTERS < QUARTERED_YEARS;
    struct str labels[ACTIVITY_QUARTERS_MAX];
    int64_t values[ACTIVITY_QUARTERS_MAX * ACTIVITY_SERIES] = {0};
    for (size_t i = first; i < end; i++) {
        int year = YEAR_FIRST + (int)(i / QUARTERS);
        if (i > first && !quarterly && i % QUARTERS)
            n--;
        for (size_t k = 0; k < ACTIVITY_SERIES; k++)
            values[n * ACTIVITY_SERIES + k] += activity->quarters[i][k];
        labels[n++] = quarterly ? arena_fmt(call->arena, "%d Q%zu", year, i % QUARTERS + 1)
                                : arena_fmt(call->arena, "%d", year);
    }
    const struct chart chart = {
        .id = name,
        .title = quarterly ? "Trades per quarter" : "Trades per year",
        .axis = quarterly ? "Quarter of the trade" : "Year of the trade",
        .empty = "No trade has a plausible date.",
        .series = series,
        .series_count = ACTIVITY_SERIES,
        .labels = labels,
        .values = values,
        .count = n,
    };
    chart_bars(call->view, name, &chart);
    view_null(call->view, "leftOut");
    if (activity->left_out)
        view_count(call->view, "leftOut", activity->left_out);
}
