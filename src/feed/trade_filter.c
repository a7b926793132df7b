/* The table of trade filters; see trade_filter.h. */
#include "feed/trade_filter.h"

#include <assert.h>

#include "feed/edition.h"
#include "noun/lists.h"

/* Filters with an index. */

static bool seek_ticker(const struct param_value *value, struct feed_filter *filter)
{
    *(str_find(value->text, STR(",")) < 0 ? &filter->ticker : &filter->tickers) = value->text;
    return true;
}

static bool seek_politician(const struct param_value *value, struct feed_filter *filter)
{
    *(str_find(value->text, STR(",")) < 0 ? &filter->politician : &filter->politicians) =
        value->text;
    return true;
}

static bool seek_chamber(const struct param_value *value, struct feed_filter *filter)
{
    filter->chamber = (enum chamber)value->number;
    return true;
}

static bool seek_since(const struct param_value *value, struct feed_filter *filter)
{
    filter->since_ms = value->number;
    return true;
}

static bool seek_until(const struct param_value *value, struct feed_filter *filter)
{
    filter->until_ms = value->number;
    return true;
}

static bool seek_filing(const struct param_value *value, struct feed_filter *filter)
{
    filter->filing = value->text;
    return true;
}

/* Most trades have no signal: there is no posting list for them. */
static bool seek_conflict(const struct param_value *value, struct feed_filter *filter)
{
    filter->conflicts_only |= value->number == SHAPE_TRUE;
    return value->number == SHAPE_TRUE;
}

static bool seek_industry(const struct param_value *value, struct feed_filter *filter)
{
    filter->conflicts_only = true;
    filter->industry = (int)value->number;
    return true;
}

static bool seek_committee(const struct param_value *value, struct feed_filter *filter)
{
    filter->conflicts_only = true;
    filter->committee = value->text;
    return true;
}

/* There is no posting list for each basis or grade: those of all signals, and a test. */
static bool seek_signals(const struct param_value *value, struct feed_filter *filter)
{
    filter->conflicts_only = true;
    return false;
}

/* Tests of bit slices. */

static bool test_basis(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    const uint64_t later = MARKS_LATER, all = (1 << MARK_COUNT) - (1 << MARK_IN_FORCE);
    *ret = (struct slice_test){
        SLICE_SIGNAL, SLICE_IN, value->number == CONFLICT_LATER_LIST ? later : all & ~later};
    return true;
}

static bool test_grade(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    uint64_t set = 0;
    for (int mark = 0; mark < MARK_COUNT; mark++)
        set |= (uint64_t)(mark_grade((enum signal_mark)mark) == value->number) << mark;
    *ret = (struct slice_test){SLICE_SIGNAL, SLICE_IN, set};
    return true;
}

static bool test_without_conflict(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    *ret = (struct slice_test){SLICE_SIGNAL, SLICE_EQUAL, 0};
    return true;
}

static bool test_traded_from(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    *ret = (struct slice_test){SLICE_DAY, SLICE_AT_LEAST, slices_day((int32_t)value->number)};
    return true;
}

static bool test_traded_to(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    *ret = (struct slice_test){SLICE_DAY, SLICE_AT_MOST, slices_day((int32_t)value->number)};
    return true;
}

static bool test_side(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    uint64_t set = UINT64_C(1) << value->number;
    if (value->number == SHAPE_SIDE_SELL)
        set = 1 << SIDE_SELL_FULL | 1 << SIDE_SELL_PARTIAL;
    *ret = (struct slice_test){SLICE_SIDE, SLICE_IN, set};
    return true;
}

static bool test_owner(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    *ret = (struct slice_test){SLICE_OWNER, SLICE_EQUAL, (uint64_t)value->number};
    return true;
}

static bool test_asset_type(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    *ret = (struct slice_test){SLICE_ASSET_TYPE, SLICE_EQUAL, (uint64_t)value->number};
    return true;
}

static bool test_party(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    uint32_t number = parties_find(&e->parties, param_party(value));
    *ret = (struct slice_test){SLICE_PARTY, SLICE_EQUAL, number};
    return number != 0;
}

static bool test_state(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    struct str state = shape_states.name_of((int)value->number);
    *ret = (struct slice_test){SLICE_STATE, SLICE_EQUAL, slices_state(state.p)};
    return true;
}

