/* Makes filings and their rows; see maker.h. The assets are in asset.c. */
#include "demo/maker.h"

#include <assert.h>

#include "base/crypto.h"
#include "base/csv_in.h"
#include "base/json_out.h"
#include "market/industry.h"
#include "market/slug.h"
#include "paper/cell/details_read.h"

/* The invented companies. */

enum { COMPANIES_MAX = 1000 };

extern const char demo_companies_csv[];
extern const size_t demo_companies_csv_size;

void demo_companies_read(struct arena *arena, struct demo_companies *ret)
{
    struct csv_in csv;
    struct ticker *items = ARENA_ARRAY(arena, struct ticker, COMPANIES_MAX);
    size_t count = 0;
    csv_in_init(&csv, str_of(demo_companies_csv, demo_companies_csv_size), arena);
    bool header = csv_in_next(&csv);
    assert(header && csv.count == 3);
    while (csv_in_next(&csv)) {
        char symbol[TICKER_SIZE_MAX];
        assert(csv.count == 3 && count < COMPANIES_MAX);
        size_t n = ticker_normalize(csv.field[0], symbol);
        assert(str_eq(csv.field[0], str_of(symbol, n)));
        assert(industry_from_name(csv.field[2]));
        items[count++] = (struct ticker){
            .symbol = csv.field[0],
            .company = csv.field[1],
            .industry = csv.field[2],
            .source = STR("demonstration"),
        };
    }
    assert(!csv.error && count > 0);
    *ret = (struct demo_companies){items, count};
}

/* Invents assets. One function per kind. */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A few companies are in most portfolios. */
static const struct ticker *pick_company(struct dice *d, const struct demo_companies *companies)
{
    uint32_t n = (uint32_t)companies->count;
    uint32_t i = dice_below(d, dice_permille(d, 400) ? (n + 7) / 8 : n);
    return &companies->items[(size_t)i * 101 % n];
}

static int coupon_eighths(struct dice *d)
{
    return 8 + (int)dice_below(d, 40);
}

static struct str due(struct dice *d, struct arena *arena)
{
    unsigned month = 1 + dice_below(d, 12), year = 2027 + dice_below(d, 20);
    return arena_fmt(arena, "%02u/01/%u", month, year);
}

static struct str make_stock(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    const struct ticker *company = pick_company(d, companies);
    row->values.asset_type = dice_permille(d, 60) ? ASSET_NONE : ASSET_STOCK;
    row->values.ticker = company->symbol;
    row->values.asset_name =
        dice_permille(d, 150) ? arena_fmt(arena, "%.*s - Common Stock", STR_ARG(company->company))
                              : company->company;
    return STR_NULL;
}

static struct str make_option(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    const struct ticker *company = pick_company(d, companies);
    row->values.asset_type = ASSET_OPTION;
    row->values.ticker = company->symbol;
    row->values.asset_name = arena_fmt(
        arena, "%.*s, %s options, strike $%u, expiring %.*s", STR_ARG(company->company),
        dice_below(d, 2) ? "call" : "put", 5 * (1 + dice_below(d, 60)), STR_ARG(due(d, arena)));
    return STR_NULL;
}

static struct str make_municipal(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    static const char *const places[] = {
        "Marrowfield County Water District", "City of Larkspur Hollow", "Otterdell Unified Schools",
        "Port of Umberquay Authority", "State of Yarrow Turnpike Commission"};
    int eighths = coupon_eighths(d);
    row->values.asset_type = ASSET_MUNICIPAL_BOND;
    row->values.asset_name = arena_fmt(
        arena, "%s Revenue Bonds, Series %u, %d.%03d%% due %.*s",
        places[dice_below(d, COUNT(places))], 2010 + dice_below(d, 15), eighths / 8,
        eighths % 8 * 125, STR_ARG(due(d, arena)));
    return STR_NULL;
}

static struct str make_bond(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    const struct ticker *company = pick_company(d, companies);
    int eighths = coupon_eighths(d);
    row->values.asset_type = ASSET_BOND;
    row->values.asset_name = arena_fmt(
        arena, "%.*s %d.%03d%% Senior Notes due %.*s", STR_ARG(company->company), eighths / 8,
        eighths % 8 * 125, STR_ARG(due(d, arena)));
    return STR_NULL;
}

