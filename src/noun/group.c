/* The tables of groups; see group.h. */
#include "noun/group.h"

#include "noun/csv.h"
#include "noun/lists.h"
#include "noun/rows.h"
#include "noun/trade.h"

#define SOMETIMES .optional = true,
#define ONE_OF(text, names)                                                                        \
    NAMED(text, SHAPE_LISTED), .told = true, .list = (names), SOMETIMES OR_NULL
#define ANY(text) TOLD(SHAPE_STRING, text), SOMETIMES OR_NULL
#define NO_UNDATED " Null for trades without a tradeDate."

/* Row i is the dimension i + 1. */
static const struct shape_field group_rows[] = {
    {TOLD_OBJECT("politician", &shape_politician_ref), .optional = true,
     SAYS("The politician, as the newest trade of the group has it. In CSV, the slug.")},
    {ANY("ticker"), SAYS("The symbol; trades of a former symbol are in the group of the symbol "
                         "that it became. Null for trades without a resolved symbol.")},
    {ANY("party"), SAYS("Party at the filing date.")},
    {ONE_OF("chamber", &shape_chambers), SAYS("Chamber at the filing date.")},
    {ANY("state"), SAYS("State at the filing date.")},
    {ONE_OF("sector", &shape_industries),
     SAYS("Industry of the asset on the day of the trade; null when none is known.")},
    {ANY("seat"),
     SAYS("A committee or subcommittee on which the politician sat on the day of the trade; null "
          "when no list says. A trade can be in several of these groups.")},
    {ONE_OF("side", &shape_sides), SAYS("What was done with the asset.")},
    {ONE_OF("owner", &shape_owners), SAYS("Who owns the asset; null when not stated.")},
    {ONE_OF("bracket", &shape_brackets), SAYS("Key of the statutory range.")},
    {ONE_OF("asset_type", &shape_asset_types), SAYS("Asset class; null when not stated.")},
    {ONE_OF("late_status", &shape_late_statuses), SAYS("Whether it was [reported late](#due).")},
    {ANY("month"), SAYS("Month of the trade, such as 2024-03." NO_UNDATED)},
    {ANY("year"), SAYS("Year of the trade, such as 2024." NO_UNDATED)},
    {ONE_OF("flag_industry", &shape_industries),
     SAYS("The industry that the [conflict signal](/docs/conflict) is about; null for trades "
          "without one.")},
    {ANY("flag_committee"),
     SAYS("A committee whose seat the [conflict signal](/docs/conflict) rests on, or the committee "
          "of such a subcommittee; null for trades without a signal. A trade can be in several of "
          "these groups.")},
};

_Static_assert(
    sizeof group_rows / sizeof *group_rows == GROUP_DIMENSION_COUNT - 1, "a row for each");

