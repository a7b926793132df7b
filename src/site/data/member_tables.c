/* Tables of a member's page; see member_tables.h. */
#include "site/data/member_tables.h"

#include <stdlib.h>

#include "html/link.h"
#include "site/frame/day_view.h"
#include "site/frame/trade_view.h"

enum { YEARS_MAX = 60, HEATS = 4, NO_YEAR = 0 };

/* A number whose text is empty if it is zero. */
static void put_count(struct view *v, const char *name, int64_t count)
{
    view_count(v, name, count);
    if (!count)
        view_str(v, arena_fmt(view_arena(v), "%sText", name).p, STR(""));
}

/* --- seats */

/* The row before a subcommittee says of which committee it is. */
static void put_title(struct view *row, const struct member_seat *seat)
{
    BUF_SCOPED(b, 1024);
    if (seat->panel)
        subcommittee_title(&b, seat->name);
    else
        buf_str(&b, seat->title);
    view_str(row, "title", buf_view(&b));
}

void member_seats_put(
    struct page_call *call, const struct member_seats *seats, const struct member_trades *trades)
{
    struct view *list = view_list(call->view, "seats");
    for (size_t i = 0; i < seats->count; i++) {
        const struct member_seat *seat = &seats->rows[i];
        struct view *row = view_item(list);
        int64_t flagged[CONFLICT_BASIS_COUNT] = {0}, grades[CONFLICT_GRADE_COUNT] = {0};
        for (size_t k = 0; k < trades->count; k++) {
            int64_t rests = (int64_t)(trades->items[k].seats >> i & 1);
            flagged[trades->items[k].basis] += rests;
            grades[trades->items[k].grade] += rests;
        }
        char day[DAY_TEXT_SIZE];
        day_print(seat->spans[0].from, day);
        const struct link_param on = {STR("on"), str_of(day, sizeof day)};
        struct str path = trade_path(call->arena, "/committees/", seat->id);
        view_str(row, "href", link_make(call->arena, path, &on, 1));
        view_str(row, "key", seat->key);
        put_title(row, seat);
        view_bool(row, "panel", seat->panel);
        view_str(row, "periods", member_seat_periods(seat, call->arena));
        trade_flag_numbers_put(
            row, flagged[CONFLICT_IN_FORCE], flagged[CONFLICT_LATER_LIST], grades);
        view_bool(row, "anyFlag", flagged[CONFLICT_IN_FORCE] + flagged[CONFLICT_LATER_LIST] > 0);
    }
    view_bool(call->view, "hasSeats", seats->count > 0);
    view_null(call->view, "seatsMore");
    if (seats->more)
        view_count(call->view, "seatsMore", (int64_t)seats->count);
}

/* --- filings */

struct member_filing {
    struct str id;
    const struct member_trade *worst; /* the trade that was reported latest */
    int32_t filed;
    int32_t shortest, longest; /* days from trade to report; -1: not known */
    int64_t trades, unknown;   /* unknown: whether late */
};

static int newest_first(const void *a, const void *b)
{
    const struct member_filing *x = a, *y = b;
    if (x->filed != y->filed)
        return x->filed > y->filed ? -1 : 1;
    return -str_cmp(x->id, y->id);
}

static void add_trade(struct member_filing *filing, const struct member_trade *item)
{
    int32_t days = item->lateness.days_to_report;
    int32_t late = member_trade_late(item), worst = member_trade_late(filing->worst);
    if (late > worst || (late == worst && days > filing->worst->lateness.days_to_report))
        filing->worst = item;
    if (days >= 0 && (filing->shortest < 0 || days < filing->shortest))
        filing->shortest = days;
    if (days > filing->longest)
        filing->longest = days;
    filing->trades++;
    filing->unknown += lateness_status(&item->lateness) == LATE_UNKNOWN;
}

static struct member_filing *group(struct arena *arena, const struct member_trades *trades)
{
    struct member_filing *filings =
        ARENA_ARRAY(arena, struct member_filing, trades->filing_count + 1);
    for (size_t i = 0; i < trades->count; i++) {
        const struct member_trade *item = &trades->items[i];
        struct member_filing *filing = &filings[item->filing];
        if (!filing->worst)
            *filing = (struct member_filing){
                .id = trades->filings[item->filing],
                .worst = item,
                .filed = item->filed,
                .shortest = -1,
                .longest = -1};
        add_trade(filing, item);
    }
    qsort(filings, trades->filing_count, sizeof *filings, newest_first);
    return filings;
}

static void put_filing(struct view *row, const struct member_filing *filing)
{
    const struct member_trade *worst = filing->worst;
    int32_t late = member_trade_late(worst), days = worst->lateness.days_to_report;
    view_str(row, "id", arena_str(view_arena(row), filing->id));
    view_fmt(row, "href", "/filings/%.*s", STR_ARG(filing->id));
    day_view_put(row, "filed", filing->filed);
    view_count(row, "trades", filing->trades);
    if (filing->longest < 0)
        view_null(row, "days");
    else if (filing->shortest == filing->longest)
        view_fmt(row, "days", "%d", filing->longest);
    else
        view_fmt(row, "days", "%d to %d", filing->shortest, filing->longest);
    day_view_put(row, "due", worst->lateness.due);
    trade_late_put(row, &worst->lateness);
    put_count(row, "unknown", filing->unknown);
    view_bool(row, "anyUnknown", filing->unknown > 0);
    bool has_bar = worst->lateness.due != DAY_NONE && days >= 0;
    view_bool(row, "hasBar", has_bar);
    if (has_bar) {
        int32_t allowed = worst->lateness.due - worst->traded;
        view_int(row, "allowed", allowed);
        view_int(row, "used", late ? allowed : days);
    }
}

