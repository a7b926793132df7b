/* The conflict rule over a table of cases, its sentence and its evidence, and the table of asset
 * types in docs/conflict.md. Members and companies are invented; committees and their industries
 * are those of the curated map. */
#include "unit.h"

#include "core/conflict.h"
#include "source_file.h"

#define MEMBER "Robin Vale"
#define COMMERCE "House Committee on Energy and Commerce"
#define RESOURCES "House Committee on Natural Resources"
#define AGRICULTURE "House Committee on Agriculture"
#define SENATE_ENERGY "Senate Committee on Energy and Natural Resources"

#define WHOLE(v, committee, names, in, as)                                                         \
    {                                                                                              \
        .version = (v), .id = STR_INIT(committee), .name = STR_INIT(names),                        \
        .title = STR_INIT(names), .chamber = CHAMBER_##in, .role = SEAT_##as                       \
    }
#define PANEL(v, committee, names, of, in, as)                                                     \
    {                                                                                              \
        .version = (v), .id = STR_INIT(committee), .name = STR_INIT(names),                        \
        .title = STR_INIT("Subcommittee on " names " of the " of), .subcommittee = true,           \
        .chamber = CHAMBER_##in, .role = SEAT_##as                                                 \
    }

enum { SEATS_MAX = 8 };

/* The versions: 0 to 3. */
static int32_t days[4];

static int32_t day(const char *text)
{
    int32_t day;
    assert_true(day_parse(str_from(text), &day));
    return day;
}

static int setup(void **state)
{
    static const char *const texts[] = {"2019-01-10", "2021-02-01", "2023-03-01", "2025-02-01"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        days[i] = day(texts[i]);
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
    struct conflict_seats seats = {days, sizeof days / sizeof *days, items, 0};
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
    MEMBER " sits on the " COMMERCE ", which oversees oil and gas, the industry of Bramble Oil "   \
           "Company (QQBO); seats as of "
#define HOUSE_SEAT(v) WHOLE(v, "HSIF", COMMERCE, HOUSE, MEMBER)
#define HOUSE_SEATS HOUSE_SEAT(0), HOUSE_SEAT(1), HOUSE_SEAT(2), HOUSE_SEAT(3)

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
     MEMBER " sits on the " AGRICULTURE ", which oversees digital assets, among them Bramblecoin; "
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
    {"no seats at all", CHAMBER_HOUSE, ASSET_STOCK, "QQBO", "2021-06-01", {{.version = 0}}, NULL},
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
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER), WHOLE(1, "HSII", RESOURCES, HOUSE, MEMBER)},
     MEMBER " sits on the " COMMERCE " and on the " RESOURCES ", which oversee oil and gas, "
            "the industry of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a committee and its subcommittee",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF03", "Energy", COMMERCE, HOUSE, MEMBER)},
     MEMBER " sits on the " COMMERCE " and on its Subcommittee on Energy, which oversee oil and "
            "gas, the industry of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a committee whose subcommittee it chairs",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF03", "Energy", COMMERCE, HOUSE, CHAIR)},
     MEMBER " sits on the " COMMERCE " and chairs its Subcommittee on Energy, which oversee oil "
            "and gas, the industry of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a subcommittee only",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {PANEL(1, "HSII06", "Energy and Mineral Resources", RESOURCES, HOUSE, MEMBER)},
     MEMBER " sits on the Subcommittee on Energy and Mineral Resources of the " RESOURCES
            ", which oversees oil and gas, the industry of Bramble Oil Company (QQBO); seats as of "
            "2021-02-01."},
    {"a subcommittee in another spelling",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {PANEL(1, "HSII06", "Energy And Mineral Resources", RESOURCES, HOUSE, MEMBER)},
     MEMBER " sits on the Subcommittee on Energy And Mineral Resources of the " RESOURCES
            ", which oversees oil and gas, the industry of Bramble Oil Company (QQBO); seats as of "
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
     MEMBER " sits on the House Committee on Resources, which oversees oil and gas, the industry "
            "of Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a joint committee, filed in the House by a member for the House",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", "Joint Body", HOUSE, MEMBER)},
     MEMBER " sits on the Joint Body, which oversees oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
    {"a joint committee, filed in the Senate by a member for the Senate",
     CHAMBER_SENATE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", "Joint Body", SENATE, MEMBER)},
     MEMBER " sits on the Joint Body, which oversees oil and gas, the industry of Bramble Oil "
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
     MEMBER " chairs the " COMMERCE ", which oversees oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
    {"a ranking member",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, RANKING_MEMBER)},
     MEMBER " is ranking member of the " COMMERCE ", which oversees oil and gas, the industry of "
            "Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"a vice chair",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, VICE_CHAIR)},
     MEMBER " is vice chair of the " COMMERCE ", which oversees oil and gas, the industry of "
            "Bramble Oil Company (QQBO); seats as of 2021-02-01."},
    {"three panels: whole ones first, chairs before members",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF03", "Energy", COMMERCE, HOUSE, CHAIR),
      WHOLE(1, "HSII", RESOURCES, HOUSE, RANKING_MEMBER)},
     MEMBER " is ranking member of the " RESOURCES ", sits on the " COMMERCE
            " and on 1 other panel, which oversee oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
    {"four panels",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {WHOLE(1, "HSIF", COMMERCE, HOUSE, MEMBER),
      PANEL(1, "HSIF03", "Energy", COMMERCE, HOUSE, MEMBER),
      WHOLE(1, "HSII", RESOURCES, HOUSE, MEMBER),
      PANEL(1, "HSII06", "Energy and Mineral Resources", RESOURCES, HOUSE, MEMBER)},
     MEMBER " sits on the " COMMERCE ", on the " RESOURCES
            " and on 2 other panels, which oversee oil and gas, the industry of Bramble Oil "
            "Company (QQBO); seats as of 2021-02-01."},
};