static struct str make_government(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    row->values.asset_type = ASSET_GOVERNMENT_SECURITY;
    row->values.asset_name = arena_fmt(
        arena, "United States Treasury %s due %.*s", dice_below(d, 2) ? "Bill" : "Note",
        STR_ARG(due(d, arena)));
    return STR_NULL;
}

static struct str make_fund(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    static const struct {
        struct str symbol, name;
    } funds[] = {
        {STR_INIT("LNQFX"), STR_INIT("Lanternhope Total Market Index Fund")},
        {STR_INIT("ZZQEF"), STR_INIT("Zephyrine Emerging Markets \xe2\x80\x93 Fund")},
        {STR_INIT("TQDBX"), STR_INIT("Thistledown Balanced Fund, \"Select\" Shares")},
        {STR_INIT("OQQRF"), STR_INIT("Oakenspire Real Return ETF")},
    };
    size_t i = dice_below(d, COUNT(funds));
    row->values.asset_type = ASSET_FUND;
    row->values.ticker = funds[i].symbol;
    row->values.asset_name = funds[i].name;
    return STR_NULL;
}

/* Assets without a symbol, each kind equally often. */
static struct str make_private(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    static const struct {
        enum asset_type type;
        struct str name, detail;
    } things[] = {
        {ASSET_PRIVATE_EQUITY, STR_INIT("Glimmerwick Growth Partners IV, L.P."),
         STR_INIT("Company: Glimmerwick Growth Partners IV, L.P. (Larkspur Hollow, OR) "
                  "Description: Fund of growth companies")},
        {ASSET_PRIVATE_EQUITY,
         STR_INIT("Ravenscairn Co-Investment Vehicle (Offshore Feeder), a Limited Partnership "
                  "Organized for the Purpose of Acquiring, Holding, Developing and Disposing of "
                  "Interests in Privately Held Makers of Navigational Instruments, Series B-2"),
         STR_INIT("Company: Ravenscairn Compass Works Inc. (Umberquay, ME) Description: Maker of "
                  "navigational instruments")},
        {ASSET_CRYPTO, STR_INIT("Quillcoin"), STR_INIT("Exchange/Platform: Otterdell Exchange")},
        {ASSET_CRYPTO, STR_INIT("Pebble token"), STR_INIT("Exchange/Platform: OTC")},
        {ASSET_REAL_ESTATE, STR_INIT("Office building, 12 Sorrel Row, Larkspur Hollow"),
         STR_INIT("")},
        {ASSET_REAL_ESTATE, STR_INIT("Umberline Storage REIT, non-traded"), STR_INIT("")},
        {ASSET_COMMODITY, STR_INIT("Silver bars, 400 oz"), STR_INIT("")},
        {ASSET_ANNUITY_OR_INSURANCE, STR_INIT("Fallowreach Life \"Horizon\" variable annuity"),
         STR_INIT("")},
        {ASSET_RETIREMENT_ACCOUNT, STR_INIT("Employer plan: S&P-like index option; 'core' tier"),
         STR_INIT("")},
        {ASSET_OTHER, STR_INIT("Ch\xc3\xa2teau Quintessi\xc3\xa8re, wine futures"), STR_INIT("")},
        {ASSET_NONE, STR_INIT("Family farm, \xc2\xbd interest"), STR_INIT("")},
    };
    size_t i = dice_below(d, COUNT(things));
    row->values.asset_type = things[i].type;
    row->values.asset_name = things[i].name;
    return things[i].detail;
}

/* The details of a real row with these cells. */
static struct str read_details(
    struct str detail, const struct row_values *values, struct arena *arena)
{
    const struct str cells[CELL_COUNT] = {
        [CELL_TICKER] = values->ticker,
        [CELL_ASSET] = values->asset_name,
        [CELL_ASSET_DETAIL] = detail,
    };
    return details_of_cells(cells, values, arena);
}

/* Sets symbol, name, type and details of the row; strings live in the arena or with the companies.
 * Returns the asset's detail line as a Senate page prints it; null: none. */
