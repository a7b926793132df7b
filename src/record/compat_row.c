/* The values of a row, and the tables of columns; see compat_row.h. */
#include "record/compat_row.h"

#include "market/company.h"
#include "market/industry.h"
#include "paper/cell/cells.h"
#include "record/compat_markup.h"

static const char *const owners[OWNER_COUNT][2] = {
    {"--", "--"},       {"self", "Self"},       {"spouse", "Spouse"},
    {"joint", "Joint"}, {"dependent", "Child"},
};

static const char *const sides[SIDE_COUNT][2] = {
    {NULL, NULL},
    {"purchase", "Purchase"},
    {"sale_full", "Sale (Full)"},
    {"sale_partial", "Sale (Partial)"},
    {"exchange", "Exchange"},
};

static const char *const types[ASSET_COUNT] = {
    [ASSET_NONE] = "",
    [ASSET_STOCK] = "Stock",
    [ASSET_OPTION] = "Stock Option",
    [ASSET_BOND] = "Corporate Bond",
    [ASSET_MUNICIPAL_BOND] = "Municipal Security",
};

static struct str either(struct str a, struct str b)
{
    return str_is_null(a) ? b : a;
}

static struct str us_day(struct arena *arena, int32_t day, char between)
{
    int year, month, date;
    if (day == DAY_NONE)
        return STR_NULL;
    day_to_civil(day, &year, &month, &date);
    return arena_fmt(arena, "%02d%c%02d%c%04d", month, between, date, between, year);
}

static struct str number(struct arena *arena, int64_t value)
{
    return arena_fmt(arena, "%lld", (long long)value);
}

/* The bracket as documents print it. */
static struct str label_of(const struct bracket_info *info, struct arena *arena)
{
    ptrdiff_t dash = str_find(info->label, STR("\u2013"));
    struct str low = str_trim(str_slice(info->label, 0, dash < 0 ? 0 : (size_t)dash));
    struct str high = str_slice(info->label, low.n, info->label.n);
    return dash < 0 ? info->label
                    : arena_fmt(
                          arena, "%.*s - %.*s", STR_ARG(low),
                          STR_ARG(str_slice(high, (size_t)str_find_char(high, '$'), high.n)));
}

static struct str industry_of(const struct row_values *values)
{
    struct company company = {.industry = 0};
    bool known = !str_is_null(values->ticker) &&
                 company_on(values->ticker, values->trade_date, NULL, &company) && company.industry;
    return known ? industry_get(company.industry)->name : STR_NULL;
}

static void fill_house(
    struct compat_row *r, const struct trade *t, const struct str *cells, struct arena *arena)
{
    enum bracket bracket = t->values.bracket;
    struct str *v = r->v;
    v[V_HOUSE_AMOUNT] = bracket == BRACKET_OVER_50M         ? STR("$50,000,000 +")
                        : bracket == BRACKET_OVER_1M_SPOUSE ? STR("$1,000,000 +")
                                                            : v[V_LABEL];
    v[V_HOUSE_NAME] = arena_fmt(arena, "Hon. %.*s", STR_ARG(v[V_NAME]));
    v[V_HOUSE_OWNER] = str_from(owners[t->values.owner][0]);
    v[V_HOUSE_SIDE] = str_from(sides[t->values.side][0]);
    v[V_HOUSE_TICKER] = either(v[V_SYMBOL], STR("--"));
    v[V_PREFIX] = STR("Hon.");
    v[V_COMMENT] = cells[CELL_DESCRIPTION];
    v[V_OWNER] = cells[CELL_OWNER];
    v[V_SOURCE] = STR("house_clerk");
    v[V_OFFICE] = arena_fmt(arena, "U.S. Representative \u00b7 %.*s", STR_ARG(v[V_HOUSE_DISTRICT]));
}

static void fill_senate(
    struct compat_row *r, const struct trade *t, const struct str *cells, struct arena *arena)
{
    struct str *v = r->v;
    const char *type = types[t->values.asset_type];
    v[V_SENATE_AMOUNT] =
        t->values.bracket == BRACKET_OVER_1M_SPOUSE ? STR("Over $1,000,000") : v[V_LABEL];
    v[V_SENATE_ASSET] =
        compat_markup_asset(either(cells[CELL_ASSET], v[V_ASSET]), cells[CELL_ASSET_DETAIL], arena);
    v[V_SENATE_COMMENT] = compat_markup(either(cells[CELL_COMMENT], STR("--")), arena);
    v[V_SENATE_DATE] = either(us_day(arena, t->values.trade_date, '/'), cells[CELL_DATE]);
    v[V_SENATE_OWNER] = str_from(owners[t->values.owner][1]);
    v[V_SENATE_TICKER] = either(cells[CELL_TICKER], either(v[V_SYMBOL], STR("--")));
    v[V_SENATE_LINK] = compat_markup_link(v[V_SENATE_TICKER], cells[CELL_TICKER_TWO], arena);
    v[V_SENATE_TYPE] = either(cells[CELL_ASSET_TYPE], str_from(type ? type : "Other Securities"));
    v[V_SENATE_NAME] = arena_fmt(arena, "%.*s %.*s", STR_ARG(v[V_FIRST]), STR_ARG(v[V_LAST]));
    v[V_SENATE_OFFICE] =
        arena_fmt(arena, "%.*s, %.*s (Senator)", STR_ARG(v[V_LAST]), STR_ARG(v[V_FIRST]));
    v[V_COMMENT] = str_eq(cells[CELL_COMMENT], STR("--")) ? STR_NULL : cells[CELL_COMMENT];
    v[V_OWNER] = v[V_SENATE_OWNER];
    v[V_SOURCE] = STR("senate_efd");
    v[V_OFFICE] = arena_fmt(arena, "U.S. Senator \u00b7 %.*s", STR_ARG(v[V_STATE]));
    v[V_TYPE] = cells[CELL_ASSET_TYPE];
}

