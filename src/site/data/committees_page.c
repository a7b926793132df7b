/* /committees, /committees/{id} and /industries/{code}: who sat on a committee on a day, what they
 * traded while they sat on it, and which committees oversee which industries. */
#include "site/frame/handlers.h"

#include "feed/groups.h"
#include "feed/trade_filter.h"
#include "html/chart.h"
#include "html/table.h"
#include "market/congress.h"
#include "market/industry.h"
#include "site/frame/day_view.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"

enum { TRADES = 10, TOP = 25, LISTED_MAX = 1024, MONTHS = 24, SERIES = 3 };

/* --- what all three share */

/* Trades by filters, which are those of /trades. */
struct chosen {
    struct feed_filter filter;
    struct feed_test tests[PARAM_TABLE_MAX];
    struct link_param links[PARAM_TABLE_MAX];
    size_t count;
};

static struct str day_text(struct arena *arena, int32_t day)
{
    char text[DAY_TEXT_SIZE];
    day_print(day, text);
    return arena_str(arena, str_of(text, sizeof text));
}

static void choose(struct page_call *call, struct chosen *c, struct str name, struct str value)
{
    const struct trade_filter *filter = trade_filter_named(name);
    struct param_value parsed;
    if (!c->count) {
        c->filter = FEED_FILTER_NONE;
        c->filter.line_ms = reader_until(call);
    }
    if (!param_parse(&filter->param, value, call->arena, &parsed))
        return;
    trade_filter_add(filter, &parsed, &c->filter, c->tests);
    c->links[c->count++] = (struct link_param){name, value};
}

/* The list of the trades, with one more filter (null: none). */
static struct str trades_link(
    struct page_call *call, const struct chosen *c, struct str name, struct str value)
{
    struct link_param links[PARAM_TABLE_MAX + 1];
    size_t n = 0;
    for (; n < c->count; n++)
        links[n] = c->links[n];
    if (!str_is_null(name))
        links[n++] = (struct link_param){name, value};
    return link_make(call->arena, STR("/trades"), links, n);
}

static struct feed_groups *group_by(
    struct page_call *call, const struct chosen *c, enum group_dimension by)
{
    const struct feed_group_by query = {.by = {by}, .sort = 1, .limit = FEED_PAGE_MAX};
    struct feed_groups *groups = ARENA_NEW(call->arena, struct feed_groups);
    if (!feed_group(call->config->feed, &c->filter, &query, call->arena, groups))
        *groups = (struct feed_groups){.count = 0};
    return groups;
}

static const struct trade_group *group_of(const struct feed_groups *groups, struct str value)
{
    for (size_t i = 0; i < groups->count; i++)
        if (!str_is_null(groups->groups[i].values[0].text) &&
            str_eq(groups->groups[i].values[0].text, value))
            return &groups->groups[i];
    return NULL;
}

static void put_sums(struct view *v, const struct group_columns *sums)
{
    view_count(v, "trades", sums->trades);
    view_count(v, "bought", sums->buys);
    view_count(v, "sold", sums->sells);
    view_count(v, "people", sums->people);
    const int64_t grades[CONFLICT_GRADE_COUNT] = {
        [CONFLICT_GRADE_A] = sums->conflicts_a,
        [CONFLICT_GRADE_B] = sums->conflicts_b,
        [CONFLICT_GRADE_C] = sums->conflicts_c};
    trade_flag_numbers_put(
        v, sums->conflicts - sums->conflicts_later, sums->conflicts_later, grades);
}

/* Members with trades, most trades first, and how many more there are. */
static void put_traders(struct page_call *call, const struct chosen *c, struct feed_groups *groups)
{
    struct view *table = table_begin(
        call->view, "traders", "Member|#Trades|#Bought|#Sold|#Flagged|Last traded",
        reader_empty(call, &c->filter, "No such trade is published yet."));
    for (size_t i = 0; i < groups->count && i < TOP; i++) {
        const struct trade_group *group = &groups->groups[i];
        struct view *row = table_row(table);
        trade_politician_put(view_object(row, "politician"), &group->values[0].politician);
        view_str(
            row, "href",
            trades_link(call, c, STR("politician_slug"), group->values[0].politician.slug));
        put_sums(row, &group->columns);
        day_view_put(row, "last", group->columns.last);
    }
    view_count(call->view, "otherTraders", groups->totals.people - TOP);
    view_bool(call->view, "moreTraders", groups->totals.people > TOP);
}

