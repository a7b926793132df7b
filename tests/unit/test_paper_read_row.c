/* Interprets a table of rows as House and Senate print them. */
#include "unit.h"

#include "paper/read_row.h"

enum { FILED = 20000 }; /* 2024-10-04 */

static bool known(void *ctx, struct str symbol)
{
    static const char *const symbols[] = {"AMZN", "BRK.B", "LNG", "KHC"};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (str_eq(symbol, str_from(symbols[i])))
            return true;
    return false;
}

static bool company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    return company_on(symbol, day, NULL, ret);
}

struct read {
    struct arena arena;
    struct read_row row;
};

static struct read *read_cells(enum reading_kind kind, const struct reading_row *cells)
{
    struct read *r = MEM_NEW(struct read);
    arena_init(&r->arena);
    const struct read_row_symbols symbols = {known, company, NULL};
    read_row(kind, cells, FILED, &symbols, &r->arena, &r->row);
    return r;
}

static void done(struct read *r)
{
    arena_finish(&r->arena);
    mem_free(r);
}

static struct reading_row house(const char *asset)
{
    return (struct reading_row){
        .row = 1,
        .page = 2,
        .cell = {
            [CELL_ASSET] = str_from(asset),
            [CELL_OWNER] = STR("SP"),
            [CELL_TYPE] = STR("S (partial)"),
            [CELL_DATE] = STR("09/12/2024"),
            [CELL_NOTIFIED] = STR("9/13/2024"),
            [CELL_AMOUNT] = STR("$15,001 - $50,000"),
        }};
}

static void every_field_of_a_house_row_is_read(void **state)
{
    struct reading_row cells = house("aMaZoN.com, Inc. (aMZN) [ST]");
    struct read *r = read_cells(READING_HOUSE_PTR, &cells);
    assert_str(r->row.row.values.ticker, "AMZN");
    assert_str(r->row.row.values.asset_name, "aMaZoN.com, Inc.");
    assert_int_equal(r->row.row.values.asset_type, ASSET_STOCK);
    assert_int_equal(r->row.row.values.side, SIDE_SELL_PARTIAL);
    assert_int_equal(r->row.row.values.owner, OWNER_SPOUSE);
    assert_int_equal(r->row.row.values.bracket, BRACKET_15K_50K);
    assert_int_equal(r->row.row.notified_date - r->row.row.values.trade_date, 1);
    assert_int_equal(r->row.row.page, 2);
    assert_int_equal(r->row.doubt_count, 0);
    assert_true(str_is_null(r->row.held));
    assert_true(
        str_find(r->row.row.printed, STR("\"asset\":\"aMaZoN.com, Inc. (aMZN) [ST]\"")) > 0);
    done(r);
}

