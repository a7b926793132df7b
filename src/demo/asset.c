/* Invents assets; see asset.h. One function per kind. */
#include "demo/asset.h"

#include "paper/cell/details_read.h"

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
         STR_INIT(
             "Company: Glimmerwick Growth Partners IV, L.P. (Larkspur Hollow, OR) Description: "
             "Fund of growth companies")},
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

struct str demo_asset_make(
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