static void put_newest(struct page_call *call, const struct chosen *c)
{
    MEM_UNFILLED struct feed_page page;
    feed_trades(call->config->feed, &c->filter, NULL, TRADES, &page);
    page.more = false; /* `allTrades` has the others */
    trade_table_put(
        call, "newest", &page, STR("/trades"), c->links, c->count,
        reader_empty(call, &c->filter, "No such trade is published yet."));
    view_str(call->view, "allTrades", trades_link(call, c, STR_NULL, STR_NULL));
}

static struct committee_query asked(struct page_call *call, int32_t on)
{
    return (struct committee_query){call->config->feed, on, reader_until(call), call->arena};
}

/* "on" of the query, and the page as a form with it. The day of the newest list, or today, without
 * one. False: the reply is a redirect. */
static bool read_day(struct page_call *call, struct str path, int32_t *ret)
{
    static const struct page_query_name names[] = {{"on", NULL, NULL}};
    static const struct param param = {.name = STR_INIT("on"), .type = PARAM_TYPE_DAY};
    int32_t today = instant_day_utc(call->now_ms), first = today, last = today;
    struct param_value value;
    struct form *form = page_query_form(call, path, names, 1);
    if (!form)
        return false;
    rcu_read_begin();
    feed_committee_days(call->config->feed, &first, &last);
    rcu_read_end();
    struct str text = form_value(form, "on");
    *ret = last < today ? last : today;
    if (str_is_null(text))
        return true;
    if (!param_parse(&param, text, call->arena, &value) || value.number < first ||
        value.number > today)
        form_fault_text(
            form, "on", "This must be a date from %.*s, the first list of seats, to today.",
            STR_ARG(day_text(call->arena, first)));
    else
        *ret = (int32_t)value.number;
    return true;
}

static void show_day(struct page_call *call, int32_t on)
{
    day_view_put(call->view, "on", on);
    form_show(call->view, call->query_form, "on", day_text(call->arena, on));
    form_show_faults(call->view, call->query_form);
    page_surrogate(call, "list", STR("trades"));
}

/* A committee's page on that day. */
static void put_committee(
    struct page_call *call, struct view *v, const struct committee_summary *committee, int32_t on)
{
    const struct link_param day = {
        STR("on"), on == DAY_NONE ? STR_NULL : day_text(call->arena, on)};
    view_str(v, "name", committee->name);
    view_str(v, "id", committee->id);
    view_str(
        v, "href",
        link_make(call->arena, trade_path(call->arena, "/committees/", committee->id), &day, 1));
    view_count(v, "members", committee->members);
    view_count(v, "flagged", committee->conflicts);
    const struct link_param flagged = {STR("flag_committee"), committee->id};
    view_str(v, "flaggedHref", link_make(call->arena, STR("/conflicts"), &flagged, 1));
    view_bool(v, "anyFlagged", committee->conflicts > 0);
}

static void put_oversight(
    struct page_call *call, struct view *row, const struct committee_oversight *line)
{
    const struct industry *industry = industry_get(line->industry);
    view_str(row, "industry", industry->name);
    trade_path_put(row, "industryHref", "/industries/", industry->code);
    view_str(row, "jurisdiction", line->jurisdiction);
    view_str(row, "source", line->source);
    view_bool(row, "money", line->ground == GROUND_APPROPRIATIONS);
    view_bool(row, "part", line->ground == GROUND_PART);
}

/* --- /committees */

