/* The conflict rule over a table of cases, its sentence and its evidence, and the table of asset
 * types in docs/conflict.md. Members and companies are invented; committees and their industries
 * are those of the curated map. */
#include "unit.h"
#include "day_from.h"

#include "base/hidden.h"
#include "market/conflict.h"
#include "source_file.h"

#define MEMBER "Robin Vale"
#define COMMERCE "House Committee on Energy and Commerce"
#define WAYS "House Committee on Ways and Means"
#define RESOURCES "House Committee on Natural Resources"
#define AGRICULTURE "House Committee on Agriculture"
#define SENATE_ENERGY "Senate Committee on Energy and Natural Resources"

#define APPROPRIATIONS "House Committee on Appropriations"

#define WHOLE(v, committee, names, in, as)                                                         \
    {                                                                                              \
        .first = (v), .after = (v) + 1, .id = STR_INIT(committee), .name = STR_INIT(names),        \
        .title = STR_INIT(names), .chamber = CHAMBER_##in, .role = SEAT_##as                       \
    }
#define PANEL(v, committee, names, of, in, as)                                                     \
    {                                                                                              \
        .first = (v), .after = (v) + 1, .id = STR_INIT(committee), .name = STR_INIT(names),        \
        .title = STR_INIT("Subcommittee on " names " of the " of), .subcommittee = true,           \
        .chamber = CHAMBER_##in, .role = SEAT_##as                                                 \
    }

enum { SEATS_MAX = 8, LISTS = 5 };

/* The lists: one of each Congress, and two of the 117th (1 and 2). */
static int32_t days[LISTS];