static struct str demo_asset_make(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row)
{
    static const uint16_t weights[] = {860, 35, 40, 20, 10, 15, 20};
    static struct str (*const make[])(
        struct dice *, struct arena *, const struct demo_companies *,
        struct draft_row *) = {make_stock,      make_option, make_municipal, make_bond,
                               make_government, make_fund,   make_private};
    row->values.ticker = STR_NULL;
    struct str detail = make[dice_pick(d, weights, COUNT(weights))](d, arena, companies, row);
    if (detail.n == 0)
        detail = STR_NULL;
    row->values.details = read_details(detail, &row->values, arena);
    return detail;
}

enum { PRINTED_SIZE_MAX = 4096 };

void demo_maker_init(
    struct demo_maker *m, uint64_t seed, const struct member *people, size_t people_count,
    const struct demo_companies *companies)
{
    static const struct str name = STR_INIT("invented for demonstration");
    *m = (struct demo_maker){
        .people = people,
        .people_count = people_count,
        .companies = companies,
        .document = {.kind = STR("demo"), .name = name, .bytes = (int64_t)name.n},
    };
    sha256(name, m->document.sha256);
    dice_init(&m->dice, seed, 2);
    arena_init(&m->arena);
    m->last = mem_array(people_count, sizeof *m->last);
}

void demo_maker_finish(struct demo_maker *m)
{
    mem_free(m->last);
    arena_finish(&m->arena);
}

int demo_filing_rows(struct dice *d)
{
    static const uint16_t weights[] = {450, 350, 150, 45, 5};
    static const struct {
        int from, to;
    } sizes[] = {{1, 3}, {4, 9}, {10, 25}, {26, 60}, {61, DEMO_FILING_ROWS_MAX}};
    size_t size = dice_pick(d, weights, COUNT(weights));
    return sizes[size].from + (int)dice_below(d, (uint32_t)(sizes[size].to - sizes[size].from + 1));
}

static enum side make_side(struct dice *d)
{
    static const uint16_t weights[] = {500, 290, 195, 15};
    static const enum side sides[] = {SIDE_BUY, SIDE_SELL_FULL, SIDE_SELL_PARTIAL, SIDE_EXCHANGE};
    return sides[dice_pick(d, weights, COUNT(weights))];
}

static enum owner make_owner(struct dice *d)
{
    static const uint16_t weights[] = {250, 330, 270, 120, 30};
    static const enum owner owners[] = {
        OWNER_NONE, OWNER_SPOUSE, OWNER_JOINT, OWNER_SELF, OWNER_CHILD};
    return owners[dice_pick(d, weights, COUNT(weights))];
}

static enum bracket make_bracket(struct dice *d, enum owner owner)
{
    static const uint16_t weights[] = {6840, 1860, 630, 370, 140, 120, 30, 7, 2, 1};
    if ((owner == OWNER_SPOUSE || owner == OWNER_CHILD) && dice_permille(d, 4))
        return BRACKET_OVER_1M_SPOUSE;
    return (enum bracket)(BRACKET_1K_15K + dice_pick(d, weights, COUNT(weights)));
}

/* Most trades are reported within 45 days and a few late; some have no date. */
static int32_t make_trade_date(struct dice *d, int32_t filed)
{
    if (dice_permille(d, 12))
        return DAY_NONE;
    if (dice_permille(d, 40))
        return filed - 46 - (int32_t)dice_below(d, 300);
    return filed - 3 - (int32_t)dice_below(d, 42);
}

/* The cells as printed on a form. */
static struct str make_printed(struct arena *arena, const struct draft_row *row, struct str detail)
{
    BUF_SCOPED(b, PRINTED_SIZE_MAX);
    struct json_out j;
    json_init(&j, &b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "asset", row->values.asset_name);
    if (!str_is_null(detail))
        JSON_KEY_STR(&j, "asset_detail", detail);
    JSON_KEY_STR(&j, "ticker", row->values.ticker);
    JSON_KEY_STR(&j, "owner", owner_name(row->values.owner));
    JSON_KEY_STR(&j, "type", side_name(row->values.side));
    JSON_KEY_DAY(&j, "date", row->values.trade_date);
    JSON_KEY_STR(&j, "amount", bracket_info(row->values.bracket)->label);
    json_object_end(&j);
    return arena_str(arena, buf_view(&b));
}