/* Dates. */
static const struct rule_case day_cases[] = {
    {"before the first version",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2014-03-03",
     {HOUSE_SEAT(0)},
     ON_COMMERCE "2019-01-10, the earliest list on record, later than the trade."},
    {"before the first version, with a seat taken later",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2014-03-03",
     {HOUSE_SEAT(1), HOUSE_SEAT(2), HOUSE_SEAT(3)},
     NULL},
    {"on the day of the first version",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2019-01-10",
     {HOUSE_SEAT(0)},
     ON_COMMERCE "2019-01-10."},
    {"the day before the second version",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-01-31",
     {HOUSE_SEAT(0)},
     ON_COMMERCE "2019-01-10."},
    {"on the day of the second version, given up",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-02-01",
     {HOUSE_SEAT(0)},
     NULL},
    {"between versions",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2024-08-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2023-03-01."},
    {"after the last version",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2031-08-01",
     {HOUSE_SEATS},
     ON_COMMERCE "2025-02-01."},
    {"a seat of today and a trade of before",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEAT(3)},
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
    {"moved to the Senate: reported to the House before",
     CHAMBER_HOUSE,
     ASSET_STOCK,
     "QQBO",
     "2021-01-03",
     {HOUSE_SEAT(0), WHOLE(1, "SSEG", SENATE_ENERGY, SENATE, MEMBER)},
     ON_COMMERCE "2019-01-10."},
    {"moved to the Senate: reported to the Senate",
     CHAMBER_SENATE,
     ASSET_STOCK,
     "QQBO",
     "2021-06-01",
     {HOUSE_SEAT(0), WHOLE(1, "SSEG", SENATE_ENERGY, SENATE, MEMBER)},
     MEMBER " sits on the " SENATE_ENERGY ", which oversees oil and gas, the industry of Bramble "
            "Oil Company (QQBO); seats as of 2021-02-01."},
};

static struct conflict_trade trade_of(const struct rule_case *c)
{
    return (struct conflict_trade){
        .chamber = c->chamber,
        .asset_type = c->type,
        .ticker = c->ticker ? str_from(c->ticker) : STR_NULL,
        .asset_name = c->type == ASSET_CRYPTO ? STR("Bramblecoin") : STR("Bramble shares"),
        .day = day(c->day),
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

static void seats_count_by_day_and_chamber(void **state)
{
    CHECK_CASES(day_cases);
}

static void without_any_version_there_is_no_signal(void **state)
{
    const struct conflict_trade trade = {CHAMBER_HOUSE, ASSET_STOCK, STR("QQBO"), STR("x"), 100};
    struct conflict_asset asset = conflict_asset_of(&trade, base_of(trade.ticker));
    const struct conflict_seats none = {NULL, 0, NULL, 0};
    struct conflict found;
    assert_true(asset.industry > 0);
    assert_int_equal(conflict_version_of(&none, 100), -1);
    assert_false(conflict_find(&trade, &asset, &none, &found));
}

static void curated_map_wins_over_the_base_map(void **state)
{
    const struct symbol_entry *entry = industry_of_symbol(STR("META"), day("2022-06-09"));
    struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_STOCK, STR("META"), STR("x"), day("2022-06-09")};
    struct conflict_asset asset = conflict_asset_of(&trade, base_of(STR("QQBO")));
    assert_int_equal(asset.industry, entry->industry);
    assert_true(str_eq(asset.company, entry->company));
    assert_true(str_eq(asset.business, entry->business));
    assert_true(str_eq(asset.source, entry->source));
    trade.day = day("2022-01-30"); /* the symbol belonged to a fund */
    asset = conflict_asset_of(&trade, NULL);
    assert_int_equal(asset.industry, industry_from_code(STR("funds")));
    trade.day = day("2022-03-01"); /* unassigned then, whatever it means today */
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

/* Seat 1 of the House committee in versions 0, 2 and 3; in version 2 another panel has the panel's
 * id. */
static const struct seat gaps[SEATS_MAX] = {
    WHOLE(0, "HSIF", COMMERCE, HOUSE, MEMBER),
    PANEL(0, "HSII06", "Public Lands", RESOURCES, HOUSE, MEMBER),
    PANEL(1, "HSII06", "Energy and Mineral Resources", RESOURCES, HOUSE, MEMBER),
    WHOLE(2, "HSIF", COMMERCE, HOUSE, CHAIR),
    PANEL(2, "HSII06", "Energy and Mineral Resources", RESOURCES, HOUSE, MEMBER),
    WHOLE(3, "HSIF", COMMERCE, HOUSE, MEMBER),
    PANEL(3, "HSII06", "Public Lands", RESOURCES, HOUSE, MEMBER),
};

static struct conflict find_on(const char *text)
{
    const struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_STOCK, STR("QQBO"), STR("x"), day(text)};
    struct conflict_asset asset = conflict_asset_of(&trade, base_of(trade.ticker));
    struct conflict_seats seats = seats_of(gaps);
    struct conflict found;
    assert_true(conflict_find(&trade, &asset, &seats, &found));
    return found;
}

static void from_and_to_bound_unbroken_run(void **state)
{
    struct conflict found = find_on("2019-06-01");
    assert_int_equal(found.seat_count, 1);
    assert_int_equal(found.seats[0].from, days[0]);
    assert_int_equal(found.seats[0].to, days[1]);
    found = find_on("2023-06-01");
    assert_int_equal(found.seat_count, 2);
    assert_str(found.seats[0].seat->id, "HSIF");
    assert_int_equal(found.seats[0].from, days[2]); /* the gap before it ended the run */
    assert_int_equal(found.seats[0].to, DAY_NONE);  /* another role is still the same seat */
}

static void reused_subcommittee_id_ends_run(void **state)
{
    struct conflict found = find_on("2023-06-01");
    assert_str(found.seats[1].seat->id, "HSII06");
    assert_int_equal(found.seats[1].from, days[1]);
    assert_int_equal(found.seats[1].to, days[3]);
}

static void evidence_text_is_exact(void **state)
{
    char space[4096];
    struct buf evidence = buf_over(space, sizeof space);
    struct conflict found = find_on("2023-06-01");
    conflict_put_evidence(&evidence, &found);
    assert_str(
        buf_view(&evidence),
        "{\"industry\":\"Oil and gas\",\"committees\":["
        "{\"id\":\"HSIF\",\"name\":\"" COMMERCE "\",\"role\":\"chair\",\"from\":\"2023-03-01\","
        "\"to\":null},"
        "{\"id\":\"HSII06\",\"name\":\"Subcommittee on Energy and Mineral Resources of "
        "the " RESOURCES "\",\"role\":\"member\",\"from\":\"2021-02-01\",\"to\":\"2025-02-01\"}],"
        "\"mapEntry\":{\"symbol\":\"QQBO\",\"company\":\"Bramble Oil Company\",\"business\":null,"
        "\"source\":\"a list\",\"committees\":["
        "{\"id\":\"HSIF\","
        "\"jurisdiction\":\"production, supply, pricing and interstate pipelines for oil and gas\","
        "\"source\":\"House Rule X, clause 1(f)\"},"
        "{\"id\":\"HSII06\",\"jurisdiction\":\"onshore and offshore leasing of oil and gas\","
        "\"source\":\"committee's own statement of subcommittee jurisdiction\"}]}}");
}

static void evidence_of_an_asset_itself_has_no_symbol(void **state)
{
    char space[4096];
    struct buf evidence = buf_over(space, sizeof space);
    const struct seat items[SEATS_MAX] = {WHOLE(1, "HSAG", AGRICULTURE, HOUSE, MEMBER)};
    const struct conflict_trade trade = {
        CHAMBER_HOUSE, ASSET_CRYPTO, STR("QQBO"), STR("Bramblecoin"), day("2021-06-01")};
    struct conflict_asset asset = conflict_asset_of(&trade, NULL);
    struct conflict_seats seats = seats_of(items);
    struct conflict found;
    assert_true(conflict_find(&trade, &asset, &seats, &found));
    conflict_put_evidence(&evidence, &found);
    assert_true(
        str_find(
            buf_view(&evidence),
            STR("\"mapEntry\":{\"symbol\":null,\"company\":\"Bramblecoin\",\"business\":null,"
                "\"source\":\"the asset is the industry\",")) > 0);
}

static void docs_list_rule_of_each_asset_type(void **state)
{
    static const char *const judged[] = {
        [CONFLICT_NEVER] = "never",
        [CONFLICT_COMPANY] = "by its company",
        [CONFLICT_ITSELF] = "as itself"};
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
        cmocka_unit_test(seats_count_by_day_and_chamber),
        cmocka_unit_test(without_any_version_there_is_no_signal),
        cmocka_unit_test(curated_map_wins_over_the_base_map),
        cmocka_unit_test(base_map_without_a_name_leaves_the_assets_own),
        cmocka_unit_test(from_and_to_bound_unbroken_run),
        cmocka_unit_test(reused_subcommittee_id_ends_run),
        cmocka_unit_test(evidence_text_is_exact),
        cmocka_unit_test(evidence_of_an_asset_itself_has_no_symbol),
        cmocka_unit_test(docs_list_rule_of_each_asset_type),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