static int setup(void **state)
{
    static const char *const texts[] = {
        "2019-01-10", "2021-02-01", "2021-09-01", "2023-03-01", "2025-02-01"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        days[i] = day_from(texts[i]);
    return 0;
}

/* The base map's entry of an invented symbol; NULL: none. */
static const struct company_import *base_of(struct str ticker)
{
    static const struct {
        const char *ticker;
        struct company_import base;
    } companies[] = {
        {"QQBO", {STR_INIT("Bramble Oil Company"), STR_INIT("Oil and gas"), STR_INIT("a list")}},
        {"QQBF", {STR_INIT("Bramble Foods"), STR_INIT("Food and beverages"), STR_INIT("a list")}},
        {"QQBH", {STR_INIT("Bramble Holdings"), STR_INIT("Conglomerates"), STR_INIT("a list")}},
        {"QQBN", {STR_INIT("Bramble Novelties"), {NULL, 0}, STR_INIT("a list")}},
        {"QQBX", {STR_INIT("Bramble Oddities"), STR_INIT("Oddities"), STR_INIT("a list")}},
    };
    for (size_t i = 0; i < sizeof companies / sizeof *companies; i++)
        if (str_eq(ticker, str_from(companies[i].ticker)))
            return &companies[i].base;
    return NULL;
}

static struct conflict_seats seats_of(const struct seat *items)
{
    struct conflict_seats seats = {days, LISTS, days[LISTS - 1], items, 0};
    while (seats.count < SEATS_MAX && !str_is_null(items[seats.count].id))
        seats.count++;
    return seats;
}

struct rule_case {
    const char *what;
    enum chamber chamber;
    enum asset_type type;
    const char *ticker; /* NULL: none */
    const char *day;
    struct seat seats[SEATS_MAX];
    const char *reason; /* NULL: no signal */
};

#define ON_COMMERCE                                                                                \
    MEMBER " sat on the " COMMERCE ", which oversaw oil and gas, the industry of Bramble Oil "     \
           "Company (QQBO); seats as of "
#define HOUSE_SEAT(v) WHOLE(v, "HSIF", COMMERCE, HOUSE, MEMBER)
#define HOUSE_SEATS HOUSE_SEAT(0), HOUSE_SEAT(1), HOUSE_SEAT(2), HOUSE_SEAT(3), HOUSE_SEAT(4)

/* Traded assets. */
static const struct rule_case asset_cases[] = {
    {"a share",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2021-02-01."},
    {"an option: the underlying",
     CHAMBER_HOUSE,
     ASSET_OPTION,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2021-02-01."},
    {"a bond of the company",
     CHAMBER_HOUSE,
     ASSET_BOND,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2021-02-01."},
    {"a type that is not stated",
     CHAMBER_HOUSE,
     ASSET_NONE,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2021-02-01."},
    {"another type",
     CHAMBER_HOUSE,
     ASSET_OTHER,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2021-02-01."},
    {"no ticker", CHAMBER_HOUSE, ASSET_STOCK, NULL, "2021-06-01", {HOUSE_SEATS}, NULL},
    {"a bond without a ticker", CHAMBER_HOUSE, ASSET_BOND, NULL, "2021-06-01", {HOUSE_SEATS}, NULL},
    {"an unknown symbol", CHAMBER_HOUSE, ASSET_STOCK, "QQBZ", "2021-06-01", {HOUSE_SEATS}, NULL},
    {"a symbol without an industry",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBN",
     "2021-06-01",
     {HOUSE_SEATS},
     NULL},
    {"an industry that is none of ours",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBX",
     "2021-06-01",
     {HOUSE_SEATS},
     NULL},
    {"an industry without overseeing committee",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBH",
     "2021-06-01",
     {HOUSE_SEATS},
     NULL},
    {"a fund", CHAMBER_HOUSE, ASSET_FUND, "QQBO", "2021-06-01", {HOUSE_SEATS}, NULL},
    {"a municipal bond",
     CHAMBER_HOUSE,
     ASSET_MUNICIPAL_BOND,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     NULL},
    {"a government security",
     CHAMBER_HOUSE,
     ASSET_GOVERNMENT_SECURITY,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     NULL},
    {"private equity",
     CHAMBER_HOUSE,
     ASSET_PRIVATE_EQUITY,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     NULL},
    {"cryptocurrency: itself",
     CHAMBER_HOUSE,
     ASSET_CRYPTO,
     NULL,
     "2021-06-01",
     {WHOLE(1, "HSAG", AGRICULTURE, HOUSE, MEMBER)},
     MEMBER " sat on the " AGRICULTURE ", which oversaw digital assets, among them Bramblecoin; "
            "seats as of 2021-02-01."},
    {"cryptocurrency whose symbol is a company's",
     CHAMBER_HOUSE,
     ASSET_CRYPTO,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEATS},
     NULL},
};

/* Seats. */
static const struct rule_case seat_cases[] = {
    {"no seats at all", CHAMBER_HOUSE, ASSET_STOCK, "QQBO", "2021-06-01", {{.first = 0}}, NULL},
    {"a committee of another industry",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBF",
     "2021-06-01",
     {WHOLE(1, "HSII", RESOURCES, HOUSE, MEMBER)},
     NULL},
    {"a committee that is in no map",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSXX", "House Committee on Novelties", HOUSE, MEMBER)},
     NULL},
    {"two committees",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "UNH",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER), WHOLE(1, "HSWM", WAYS, HOUSE, MEMBER)},
     MEMBER " sat on the " COMMERCE " and on the " WAYS
            ", which oversaw health insurance and care, "
            "the industry of UnitedHealth Group Incorporated (UNH); seats as of 2021-02-01."},
    {"two committees, of which one oversees a part",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER), WHOLE(1, "HSII", RESOURCES, HOUSE, MEMBER)},
     MEMBER " sat on the " COMMERCE ", which oversaw oil and gas, "
            "the industry of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a committee and its subcommittee",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF03", "Energy", COMMERCE, HOUSE, MEMBER)},
     MEMBER " sat on the " COMMERCE " and on its Subcommittee on Energy, which oversaw oil and "
            "gas, the industry of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a committee whose subcommittee it chairs",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF03", "Energy", COMMERCE, HOUSE, CHAIR)},
     MEMBER " sat on the " COMMERCE " and chaired its Subcommittee on Energy, which oversaw oil "
            "and gas, the industry of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a subcommittee only",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {PANEL(1, "HSII06", "Energy and Mineral Resources", RESOURCES, HOUSE, MEMBER)},
     MEMBER " sat on the Subcommittee on Energy and Mineral Resources of the " RESOURCES
            ", which oversaw oil and gas, the industry of Bramble Oil Company (QQBO); seats as of "
            "2021-02-01."},
    {"a subcommittee in another spelling",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {PANEL(1, "HSII06", "Energy And Mineral Resources", RESOURCES, HOUSE, MEMBER)},
     MEMBER " sat on the Subcommittee on Energy And Mineral Resources of the " RESOURCES
            ", which oversaw oil and gas, the industry of Bramble Oil Company (QQBO); seats as of "
            "2021-02-01."},
    {"a subcommittee's id given to another",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {PANEL(1, "HSII06", "Public Lands", RESOURCES, HOUSE, MEMBER)},
     NULL},
    {"a committee under an earlier name",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSII", "House Committee on Resources", HOUSE, MEMBER)},
     MEMBER " sat on the House Committee on Resources, which oversaw oil and gas, the industry "
            "of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a joint committee, filed in the House by a member for the House",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", "Joint Body", HOUSE, MEMBER)},
     MEMBER " sat on the Joint Body, which oversaw oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
    {"a joint committee, filed in the Senate by a member for the Senate",
     CHAMBER_SENATE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", "Joint Body", SENATE, MEMBER)},
     MEMBER " sat on the Joint Body, which oversaw oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
    {"a joint committee without an industry",
     CHAMBER_SENATE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "JSEC", "Joint Economic Committee", SENATE, CHAIR)},
     NULL},
    {"a chair",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, CHAIR)},
     MEMBER " chaired the " COMMERCE ", which oversaw oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
    {"a ranking member",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, RANKING_MEMBER)},
     MEMBER " was ranking member of the " COMMERCE ", which oversaw oil and gas, the industry of "
            "Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a vice chair",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, VICE_CHAIR)},
     MEMBER " was vice chair of the " COMMERCE ", which oversaw oil and gas, the industry of "
            "Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"three panels: whole ones first, chairs before members",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "UNH",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF14", "Health", COMMERCE, HOUSE, CHAIR),
      WHOLE(1, "HSWM", WAYS, HOUSE, RANKING_MEMBER)},
     MEMBER " was ranking member of the " WAYS ", sat on the " COMMERCE
            " and on 1 other panel, which oversaw health insurance and care, the industry "
            "of UnitedHealth Group Incorporated (UNH); seats as of 2021-02-01."},
    {"four panels",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "UNH",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF14", "Health", COMMERCE, HOUSE, MEMBER), WHOLE(1, "HSWM", WAYS, HOUSE, MEMBER),
      PANEL(1, "HSWM02", "Health", WAYS, HOUSE, MEMBER)},
     MEMBER " sat on the " COMMERCE ", on the " WAYS
            " and on 2 other panels, which oversaw health insurance and care, the industry "
            "of UnitedHealth Group Incorporated (UNH); seats as of 2021-02-01."},
};

