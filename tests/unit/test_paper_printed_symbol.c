/* Symbols in names of assets, as filers print them. */
#include "unit.h"
#include "day_from.h"

#include "paper/cell/printed_symbol.h"

/* The lists of the program know real companies; here is an invented one with two classes. */
static bool find_company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    if ((!str_eq(symbol, STR("QQAC")) && !str_eq(symbol, STR("QQAC.B"))) ||
        day < day_from("2015-01-01"))
        return company_on(symbol, day, NULL, ret);
    *ret = (struct company){.symbol = STR("QQAC"), .name = STR("Acorn Wells, Inc.")};
    return true;
}

static void check(
    const char *asset, const char *day, enum printed_symbol_result result, const char *symbol,
    const char *name)
{
    struct printed_symbol found;
    printed_symbol_find(
        str_from(asset), day ? day_from(day) : DAY_NONE, find_company, NULL, &found);
    if (found.result != result)
        fail_msg("%s: result %d", asset, found.result);
    if (result != PRINTED_SYMBOL_NONE)
        assert_str(str_of(found.text, found.n), symbol);
    assert_str(found.name, name ? name : asset);
    assert_true(result != PRINTED_SYMBOL_TAKEN || found.known);
}

static void printed_symbol_is_taken_if_the_name_agrees(void **state)
{
    static const struct {
        const char *asset, *symbol, *name;
    } cases[] = {
        {"Acorn Wells (QQAC)", "QQAC", "Acorn Wells"},
        {"ACORN WELLS INC COM (QQAC)", "QQAC", "ACORN WELLS INC COM"},
        {"Acorn Wells (New) (QQAC)", "QQAC", "Acorn Wells (New)"},
        {"Acorn Wells (QQAC) (NYSE)", "QQAC", NULL},
        {"QQAC - Acorn Wells, Inc.", "QQAC", NULL},
        {"QQAC-Acorn Wells", "QQAC", NULL},
        {"QQAC- ACORN WELLS", "QQAC", NULL},
        {"QQAC - Acorn Wells, Inc. (Nasdaq)", "QQAC", NULL},
        {"QQAC (Acorn Wells Corp CMN)", "QQAC", NULL},
        {"QQAC.SW-ACORN WELLS (Swiss)", "QQAC", NULL},
        {"ACORN WELLS - QQAC", "QQAC", NULL},
        {"Acorn Wells Inc QQAC", "QQAC", NULL},
        {"QQAC ACORN WELLS", "QQAC", NULL},
        {"QQAC", "QQAC", NULL},
        {"qqac", "QQAC", NULL},
        {" QQAC ", "QQAC", "QQAC"},
        {"QQAC (stock option)", "QQAC", NULL},
        {"QQAC CALL", "QQAC", NULL},
        {"QQAC PUT", "QQAC", NULL},
        {"QQAC (stock option) Option Type: Put Strike price: $5.00", "QQAC", NULL},
        {"QQAC (Exchanged) Bramble Inc. (Received)", "QQAC", NULL},
        {"QQAC - Acorn Wells (Exchanged) <br> BRMB - Bramble (Received)", "QQAC", NULL},
        {"BRK/B - Berkshire Hathaway", "BRK.B", NULL},
        {"BRK-B", "BRK.B", NULL},
        {"M", "M", NULL},
        {"SE", "SE", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].asset, "2020-03-04", PRINTED_SYMBOL_TAKEN, cases[i].symbol, cases[i].name);
}

static void symbol_in_brackets_is_as_filed_whatever_lists_know(void **state)
{
    static const struct {
        const char *asset, *symbol, *name;
    } cases[] = {
        {"Bramble Foods (QQAC)", "QQAC", "Bramble Foods"},
        {"Bramble Foods AB Sweden ADR (QQZZY)", "QQZZY", "Bramble Foods AB Sweden ADR"},
        {"Bramble Foods (QQ/B)", "QQ.B", "Bramble Foods"},
        {"Bramble Foods (QQZZ) (NYSE)", "QQZZ", NULL},
        {"Bramble Foods (QQZZ) (Exchanged) Acorn Wells (Received)", "QQZZ", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int dated = 0; dated < 2; dated++)
            check(
                cases[i].asset, dated ? "2020-03-04" : NULL, PRINTED_SYMBOL_FILED, cases[i].symbol,
                cases[i].name);
}

static void symbol_beside_a_dash_is_suggested_if_its_company_does_not_agree(void **state)
{
    static const struct {
        const char *asset, *symbol;
    } cases[] = {
        {"QQAC - Bramble Foods", "QQAC"},
        {"Bramble Foods - QQAC", "QQAC"},
        {"QQAC.S - Acorn Wells pfd", "QQAC.S"},
        {"QQZZ - Bramble Foods", "QQZZ"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].asset, "2020-03-04", PRINTED_SYMBOL_SUGGESTED, cases[i].symbol, NULL);
}

static void words_that_are_no_symbols_are_left_alone(void **state)
{
    static const char *const assets[] = {
        "",
        "Acorn Wells",
        "Acorn Wells (NYSE)",
        "Acorn Wells (NASDAQ)",
        "Acorn Wells (nyse arca)",
        "NYSE",
        "Acorn (OTC)",
        "Acorn Wells (REIT)",
        "Acorn Wells (DE)", /* Delaware */
        "Acorn Wells Municipal (NY)",
        "Acorn Wells ADR",
        "Acorn Wells (Delaware)",
        "Acorn Wells (Acorn)",
        "Acorn Wells Inc CMN",
        "Acorn Wells Class A",
        "Bramble Foods QQAC", /* unmarked */
        "QQAC BRAMBLE FOODS",
        "Visa",
        "Aon PLC",
        "T-Mobile US, Inc.",
        "VISA INC - A",
        "QQZZ",
        "qqAC",
        "Acorn Wells (Q)",
        "()",
        "(QQAC",
        "QQAC)",
        " - ",
        "-",
        "PUT",
        " PUT",
    };
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        struct printed_symbol found;
        printed_symbol_find(
            str_from(assets[i]), day_from("2020-03-04"), find_company, NULL, &found);
        if (found.result != PRINTED_SYMBOL_NONE)
            fail_msg("%s: %.*s", assets[i], (int)found.n, found.text);
    }
}

