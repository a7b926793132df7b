/* The front page: what this is, the newest trades, three doors into the data, and how many trades
 * were disclosed in each month. */
#include "html/chart.h"
#include "noun/lists.h"
#include "site/data/list_committee.h"
#include "site/data/trade_query.h"
#include "site/frame/day_view.h"
#include "site/frame/handlers.h"
#include "site/frame/known_view.h"
#include "site/frame/page_call.h"
#include "site/frame/page_rules.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"

enum { NEWEST = 5, MONTHS = 12 * 12, CHAMBERS = 2 };

static void put_day(struct page_call *call, const char *name, int64_t at)
{
    day_view_put(call->view, name, at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(at));
}

static void put_total(struct page_call *call)
{
    struct feed_counts counts;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.line_ms = reader_until(call);
    feed_counts(call->config->feed, &filter, &counts);
    view_bool(call->view, "anyTrades", counts.trades > 0);
    view_text(call->view, "empty", reader_empty(call, &filter, "Nothing is published yet."));
    view_count(call->view, "trades", counts.trades);
    trade_flag_counts_put(call->view, &counts);
    trade_late_counts_put(call->view, &counts);
    put_day(call, "firstDay", counts.first_activity);
    put_day(call, "lastDay", counts.last_activity);
}

/* "All of the last 7 days", with the begin of the period that /trades offers. */
static void put_week(struct page_call *call)
{
    enum { WEEK = 7 };
    const struct link_param since = {STR("since"), trade_query_since(call, WEEK)};
    view_str(call->view, "week", link_make(call->arena, STR("/trades"), &since, 1));
}

static void put_newest(struct page_call *call)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.line_ms = reader_until(call);
    feed_trades(call->config->feed, &filter, NULL, NEWEST, &page);
    page.more = false; /* /trades has them */
    trade_table_put(call, "newest", &page, STR("/trades"), NULL, 0, "");
}

/* --- months */

/* The first day of the month `ago` months before that of `day`. */
static int32_t month_before(int32_t day, int ago)
{
    int year, month, day_of_month;
    int32_t first = DAY_NONE;
    day_to_civil(day, &year, &month, &day_of_month);
    int months = year * 12 + month - 1 - ago;
    (void)day_from_civil(months / 12, months % 12 + 1, 1, &first);
    return first;
}

/* The trades disclosed in each of the last months. */
static void put_months(struct page_call *call)
{
    static const struct chart_series series[CHAMBERS] = {
        {"House", CHART_MAIN}, {"Senate", CHART_QUIET}};
    int32_t today = instant_day_new_york(call->now_ms);
    struct feed_filter filter = FEED_FILTER_NONE;
    struct chart chart = {
        .title = "Trades disclosed per month",
        .axis = "Month of the disclosure",
        .empty = "No trade was disclosed in these years.",
        .series = series,
        .series_count = CHAMBERS,
    };
    struct str *labels = ARENA_ARRAY(call->arena, struct str, MONTHS);
    struct str *links = ARENA_ARRAY(call->arena, struct str, MONTHS);
    int64_t *values = ARENA_ARRAY(call->arena, int64_t, MONTHS * CHAMBERS);
    filter.line_ms = reader_until(call);
    for (int ago = MONTHS - 1; ago >= 0; ago--) {
        int32_t day = month_before(today, ago), end = month_before(today, ago - 1);
        filter.since_ms = instant_from_new_york(day, 0);
        filter.until_ms = instant_from_new_york(end, 0);
        filter.chamber = CHAMBER_NONE;
        int64_t all = feed_trade_count(call->config->feed, &filter);
        if (!chart.count && !all)
            continue;
        filter.chamber = CHAMBER_HOUSE;
        int64_t house = feed_trade_count(call->config->feed, &filter);
        const struct link_param period[] = {
            {STR("since"), day_str(call->arena, day)}, {STR("until"), day_str(call->arena, end)}};
        values[chart.count * CHAMBERS] = house;
        values[chart.count * CHAMBERS + 1] = all - house;
        labels[chart.count] = str_slice(period[0].value, 0, STR("2026-11").n);
        links[chart.count++] = link_make(call->arena, STR("/trades"), period, 2);
    }
    chart.labels = labels;
    chart.links = links;
    chart.values = values;
    chart_bars(call->view, "months", &chart);
}

/* --- doors */

static void put_states(struct page_call *call)
{
    struct view *list = view_list(call->view, "states");
    for (int state = 1; state < shape_states.count; state++) {
        struct view *item = view_item(list);
        view_str(item, "value", shape_states.name_of(state));
        view_str(item, "label", words_choice(&shape_states, state, call->arena));
    }
}

enum err home_load(struct page_call *call, struct fail *fail)
{
    bool reads = page_may(call, PAGE_READER);
    view_str(call->view, "baseUrl", call->config->base_url);
    view_bool(call->view, "reads", reads);
    if (!reads)
        return OK;
    rcu_read_begin();
    put_total(call);
    put_newest(call);
    put_months(call);
    put_week(call);
    rcu_read_end();
    put_states(call);
    list_committee_show(call, "flag_committee");
    reader_delay_put(call, NULL);
    known_note_put(call);
    page_surrogate(call, "list", STR("trades"));
    page_surrogate(call, "list", STR("filings")); /* the line about delayed ones */
    return OK;
}