size_t member_filings_put(
    struct page_call *call, const struct member_trades *trades, struct str after, size_t limit,
    struct str *ret_last)
{
    size_t count = trades->filing_count, first = 0, shown = 0;
    struct member_filing *filings = group(call->arena, trades);
    struct view *list = view_list(call->view, "filings");
    for (size_t i = 0; i < count && !str_is_null(after); i++)
        if (str_eq(filings[i].id, after))
            first = i + 1;
    for (size_t i = first; i < count && shown < limit; i++, shown++) {
        put_filing(view_item(list), &filings[i]);
        *ret_last = filings[i].id;
    }
    *ret_last = arena_str(call->arena, *ret_last);
    view_bool(call->view, "hasFilings", count > 0);
    view_count(call->view, "filingCount", (int64_t)count);
    return count - first - shown;
}

/* --- years and brackets */

struct member_year {
    int year; /* NO_YEAR: the filing states no day */
    int64_t trades, bought, sold, exchanged, late, late_unknown;
    int64_t flagged[CONFLICT_BASIS_COUNT], grades[CONFLICT_GRADE_COUNT];
    int64_t brackets[BRACKET_COUNT];
    struct member_band band;
};

static void count_trade(struct member_year *to, const struct member_trade *item)
{
    enum side side = item->side;
    to->trades++;
    to->bought += side == SIDE_BUY;
    to->exchanged += side == SIDE_EXCHANGE;
    to->sold += side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
    to->late += member_trade_late(item) > 0;
    to->late_unknown += lateness_status(&item->lateness) == LATE_UNKNOWN;
    to->flagged[item->basis]++;
    to->grades[item->grade]++;
    to->brackets[item->bracket]++;
    member_band_add(&to->band, item->bracket, 1);
}

/* Trades are by day, so those of a year are together, and those without a plausible day come
 * first: a year after that of the report is a slip of the pen. */
static size_t count_years(
    const struct member_trades *trades, struct member_year years[static YEARS_MAX])
{
    size_t count = 1;
    years[0] = (struct member_year){.year = NO_YEAR};
    for (size_t i = 0; i < trades->count; i++) {
        const struct member_trade *item = &trades->items[i];
        int year = day_year(item->traded);
        bool plausible = year != NO_YEAR && year <= day_year(item->filed);
        if (plausible && years[count - 1].year != year && count < YEARS_MAX)
            years[count++] = (struct member_year){.year = year};
        count_trade(&years[plausible ? count - 1 : 0], item);
    }
    if (!years[0].trades)
        memmove(years, years + 1, --count * sizeof *years);
    return count;
}

/* "$15K – $50K": bounds of a bracket begin one dollar above the end of the one below. */
static void put_bracket(struct view *v, const struct bracket_info *info)
{
    struct member_band band = {info->min - 1, info->max, info->max == BRACKET_OPEN};
    view_str(v, "label", info->label);
    view_str(v, "short", member_band_text(&band, view_arena(v)));
}

static void put_cells(
    struct view *row, const struct member_year *year, const bool used[static BRACKET_COUNT],
    int64_t most)
{
    struct view *cells = view_list(row, "cells");
    for (int i = 1; i < BRACKET_COUNT; i++) {
        if (!used[i])
            continue;
        struct view *cell = view_item(cells);
        int64_t count = year->brackets[i];
        put_count(cell, "count", count);
        view_int(cell, "heat", (count * HEATS + most - 1) / most);
    }
}

static void put_year(struct page_call *call, struct view *row, const struct member_year *year)
{
    if (year->year == NO_YEAR) {
        view_null(row, "year");
        view_null(row, "href");
    } else {
        const struct link_param params[] = {
            {STR("traded_from"), arena_fmt(call->arena, "%04d-01-01", year->year)},
            {STR("traded_to"), arena_fmt(call->arena, "%04d-12-31", year->year)}};
        view_fmt(row, "year", "%d", year->year);
        view_str(row, "href", link_make(call->arena, STR(""), params, 2));
    }
    view_count(row, "trades", year->trades);
    put_count(row, "bought", year->bought);
    put_count(row, "sold", year->sold);
    put_count(row, "exchanged", year->exchanged);
    put_count(row, "late", year->late);
    put_count(row, "lateUnknown", year->late_unknown);
    view_bool(row, "anyLateUnknown", year->late_unknown > 0);
    trade_flag_numbers_put(
        row, year->flagged[CONFLICT_IN_FORCE], year->flagged[CONFLICT_LATER_LIST], year->grades);
    view_str(row, "band", member_band_text(&year->band, call->arena));
}

void member_years_put(struct page_call *call, const struct member_trades *trades)
{
    struct member_year *years = ARENA_ARRAY(call->arena, struct member_year, YEARS_MAX);
    size_t count = count_years(trades, years);
    bool used[BRACKET_COUNT] = {false};
    int64_t most = 1;
    for (size_t i = 0; i < count; i++)
        for (int k = 1; k < BRACKET_COUNT; k++) {
            used[k] |= years[i].brackets[k] > 0;
            most = years[i].brackets[k] > most ? years[i].brackets[k] : most;
        }
    struct view *brackets = view_list(call->view, "brackets");
    for (int k = 1; k < BRACKET_COUNT; k++)
        if (used[k])
            put_bracket(view_item(brackets), bracket_info((enum bracket)k));
    struct view *list = view_list(call->view, "years");
    for (size_t i = count; i > 0; i--) {
        struct view *row = view_item(list);
        put_year(call, row, &years[i - 1]);
        put_cells(row, &years[i - 1], used, most);
    }
    view_bool(call->view, "hasYears", count > 0);
}
