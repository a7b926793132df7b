/* The table of trade filters; see trade_filter.h. */
#include "feed/trade_filter.h"

#include <assert.h>
#include <string.h>

#include "feed/edition.h"
#include "shape/lists.h"

/* Filters with an index. */

static bool seek_ticker(const struct param_value *value, struct feed_filter *filter)
{
    filter->ticker = value->text;
    return true;
}

static bool seek_politician(const struct param_value *value, struct feed_filter *filter)
{
    filter->politician = value->text;
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

/* Most trades have no signal: there is no posting list for them. */
static bool seek_conflict(const struct param_value *value, struct feed_filter *filter)
{
    filter->conflicts_only = value->number == SHAPE_TRUE;
    return filter->conflicts_only;
}

/* Row tests. */

static bool keeps_without_conflict(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    return tail == TAILS_NONE;
}

static bool keeps_traded_from(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    return record->facts.dated && record->facts.day >= value->number;
}

static bool keeps_traded_to(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    return record->facts.dated && record->facts.day <= value->number;
}

static bool keeps_side(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    uint8_t side = record->facts.side;
    if (value->number == SHAPE_SIDE_SELL)
        return side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL;
    return side == value->number;
}

static bool keeps_owner(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    return record->facts.owner == value->number;
}

static bool keeps_asset_type(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    return record->facts.asset_type == value->number;
}

static bool resolve_party(const struct edition *e, struct param_value *value)
{
    value->number = parties_find(&e->parties, param_party(value));
    return value->number != 0;
}

static bool keeps_party(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    return record->facts.party == value->number;
}

static bool keeps_state(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    struct str state = shape_states.name_of((int)value->number);
    return memcmp(record->facts.state, state.p, sizeof record->facts.state) == 0;
}

/* The set of brackets that begin at or above the amount. */
static bool resolve_amount_min(const struct edition *e, struct param_value *value)
{
    int64_t set = 0;
    for (int bracket = 1; bracket < BRACKET_COUNT; bracket++)
        if (bracket_info((enum bracket)bracket)->min >= value->number)
            set |= 1 << bracket;
    value->number = set;
    return set != 0;
}

static bool keeps_amount_min(
    const struct param_value *value, const struct series_record *record, uint32_t tail)
{
    return value->number >> record->facts.bracket & 1;
}

static const struct trade_filter rows[] = {
    {
        .param =
            {.name = STR_INIT("ticker"),
             .type = PARAM_TYPE_TICKER,
             .description = STR_INIT(
                 "Only trades in this symbol, in any letter case and class spelling (BRK.B, BRK-B "
                 "and BRK/B are one). Trades without a resolved symbol never match. A symbol that "
                 "the company had before, within its dates, matches too."),
             .example = STR_INIT("NWTB")},
        .seek = seek_ticker,
    },
    {
        .param =
            {.name = STR_INIT("politician_slug"),
             .alias = STR_INIT("politician"),
             .type = PARAM_TYPE_SLUG,
             .description = STR_INIT(
                 "Only trades disclosed by this politician, by slug or id. `politician` is another "
                 "name for this parameter; give one of the two."),
             .example = STR_INIT("ada-lindqvist")},
        .seek = seek_politician,
    },
    {
        .param =
            {.name = STR_INIT("chamber"),
             .type = PARAM_TYPE_LISTED,
             .list = &shape_chambers,
             .description = STR_INIT(
                 "Only trades of politicians who were in this chamber at the filing date."),
             .example = STR_INIT("senate")},
        .seek = seek_chamber,
    },
    {
        .param =
            {.name = STR_INIT("since"),
             .type = PARAM_TYPE_INSTANT,
             .description = STR_INIT(
                 "Only trades disclosed at or after this time. More than three digits of a second "
                 "are rounded up to the next millisecond."),
             .example = STR_INIT("2026-11-20T08:12:45.123Z")},
        .seek = seek_since,
    },
    {
        .param =
            {.name = STR_INIT("until"),
             .type = PARAM_TYPE_INSTANT,
             .description = STR_INIT(
                 "Only trades disclosed before this time, so that windows of since and until meet "
                 "and do not overlap. Rounded as since is."),
             .example = STR_INIT("2026-11-21T00:00:00Z")},
        .seek = seek_until,
    },
    {
        .param =
            {.name = STR_INIT("traded_from"),
             .type = PARAM_TYPE_DAY,
             .description = STR_INIT(
                 "Only trades made on this day or later. Trades without a tradeDate never match."),
             .example = STR_INIT("2026-10-01")},
        .keeps = keeps_traded_from,
    },
    {
        .param =
            {.name = STR_INIT("traded_to"),
             .type = PARAM_TYPE_DAY,
             .description = STR_INIT("Only trades made on this day or earlier. Trades without a "
                                     "tradeDate never match."),
             .example = STR_INIT("2026-10-31")},
        .keeps = keeps_traded_to,
    },
    {
        .param =
            {.name = STR_INIT("side"),
             .type = PARAM_TYPE_LISTED,
             .list = &shape_side_filters,
             .description = STR_INIT("Only trades of this side. sell means both sells."),
             .example = STR_INIT("buy")},
        .keeps = keeps_side,
    },
    {
        .param =
            {.name = STR_INIT("owner"),
             .type = PARAM_TYPE_LISTED,
             .list = &shape_owners,
             .description =
                 STR_INIT("Only trades of this owner. Trades that state no owner never match."),
             .example = STR_INIT("spouse")},
        .keeps = keeps_owner,
    },
    {
        .param =
            {.name = STR_INIT("asset_type"),
             .type = PARAM_TYPE_LISTED,
             .list = &shape_asset_types,
             .description = STR_INIT(
                 "Only trades in assets of this type. Trades that state no type never match."),
             .example = STR_INIT("stock")},
        .keeps = keeps_asset_type,
    },
    {
        .param =
            {.name = STR_INIT("party"),
             .type = PARAM_TYPE_PARTY,
             .description =
                 STR_INIT("Only trades of politicians of this party at the filing date, as in "
                          "politician.party."),
             .example = STR_INIT("Independent")},
        .resolve = resolve_party,
        .keeps = keeps_party,
    },
    {
        .param =
            {.name = STR_INIT("state"),
             .type = PARAM_TYPE_LISTED,
             .list = &shape_states,
             .description = STR_INIT(
                 "Only trades of politicians who represented this state at the filing date."),
             .example = STR_INIT("VT")},
        .keeps = keeps_state,
    },
    {
        .param =
            {.name = STR_INIT("amount_min"),
             .type = PARAM_TYPE_INTEGER,
             .max = 1000000000,
             .description = STR_INIT(
                 "Only trades whose range begins at this many dollars or above: amountRange.min is "
                 "at least this."),
             .example = STR_INIT("50001")},
        .resolve = resolve_amount_min,
        .keeps = keeps_amount_min,
    },
    {
        .param =
            {.name = STR_INIT("conflict"),
             .type = PARAM_TYPE_LISTED,
             .list = &shape_truths,
             .description = STR_INIT(
                 "true: only trades with a [conflict signal](/docs/conflict). false: only trades "
                 "without one."),
             .example = STR_INIT("true")},
        .seek = seek_conflict,
        .keeps = keeps_without_conflict,
    },
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
    assert(row->keeps && filter->test_count < PARAM_TABLE_MAX);
    tests[filter->test_count++] = (struct feed_test){row, *value};
    filter->tests = tests;
}

bool trade_filter_is_indexed(const struct trade_filter *row, const struct param_value *value)
{
    struct feed_filter unused = FEED_FILTER_NONE;
    return row->seek && row->seek(value, &unused);
}