static void make_row(struct demo_maker *m, int number, int32_t filed, struct draft_row *ret)
{
    struct dice *d = &m->dice;
    *ret = (struct draft_row){.row = number, .page = 1 + (number - 1) / 20};
    struct str detail = demo_asset_make(d, &m->arena, m->companies, ret);
    ret->values.side = make_side(d);
    ret->values.owner = make_owner(d);
    ret->values.bracket = make_bracket(d, ret->values.owner);
    ret->values.trade_date = make_trade_date(d, filed);
    ret->notified_date = ret->values.trade_date == DAY_NONE ? DAY_NONE : ret->values.trade_date + 1;
    ret->printed = make_printed(&m->arena, ret, detail);
}

/* The busiest tenth of the members makes about half of the filings. If no invented member is in
 * office on that day, takes the last one drawn. */
static size_t make_filer(struct demo_maker *m, int32_t filed)
{
    uint32_t n = (uint32_t)m->people_count;
    size_t index = 0;
    for (int tries = 0; tries < 100; tries++) {
        uint32_t i = dice_below(&m->dice, dice_permille(&m->dice, 450) ? (n + 9) / 10 : n);
        /* Spread over both chambers: the list of members begins with the senators. */
        index = (size_t)i * 7919 % n;
        const struct member_term *term = &m->people[index].terms[0];
        if (term->start <= filed && filed <= term->end)
            break;
    }
    return index;
}

/* One filing in sixty amends the member's previous filing. */
static struct str make_amends(struct demo_maker *m, size_t filer, struct str id)
{
    struct str last = arena_str(&m->arena, str_from(m->last[filer]));
    assert(id.n < DEMO_FILING_ID_SIZE_MAX);
    memcpy(m->last[filer], id.p, id.n);
    m->last[filer][id.n] = '\0';
    return last.n && dice_permille(&m->dice, 16) ? last : STR_NULL;
}

void demo_maker_make(
    struct demo_maker *m, struct str number, int64_t filed_at, int rows, struct draft_filing *ret)
{
    arena_reset(&m->arena);
    int32_t filed = instant_day_utc(filed_at);
    size_t filer = make_filer(m, filed);
    const struct member_term *term = &m->people[filer].terms[0];
    struct draft_row *list = ARENA_ARRAY(&m->arena, struct draft_row, (size_t)rows);
    for (int i = 0; i < rows; i++) {
        make_row(m, i + 1, filed, &list[i]);
        /* Two equal lots, which real forms also have. */
        if (i > 0 && dice_permille(&m->dice, 15)) {
            list[i] = list[i - 1];
            list[i].row = i + 1;
        }
    }
    *ret = (struct draft_filing){
        .id = arena_fmt(&m->arena, "demo-filing-%.*s", STR_ARG(number)),
        .chamber = term->chamber,
        .source_doc_id = arena_str(&m->arena, number),
        .url = arena_fmt(
            &m->arena, "https://disclosures.example.org/%.*s/%.*s.html",
            STR_ARG(chamber_name(term->chamber)), STR_ARG(number)),
        .politician_id = m->people[filer].id,
        .party = term->party,
        .state = term->state,
        .filed_at = filed_at,
        .document = &m->document,
        .rows = list,
        .row_count = (size_t)rows,
    };
    ret->amends = make_amends(m, filer, ret->id);
}

/* --- invents members */

static const char *const given_names[] = {
    "Ada",      "Albin",        "Beatrix",    "Bertram",   "Bj\xc3\xb6rn", "Carys",   "Casimir",
    "Cordelia", "Crispin",      "Dagny",      "Desmond",   "Eleanora",     "Emeka",   "Esm\xc3\xa9",
    "Fabian",   "Freya",        "Gideon",     "Greta",     "Hamish",       "Henrike", "Ignatius",
    "Imogen",   "Jos\xc3\xa9",  "Jovana",     "Kasper",    "Keiko",        "Leopold", "Linnea",
    "Magnus",   "Marisol",      "Nadia",      "Nathaniel", "Octavia",      "Oswin",   "Petra",
    "Quentin",  "Ren\303\251e", "Rufus",      "Saoirse",   "Silas",        "Tamsin",  "Thaddeus",
    "Ulla",     "Viggo",        "Wilhelmina", "Xavier",    "Yolanda",      "Zebedee",
};