/* The brackets that begin at or above the amount. */
static bool test_amount_min(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    uint64_t set = 0;
    for (int bracket = 1; bracket < BRACKET_COUNT; bracket++)
        if (bracket_info((enum bracket)bracket)->min >= value->number)
            set |= UINT64_C(1) << bracket;
    *ret = (struct slice_test){SLICE_BRACKET, SLICE_IN, set};
    return set != 0;
}

static bool test_late(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    uint64_t set = UINT64_C(1) << value->number | UINT64_C(1) << LATE_BY_READER;
    *ret = (struct slice_test){SLICE_LATE, SLICE_IN, set};
    return true;
}

static bool test_by_reader(
    const struct edition *e, const struct param_value *value, struct slice_test *ret)
{
    *ret = (struct slice_test){SLICE_LATE, SLICE_EQUAL, LATE_BY_READER};
    return true;
}

/* Tests of what lists say. */

static bool list_sector(
    const struct edition *e, const struct param_value *value, struct listed_test *ret)
{
    ret->sector = (uint32_t)value->number;
    return true;
}

static bool list_seat(
    const struct edition *e, const struct param_value *value, struct listed_test *ret)
{
    ret->of_seat = true;
    ret->committee = listed_committee(&e->listed, value->text);
    return ret->committee != UINT32_MAX;
}

const struct trade_filter trade_filter_by_reader = {.test = test_by_reader};

