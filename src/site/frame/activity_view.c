/* Trades over time; see activity_view.h. */
#include "site/frame/activity_view.h"

#include "feed/groups.h"
#include "html/chart.h"

enum { YEAR_FIRST = 2008, MONTHS = 12, BARS_MAX = FEED_PAGE_MAX, BOUGHT = 0, SOLD, OTHERS, SERIES };

struct bars {
    int64_t values[BARS_MAX][SERIES];
    size_t first, end; /* the bars that are shown */
    int64_t counted, all;
};

/* The bar of a group, "2024" or "2024-03"; BARS_MAX: none. */
static size_t bar_of(const struct page_call *call, const struct group_value *value, bool monthly)
{
    int32_t day;
    struct str text = value->text;
    if (str_is_null(text) ||
        !day_parse(
            arena_fmt(call->arena, "%.*s%s", STR_ARG(text), monthly ? "-01" : "-01-01"), &day))
        return BARS_MAX;
    int year, month, of_month;
    day_to_civil(day, &year, &month, &of_month);
    if (year < YEAR_FIRST || year > day_year(instant_day_new_york(call->now_ms)))
        return BARS_MAX;
    return monthly ? (size_t)month - 1 : (size_t)(year - YEAR_FIRST);
}

static void count(
    const struct page_call *call, const struct activity *activity, bool monthly, struct bars *ret)
{
    MEM_UNFILLED struct feed_groups groups;
    const struct feed_group_by by = {
        .by = {monthly ? GROUP_MONTH : GROUP_YEAR}, .sort = 1, .limit = FEED_PAGE_MAX};
    *ret = (struct bars){.first = BARS_MAX};
    (void)feed_group(call->config->feed, activity->filter, &by, call->arena, &groups);
    ret->all = groups.totals.trades;
    for (size_t i = 0; i < groups.count; i++) {
        const struct group_columns *c = &groups.groups[i].columns;
        size_t bar = bar_of(call, &groups.groups[i].values[0], monthly);
        if (bar == BARS_MAX)
            continue;
        ret->values[bar][BOUGHT] = c->buys;
        ret->values[bar][SOLD] = c->sells;
        ret->values[bar][OTHERS] = c->trades - c->buys - c->sells;
        ret->counted += c->trades;
        ret->first = bar < ret->first ? bar : ret->first;
        ret->end = bar >= ret->end ? bar + 1 : ret->end;
    }
}

static struct str link_of(
    const struct page_call *call, const struct activity *activity, int32_t from, int32_t end,
    bool monthly)
{
    struct link_param params[PARAM_TABLE_MAX + 4];
    size_t n = 0;
    for (size_t i = 0; monthly && i < activity->link_count; i++)
        if (!str_starts(activity->links[i].name, STR("traded_")))
            params[n++] = activity->links[i];
    params[n++] = (struct link_param){STR("traded_from"), day_str(call->arena, from)};
    params[n++] = (struct link_param){STR("traded_to"), day_str(call->arena, end - 1)};
    return link_make(call->arena, monthly ? STR("/trades") : activity->path, params, n);
}

void activity_put(struct page_call *call, const char *name, const struct activity *activity)
{
    static const struct chart_series series[SERIES] = {
        [BOUGHT] = {"bought", CHART_MAIN},
        [SOLD] = {"sold", CHART_QUIET},
        [OTHERS] = {"exchanged", CHART_WARNING}};
    struct bars *bars = ARENA_NEW(call->arena, struct bars);
    struct str labels[BARS_MAX], links[BARS_MAX];
    int year = day_year(activity->from);
    count(call, activity, false, bars);
    bool monthly = activity->from != DAY_NONE && year == day_year(activity->to);
    if (!monthly && bars->end == bars->first + 1) {
        monthly = true;
        year = YEAR_FIRST + (int)bars->first;
    }
    if (monthly) {
        int64_t counted = bars->counted;
        count(call, activity, true, bars);
        bars->counted = counted;
        bars->first = 0;
        bars->end = MONTHS;
    }
    size_t n = bars->end > bars->first ? bars->end - bars->first : 0;
    for (size_t i = 0; i < n; i++) {
        int32_t from = DAY_NONE, end = DAY_NONE;
        int of = monthly ? year : YEAR_FIRST + (int)(bars->first + i), month = monthly ? (int)i : 0;
        (void)day_from_civil(of, month + 1, 1, &from);
        month += monthly ? 1 : MONTHS;
        (void)day_from_civil(of + month / MONTHS, month % MONTHS + 1, 1, &end);
        labels[i] = str_slice(day_str(call->arena, from), 0, monthly ? 7 : 4);
        links[i] = link_of(call, activity, from, end, monthly);
    }
    const struct chart chart = {
        .id = name,
        .title = monthly ? "Trades per month" : "Trades per year",
        .axis = monthly ? "Month of the trade" : "Year of the trade",
        .empty = "No trade has a plausible date.",
        .series = series,
        .series_count = SERIES,
        .hangs = 1 << SOLD,
        .labels = labels,
        .links = links,
        .values = n ? bars->values[bars->first] : NULL,
        .count = n,
    };
    chart_bars(call->view, name, &chart);
    view_null(call->view, "leftOut");
    if (bars->all > bars->counted)
        view_count(call->view, "leftOut", bars->all - bars->counted);
}