/* Dates. */
#define IS_ON_COMMERCE                                                                             \
    MEMBER " sits on the " COMMERCE ", which oversees oil and gas, the industry of Bramble Oil "   \
           "Company (QQBO); seats as of "

static const struct rule_case day_cases[] = {
    {"before the Congress of the first list",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2014-03-03",
     {HOUSE_SEATS},
     NULL},
    {"in the Congress of the first list, before it",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2019-01-05",
     {HOUSE_SEATS},
     ON_COMMERCE "2019-01-10"
                 ", a list later than the trade."},
    {"on the day of the first list",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2019-01-10",
     {HOUSE_SEAT(0)},
     ON_COMMERCE "2019-01-10."},
    {"on the last day of the Congress",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-01-02",
     {HOUSE_SEATS},
     ON_COMMERCE "2019-01-10."},
    {"on the first day of the next Congress: its first list, not the newest one before",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-01-03",
     {HOUSE_SEATS},
     ON_COMMERCE "2021-02-01"
                 ", a list later than the trade."},
    {"on the first day of the next Congress, reelected to nothing",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-01-03",
     {HOUSE_SEAT(0)},
     NULL},
    {"the day before the second list of the Congress",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-08-31",
     {HOUSE_SEAT(1)},
     ON_COMMERCE "2021-02-01."},
    {"a seat taken with the second list: that is the first with the member",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEAT(2)},
     ON_COMMERCE "2021-09-01"
                 ", a list later than the trade."},
    {"a seat taken with the second list, beside another from the first",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSAG", AGRICULTURE, HOUSE, MEMBER), HOUSE_SEAT(2)},
     NULL},
    {"missing in the second list: the newest one with the member",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2022-06-01",
     {HOUSE_SEAT(1)},
     ON_COMMERCE "2021-02-01."},
    {"given up with the second list, beside another that stays",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2022-06-01",
     {HOUSE_SEAT(1), WHOLE(2, "HSAG", AGRICULTURE, HOUSE, MEMBER)},
     NULL},
    {"between lists",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2024-08-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2023-03-01."},
    {"after the last list, in its Congress",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2026-08-01",
     {HOUSE_SEATS},
     IS_ON_COMMERCE "2025-02-01."},
    {"after the last list, in the next Congress",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2027-01-03",
     {HOUSE_SEATS},
     NULL},
    {"a seat of today and a trade of before",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEAT(4)},
     NULL},
    {"a former member's trade while in office",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2019-06-01",
     {HOUSE_SEAT(0)},
     ON_COMMERCE "2019-01-10."},
    {"a former member's trade afterwards",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2023-06-01",
     {HOUSE_SEAT(0), HOUSE_SEAT(1)},
     NULL},
    {"moved to the Senate: reported to the House",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEAT(0), WHOLE(1, "SSEG", SENATE_ENERGY, SENATE, MEMBER)},
     NULL},
    {"moved to the Senate within a Congress: reported to the House",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2022-06-01",
     {HOUSE_SEAT(1), WHOLE(2, "SSEG", SENATE_ENERGY, SENATE, MEMBER)},
     ON_COMMERCE "2021-02-01."},
    {"moved to the Senate within a Congress: reported to the Senate",
     CHAMBER_SENATE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEAT(1), WHOLE(2, "SSEG", SENATE_ENERGY, SENATE, MEMBER)},
     MEMBER " sat on the " SENATE_ENERGY ", which oversaw oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-09-01"
            ", a list later than the trade."},
    {"moved to the Senate: reported to the Senate",
     CHAMBER_SENATE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEAT(0), WHOLE(1, "SSEG", SENATE_ENERGY, SENATE, MEMBER)},
     MEMBER " sat on the " SENATE_ENERGY ", which oversaw oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
};