enum err committees_page_load(struct page_call *call, struct fail *fail)
{
    int32_t on;
    struct committee_summary *rows = ARENA_ARRAY(call->arena, struct committee_summary, LISTED_MAX);
    if (!read_day(call, STR("/committees"), &on))
        return OK;
    const struct committee_query query = asked(call, on);
    rcu_read_begin();
    size_t n = feed_committee_list(&query, CHAMBER_NONE, STR_NULL, LISTED_MAX, rows);
    struct view *row = NULL,
                *table = table_begin(
                    call->view, "committees", "Committee|#Members|#Subcommittees|#Flagged trades",
                    "No list of seats has a committee on that day.");
    for (size_t i = 0, panels = 0; i < n; i++) {
        if (str_is_null(rows[i].parent)) {
            row = table_row(table);
            put_committee(
                call, row, &rows[i], form_value(call->query_form, "on").n ? on : DAY_NONE);
            panels = 0;
        } else {
            panels++;
        }
        if (row)
            view_count(row, "panels", (int64_t)panels);
    }
    rcu_read_end();
    struct view *industries = view_list(call->view, "industries");
    for (int i = 1; i <= INDUSTRY_COUNT; i++) {
        struct view *item = view_item(industries);
        view_str(item, "name", industry_get(i)->name);
        trade_path_put(item, "href", "/industries/", industry_get(i)->code);
    }
    show_day(call, on);
    return OK;
}

/* --- /committees/{id} */

struct committee_shown {
    struct committee_detail detail;
    struct chosen chosen;
    int32_t from; /* the Congress */
};

/* Two years by month: what was bought and sold. */
static void put_months(struct page_call *call, const struct committee_shown *s)
{
    static const struct chart_series series[SERIES] = {
        {"bought", CHART_MAIN}, {"sold", CHART_QUIET}, {"exchanged", CHART_WARNING}};
    const struct feed_groups *groups = group_by(call, &s->chosen, GROUP_MONTH);
    struct str labels[MONTHS], links[MONTHS];
    int64_t values[MONTHS * SERIES] = {0};
    int year, unused_month, unused_day;
    day_to_civil(s->from, &year, &unused_month, &unused_day);
    for (int i = 0; i < MONTHS; i++) {
        int month = i % 12 + 1, of = year + i / 12, next = month % 12 + 1;
        int32_t first, end;
        (void)day_from_civil(of, month, 1, &first);
        (void)day_from_civil(of + (month == 12), next, 1, &end);
        labels[i] = arena_fmt(call->arena, "%04d-%02d", of, month);
        struct chosen narrow = {.count = 1, .links = {s->chosen.links[0]}};
        narrow.links[narrow.count++] =
            (struct link_param){STR("traded_from"), day_text(call->arena, first)};
        links[i] = trades_link(call, &narrow, STR("traded_to"), day_text(call->arena, end - 1));
        const struct trade_group *group = group_of(groups, labels[i]);
        if (!group)
            continue;
        values[i * SERIES] = group->columns.buys;
        values[i * SERIES + 1] = group->columns.sells;
        values[i * SERIES + 2] = group->columns.exchanges;
    }
    const struct chart chart = {
        .title = "Trades per month, by members while they sat on it",
        .axis = "Month of the trade",
        .empty = "No trade of that Congress is published yet.",
        .series = series,
        .series_count = SERIES,
        .labels = labels,
        .links = links,
        .values = values,
        .count = MONTHS,
    };
    chart_bars(call->view, "months", &chart);
}

static void put_members(
    struct page_call *call, const struct committee_shown *s, const struct feed_groups *groups)
{
    static const struct str roles[SEAT_ROLE_COUNT] = {
        [SEAT_CHAIR] = STR_INIT("chair"),
        [SEAT_RANKING_MEMBER] = STR_INIT("ranking member"),
        [SEAT_VICE_CHAIR] = STR_INIT("vice chair")};
    struct view *table = table_begin(
        call->view, "members", "Member|Since|#Trades|#Flagged",
        "The list names nobody whom a list of members has.");
    for (size_t i = 0; i < s->detail.member_count; i++) {
        const struct committee_member *member = &s->detail.members[i];
        const struct trade_group *group = group_of(groups, member->politician.slug);
        struct view *row = table_row(table);
        trade_politician_put(view_object(row, "politician"), &member->politician);
        view_str(row, "role", roles[member->role]);
        day_view_put(row, "from", member->from);
        day_view_put(row, "to", member->to);
        put_sums(row, group ? &group->columns : &(struct group_columns){0});
        view_str(
            row, "href",
            group ? trades_link(call, &s->chosen, STR("politician_slug"), member->politician.slug)
                  : STR_NULL);
    }
}

