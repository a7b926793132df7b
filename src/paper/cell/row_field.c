/* The table of a row's fields; see row_field.h. */
#include "paper/cell/row_field.h"

#include <assert.h>

#include "base/closed_list.h"
#include "base/hidden.h"
#include "paper/cell/details.h"

_Static_assert((int)ROW_FIELD_SPACE >= (int)DETAILS_LINE_MAX, "space for details");
_Static_assert((int)ROW_FIELD_SPACE >= (int)TICKER_SIZE_MAX, "space for a ticker");

static const struct {
    struct str name, csv;
    bool required;
    const char *accepted;
} fields[ROW_FIELD_COUNT] = {
    [ROW_TICKER] =
        {STR_INIT("ticker"), STR_INIT("ticker"), false,
         "a symbol with a letter or a digit, or nothing"},
    [ROW_ASSET_NAME] =
        {STR_INIT("assetName"), STR_INIT("asset_name"), true, "1 to 2,000 bytes on one line"},
    [ROW_ASSET_TYPE] =
        {STR_INIT("assetType"), STR_INIT("asset_type"), false,
         "stock, option, bond, municipal_bond, government_security, fund, private_equity, crypto, "
         "real_estate, commodity, annuity_or_insurance, retirement_account, other, or nothing"},
    [ROW_SIDE] =
        {STR_INIT("side"), STR_INIT("side"), true, "buy, sell_full, sell_partial or exchange"},
    [ROW_AMOUNT] =
        {STR_INIT("amountBucket"), STR_INIT("amount_bucket"), true,
         "1k_15k, 15k_50k, 50k_100k, 100k_250k, 250k_500k, 500k_1m, 1m_5m, 5m_25m, 25m_50m, "
         "over_50m or over_1m_spouse"},
    [ROW_TRADE_DATE] =
        {STR_INIT("tradeDate"), STR_INIT("trade_date"), false, "a date as yyyy-mm-dd, or nothing"},
    [ROW_OWNER] =
        {STR_INIT("ownerType"), STR_INIT("owner_type"), false,
         "self, spouse, joint, child, or nothing"},
    [ROW_DETAILS] =
        {STR_INIT("details"), STR_INIT("details"), false,
         "a list such as: put, strike 250.00, expires 2025-01-17; or: coupon 5.0%, matures "
         "2036-04-15; further members are gave, received, company, platform and description, each "
         "with a text in double quotes, and received ticker with a symbol; or nothing"},
};

enum cell row_field_cell(enum row_field field)
{
    static const enum cell cells[ROW_FIELD_COUNT] = {
        [ROW_TICKER] = CELL_TICKER,         [ROW_ASSET_NAME] = CELL_ASSET,
        [ROW_ASSET_TYPE] = CELL_ASSET_TYPE, [ROW_SIDE] = CELL_TYPE,
        [ROW_AMOUNT] = CELL_AMOUNT,         [ROW_TRADE_DATE] = CELL_DATE,
        [ROW_OWNER] = CELL_OWNER,           [ROW_DETAILS] = CELL_ASSET_DETAIL,
    };
    assert(field < ROW_FIELD_COUNT);
    return cells[field];
}

ENUM_NAME(row_field_name, row_field, fields[value].name, ROW_FIELD_COUNT)

bool row_field_from_name(struct str name, enum row_field *ret)
{
    for (int f = 0; f < ROW_FIELD_COUNT; f++)
        if (str_eq(name, fields[f].name) || str_eq(name, fields[f].csv)) {
            *ret = (enum row_field)f;
            return true;
        }
    return false;
}

struct str row_field_text(
    const struct row_values *v, enum row_field field, char space[static ROW_FIELD_TEXT_MAX])
{
    switch (field) {
    case ROW_TICKER:
        return v->ticker;
    case ROW_ASSET_NAME:
        return v->asset_name;
    case ROW_ASSET_TYPE:
        return asset_type_name(v->asset_type);
    case ROW_SIDE:
        return side_name(v->side);
    case ROW_AMOUNT:
        return bracket_key(v->bracket);
    case ROW_TRADE_DATE:
        if (v->trade_date == DAY_NONE)
            return STR_NULL;
        day_print(v->trade_date, space);
        return str_of(space, DAY_TEXT_SIZE);
    case ROW_OWNER:
        return owner_name(v->owner);
    case ROW_DETAILS:
        return v->details;
    case ROW_FIELD_COUNT:
        break;
    }
    assert(!"a field of the table");
    return STR_NULL;
}