static struct conflict_trade trade_of(const struct rule_case *c)
{
    return (struct conflict_trade){
        .chamber = c->chamber,
        .asset_type = c->type,
        .ticker = c->ticker ? str_from(c->ticker) : STR_NULL,
        .asset_name = c->type == ASSET_CRYPTO ? STR("Bramblecoin") : STR("Bramble shares"),
        .day = day_from(c->day),
    };
}

static void check_case(const struct rule_case *c)
{
    char space[1024];
    struct buf reason = buf_over(space, sizeof space);
    struct conflict_trade trade = trade_of(c);
    struct conflict_asset asset = conflict_asset_of(&trade, base_of(trade.ticker));
    struct conflict_seats seats = seats_of(c->seats);
    struct conflict found;
    bool is_found = conflict_find(&trade, &asset, &seats, &found);
    if (is_found)
        conflict_put_reason(&reason, &found, STR(MEMBER));
    if (is_found != (c->reason != NULL) ||
        (is_found && !str_eq(buf_view(&reason), str_from(c->reason))))
        fail_msg(
            "%s: got \"%.*s\", expected \"%s\"", c->what, STR_ARG(buf_view(&reason)),
            c->reason ? c->reason : "");
}

#define CHECK_CASES(cases)                                                                         \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++)                                   \
    check_case(&(cases)[i])

static void traded_asset_decides_industry(void **state)
{
    CHECK_CASES(asset_cases);
}

static void seats_on_committees_of_the_industry_count(void **state)
{
    CHECK_CASES(seat_cases);
}

static void seats_count_by_congress_day_and_chamber(void **state)
{
    CHECK_CASES(day_cases);
}

static void without_any_list_there_is_no_signal(void **state)
{
    const struct conflict_trade trade = {CHAMBER_HOUSE, ASSET_STOCK, STR("QQBO"), STR("x"), 100};
    struct conflict_asset asset = conflict_asset_of(&trade, base_of(trade.ticker));
    const struct conflict_seats none = {NULL, 0, DAY_NONE, NULL, 0};
    struct conflict found;
    assert_true(asset.industry > 0);
    assert_int_equal(conflict_list_of(&none, CHAMBER_HOUSE, 100).basis, CONFLICT_NO_LIST);
    assert_false(conflict_find(&trade, &asset, &none, &found));
}

static void curated_map_wins_over_the_base_map(void **state)
{
    const struct symbol_entry *entry = industry_of_symbol(STR("META"), day_from("2022-06-09"));
    struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_STOCK, STR("META"), STR("x"), day_from("2022-06-09")};
    struct conflict_asset asset = conflict_asset_of(&trade, base_of(STR("QQBO")));
    assert_int_equal(asset.industry, entry->industry);
    assert_true(str_eq(asset.company, entry->company));
    assert_true(str_eq(asset.business, entry->business));
    assert_true(str_eq(asset.source, entry->source));
    trade.day = day_from("2022-01-30"); /* the symbol belonged to a fund */
    asset = conflict_asset_of(&trade, NULL);
    assert_int_equal(asset.industry, industry_from_code(STR("funds")));
    trade.day = day_from("2022-03-01"); /* unassigned then, whatever it means today */
    asset = conflict_asset_of(&trade, base_of(STR("QQBO")));
    assert_int_equal(asset.industry, 0);
    assert_true(str_is_null(asset.company));
}

static void base_map_without_a_name_leaves_the_assets_own(void **state)
{
    const struct company_import base = {{NULL, 0}, STR_INIT("Oil and gas"), STR_INIT("a list")};
    const struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_STOCK, STR("QQBZ"), STR("Bramble shares"), 100};
    assert_str(conflict_asset_of(&trade, &base).company, "Bramble shares");
}