static void day_decides_what_a_symbol_means(void **state)
{
    check("Acorn Wells (QQAC)", "2012-06-01", PRINTED_SYMBOL_FILED, "QQAC", "Acorn Wells");
    check("QQAC - Acorn Wells", "2012-06-01", PRINTED_SYMBOL_SUGGESTED, "QQAC", NULL);
    check("QQAC - Acorn Wells", NULL, PRINTED_SYMBOL_SUGGESTED, "QQAC", NULL);
    check("QQAC", "2012-06-01", PRINTED_SYMBOL_NONE, NULL, NULL);
    check("Facebook (FB)", "2021-05-03", PRINTED_SYMBOL_TAKEN, "FB", "Facebook");
    check("Facebook (FB)", "2024-05-03", PRINTED_SYMBOL_FILED, "FB", "Facebook");
    check("FB - Facebook", "2024-05-03", PRINTED_SYMBOL_SUGGESTED, "FB", NULL);
}

static void assert_without(const char *symbol, const char *name, const char *expected)
{
    assert_str(
        printed_symbol_without_exchange(
            str_from(symbol), str_from(name), day_from("2017-07-14"), find_company, NULL),
        expected);
}

static void suffix_of_an_exchange_goes_if_the_name_agrees(void **state)
{
    assert_without("QQAC.SW", "Acorn Wells (Swiss)", "QQAC");
    assert_without("QQAC.MX", "ACORN WELLS", "QQAC");
    assert_without("QQAC.SW", "Bramble Foods", "QQAC.SW");
    assert_without("QQZZ.SW", "Acorn Wells", "QQZZ.SW");
    assert_without("QQAC.ZZ", "Acorn Wells", "QQAC.ZZ");
    assert_without("QQAC.A", "Acorn Wells", "QQAC.A"); /* a class */
    assert_without("QQAC", "Bramble Foods", "QQAC");
}

static bool is_of_another(const char *symbol, const char *asset)
{
    struct company company;
    return printed_symbol_is_of_another(
        str_from(symbol), str_from(asset), day_from("2020-03-04"), find_company, NULL, &company);
}

static void symbol_and_name_are_compared(void **state)
{
    assert_true(is_of_another("QQAC", "Bramble Foods, Inc. (NYSE)"));
    assert_false(is_of_another("QQAC", "Acorn Wells"));
    assert_false(is_of_another("QQAC", "Acorn Energy Holdings")); /* near */
    assert_false(is_of_another("QQAC", "QQAC Feb 2016 put 180.000"));
    assert_true(is_of_another("QQAC.B", "Bramble Foods B"));
    assert_false(is_of_another("QQAC.B", "QQAC.B")); /* the name repeats the symbol */
    assert_false(is_of_another("QQAC.B", "qqac-b call"));
    assert_false(is_of_another("QQAC.B", "Bramble (QQAC/B) common"));
    assert_true(is_of_another("QQAC.B", "Bramble QQAC.BB"));
    assert_true(is_of_another("QQAC.B", "Bramble 4QQAC.B"));
    assert_true(is_of_another("QQAC", "Bramble QQACB"));
    assert_false(is_of_another("QQZZ", "Bramble Foods")); /* no company is known */
    assert_false(is_of_another("QQAC", ""));
}

static void basis_is_the_cell_or_the_text_that_has_the_symbol(void **state)
{
    static const struct {
        const char *symbol, *ticker, *asset;
        enum ticker_basis basis;
    } cases[] = {
        {"QQAC", "QQAC", "Acorn Wells", TICKER_BASIS_FILED},
        {"QQAC.B", "qqac/b", "Acorn Wells", TICKER_BASIS_FILED},
        {"QQAC", "--", "Acorn Wells (QQAC) [ST]", TICKER_BASIS_NAME},
        {"QQAC.B", "", "qqac-b: Acorn Wells", TICKER_BASIS_NAME},
        {"QQAC", "QQACB", "Acorn Wells (QQAC.B)", TICKER_BASIS_NONE},
        {NULL, "QQAC", "Acorn Wells (QQAC)", TICKER_BASIS_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str cells[CELL_COUNT] = {
            [CELL_TICKER] = str_from(cases[i].ticker), [CELL_ASSET] = str_from(cases[i].asset)};
        struct str symbol = cases[i].symbol ? str_from(cases[i].symbol) : STR_NULL;
        assert_int_equal(printed_symbol_basis(symbol, cells), cases[i].basis);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_symbol_is_taken_if_the_name_agrees),
        cmocka_unit_test(symbol_in_brackets_is_as_filed_whatever_lists_know),
        cmocka_unit_test(symbol_beside_a_dash_is_suggested_if_its_company_does_not_agree),
        cmocka_unit_test(words_that_are_no_symbols_are_left_alone),
        cmocka_unit_test(day_decides_what_a_symbol_means),
        cmocka_unit_test(suffix_of_an_exchange_goes_if_the_name_agrees),
        cmocka_unit_test(symbol_and_name_are_compared),
        cmocka_unit_test(basis_is_the_cell_or_the_text_that_has_the_symbol),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