static const struct trade_filter rows[] = {
    {PARAM_ROW(
         PARAM_TYPE_TICKER, "ticker",
         "Only trades in this symbol, in any letter case and class spelling (BRK.B, BRK-B and "
         "BRK/B are one), or in one of up to 50 with commas between them. Trades without a "
         "resolved symbol never match. A symbol that the company had before, within its dates, "
         "matches too.",
         "NWTB", .max = FILTER_VALUES_MAX),
     .seek = seek_ticker},
    {PARAM_ROW(
         PARAM_TYPE_SLUG, "politician_slug",
         "Only trades disclosed by this politician, by slug or id, or by one of up to 50 with "
         "commas between them. `politician` is another name for this parameter; give one of the "
         "two.",
         "ada-lindqvist", .alias = STR_INIT("politician"), .max = FILTER_VALUES_MAX),
     .seek = seek_politician},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "chamber",
         "Only trades of politicians who were in this chamber at the filing date.", "senate",
         .list = &shape_chambers),
     .seek = seek_chamber},
    {PARAM_ROW(
         PARAM_TYPE_INSTANT, "since",
         "Only trades disclosed at or after this time. More than three digits of a second are "
         "rounded up to the next millisecond.",
         "2026-11-20T08:12:45.123Z"),
     .seek = seek_since},
    {PARAM_ROW(
         PARAM_TYPE_INSTANT, "until",
         "Only trades disclosed before this time, so that windows of since and until meet and do "
         "not overlap. Rounded as since is.",
         "2026-11-21T00:00:00Z", .begin = STR_INIT("since")),
     .seek = seek_until},
    {PARAM_ROW(
         PARAM_TYPE_DAY, "traded_from",
         "Only trades made on this day or later. Trades without a tradeDate never match.",
         "2026-10-01"),
     .test = test_traded_from},
    {PARAM_ROW(
         PARAM_TYPE_DAY, "traded_to",
         "Only trades made on this day or earlier. Trades without a tradeDate never match.",
         "2026-10-31", .begin = STR_INIT("traded_from")),
     .test = test_traded_to},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "side", "Only trades of this side. sell means both sells.", "buy",
         .list = &shape_side_filters),
     .test = test_side},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "owner",
         "Only trades of this owner. Trades that state no owner never match.", "spouse",
         .list = &shape_owners),
     .test = test_owner},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "asset_type",
         "Only trades in assets of this type. Trades that state no type never match.", "stock",
         .list = &shape_asset_types),
     .test = test_asset_type},
    {PARAM_ROW(
         PARAM_TYPE_PARTY, "party",
         "Only trades of politicians of this party at the filing date, as in politician.party.",
         "Independent"),
     .test = test_party},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "state",
         "Only trades of politicians who represented this state at the filing date.", "VT",
         .list = &shape_states),
     .test = test_state},
    {PARAM_ROW(
         PARAM_TYPE_INTEGER, "amount_min",
         "Only trades whose range begins at this many dollars or above: amountRange.min is at "
         "least this.",
         "50001", .max = 1000000000),
     .test = test_amount_min},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "conflict",
         "true: only trades with a [conflict signal](/docs/conflict). false: only trades without "
         "one.",
         "true", .list = &shape_truths),
     .seek = seek_conflict, .test = test_without_conflict},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "sector",
         "Only trades in assets of this industry, flagged or not, by its [code](/docs/industries): "
         "the company's primary industry on the day of the trade, or the asset's own. Funds "
         "without one industry never match.",
         "banks", .list = &shape_industries),
     .list = list_sector},
    {PARAM_ROW(
         PARAM_TYPE_COMMITTEE, "seat",
         "Only trades of members who sat on this committee, or on one of its subcommittees, on the "
         "day of the trade, flagged or not: by the committee list that [conflict "
         "signals](/docs/conflict) use for that day. A committee of an earlier Congress is known "
         "too.",
         "HSBA"),
     .list = list_seat},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "flag_industry",
         "Only trades with a [conflict signal](/docs/conflict) about this industry, by its "
         "[code](/docs/industries). `industry` is another name for this parameter.",
         "banks", .alias = STR_INIT("industry"), .list = &shape_industries),
     .seek = seek_industry, .of_signals = true},
    {PARAM_ROW(
         PARAM_TYPE_COMMITTEE, "flag_committee",
         "Only trades with a [conflict signal](/docs/conflict) because of a seat on this committee "
         "or one of its subcommittees, by id in any letter case. `conflict.committees` of a trade "
         "has the ids. `committee` is another name for this parameter.",
         "HSBA", .alias = STR_INIT("committee")),
     .seek = seek_committee, .of_signals = true},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "basis",
         "Only trades with a [conflict signal](/docs/conflict) whose `conflict.basis` is this one. "
         "in_force: the committee list was dated on or before the trade. later_list: it was dated "
         "after it, which is weaker evidence.",
         "in_force", .list = &shape_bases),
     .seek = seek_signals, .test = test_basis, .of_signals = true},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "grade",
         "Only trades with a [conflict signal](/docs/conflict) of this "
         "[grade](/docs/conflict#grades). A: the primary business, by a seat in force. B: a "
         "secondary business, or the whole committee by a subcommittee's jurisdiction. C: weaker.",
         "A", .list = &shape_grades),
     .seek = seek_signals, .test = test_grade, .of_signals = true},
    {PARAM_ROW(
         PARAM_TYPE_LISTED, "late",
         "true: only trades [reported late](#due). false: only trades reported on time. unknown: "
         "only trades of which neither is known.",
         "true", .list = &shape_late_filters),
     .test = test_late},
    {PARAM_ROW(
         PARAM_TYPE_ID, "filing", "Only trades of the filing with this id.", "house-20026590"),
     .seek = seek_filing},
};

_Static_assert(sizeof rows / sizeof *rows <= PARAM_TABLE_MAX, "room for a test of each filter");

const struct param_table trade_filter_params = PARAM_TABLE(rows);

const struct trade_filter *trade_filter_at(size_t i)
{
    assert(i < trade_filter_params.count);
    return &rows[i];
}

const struct trade_filter *trade_filter_named(struct str name)
{
    for (size_t i = 0; i < trade_filter_params.count; i++)
        if (str_eq(rows[i].param.name, name) ||
            (!str_is_null(rows[i].param.alias) && str_eq(rows[i].param.alias, name)))
            return &rows[i];
    return NULL;
}

void trade_filter_add(
    const struct trade_filter *row, const struct param_value *value, struct feed_filter *filter,
    struct feed_test tests[static PARAM_TABLE_MAX])
{
    if (row->seek && row->seek(value, filter))
        return;
    assert((row->test || row->list) && filter->test_count < PARAM_TABLE_MAX);
    tests[filter->test_count++] = (struct feed_test){row, *value};
    filter->tests = tests;
}

bool trade_filter_is_listed(const struct trade_filter *row, const struct param_value *value)
{
    struct feed_filter unused = FEED_FILTER_NONE;
    return row->seek && !row->of_signals && row->seek(value, &unused);
}