/* A seat of the House committee in both lists of the 117th Congress, in two roles, and in those of
 * the 118th and 119th; a panel in the first of them, and seats in the second. */
static const struct seat runs[SEATS_MAX] = {
    WHOLE(1, "HSIF", COMMERCE, HOUSE, CHAIR),
    WHOLE(2, "HSIF", COMMERCE, HOUSE, MEMBER),
    PANEL(1, "HSII06", "Energy and Mineral Resources", RESOURCES, HOUSE, MEMBER),
    WHOLE(2, "HSAP", APPROPRIATIONS, HOUSE, MEMBER),
    PANEL(
        2, "HSAP10", "Energy and Water Development and Related Agencies", APPROPRIATIONS, HOUSE,
        MEMBER),
    WHOLE(3, "HSIF", COMMERCE, HOUSE, MEMBER),
    WHOLE(4, "HSIF", COMMERCE, HOUSE, MEMBER),
};

static struct conflict find_on(const char *text)
{
    const struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_STOCK, STR("QQBO"), STR("x"), day_from(text)};
    static struct conflict_asset asset;
    struct conflict_seats seats = seats_of(runs);
    struct conflict found;
    asset = conflict_asset_of(&trade, base_of(trade.ticker));
    assert_true(conflict_find(&trade, &asset, &seats, &found));
    return found;
}

static void from_and_to_bound_the_run_within_the_congress(void **state)
{
    struct conflict found = find_on("2021-06-01");
    assert_int_equal(found.seat_count, 2);
    assert_str(found.seats[0].seat->id, "HSIF");
    assert_int_equal(found.seats[0].from, days[1]);
    assert_int_equal(found.seats[0].to, day_from("2023-01-03")); /* the Congress ended */
    assert_int_equal(found.seats[1].from, days[1]);
    assert_int_equal(found.seats[1].to, days[2]); /* the next list lacks it */
    found = find_on("2025-06-01");
    assert_int_equal(found.seat_count, 1);
    assert_int_equal(found.seats[0].from, days[4]);
    assert_int_equal(found.seats[0].to, DAY_NONE); /* the newest list has it */
}

static void signal_states_basis_and_strongest_seat(void **state)
{
    struct conflict found = find_on("2021-06-01");
    assert_int_equal(found.basis, CONFLICT_IN_FORCE);
    assert_int_equal(found.strength, CONFLICT_FULL_COMMITTEE);
    assert_int_equal(found.seats[1].strength, CONFLICT_SUBCOMMITTEE);
    found = find_on("2021-01-20");
    assert_int_equal(found.basis, CONFLICT_LATER_LIST);
    found = find_on("2022-01-20");
    assert_int_equal(found.seat_count, 2);
    assert_str(found.seats[1].seat->id, "HSAP10");
    assert_int_equal(found.seats[1].strength, CONFLICT_APPROPRIATIONS);
}

static void evidence_text_is_exact(void **state)
{
    char space[4096];
    struct buf evidence = buf_over(space, sizeof space);
    struct conflict found = find_on("2021-06-01");
    conflict_put_evidence(&evidence, &found);
    assert_str(
        buf_view(&evidence),
        "{\"industry\":\"Oil and gas\",\"industries\":[{\"code\":\"oil_gas\",\"share\":null,"
        "\"kind\":\"primary\",\"source\":\"a list\"}],"
        "\"basis\":\"in_force\",\"strength\":\"full_committee\",\"grade\":\"A\","
        "\"seatsAsOf\":\"2021-02-01\",\"committees\":["
        "{\"id\":\"HSIF\",\"name\":\"" COMMERCE "\",\"role\":\"chair\","
        "\"strength\":\"full_committee\",\"grade\":\"A\",\"from\":\"2021-02-01\",\"to\":\"2023-01-"
        "03\"},"
        "{\"id\":\"HSII06\",\"name\":\"Subcommittee on Energy and Mineral Resources of "
        "the " RESOURCES "\",\"role\":\"member\",\"strength\":\"subcommittee\",\"grade\":\"C\","
        "\"from\":\"2021-02-01\",\"to\":\"2021-09-01\"}],"
        "\"mapEntry\":{\"symbol\":\"QQBO\",\"symbolBasis\":\"filed\",\"company\":\"Bramble Oil "
        "Company\",\"business\":null,"
        "\"source\":\"a list\",\"committees\":["
        "{\"id\":\"HSIF\",\"industry\":\"Oil and gas\",\"ground\":\"rule\","
        "\"jurisdiction\":\"production, supply, pricing and interstate pipelines for oil and gas\","
        "\"source\":\"House Rule X, clause 1(f)\"},"
        "{\"id\":\"HSII06\",\"industry\":\"Oil and gas\",\"ground\":\"part\","
        "\"jurisdiction\":\"onshore and offshore leasing of oil and gas\","
        "\"source\":\"committee's own statement of subcommittee jurisdiction\"}]}}");
}

