/* /tickers/{symbol}: who traded it, when, and which company it was. */
#include "site/frame/handlers.h"

#include <stdlib.h>
#include <string.h>

#include "feed/groups.h"
#include "feed/trade_filter.h"
#include "html/table.h"
#include "market/industry.h"
#include "site/data/list_forms.h"
#include "site/data/list_query.h"
#include "site/frame/activity_view.h"
#include "site/frame/day_view.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"

enum { ROWS = 25, SHOWN_MAX = 20 };

/* --- the period */

static const struct param days[] = {
    {.name = STR_INIT("traded_from"), .type = PARAM_TYPE_DAY},
    {.name = STR_INIT("traded_to"), .type = PARAM_TYPE_DAY, .begin = STR_INIT("traded_from")},
};
static const struct param_table day_params = PARAM_TABLE(days);

/* What the page shows of a symbol. */
struct ticker_shown {
    struct feed_ticker ticker;
    struct list_query query;
    struct feed_filter filter; /* of the symbol, in the period */
    struct feed_test tests[PARAM_TABLE_MAX];
    int32_t from, to; /* days of the period; DAY_NONE: no bound */
    struct str path;
};

static void read_period(struct page_call *call, struct ticker_shown *s)
{
    int32_t bounds[] = {DAY_NONE, DAY_NONE};
    s->filter = FEED_FILTER_NONE;
    s->filter.ticker = s->ticker.symbol;
    s->filter.line_ms = reader_until(call);
    for (size_t i = 0; i < day_params.count; i++) {
        if (!s->query.is_given[i])
            continue;
        bounds[i] = (int32_t)s->query.values[i].number;
        trade_filter_add(
            trade_filter_named(days[i].name), &s->query.values[i], &s->filter, s->tests);
    }
    s->from = bounds[0];
    s->to = bounds[1];
}

/* "2025-01-01 to 2025-12-31", "since 2025-01-01", "until 2025-12-31" */
static struct str period_text(struct arena *arena, int32_t first, int32_t last)
{
    char from[DAY_TEXT_SIZE], to[DAY_TEXT_SIZE];
    if (first != DAY_NONE)
        day_print(first, from);
    if (last != DAY_NONE)
        day_print(last, to);
    if (first == DAY_NONE)
        return arena_fmt(arena, "until %.*s", (int)sizeof to, to);
    if (last == DAY_NONE)
        return arena_fmt(arena, "since %.*s", (int)sizeof from, from);
    return arena_fmt(arena, "%.*s to %.*s", (int)sizeof from, from, (int)sizeof to, to);
}

static void add_choice(struct view *list, struct str label, struct str href, bool current)
{
    struct view *choice = view_item(list);
    view_str(choice, "label", label);
    view_str(choice, "href", href);
    view_bool(choice, "current", current);
}

/* A symbol that was another one before: links to the time since each change. A period that is none
 * of these is named too. */
static void put_periods(struct page_call *call, const struct ticker_shown *s)
{
    struct feed_former former[FEED_FORMER_MAX];
    struct view *list = view_list(call->view, "choices");
    size_t n = feed_former_symbols(call->config->feed, s->ticker.symbol, former);
    bool named = s->query.given_count == 0;
    view_bool(call->view, "hasChoices", n > 0 || !named);
    add_choice(list, STR("All"), s->path, named);
    for (size_t i = 0; i < n; i++) {
        char day[DAY_TEXT_SIZE];
        day_print(former[i].until, day);
        const struct link_param from = {days[0].name, str_of(day, sizeof day)};
        bool current = s->to == DAY_NONE && s->from == former[i].until;
        named |= current;
        add_choice(
            list,
            arena_fmt(
                call->arena, "Since %.*s, formerly %.*s", (int)sizeof day, day,
                STR_ARG(former[i].symbol)),
            link_make(call->arena, s->path, &from, 1), current);
    }
    if (!named)
        add_choice(
            list, period_text(call->arena, s->from, s->to),
            link_make(call->arena, s->path, s->query.given, s->query.given_count), true);
}

/* --- who traded */