/* Its lines of the map, with the trades of its members there. */
static void put_oversees(struct page_call *call, const struct committee_shown *s)
{
    const struct feed_groups *groups = group_by(call, &s->chosen, GROUP_SECTOR);
    struct view *table = table_begin(
        call->view, "oversees", "Industry|By which rule|#Trades of its members",
        "The map has no industry for it: none of its trades is flagged.");
    for (size_t i = 0; i < s->detail.oversees_count; i++) {
        const struct committee_oversight *line = &s->detail.oversees[i];
        struct str code = industry_get(line->industry)->code;
        const struct trade_group *group = group_of(groups, code);
        struct view *row = table_row(table);
        put_oversight(call, row, line);
        view_count(row, "trades", group ? group->columns.trades : 0);
        view_str(
            row, "href", group ? trades_link(call, &s->chosen, STR("sector"), code) : STR_NULL);
    }
}

static void put_congresses(struct page_call *call, const struct committee_shown *s)
{
    struct view *list = view_list(call->view, "choices");
    int32_t today = instant_day_utc(call->now_ms);
    for (size_t i = 0; i < s->detail.congress_count; i++) {
        const struct committee_congress *congress = &s->detail.congresses[i];
        int32_t last = congress->to == DAY_NONE || congress->to > today ? today : congress->to - 1;
        struct committee_summary is = s->detail.is;
        struct view *choice = view_item(list);
        put_committee(call, choice, &is, last);
        view_fmt(choice, "label", "%dth", congress->congress);
        view_bool(
            choice, "current",
            s->detail.basis != CONFLICT_NO_LIST && congress->congress == s->detail.congress);
    }
}

static void put_day(struct page_call *call, struct committee_shown *s)
{
    struct committee_detail *detail = &s->detail;
    struct chosen *c = &s->chosen;
    s->from = congress_first_day(detail->congress);
    choose(call, c, STR("seat"), detail->is.id);
    choose(call, c, STR("traded_from"), day_text(call->arena, s->from));
    choose(
        call, c, STR("traded_to"),
        day_text(call->arena, congress_first_day(detail->congress + 1) - 1));
    struct feed_groups *traders = group_by(call, c, GROUP_POLITICIAN);
    put_sums(view_object(call->view, "sums"), &traders->totals);
    put_members(call, s, traders);
    put_months(call, s);
    put_newest(call, c);
    put_oversees(call, s);
    struct view *panels = view_list(call->view, "panels");
    for (size_t i = 0; i < detail->panel_count; i++)
        put_committee(call, view_item(panels), &detail->panels[i], detail->on);
    view_bool(call->view, "hasPanels", detail->panel_count > 0);
    day_view_put(call->view, "listDay", detail->as_of);
    view_bool(call->view, "laterList", detail->basis == CONFLICT_LATER_LIST);
}

enum err committee_page_load(struct page_call *call, struct fail *fail)
{
    struct committee_shown *s = ARENA_NEW(call->arena, struct committee_shown);
    struct str id = arena_str(call->arena, call->segments[0]);
    for (size_t i = 0; i < id.n; i++)
        ((char *)(uintptr_t)id.p)[i] = ascii_upper(id.p[i]);
    struct str path = trade_path(call->arena, "/committees/", id);
    int32_t on;
    if (!str_eq(id, call->segments[0])) {
        page_redirect(call, path, FLASH_NONE);
        return OK;
    }
    if (!read_day(call, path, &on))
        return OK;
    const struct committee_query query = asked(call, on);
    rcu_read_begin();
    bool found = feed_committee(&query, id, &s->detail);
    bool has_day = found && s->detail.basis != CONFLICT_NO_LIST;
    day_view_put(call->view, "listDay", DAY_NONE);
    if (found) {
        put_committee(call, call->view, &s->detail.is, DAY_NONE);
        put_congresses(call, s);
        view_bool(call->view, "hasDay", has_day);
        view_int(call->view, "congress", s->detail.congress);
        struct str parent = s->detail.is.parent;
        trade_path_put(call->view, "parentHref", "/committees/", parent);
        view_str(call->view, "parent", parent);
    }
    if (has_day)
        put_day(call, s);
    rcu_read_end();
    if (!found)
        return fail_set(fail, ERR_NOT_FOUND, "no such committee");
    if (has_day)
        reader_delay_put(call, &s->chosen.filter);
    else
        form_fault_text(
            call->query_form, "on",
            "It has no members in the lists of the %dth Congress from then on. Choose another one.",
            s->detail.congress);
    page_title(
        call, arena_fmt(
                  call->arena, "%.*s, %.*s: members and their trades", STR_ARG(s->detail.is.name),
                  STR_ARG(day_text(call->arena, on))));
    show_day(call, on);
    page_alternate(
        call, "application/json", trade_path(call->arena, "/api/v1/committees/", id),
        "This committee as JSON");
    return OK;
}