static void ticker_is_set_only_if_stated(void **state)
{
    static const struct {
        const char *asset, *ticker, *name, *doubt;
        enum asset_type type;
    } cases[] = {
        {"US Treasury Bill [GS]", NULL, "US Treasury Bill", NULL, ASSET_GOVERNMENT_SECURITY},
        {"Note 4.375% (91282CJP7) [GS]", NULL, "Note 4.375% (91282CJP7)", NULL,
         ASSET_GOVERNMENT_SECURITY},
        {"BTC (Bitcoin) [CT]", NULL, "BTC (Bitcoin)", NULL, ASSET_CRYPTO},
        {"Bitcoin (BTC) [CT]", NULL, "Bitcoin (BTC)", NULL, ASSET_CRYPTO},
        {"Berkshire New (BRK/B) [OP]", "BRK.B", "Berkshire New", NULL, ASSET_OPTION},
        {"Vale Holdings (Delaware) [ST]", NULL, "Vale Holdings (Delaware)", NULL, ASSET_STOCK},
        {"Vale Holdings (Stock) [ST]", NULL, "Vale Holdings (Stock)", "ticker_unknown: Stock",
         ASSET_STOCK},
        {"Vale Sponsored aDR (VlgaY) [ST]", "VLGAY", "Vale Sponsored aDR", "ticker_unknown: VlgaY",
         ASSET_STOCK},
        {"Vale Holdings (all) [ST]", NULL, "Vale Holdings (all)", "ticker_unknown: all",
         ASSET_STOCK},
        {"Vale Preferred (VLE$A) [ST]", "VLE$A", "Vale Preferred", "ticker_unknown: VLE$A",
         ASSET_STOCK},
        {"Cheniere (LNg)", "LNG", "Cheniere", NULL, ASSET_NONE},
        {"Odd [ZZ]", NULL, "Odd", "asset_type_unknown: ZZ", ASSET_NONE},
        {"(AMZN) [ST]", NULL, "(AMZN)", NULL, ASSET_STOCK},
        {"A ) ( B", NULL, "A ) ( B", NULL, ASSET_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading_row cells = house(cases[i].asset);
        struct read *r = read_cells(READING_HOUSE_PTR, &cells);
        assert_true(str_eq(r->row.row.values.ticker, str_from(cases[i].ticker)));
        assert_str(r->row.row.values.asset_name, cases[i].name);
        assert_int_equal(r->row.row.values.asset_type, cases[i].type);
        assert_int_equal(r->row.doubt_count, cases[i].doubt != NULL);
        if (cases[i].doubt)
            assert_str(r->row.doubts[0], cases[i].doubt);
        done(r);
    }
}

static void row_without_a_required_field_is_held(void **state)
{
    static const struct {
        enum cell cell;
        const char *text, *held;
    } cases[] = {
        {CELL_AMOUNT, "$770.32", "the amount is under $1,001: $770.32"},
        {CELL_AMOUNT, "$1,001 -", "the amount is not one of the form's ranges: $1,001 -"},
        {CELL_AMOUNT, NULL, "the amount is not one of the form's ranges"},
        {CELL_TYPE, "X", "the transaction type is not one of the form's: X"},
        {CELL_TYPE, "Sale", "the form does not say whether it was sold in full or in part"},
        {CELL_ASSET, "[ST]", "no asset is printed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading_row cells = house("A [ST]");
        cells.cell[cases[i].cell] = str_from(cases[i].text);
        struct read *r = read_cells(READING_HOUSE_PTR, &cells);
        assert_str(r->row.held, cases[i].held);
        done(r);
    }
}

static void doubts_name_their_detail(void **state)
{
    struct reading_row cells = house("A [ST]");
    cells.cell[CELL_OWNER] = STR("XX");
    cells.cell[CELL_DATE] = STR("10/06/2024");
    cells.cell[CELL_NOTIFIED] = STR("10/05/2024");
    cells.cell[CELL_AMOUNT] = STR("$2,500.50");
    const struct str second[CELL_COUNT] = {
        [CELL_OWNER] = STR_INIT("SP"), [CELL_COMMENT] = STR_INIT("")};
    cells.second = second;
    struct read *r = read_cells(READING_HOUSE_PTR, &cells);
    static const char *const wanted[] = {
        "owner_unknown: XX",
        "owner_reread: \"XX\" and \"SP\"",
        "comment_reread: \"\" and \"\"",
        "notified_before_traded: 10/05/2024",
        "notified_after_filed: 10/05/2024",
        "traded_after_filed: 10/06/2024",
        "traded_on_weekend: 10/06/2024",
        "exact_amount: $2,500.50"};
    assert_int_equal(r->row.doubt_count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < r->row.doubt_count; i++)
        assert_str(r->row.doubts[i], wanted[i]);
    assert_int_equal(r->row.row.values.bracket, BRACKET_1K_15K);
    assert_true(str_is_null(r->row.held));
    done(r);
}

static void nonexistent_date_is_null_with_a_doubt(void **state)
{
    struct reading_row cells = house("A [ST]");
    cells.cell[CELL_DATE] = STR("02/30/2024");
    struct read *r = read_cells(READING_HOUSE_PTR, &cells);
    assert_int_equal(r->row.row.values.trade_date, DAY_NONE);
    assert_str(r->row.doubts[0], "date_unreadable: 02/30/2024");
    assert_true(str_is_null(r->row.held));
    done(r);
}

static struct reading_row senate(const char *asset, const char *ticker, const char *type)
{
    return (struct reading_row){
        .row = 4,
        .cell = {
            [CELL_ID] = STR("4"),
            [CELL_ASSET] = str_from(asset),
            [CELL_TICKER] = str_from(ticker),
            [CELL_ASSET_TYPE] = str_from(type),
            [CELL_OWNER] = STR("Joint"),
            [CELL_TYPE] = STR("Exchange"),
            [CELL_DATE] = STR("09/12/2024"),
            [CELL_AMOUNT] = STR("Over $50,000,000"),
            [CELL_COMMENT] = STR("--"),
        }};
}

static void every_field_of_a_senate_row_is_read(void **state)
{
    struct reading_row cells = senate("The Kraft Heinz Company (KHC)", "KHC", "Stock Option");
    cells.cell[CELL_TICKER_TWO] = STR("AMZN");
    cells.cell[CELL_ASSET_DETAIL] = STR("Option Type: Put");
    struct read *r = read_cells(READING_SENATE_PTR, &cells);
    assert_str(r->row.row.values.ticker, "KHC"); /* the asset given */
    assert_str(r->row.row.values.asset_name, "The Kraft Heinz Company");
    assert_int_equal(r->row.row.values.asset_type, ASSET_OPTION);
    assert_int_equal(r->row.row.values.side, SIDE_EXCHANGE);
    assert_int_equal(r->row.row.values.owner, OWNER_JOINT);
    assert_int_equal(r->row.row.values.bracket, BRACKET_OVER_50M);
    assert_int_equal(r->row.row.notified_date, DAY_NONE);
    assert_int_equal(r->row.doubt_count, 0);
    done(r);
}

static void senate_brackets_without_ticker_stay_in_the_name(void **state)
{
    struct reading_row cells = senate("General Electric Company (NYSE)", "KHC", "Stock");
    struct read *r = read_cells(READING_SENATE_PTR, &cells);
    assert_str(r->row.row.values.asset_name, "General Electric Company (NYSE)");
    done(r);
    cells = senate("Harbor Revenue Bond", "--", "Municipal Security");
    r = read_cells(READING_SENATE_PTR, &cells);
    assert_true(str_is_null(r->row.row.values.ticker));
    assert_int_equal(r->row.row.values.asset_type, ASSET_MUNICIPAL_BOND);
    done(r);
}

/* Lists that know one invented company. */
static bool find_acorn(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    if (!str_eq(symbol, STR("QQAC")) && !str_eq(symbol, STR("DE")))
        return false;
    *ret = (struct company){.symbol = symbol, .name = STR("Acorn Wells, Inc.")};
    return true;
}

static bool know_acorn(void *ctx, struct str symbol)
{
    return str_eq(symbol, STR("QQAC")) || str_eq(symbol, STR("DE"));
}

static void symbol_in_brackets_is_one_rule_for_both_chambers(void **state)
{
    static const struct {
        const char *asset, *ticker, *name, *doubt; /* NULL: none */
    } cases[] = {
        {"Acorn Wells (QQAC)", "QQAC", "Acorn Wells", NULL},
        {"Bramble Sweden ADR (QQZZY)", "QQZZY", "Bramble Sweden ADR", "ticker_unknown: QQZZY"},
        {"Bramble Foods (QQAC)", "QQAC", "Bramble Foods",
         "ticker_of_other_company: QQAC is Acorn Wells, Inc."},
        {"Bramble Foods (DE)", NULL, "Bramble Foods (DE)", NULL},
        {"Acorn Wells (DE)", "DE", "Acorn Wells", NULL},
        {"Bramble Foods (NYSE)", NULL, "Bramble Foods (NYSE)", NULL},
        {"Bramble Foods", NULL, "Bramble Foods", NULL},
    };
    const struct read_row_symbols symbols = {.known = know_acorn, .company = find_acorn};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int house = 0; house < 2; house++) {
            struct arena arena;
            struct read_row row;
            arena_init(&arena);
            struct reading_row cells = senate(cases[i].asset, "--", "Stock");
            if (house)
                cells.cell[CELL_ASSET] = arena_fmt(&arena, "%s [ST]", cases[i].asset);
            read_row(
                house ? READING_HOUSE_PTR : READING_SENATE_PTR, &cells, 20000, &symbols, &arena,
                &row);
            assert_int_equal(str_is_null(row.row.values.ticker), !cases[i].ticker);
            if (cases[i].ticker)
                assert_str(row.row.values.ticker, cases[i].ticker);
            assert_str(row.row.values.asset_name, cases[i].name);
            struct str doubt = STR_NULL;
            for (size_t d = 0; d < row.doubt_count; d++)
                doubt = str_starts(row.doubts[d], STR("ticker_")) ? row.doubts[d] : doubt;
            assert_int_equal(str_is_null(doubt), !cases[i].doubt);
            if (cases[i].doubt)
                assert_str(doubt, cases[i].doubt);
            arena_finish(&arena);
        }
}

static void repeated_row_number_is_a_doubt(void **state)
{
    struct reading_row cells = senate("A", "--", "Stock");
    cells.cell[CELL_ID] = STR("7");
    struct read *r = read_cells(READING_SENATE_PTR, &cells);
    assert_int_equal(r->row.doubt_count, 1);
    assert_str(r->row.doubts[0], "row_number: 7");
    done(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_a_house_row_is_read),
        cmocka_unit_test(ticker_is_set_only_if_stated),
        cmocka_unit_test(row_without_a_required_field_is_held),
        cmocka_unit_test(doubts_name_their_detail),
        cmocka_unit_test(nonexistent_date_is_null_with_a_doubt),
        cmocka_unit_test(every_field_of_a_senate_row_is_read),
        cmocka_unit_test(senate_brackets_without_ticker_stay_in_the_name),
        cmocka_unit_test(symbol_in_brackets_is_one_rule_for_both_chambers),
        cmocka_unit_test(repeated_row_number_is_a_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