static void fill_ids(struct compat_row *r, struct str slug, struct arena *arena)
{
    struct str *v = r->v, part;
    v[V_FILER] = v[V_CHAMBER];
    while (str_split(&slug, '-', &part))
        v[V_FILER] = arena_fmt(arena, "%.*s_%.*s", STR_ARG(v[V_FILER]), STR_ARG(part));
    v[V_FILING] = arena_fmt(arena, "%.*s_%.*s", STR_ARG(v[V_CHAMBER]), STR_ARG(v[V_DOCUMENT]));
    v[V_ID] = arena_fmt(arena, "%.*s_t%d", STR_ARG(v[V_FILING]), r->row - 1);
}

void compat_row_fill(
    struct compat_row *r, const struct trade_row *row, const struct trade_source *source,
    const struct trade_filer *filer, enum late_status late, struct arena *arena)
{
    ARENA_SCOPED(made);
    struct str cells[CELL_COUNT], *v = r->v;
    const struct trade *t = &row->trade;
    const struct politician_ref *who = &t->politician;
    const struct bracket_info *bracket = bracket_info(t->values.bracket);
    int32_t filed = instant_day_new_york(source->filed_at), traded = t->values.trade_date;
    char at[INSTANT_TEXT_SIZE];
    *r = (struct compat_row){who->chamber, source->row, filed, {{NULL, 0}}};
    cells_read(source->printed, &made, cells);
    instant_print(t->disclosed_at, at);
    v[V_EMPTY] = STR("");
    v[V_ASSET] = t->values.asset_name;
    v[V_BIOGUIDE] = source->politician_id;
    v[V_BRANCH] = STR("congress");
    v[V_CHAMBER] = chamber_name(who->chamber);
    v[V_DOCUMENT] = source->document_id;
    v[V_FILED] = us_day(&made, filed, '/');
    v[V_FILED_ISO] = day_str(&made, filed);
    v[V_FILED_NAME] = us_day(&made, filed, '_');
    v[V_FIRST] = filer->first;
    v[V_INDUSTRY] = industry_of(&t->values);
    v[V_INGESTED] = arena_fmt(&made, "%.10s %.8s", at, at + DAY_TEXT_SIZE + 1);
    v[V_LABEL] = label_of(bracket, &made);
    v[V_LAST] = filer->last;
    v[V_NAME] = who->name;
    v[V_NOTIFIED] = day_str(&made, source->notified_date);
    v[V_PARTY] = who->party;
    v[V_PARTY_LETTER] = str_is_null(who->party) ? STR_NULL : str_slice(who->party, 0, 1);
    v[V_REPORT] = STR("PTR");
    v[V_SIDE] = str_from(sides[t->values.side][1]);
    v[V_STATE] = who->state;
    v[V_SYMBOL] = t->values.ticker;
    v[V_TRADED] = day_str(&made, traded);
    v[V_URL] = t->filing_url;
    v[V_HOUSE_DISTRICT] = filer->district < 0
                              ? who->state
                              : arena_fmt(&made, "%.*s%02d", STR_ARG(who->state), filer->district);
    v[V_DAYS] = traded == DAY_NONE ? STR_NULL : number(&made, filed - traded);
    v[V_GAINS] = t->cap_gains == CAP_GAINS_YES ? STR("true") : STR("false");
    v[V_HIGH] = bracket->max == BRACKET_OPEN ? STR_NULL : number(&made, bracket->max);
    v[V_LATE] = late == LATE_UNKNOWN ? STR_NULL : late == LATE_LATE ? STR("1") : STR("0");
    v[V_LOW] = number(&made, bracket->min);
    v[V_YEAR] = number(&made, day_year(filed));
    fill_ids(r, who->slug, &made);
    (r->chamber == CHAMBER_HOUSE ? fill_house : fill_senate)(r, t, cells, &made);
    for (int i = 0; i < V_COUNT; i++)
        v[i] = arena_str(arena, v[i]);
}

/* --- the tables */

#define COLUMNS(of, ...)                                                                           \
    static const struct compat_column of##_items[] = {__VA_ARGS__};                                \
    const struct compat_columns compat_##of = {of##_items, sizeof of##_items / sizeof *of##_items}