/* Names that are longer than any real one, in every number of seats: the sentence stays short, ends
 * the same way, and cuts no word. */
static void sentence_fits_whatever_the_names(void **state)
{
    static const struct str words[] = {
        STR_INIT("Very Long Words about Novelties and Oddities of the Various Kinds, and Others; "
                 "to Which the Same Applies for the Time Being, and for Later Times as Well, "
                 "Including Weevils, Orchards, Vineyards and Wine, and Related Matters"),
        STR_INIT(
            "\xc3\x84pfel\xc3\xa4pfel\xc3\xa4pfel\xc3\xa4pfel\xc3\xa4pfel\xc3\xa4pfel\xc3"
            "\xa4pfel\xc3\xa4pfel\xc3\xa4pfel\xc3\xa4pfel\xc3\xa4pfel\xc3\xa4pfel\xc3\xa4pfel"),
        STR_INIT("Short"),
    };
    enum { WORDS = sizeof words / sizeof *words };
    for (int i = 0; i < WORDS * WORDS * WORDS * 4 * 2; i++) {
        char space[1024];
        struct buf reason = buf_over(space, sizeof space);
        struct seat seats[4];
        struct conflict c = find_on("2021-06-01");
        int rest = i;
        struct str name = words[rest % WORDS], title = words[(rest /= WORDS) % WORDS];
        struct conflict_asset asset = *c.asset;
        struct business item = {.industry = c.item->industry, .kind = BUSINESS_ASSET};
        c.asset = &asset;
        c.item = &item;
        asset.company = words[(rest /= WORDS) % WORDS];
        c.seat_count = c.named_count = (size_t)((rest /= WORDS) % 4) + 1;
        c.basis = rest / 4 ? CONFLICT_LATER_LIST : CONFLICT_IN_FORCE;
        asset.symbol = STR("QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ");
        for (size_t k = 0; k < c.seat_count; k++) {
            seats[k] = runs[0];
            seats[k].name = seats[k].title = title;
            seats[k].role = SEAT_RANKING_MEMBER;
            c.seats[k].seat = &seats[k];
        }
        conflict_put_reason(&reason, &c, name);
        struct str text = buf_view(&reason);
        assert_true(text.n <= CONFLICT_REASON_MAX);
        assert_true(hidden_free_line(text) && text.p[text.n - 1] == '.');
        assert_true(str_find(text, STR("; seats as of 2021-02-01")) > 0);
        assert_int_equal(str_find(text, STR(" the\xe2\x80\xa6")), -1);
    }
}

static void evidence_of_an_asset_itself_has_no_symbol(void **state)
{
    char space[4096];
    struct buf evidence = buf_over(space, sizeof space);
    const struct seat items[SEATS_MAX] = {WHOLE(1, "HSAG", AGRICULTURE, HOUSE, MEMBER)};
    const struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_CRYPTO, STR("QQBO"), STR("Bramblecoin"), day_from("2021-06-01")};
    struct conflict_asset asset = conflict_asset_of(&trade, NULL);
    struct conflict_seats seats = seats_of(items);
    struct conflict found;
    assert_true(conflict_find(&trade, &asset, &seats, &found));
    conflict_put_evidence(&evidence, &found);
    assert_true(
        str_find(
            buf_view(&evidence), STR("\"mapEntry\":{\"symbol\":null,\"symbolBasis\":null,"
                                     "\"company\":\"Bramblecoin\",\"business\":null,"
                                     "\"source\":\"the asset is the industry\",")) > 0);
}

/* Danaher's medical devices were 45 % of its revenue. */
static void primary_business_under_half_is_the_largest(void **state)
{
    char space[1024];
    struct buf reason = buf_over(space, sizeof space);
    const struct seat items[SEATS_MAX] = {WHOLE(0, "HSIF", COMMERCE, HOUSE, MEMBER)};
    const struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_STOCK, STR("DHR"), STR("Danaher"), day_from("2014-02-25")};
    struct conflict_asset asset = conflict_asset_of(&trade, NULL);
    struct conflict_seats seats = seats_of(items);
    struct conflict found;
    int32_t first = days[0];
    days[0] = day_from("2014-02-13");
    assert_true(conflict_find(&trade, &asset, &seats, &found));
    conflict_put_reason(&reason, &found, STR(MEMBER));
    assert_true(
        str_find(buf_view(&reason), STR("medical devices, the largest business of Danaher")) > 0);
    days[0] = first;
}