/* Last names have two halves; none of the 836 is a real member's. */
static const char *const first_halves[] = {
    "Amber",   "Birch",  "Bram",   "Briar",  "Cinder",  "Copper",  "Dapple", "Elder",
    "Ember",   "Fern",   "Flint",  "Glim",   "Hazel",   "Heather", "Ivory",  "Juniper",
    "Lark",    "Linden", "Maple",  "Marrow", "Moss",    "Nettle",  "Oaken",  "Otter",
    "Pebble",  "Quill",  "Raven",  "Rowan",  "Saffron", "Sedge",   "Sorrel", "Tansy",
    "Thistle", "Umber",  "Velvet", "Willow", "Winter",  "Yarrow",
};

static const char *const second_halves[] = {
    "acre",  "barrow", "bough",  "castle",  "combe", "crest", "dell", "fold",
    "garth", "glen",   "hollow", "holt",    "lock",  "mere",  "moor", "ridge",
    "row",   "shaw",   "stead",  "thwaite", "vale",  "wick",
};

static const char states[50][3] = {
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL",
    "IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT",
    "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA", "RI",
    "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY",
};

enum { DAYS_OF_YEAR = 365, HOUSE_TERM_DAYS = 730, SENATE_TERM_DAYS = 2191 };

static struct str party(struct dice *d)
{
    static const uint16_t weights[] = {49, 49, 2};
    static const struct str names[] = {
        STR_INIT("Democrat"), STR_INIT("Republican"), STR_INIT("Independent")};
    return names[dice_pick(d, weights, COUNT(weights))];
}

static void invent_term(
    struct arena *arena, struct dice *d, int number, int32_t as_of, struct member *m)
{
    bool senator = number < DEMO_SENATORS;
    int length = senator ? SENATE_TERM_DAYS : HOUSE_TERM_DAYS;
    /* One member in twenty has left office; the others are within their term. */
    int32_t end = as_of + 1 + (int32_t)dice_below(d, (uint32_t)length - 30);
    if (number % 20 == 19)
        end = as_of - 30 - (int32_t)dice_below(d, 2 * DAYS_OF_YEAR);
    m->listed_on = end > as_of ? as_of : DAY_NONE;
    m->terms = ARENA_NEW(arena, struct member_term);
    m->term_count = 1;
    m->terms[0] = (struct member_term){
        .chamber = senator ? CHAMBER_SENATE : CHAMBER_HOUSE,
        .state = str_of(states[number % 50], 2),
        .district = senator ? MEMBER_DISTRICT_NONE : 1 + (number - DEMO_SENATORS) / 50,
        .senate_class = senator ? 1 + number / 50 : 0,
        .party = party(d),
        /* Long enough to cover every invented filing. */
        .start = end - length - 4 * DAYS_OF_YEAR,
        .end = end,
    };
}

static void invent(struct arena *arena, struct dice *d, int number, int32_t as_of, struct member *m)
{
    enum { LAST_NAMES = COUNT(first_halves) * COUNT(second_halves) };
    /* A step that is coprime to the number of names visits each one before any repeats. */
    size_t last = (size_t)number * 255 % LAST_NAMES;
    size_t first = (size_t)number * 17 % COUNT(given_names);
    m->id = arena_fmt(arena, "demo-%04d", number + 1);
    m->first = str_from(given_names[first]);
    m->last = arena_fmt(
        arena, "%s%s", first_halves[last % COUNT(first_halves)],
        second_halves[last / COUNT(first_halves)]);
    m->slug = slug_make(arena, m->first, m->last, m->id);
    m->name = arena_fmt(
        arena, "%.*s %.*s%s", STR_ARG(m->first), STR_ARG(m->last),
        number % 37 == 36   ? ", Jr."
        : number % 53 == 52 ? " III"
                            : "");
    m->birthday = as_of - (int32_t)(35 * DAYS_OF_YEAR + dice_below(d, 45 * DAYS_OF_YEAR));
    invent_term(arena, d, number, as_of, m);
}

struct member *demo_people(struct arena *arena, int32_t as_of)
{
    struct member *people = ARENA_ARRAY(arena, struct member, DEMO_MEMBERS);
    struct dice d;
    dice_init(&d, (uint64_t)as_of, 1);
    for (int i = 0; i < DEMO_MEMBERS; i++)
        invent(arena, &d, i, as_of, &people[i]);
    return people;
}