static int by_trades(const void *a, const void *b)
{
    const struct trade_group *x = a, *y = b;
    int64_t more = y->columns.trades - x->columns.trades;
    return more ? (more > 0) - (more < 0) : str_cmp(x->values[0].text, y->values[0].text);
}

/* The rows link to lists with these filters and the member. */
static void put_traders(
    struct page_call *call, const struct ticker_shown *s, struct feed_groups *groups,
    const struct link_param *links, size_t count)
{
    struct link_param link[2 + PARAM_TABLE_MAX];
    struct view *table = table_begin(
        call->view, "traders", "Member|#Trades|#Bought|#Sold|#Flagged|Last traded",
        "No member has reported a trade in it.");
    int32_t today = instant_day_new_york(call->now_ms);
    memcpy(link, links, count * sizeof *links);
    qsort(groups->groups, groups->count, sizeof *groups->groups, by_trades);
    for (size_t i = 0; i < groups->count && i < SHOWN_MAX; i++) {
        const struct trade_group *group = &groups->groups[i];
        const struct group_columns *c = &group->columns;
        const int64_t grades[CONFLICT_GRADE_COUNT] = {
            [CONFLICT_GRADE_A] = c->conflicts_a,
            [CONFLICT_GRADE_B] = c->conflicts_b,
            [CONFLICT_GRADE_C] = c->conflicts_c};
        struct view *row = table_row(table);
        trade_politician_put(view_object(row, "politician"), &group->values[0].politician);
        link[count] = (struct link_param){STR("politician_slug"), group->values[0].text};
        view_str(row, "href", link_make(call->arena, STR("/trades"), link, count + 1));
        view_count(row, "trades", c->trades);
        view_count(row, "bought", c->buys);
        view_count(row, "sold", c->sells);
        trade_flag_numbers_put(row, c->conflicts - c->conflicts_later, c->conflicts_later, grades);
        day_view_put(row, "last", c->last <= today ? c->last : DAY_NONE);
    }
    view_bool(call->view, "moreTraders", groups->totals.people > SHOWN_MAX);
    view_count(call->view, "otherTraders", groups->totals.people - SHOWN_MAX);
}

/* The symbols that became this one and have trades here. */
static void put_former(struct page_call *call, const struct ticker_shown *s)
{
    struct feed_former former[FEED_FORMER_MAX];
    struct view *list = view_list(call->view, "former");
    size_t n = feed_former_symbols(call->config->feed, s->ticker.symbol, former), shown = 0;
    for (size_t i = 0; i < n; i++) {
        struct feed_filter filter = s->filter;
        filter.ticker = former[i].symbol;
        if (!feed_trade_count(call->config->feed, &filter))
            continue;
        view_item_str(list, former[i].symbol);
        page_surrogate(call, "t", former[i].symbol); /* its trades count here */
        shown++;
    }
    view_bool(call->view, "hasFormer", shown > 0);
}

/* A symbol may have been another company's before. */
static void put_companies(struct page_call *call, const struct feed_ticker *ticker)
{
    struct view *list = view_list(call->view, "companies");
    for (size_t i = 0; i < ticker->company_count; i++) {
        const struct company *company = &ticker->companies[i];
        struct view *item = view_item(list);
        view_str(item, "name", company->name);
        view_str(
            item, "industry", company->industry ? industry_get(company->industry)->name : STR_NULL);
        day_view_put(item, "from", company->from);
        day_view_put(item, "to", company->to);
    }
    view_bool(call->view, "manyCompanies", ticker->company_count > 1);
}

/* "Northwind Trading (NWTB): trades of members of Congress" */
static void put_title(struct page_call *call, const struct feed_ticker *ticker)
{
    struct str name = ticker->symbol;
    if (ticker->company)
        name = arena_fmt(
            call->arena, "%.*s (%.*s)", STR_ARG(ticker->company->name), STR_ARG(ticker->symbol));
    page_title(call, arena_fmt(call->arena, "%.*s: trades of members of Congress", STR_ARG(name)));
}