struct grade_case {
    enum asset_type type;
    const char *ticker, *name, *day;
    struct seat seat;
    const char *grade, *said; /* NULL: no signal */
};

#define JUDICIARY "House Committee on the Judiciary"
#define AG_SEAT WHOLE(1, "HSAG", AGRICULTURE, HOUSE, MEMBER)
#define OIL_SEAT WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER)
#define MINE_SEAT WHOLE(1, "HSII", RESOURCES, HOUSE, MEMBER)

static const struct grade_case grade_cases[] = {
    /* the primary business, by a rule, or by a panel's own jurisdiction */
    {ASSET_STOCK, "QQBO", "", "2021-06-01", OIL_SEAT, "A", ", the industry of Bramble Oil"},
    {ASSET_STOCK, "MDT", "", "2021-06-01", PANEL(1, "HSIF14", "Health", COMMERCE, HOUSE, MEMBER),
     "A", "medical devices, the industry of"},
    /* the whole committee by its panel's jurisdiction; a second business */
    {ASSET_STOCK, "ALL", "", "2021-06-01",
     WHOLE(1, "SSBK", "Senate Committee on Banking, Housing, and Urban Affairs", SENATE, MEMBER),
     "B", "insurance, the industry of"},
    {ASSET_STOCK, "UL", "", "2021-06-01", AG_SEAT, "B", "food and beverages, a business of"},
    /* a part of the industry, Appropriations, a later list, a fund of one sector */
    {ASSET_STOCK, "QQBO", "", "2021-06-01", MINE_SEAT, "C", "oil and gas, the industry of"},
    {ASSET_STOCK, "QQBO", "", "2021-06-01",
     PANEL(
         1, "HSAP10", "Energy and Water Development and Related Agencies", APPROPRIATIONS, HOUSE,
         MEMBER),
     "C", "oil and gas, the industry of"},
    {ASSET_STOCK, "QQBO", "", "2021-01-20", OIL_SEAT, "C", "a list later than the trade"},
    {ASSET_FUND, "XLE", "", "2021-06-01", OIL_SEAT, "C", "oil and gas, the sector of"},
    /* what is inside the asset, however it is filed */
    {ASSET_FUND, "GLD", "", "2021-06-01", MINE_SEAT, "A", "mining and metals, the industry behind"},
    {ASSET_STOCK, "GLD", "", "2021-06-01", MINE_SEAT, "A",
     "mining and metals, the industry behind"},
    {ASSET_COMMODITY, NULL, "Call Nov 22 CBT Soybeans", "2021-06-01", AG_SEAT, "A",
     "agriculture, the industry behind Call Nov 22 CBT Soybeans;"},
    {ASSET_OTHER, NULL, "Apr 22 CME Cattle", "2021-06-01", AG_SEAT, "A",
     "agriculture, the industry behind"},
    /* not judged: under a fifth, a broad fund, unknown words, an index */
    {ASSET_STOCK, "SBUX", "", "2021-06-01", AG_SEAT, NULL, NULL},
    {ASSET_FUND, "SPY", "", "2021-06-01", OIL_SEAT, NULL, NULL},
    {ASSET_FUND, "QQBO", "", "2021-06-01", OIL_SEAT, NULL, NULL},
    {ASSET_COMMODITY, NULL, "Sep 22 CBT Widgets", "2021-06-01", AG_SEAT, NULL, NULL},
    {ASSET_COMMODITY, NULL, "Mar 22 CME E-Mini S&P", "2021-06-01", AG_SEAT, NULL, NULL},
    {ASSET_OTHER, NULL, "Cattle ranch", "2021-06-01", AG_SEAT, NULL, NULL},
};

static void grade_follows_business_ground_and_list(void **state)
{
    for (size_t i = 0; i < sizeof grade_cases / sizeof *grade_cases; i++) {
        const struct grade_case *c = &grade_cases[i];
        const struct seat items[SEATS_MAX] = {c->seat};
        const struct conflict_trade trade = {
            c->seat.chamber, c->type, c->ticker ? str_from(c->ticker) : STR_NULL, str_from(c->name),
            day_from(c->day)};
        struct conflict_asset asset = conflict_asset_of(&trade, base_of(trade.ticker));
        struct conflict_seats seats = seats_of(items);
        struct conflict found;
        char space[1024];
        struct buf reason = buf_over(space, sizeof space);
        bool is_found = conflict_find(&trade, &asset, &seats, &found);
        assert_int_equal(is_found, c->grade != NULL);
        if (!is_found)
            continue;
        conflict_put_reason(&reason, &found, STR(MEMBER));
        if (!str_eq(conflict_grade_name(found.grade), str_from(c->grade)) ||
            str_find(buf_view(&reason), str_from(c->said)) < 0)
            fail_msg("%s, %s: %.*s", c->grade, c->said, STR_ARG(buf_view(&reason)));
        assert_int_equal(conflict_grade_from_name(str_from(c->grade)), found.grade);
    }
    assert_int_equal(conflict_grade_from_name(STR("D")), CONFLICT_NO_GRADE);
}