static const struct shape_field group_columns_rows[] = {
    {COUNT("trades", group_columns, trades), CSV("trades"), SAYS("Trades of the group.")},
    {COUNT("buys", group_columns, buys), CSV("buys"), SAYS("Purchases among them.")},
    {COUNT("sells", group_columns, sells), CSV("sells"),
     SAYS("Full and partial sales among them.")},
    {COUNT("exchanges", group_columns, exchanges), CSV("exchanges"), SAYS("Exchanges among them.")},
    {COUNT("conflicts", group_columns, conflicts), CSV("conflicts"),
     SAYS("Those with a [conflict signal](/docs/conflict).")},
    {COUNT("conflictsLater", group_columns, conflicts_later), CSV("conflicts_later"),
     SAYS("Of these, those whose committee list is later than the trade.")},
    {COUNT("conflictsA", group_columns, conflicts_a), CSV("conflicts_a"),
     SAYS("Of the conflicts, those of [grade](/docs/conflict#grades) A.")},
    {COUNT("conflictsB", group_columns, conflicts_b), CSV("conflicts_b"),
     SAYS("Those of grade B.")},
    {COUNT("conflictsC", group_columns, conflicts_c), CSV("conflicts_c"),
     SAYS("Those of grade C.")},
    {COUNT("late", group_columns, late), CSV("late"), SAYS("Those [reported late](#due).")},
    {COUNT("lateUnknown", group_columns, late_unknown), CSV("late_unknown"),
     SAYS("Those of which it is not known whether they were reported late.")},
    {COUNT("amountMin", group_columns, amount_min), CSV("amount_min"),
     SAYS("Sum of the lower bounds of their ranges, in dollars.")},
    {COUNT("amountMax", group_columns, amount_max), CSV("amount_max"),
     SAYS("Sum of the upper bounds, in dollars, of those that have one.")},
    {COUNT("amountOpen", group_columns, amount_open), CSV("amount_open"),
     SAYS("Those whose range has no upper bound: amountMax is without them.")},
    {DAY("firstTraded", group_columns, first), OR_NULL, CSV("first_traded"),
     SAYS("Earliest tradeDate; null when none states one.")},
    {DAY("lastTraded", group_columns, last), OR_NULL, CSV("last_traded"),
     SAYS("Latest tradeDate; null when none states one.")},
    {COUNT("politicians", group_columns, people), CSV("politicians"),
     SAYS("How many politicians disclosed them.")},
    {COUNT("medianDays", group_columns, median_days), OR_NULL, CSV("median_days"),
     SAYS("Days from trade to report that half of them did not exceed, at most 4095, of those of "
          "which both days are known; null when there are none.")},
    {COUNT("p90Days", group_columns, p90_days), OR_NULL, CSV("p90_days"),
     SAYS("The same for nine in ten of them.")},
};

SHAPE(
    group_columns, "TradeSums", "What trades add up to. Amounts are sums of bounds, not of prices.",
    group_columns);

const struct shape_object shape_group = {
    .name = STR_INIT("TradeGroup"),
    .description = STR_INIT("A group of trades: the values that they share, of the dimensions in "
                            "group_by alone, and what they add up to."),
    .size = sizeof(struct trade_group),
    .count = sizeof group_rows / sizeof *group_rows,
    .fields = group_rows,
    .more = &shape_group_columns,
    .more_at = offsetof(struct trade_group, columns),
};

const struct shape_field *group_dimension_field(enum group_dimension dimension)
{
    return &group_rows[dimension - 1];
}

static struct str dimension_of(int value)
{
    return group_rows[value - 1].name;
}

static struct str sort_of(int value)
{
    return group_columns_rows[value - 1].name;
}

static struct str order_of(int value)
{
    return value == GROUP_ASCENDING ? STR("asc") : STR("desc");
}

const struct shape_list shape_group_dimensions = {GROUP_DIMENSION_COUNT, dimension_of};
const struct shape_list shape_group_sorts = {GROUP_SORTS + 1, sort_of};
const struct shape_list shape_group_orders = {GROUP_ORDER_COUNT, order_of};

int64_t group_sort_value(const struct group_columns *columns, int sort)
{
    const struct shape_field *field = &group_columns_rows[sort - 1];
    const void *value = (const char *)columns + field->offset;
    return field->kind == SHAPE_DAY ? *(const int32_t *)value : *(const int64_t *)value;
}

void group_json(
    struct buf *b, const struct trade_group *group,
    const enum group_dimension by[static GROUP_BY_MAX])
{
    buf_char(b, '{');
    for (int i = 0; i < GROUP_BY_MAX && by[i]; i++) {
        const struct group_value *value = &group->values[i];
        buf_str(b, group_dimension_field(by[i])->key);
        if (by[i] == GROUP_POLITICIAN)
            shape_politician_ref_json(b, &value->politician);
        else if (str_is_null(value->text))
            buf_text(b, "null");
        else
            json_quote(b, value->text);
        buf_char(b, ',');
    }
    shape_members_json(b, &shape_group_columns, 0, shape_group_columns.count, &group->columns);
    buf_char(b, '}');
}

void group_csv(
    struct buf *b, const struct trade_group *group,
    const enum group_dimension by[static GROUP_BY_MAX])
{
    for (int i = 0; i < GROUP_BY_MAX && by[i]; i++) {
        shape_csv_value(b, group ? group->values[i].text : dimension_of((int)by[i]));
        buf_char(b, ',');
    }
    shape_object_csv(b, &shape_group_columns, group ? &group->columns : NULL);
}
