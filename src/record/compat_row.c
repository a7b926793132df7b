/* The values of a row, and the tables of columns; see compat_row.h. */
#include "record/compat_row.h"

#include "market/company.h"
#include "market/industry.h"
#include "paper/cell/cells.h"

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

/* --- the markup that the Senate's pages have around the cells of a row. What is stored is text,
 * and programs look for the markup. White space is that of the text. */

static void put_escaped(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '&')
            buf_text(b, "&amp;");
        else if (text.p[i] == '<' || text.p[i] == '>')
            buf_text(b, text.p[i] == '<' ? "&lt;" : "&gt;");
        else
            buf_char(b, text.p[i]);
}

static struct str compat_markup(struct str text, struct arena *arena)
{
    BUF_SCOPED(b, SIZE_MAX);
    put_escaped(&b, text);
    return arena_str(arena, buf_view(&b));
}

static void put_link(struct buf *b, struct str symbol)
{
    bool none = str_eq(symbol, STR("--"));
    buf_text(b, none ? "" : "<a href=\"https://finance.yahoo.com/q?s=");
    put_escaped(b, symbol);
    if (none)
        return;
    buf_text(b, "\" target=\"_blank\">");
    put_escaped(b, symbol);
    buf_text(b, "</a>");
}

static struct str compat_markup_link(struct str first, struct str second, struct arena *arena)
{
    BUF_SCOPED(b, SIZE_MAX);
    put_link(&b, first);
    if (second.n) {
        buf_text(&b, " <br> ");
        put_link(&b, second);
    }
    return arena_str(arena, buf_view(&b));
}

#define BLOCK " <div class=\"text-muted\">"

/* In the order of the page. */
static const struct {
    struct str label;
    const char *before, *after;
    bool place; /* the value ends with one in parentheses */
    bool rest;  /* free text: there is no label behind it */
} details[] = {
    {STR_INIT("Rate/Coupon: "), BLOCK "<em>Rate/Coupon:</em> ", "<br>", false, false},
    {STR_INIT("Matures: "), " <em>Matures:</em> ", "</div>", false, false},
    {STR_INIT("Option Type: "), BLOCK "Option Type: ", " <br>", false, false},
    {STR_INIT("Strike price: "), "<em>Strike price:</em> ", " <br>", false, false},
    {STR_INIT("Expires: "), " <em>Expires:</em> ", " </div>", false, false},
    {STR_INIT("Company: "), BLOCK " <em>Company:</em> ", " </div>", true, false},
    {STR_INIT("Description: "), BLOCK "<em>Description:</em>&nbsp;", "</div>", false, true},
};

enum { DETAILS = sizeof details / sizeof *details };

/* Where a value in parentheses at the end begins; the length of the text: there is none. */
static size_t place_of(struct str text)
{
    size_t at = text.n;
    int depth = 0;
    while (at && str_ends(text, STR(")"))) {
        char c = text.p[--at];
        depth += (c == ')') - (c == '(');
        if (depth == 0)
            return at;
    }
    return text.n;
}

static void put_detail(struct buf *b, size_t i, struct str value)
{
    size_t place = details[i].place ? place_of(value) : value.n;
    buf_text(b, details[i].before);
    put_escaped(b, str_slice(value, 0, place));
    buf_text(b, place < value.n ? "&nbsp;" : "");
    put_escaped(b, str_slice(value, place, value.n));
    buf_text(b, details[i].after);
}

/* The label that is next in the text, from `first` on; DETAILS: none. */
static size_t next_label(struct str text, size_t first, size_t *ret_at)
{
    size_t found = DETAILS;
    *ret_at = text.n;
    for (size_t i = first; i < DETAILS; i++) {
        ptrdiff_t at = str_find(text, details[i].label);
        bool word = at == 0 || (at > 0 && text.p[at - 1] == ' ');
        if (word && (size_t)at < *ret_at) {
            *ret_at = (size_t)at;
            found = i;
        }
    }
    return found;
}

static struct str compat_markup_asset(struct str asset, struct str rest, struct arena *arena)
{
    static const struct str given = STR_INIT("(Exchanged) ");
    BUF_SCOPED(b, SIZE_MAX);
    ptrdiff_t second = str_find(asset, given);
    size_t cut = second < 0 ? 0 : (size_t)second + given.n, at = 0;
    put_escaped(&b, str_slice(asset, 0, cut));
    buf_text(&b, cut ? "<br> " : "");
    put_escaped(&b, str_slice(asset, cut, asset.n));
    size_t label = next_label(rest, 0, &at);
    while (label < DETAILS) {
        rest = str_slice(rest, at + details[label].label.n, rest.n);
        size_t next = details[label].rest ? DETAILS : next_label(rest, label + 1, &at);
        put_detail(&b, label, str_trim(str_slice(rest, 0, next < DETAILS ? at : rest.n)));
        label = next;
    }
    return arena_str(arena, buf_view(&b));
}

/* --- the row */

static struct str type_of(enum asset_type type)
{
    return str_from(types[type] ? types[type] : "Other Securities");
}