/* Unilever's food is a second business: the committee that oversees what it earns most from leads.
 */
static void best_seat_decides_grade_and_sentence(void **state)
{
    char space[1024], evidence_space[8192];
    struct buf reason = buf_over(space, sizeof space);
    struct buf evidence = buf_over(evidence_space, sizeof evidence_space);
    const struct seat items[SEATS_MAX] = {AG_SEAT, WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER)};
    const struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_STOCK, STR("UL"), STR(""), day_from("2021-06-01")};
    struct conflict_asset asset = conflict_asset_of(&trade, NULL);
    struct conflict_seats seats = seats_of(items);
    struct conflict found;
    assert_true(conflict_find(&trade, &asset, &seats, &found));
    assert_int_equal(found.seat_count, 2);
    assert_int_equal(found.named_count, 1);
    assert_str(found.seats[0].seat->id, "HSIF");
    assert_true(found.item == &asset.items[0] && found.grade <= found.seats[1].grade);
    assert_int_equal(found.seats[1].grade, CONFLICT_GRADE_B);
    conflict_put_reason(&reason, &found, STR(MEMBER));
    assert_true(str_find(buf_view(&reason), STR("consumer goods, the industry of Unilever")) > 0);
    assert_int_equal(str_find(buf_view(&reason), STR("Agriculture")), -1);
    conflict_put_evidence(&evidence, &found);
    assert_true(
        str_find(
            buf_view(&evidence), STR("\"industries\":[{\"code\":\"consumer_goods\",\"share\":60,"
                                     "\"kind\":\"primary\",")) > 0);
}

static void docs_list_rule_of_each_asset_type(void **state)
{
    static const char *const judged[] = {
        [CONFLICT_NEVER] = "never",
        [CONFLICT_COMPANY] = "by its company",
        [CONFLICT_FUND] = "by what it holds",
        [CONFLICT_ITSELF] = "as itself",
        [CONFLICT_NAMED] = "by its name"};
    struct arena arena;
    struct buf table;
    arena_init(&arena);
    buf_init(&table, 16 * 1024);
    buf_text(&table, "| `assetType` | judged | why |\n|---|---|---|\n");
    for (int type = 0; type < ASSET_COUNT; type++) {
        struct conflict_class_info class = conflict_class_of((enum asset_type)type);
        struct str name = asset_type_name((enum asset_type)type);
        if (str_is_null(name))
            buf_text(&table, "| null");
        else
            buf_fmt(&table, "| `%.*s`", STR_ARG(name));
        buf_fmt(&table, " | %s | %.*s |\n", judged[class.judged], STR_ARG(class.why));
        assert_true((class.industry != 0) == (class.judged == CONFLICT_ITSELF));
    }
    buf_char(&table, '\n');
    assert_true(str_find(source_file_read(&arena, "docs/conflict.md"), buf_view(&table)) >= 0);
    buf_finish(&table);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traded_asset_decides_industry),
        cmocka_unit_test(seats_on_committees_of_the_industry_count),
        cmocka_unit_test(seats_count_by_congress_day_and_chamber),
        cmocka_unit_test(without_any_list_there_is_no_signal),
        cmocka_unit_test(curated_map_wins_over_the_base_map),
        cmocka_unit_test(base_map_without_a_name_leaves_the_assets_own),
        cmocka_unit_test(from_and_to_bound_the_run_within_the_congress),
        cmocka_unit_test(signal_states_basis_and_strongest_seat),
        cmocka_unit_test(sentence_fits_whatever_the_names),
        cmocka_unit_test(evidence_text_is_exact),
        cmocka_unit_test(evidence_of_an_asset_itself_has_no_symbol),
        cmocka_unit_test(primary_business_under_half_is_the_largest),
        cmocka_unit_test(grade_follows_business_ground_and_list),
        cmocka_unit_test(best_seat_decides_grade_and_sentence),
        cmocka_unit_test(docs_list_rule_of_each_asset_type),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