/* --- /industries/{code} */

static void put_companies(
    struct page_call *call, const struct chosen *c, const struct feed_groups *groups)
{
    struct view *table = table_begin(
        call->view, "companies", "Symbol|#Trades|#Bought|#Sold|#Members|#Flagged",
        reader_empty(call, &c->filter, "No trade in it is published yet."));
    for (size_t i = 0, n = 0; i < groups->count && n < TOP; i++) {
        const struct trade_group *group = &groups->groups[i];
        struct str symbol = group->values[0].text;
        struct feed_ticker ticker;
        if (str_is_null(symbol))
            continue;
        struct view *row = table_row(table);
        bool known = feed_ticker(call->config->feed, symbol, reader_until(call), &ticker);
        view_str(row, "symbol", symbol);
        view_str(row, "company", known && ticker.company ? ticker.company->name : STR_NULL);
        trade_path_put(row, "href", "/tickers/", symbol);
        put_sums(row, &group->columns);
        n++;
    }
}

static void put_overseers(struct page_call *call, const struct industry_detail *detail, int32_t on)
{
    struct view *table = table_begin(
        call->view, "overseers", "Committee|By which rule", "No committee of the map oversees it.");
    for (size_t i = 0; i < detail->overseen_count; i++) {
        const struct committee_oversight *line = &detail->overseen[i];
        if (!str_is_null(line->committee.parent) || !days_include(line->from, line->to, on))
            continue;
        struct view *row = table_row(table);
        put_oversight(call, row, line);
        put_committee(call, row, &line->committee, DAY_NONE);
    }
}

enum err industry_page_load(struct page_call *call, struct fail *fail)
{
    int industry = industry_from_code(call->segments[0]);
    struct chosen *c = ARENA_NEW(call->arena, struct chosen);
    struct industry_detail detail;
    int32_t on;
    if (!industry)
        return fail_set(fail, ERR_NOT_FOUND, "no such industry");
    const struct industry *is = industry_get(industry);
    struct str path = trade_path(call->arena, "/industries/", is->code);
    if (!read_day(call, path, &on))
        return OK;
    choose(call, c, STR("sector"), is->code);
    const struct committee_query query = asked(call, on);
    rcu_read_begin();
    feed_industry(&query, industry, &detail);
    struct feed_groups *traders = group_by(call, c, GROUP_POLITICIAN);
    put_sums(view_object(call->view, "sums"), &traders->totals);
    put_companies(call, c, group_by(call, c, GROUP_TICKER));
    put_traders(call, c, traders);
    put_newest(call, c);
    put_overseers(call, &detail, on);
    rcu_read_end();
    view_str(call->view, "name", is->name);
    view_str(call->view, "code", is->code);
    view_str(call->view, "definition", is->definition);
    page_title(
        call,
        arena_fmt(call->arena, "%.*s: companies, trades and who oversees them", STR_ARG(is->name)));
    show_day(call, on);
    reader_delay_put(call, &c->filter);
    page_alternate(
        call, "application/json", trade_path(call->arena, "/api/v1/industries/", is->code),
        "This industry as JSON");
    return OK;
}