static struct str amount_of(enum bracket bracket, bool house, struct str label)
{
    if (bracket == BRACKET_OVER_1M_SPOUSE)
        return house ? STR("$1,000,000 +") : STR("Over $1,000,000");
    return house && bracket == BRACKET_OVER_50M ? STR("$50,000,000 +") : label;
}

static struct str filer_of(struct arena *arena, struct str chamber, struct str slug)
{
    struct str part, id = chamber;
    while (str_split(&slug, '-', &part))
        id = arena_fmt(arena, "%.*s_%.*s", STR_ARG(id), STR_ARG(part));
    return id;
}

#define FMT(...) arena_fmt(a, __VA_ARGS__)
#define FILL(name, value) v[V_##name] = arena_str(arena, value);

void compat_row_fill(
    struct compat_row *r, const struct trade_row *row, const struct trade_source *source,
    const struct trade_filer *filer, enum late_status late, struct arena *arena)
{
    ARENA_SCOPED(made);
    struct arena *a = &made;
    struct str cells[CELL_COUNT], *v = r->v;
    const struct trade *t = &row->trade;
    const struct politician_ref *who = &t->politician;
    const struct bracket_info *bracket = bracket_info(t->values.bracket);
    int32_t filed = instant_day_new_york(source->filed_at), traded = t->values.trade_date;
    bool house = who->chamber == CHAMBER_HOUSE;
    char at[INSTANT_TEXT_SIZE];
    *r = (struct compat_row){who->chamber, source->row, filed, {{NULL, 0}}};
    cells_read(source->printed, a, cells);
    instant_print(t->disclosed_at, at);
    COMPAT_VALUES(FILL)
    if (str_eq(v[V_COMMENT], STR("--")) && !house)
        v[V_COMMENT] = STR_NULL;
}

/* --- the tables */

#define COLUMNS(of, ...)                                                                           \
    static const struct compat_column of##_items[] = {__VA_ARGS__};                                \
    const struct compat_columns compat_##of = {of##_items, sizeof of##_items / sizeof *of##_items}

COLUMNS(
    house, {"disclosure_year", V_YEAR}, {"disclosure_date", V_FILED},
    {"transaction_date", V_TRADED}, {"owner", V_OWNER_WORD}, {"ticker", V_TICKER},
    {"asset_description", V_ASSET}, {"type", V_HOUSE_SIDE}, {"amount", V_AMOUNT},
    {"representative", V_HOUSE_NAME}, {"district", V_DISTRICT}, {"ptr_link", V_URL},
    {"cap_gains_over_200_usd", V_GAINS}, {"party", V_PARTY}, {"state", V_STATE},
    {"industry", V_INDUSTRY}, {"sector", V_NONE});
COLUMNS(
    house_filing, {"prefix", V_PREFIX}, {"first_name", V_FIRST}, {"last_name", V_LAST},
    {"suffix", V_EMPTY}, {"name", V_HOUSE_NAME}, {"filing_date", V_FILED},
    {"document_id", V_DOCUMENT}, {"year", V_YEAR}, {"district", V_DISTRICT},
    {"source_ptr_link", V_URL});
COLUMNS(
    house_day, {"owner", V_OWNER_WORD}, {"transaction_date", V_TRADED}, {"ticker", V_TICKER},
    {"description", V_ASSET}, {"transaction_type", V_HOUSE_SIDE}, {"amount", V_AMOUNT},
    {"cap_gains_over_200", V_GAINS});
COLUMNS(house_filing_end, {"transcribed_by", V_EMPTY});

/* clang-format off */
#define SENATE_ROW(ticker)                                                                         \
    {"transaction_date", V_SENATE_DATE}, {"owner", V_OWNER_WORD}, {"ticker", ticker},            \
    {"asset_description", V_SENATE_ASSET}, {"asset_type", V_SENATE_TYPE}, {"type", V_SIDE}, \
    {"amount", V_AMOUNT}, {"comment", V_SENATE_COMMENT}
#define SENATE_REPORT {"senator", V_SENATE_NAME}, {"ptr_link", V_URL}
/* clang-format on */

COLUMNS(senate_day, SENATE_ROW(V_SENATE_LINK));
COLUMNS(senate_early, SENATE_ROW(V_TICKER), SENATE_REPORT);
COLUMNS(senate, SENATE_ROW(V_TICKER), SENATE_REPORT, {"disclosure_date", V_FILED});
COLUMNS(
    senate_long, SENATE_ROW(V_SENATE_LINK), SENATE_REPORT, {"disclosure_date", V_FILED},
    {"party", V_PARTY}, {"state", V_STATE}, {"industry", V_INDUSTRY}, {"sector", V_NONE});
COLUMNS(
    senate_filing, {"first_name", V_FIRST}, {"last_name", V_LAST}, {"office", V_SENATE_OFFICE},
    {"ptr_link", V_URL}, {"date_recieved", V_FILED});
COLUMNS(senate_filing_end, {"bioguide", V_BIOGUIDE});
COLUMNS(senate_ticker, {"ticker", V_TICKER});

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