/* Reviewers type symbols of the market: "." and "--" mean that there is none. */
static bool is_symbol(struct str symbol)
{
    for (size_t i = 0; i < symbol.n; i++)
        if (ascii_is_alnum(symbol.p[i]))
            return true;
    return false;
}

static bool set_details(struct row_values *v, struct str text, char space[static ROW_FIELD_SPACE])
{
    struct details details;
    ARENA_SCOPED(arena);
    struct buf b = buf_over(space, ROW_FIELD_SPACE);
    bool sound = details_parse(text, &arena, &details) &&
                 (!details.received_ticker.n || is_symbol(details.received_ticker));
    if (sound)
        details_put(&b, &details);
    v->details = buf_view(&b);
    return sound;
}

/* false: an invalid value. Never called with an empty text. */
static bool set(
    struct row_values *v, enum row_field field, struct str text, char space[static ROW_FIELD_SPACE])
{
    size_t n;
    switch (field) {
    case ROW_TICKER:
        n = ticker_normalize(text, space);
        v->ticker = str_of(space, n);
        return is_symbol(v->ticker);
    case ROW_ASSET_NAME:
        v->asset_name = text;
        return text.n <= ROW_ASSET_NAME_MAX && hidden_free_line(text);
    case ROW_ASSET_TYPE:
        return (v->asset_type = asset_type_from_name(text)) != ASSET_NONE;
    case ROW_SIDE:
        return (v->side = side_from_name(text)) != SIDE_NONE;
    case ROW_AMOUNT:
        return (v->bracket = bracket_from_key(text)) != BRACKET_NONE;
    case ROW_TRADE_DATE:
        return day_parse(text, &v->trade_date);
    case ROW_OWNER:
        return (v->owner = owner_from_name(text)) != OWNER_NONE;
    case ROW_DETAILS:
        return set_details(v, text, space);
    case ROW_FIELD_COUNT:
        break;
    }
    return false;
}

static void set_null(struct row_values *v, enum row_field field)
{
    static const struct row_values none = {.trade_date = DAY_NONE};
    if (field == ROW_TICKER)
        v->ticker = none.ticker;
    else if (field == ROW_ASSET_TYPE)
        v->asset_type = none.asset_type;
    else if (field == ROW_TRADE_DATE)
        v->trade_date = none.trade_date;
    else if (field == ROW_OWNER)
        v->owner = none.owner;
    else if (field == ROW_DETAILS)
        v->details = none.details;
}

enum err row_field_set(
    struct row_values *values, enum row_field field, struct str text,
    char space[static ROW_FIELD_SPACE], struct fail *fail)
{
    struct row_values changed = *values;
    char name[HIDDEN_NAME_SIZE];
    text = str_trim(text);
    int32_t hidden = hidden_in_lines(text); /* a line end is refused as such */
    if (hidden != HIDDEN_NONE)
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: the value has %.*s, which readers cannot see: type it again instead of copying "
            "it",
            STR_ARG(fields[field].name), STR_ARG(hidden_name(hidden, name)));
    if (text.n == 0 && !fields[field].required)
        set_null(&changed, field);
    else if (text.n == 0 || !set(&changed, field, text, space))
        return fail_set(
            fail, ERR_INVALID, "%.*s: accepted is %s", STR_ARG(fields[field].name),
            fields[field].accepted);
    *values = changed;
    return OK;
}

int32_t row_values_hidden(const struct row_values *values, enum row_field *ret_field)
{
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        char space[ROW_FIELD_TEXT_MAX];
        int32_t hidden = hidden_in(row_field_text(values, (enum row_field)f, space));
        if (hidden != HIDDEN_NONE) {
            *ret_field = (enum row_field)f;
            return hidden;
        }
    }
    return HIDDEN_NONE;
}

bool row_field_equal(const struct row_values *a, const struct row_values *b, enum row_field field)
{
    char one[ROW_FIELD_TEXT_MAX], two[ROW_FIELD_TEXT_MAX];
    return str_eq(row_field_text(a, field, one), row_field_text(b, field, two));
}

struct row_values row_values_copy(const struct row_values *values, struct arena *arena)
{
    struct row_values copy = *values;
    copy.ticker = arena_str(arena, values->ticker);
    copy.asset_name = arena_str(arena, values->asset_name);
    copy.details = arena_str(arena, values->details);
    return copy;
}

bool row_values_are_whole(const struct row_values *values)
{
    return values->asset_name.n > 0 && values->side != SIDE_NONE && values->bracket != BRACKET_NONE;
}