static void put_head(struct page_call *call, const struct feed_ticker *ticker)
{
    const struct company *company = ticker->company;
    view_str(call->view, "symbol", ticker->symbol);
    view_str(call->view, "company", company ? company->name : STR_NULL);
    view_str(
        call->view, "industry",
        company && company->industry ? industry_get(company->industry)->name : STR_NULL);
    put_companies(call, ticker);
    put_title(call, ticker);
}

static void put_figures(
    struct page_call *call, const struct ticker_shown *s, const struct group_columns *totals)
{
    struct feed_counts counts = s->ticker.counts;
    if (s->filter.test_count)
        feed_counts(call->config->feed, &s->filter, &counts);
    view_count(call->view, "count", counts.trades);
    view_count(call->view, "bought", counts.buys);
    view_count(call->view, "sold", counts.sells);
    trade_flag_counts_put(call->view, &counts);
    view_count(call->view, "members", totals->people);
}

static void put_trades(
    struct page_call *call, const struct ticker_shown *s, const struct link_param *links,
    size_t count)
{
    MEM_UNFILLED struct feed_page page;
    feed_trades(call->config->feed, &s->filter, NULL, ROWS, &page);
    trade_table_put(
        call, "trades", &page, STR("/trades"), links, count,
        reader_empty(
            call, &s->filter,
            s->filter.test_count ? "No trades in this period."
                                 : "No trade in it is published yet."));
}

static void put_all(
    struct page_call *call, struct ticker_shown *s, const struct link_param *links, size_t count)
{
    struct feed_groups *groups = ARENA_NEW(call->arena, struct feed_groups);
    const struct feed_group_by members = {
        .by = {GROUP_POLITICIAN}, .sort = 1, .limit = FEED_PAGE_MAX};
    (void)feed_group(call->config->feed, &s->filter, &members, call->arena, groups);
    put_head(call, &s->ticker);
    put_periods(call, s);
    put_former(call, s);
    put_figures(call, s, &groups->totals);
    put_traders(call, s, groups, links, count);
    activity_put(
        call, "activity",
        &(struct activity){
            .filter = &s->filter,
            .path = s->path,
            .links = links,
            .link_count = count,
            .from = s->from,
            .to = s->to,
        });
    put_trades(call, s, links, count);
    view_str(call->view, "allTrades", link_make(call->arena, STR("/trades"), links, count));
}

/* The filters of lists with the same trades: the symbol and the period. */
static size_t list_links(
    const struct ticker_shown *s, struct link_param ret[static 1 + PARAM_TABLE_MAX])
{
    size_t count = 0;
    ret[count++] = (struct link_param){STR("ticker"), s->ticker.symbol};
    for (size_t i = 0; i < s->query.given_count; i++)
        ret[count++] = s->query.given[i];
    return count;
}

enum err ticker_page_load(struct page_call *call, struct fail *fail)
{
    struct ticker_shown *s = ARENA_NEW(call->arena, struct ticker_shown);
    struct link_param links[1 + PARAM_TABLE_MAX];
    char space[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(call->segments[0], space), count = 0;
    struct str symbol = arena_str(call->arena, str_of(space, n));
    s->path = trade_path(call->arena, "/tickers/", symbol);
    if (n && !str_eq(symbol, call->segments[0])) {
        page_redirect(call, s->path, FLASH_NONE);
        return OK;
    }
    bool valid = list_query_read(call, s->path, &day_params, CURSOR_TRADES, &s->query);
    if (!call->query_form)
        return OK; /* sent to another address */
    if (!valid)
        s->query = (struct list_query){0};
    rcu_read_begin();
    bool found = n && feed_ticker(call->config->feed, symbol, reader_until(call), &s->ticker);
    if (found) {
        read_period(call, s);
        count = list_links(s, links);
        put_all(call, s, links, count);
    }
    rcu_read_end();
    if (!found)
        return fail_set(fail, ERR_NOT_FOUND, "no such symbol");
    reader_delay_put(call, &s->filter);
    page_surrogate(call, "t", symbol);
    list_forms(call, STR("/trades"), links, count);
    page_alternate(
        call, "application/json", trade_path(call->arena, "/api/v1/tickers/", symbol),
        "This symbol as JSON");
    return OK;
}