COLUMNS(
    house, {"disclosure_year", V_YEAR}, {"disclosure_date", V_FILED},
    {"transaction_date", V_TRADED}, {"owner", V_HOUSE_OWNER}, {"ticker", V_HOUSE_TICKER},
    {"asset_description", V_ASSET}, {"type", V_HOUSE_SIDE}, {"amount", V_HOUSE_AMOUNT},
    {"representative", V_HOUSE_NAME}, {"district", V_HOUSE_DISTRICT}, {"ptr_link", V_URL},
    {"cap_gains_over_200_usd", V_GAINS}, {"party", V_PARTY}, {"state", V_STATE},
    {"industry", V_INDUSTRY}, {"sector", V_NONE});
COLUMNS(
    house_filing, {"prefix", V_PREFIX}, {"first_name", V_FIRST}, {"last_name", V_LAST},
    {"suffix", V_EMPTY}, {"name", V_HOUSE_NAME}, {"filing_date", V_FILED},
    {"document_id", V_DOCUMENT}, {"year", V_YEAR}, {"district", V_HOUSE_DISTRICT},
    {"source_ptr_link", V_URL});
COLUMNS(
    house_day, {"owner", V_HOUSE_OWNER}, {"transaction_date", V_TRADED}, {"ticker", V_HOUSE_TICKER},
    {"description", V_ASSET}, {"transaction_type", V_HOUSE_SIDE}, {"amount", V_HOUSE_AMOUNT},
    {"cap_gains_over_200", V_GAINS});
COLUMNS(house_filing_end, {"transcribed_by", V_EMPTY});

/* clang-format off */
#define SENATE_ROW(ticker)                                                                         \
    {"transaction_date", V_SENATE_DATE}, {"owner", V_SENATE_OWNER}, {"ticker", ticker},            \
    {"asset_description", V_SENATE_ASSET}, {"asset_type", V_SENATE_TYPE}, {"type", V_SIDE}, \
    {"amount", V_SENATE_AMOUNT}, {"comment", V_SENATE_COMMENT}
#define SENATE_REPORT {"senator", V_SENATE_NAME}, {"ptr_link", V_URL}
/* clang-format on */

COLUMNS(senate_day, SENATE_ROW(V_SENATE_LINK));
COLUMNS(senate_early, SENATE_ROW(V_SENATE_TICKER), SENATE_REPORT);
COLUMNS(senate, SENATE_ROW(V_SENATE_TICKER), SENATE_REPORT, {"disclosure_date", V_FILED});
COLUMNS(
    senate_long, SENATE_ROW(V_SENATE_LINK), SENATE_REPORT, {"disclosure_date", V_FILED},
    {"party", V_PARTY}, {"state", V_STATE}, {"industry", V_INDUSTRY}, {"sector", V_NONE});
COLUMNS(
    senate_filing, {"first_name", V_FIRST}, {"last_name", V_LAST}, {"office", V_SENATE_OFFICE},
    {"ptr_link", V_URL}, {"date_recieved", V_FILED});
COLUMNS(senate_filing_end, {"bioguide", V_BIOGUIDE});
COLUMNS(senate_ticker, {"ticker", V_SENATE_TICKER});

COLUMNS(
    successor, {"id", V_ID}, {"filing_id", V_FILING}, {"filer_id", V_FILER},
    {"source_id", V_SOURCE}, {"transaction_date", V_TRADED}, {"notification_date", V_NOTIFIED},
    {"filing_date", V_FILED_ISO}, {"owner", V_OWNER}, {"ticker", V_SYMBOL}, {"asset_name", V_ASSET},
    {"asset_type", V_TYPE}, {"transaction_type", V_SIDE}, {"amount_range_low", V_LOW},
    {"amount_range_high", V_HIGH}, {"amount_range_label", V_LABEL}, {"days_to_file", V_DAYS},
    {"is_late", V_LATE}, {"comment", V_COMMENT}, {"ingested_at", V_INGESTED}, {"row_index", V_NONE},
    {"notification_received_over_30d", V_NONE}, {"filer_name", V_NAME}, {"branch", V_BRANCH},
    {"chamber", V_CHAMBER}, {"party", V_PARTY_LETTER}, {"state", V_STATE}, {"agency", V_NONE},
    {"level", V_NONE}, {"office", V_OFFICE}, {"doc_url", V_URL}, {"filing_type", V_REPORT},
    {"ret_since", V_NONE}, {"excess_since", V_NONE}, {"ret_30d", V_NONE}, {"ret_1y", V_NONE});
COLUMNS(
    successor_filer, {"id", V_FILER}, {"full_name", V_NAME}, {"branch", V_BRANCH},
    {"chamber", V_CHAMBER}, {"party", V_PARTY_LETTER}, {"state", V_STATE}, {"agency", V_NONE},
    {"level", V_NONE}, {"office", V_OFFICE}, {"photo_url", V_NONE});
