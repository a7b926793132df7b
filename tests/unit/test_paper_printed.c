#include "unit.h"

#include "paper/cell/printed.h"

static enum asset_type type_of(const char *text)
{
    enum asset_type type;
    assert_true(printed_asset_type(str_from(text), &type));
    return type;
}

static void codes_and_labels_are_in_one_table(void **state)
{
    enum asset_type type;
    assert_int_equal(type_of("ST"), ASSET_STOCK);
    assert_int_equal(type_of("gs"), ASSET_GOVERNMENT_SECURITY);
    assert_int_equal(type_of("Stock Option"), ASSET_OPTION);
    assert_int_equal(type_of(" Municipal Security "), ASSET_MUNICIPAL_BOND);
    assert_int_equal(type_of(""), ASSET_NONE);
    assert_int_equal(type_of("--"), ASSET_NONE);
    assert_false(printed_asset_type(STR("XX"), &type));
    assert_false(printed_asset_type(STR("Stock Option Plan"), &type));
}

/* The Clerk's list of codes, as of 2025. */
static void every_house_code_is_known(void **state)
{
    struct str rest =
        STR("4K 5C 5F 5P AB BA BK CO CS CT DB DO DS EF EQ ET FA FE FN FU GS HE HN IC IH IP "
            "IR MA MF MO OI OL OP OT PE PM PS RE RF RN RP RS SA ST TR VA VI WU");
    struct str code;
    int count = 0;
    while (str_split(&rest, ' ', &code)) {
        enum asset_type type;
        assert_true(printed_asset_type(code, &type));
        assert_int_not_equal(type, ASSET_NONE);
        count++;
    }
    assert_int_equal(count, 48);
}

static enum bracket bracket_from(const char *text, enum owner owner)
{
    return printed_amount(str_from(text), owner);
}

static void every_spelling_of_range_is_parsed(void **state)
{
    for (int b = 1; b <= BRACKET_OVER_50M; b++)
        assert_int_equal(printed_amount(bracket_info((enum bracket)b)->label, OWNER_SELF), b);
    assert_int_equal(bracket_from("$1,001 - $15,000", OWNER_NONE), BRACKET_1K_15K);
    assert_int_equal(bracket_from("$1,001-$15,000", OWNER_NONE), BRACKET_1K_15K);
    assert_int_equal(bracket_from(" $5,000,001 -\n$25,000,000 ", OWNER_NONE), BRACKET_5M_25M);
    assert_int_equal(bracket_from("$50,000,001 +", OWNER_NONE), BRACKET_OVER_50M);
}

static void over_a_million_is_for_spouse_and_child(void **state)
{
    assert_int_equal(bracket_from("Over $1,000,000", OWNER_SPOUSE), BRACKET_OVER_1M_SPOUSE);
    assert_int_equal(bracket_from("Over $1,000,000", OWNER_CHILD), BRACKET_OVER_1M_SPOUSE);
    assert_int_equal(bracket_from("Over $1,000,000", OWNER_SELF), BRACKET_NONE);
    assert_int_equal(
        bracket_from("Spouse/DC Over\n$1,000,000", OWNER_NONE), BRACKET_OVER_1M_SPOUSE);
}

static void exact_amounts_go_to_their_bracket(void **state)
{
    assert_int_equal(bracket_from("$1,001.00", OWNER_NONE), BRACKET_1K_15K);
    assert_int_equal(bracket_from("$15,000.99", OWNER_NONE), BRACKET_1K_15K);
    assert_int_equal(bracket_from("$15001", OWNER_NONE), BRACKET_15K_50K);
    assert_int_equal(bracket_from("$999,999,999", OWNER_NONE), BRACKET_OVER_50M);
}

static void other_texts_are_not_amounts(void **state)
{
    static const char *const texts[] = {
        "",
        "$",
        "$770.32",
        "$1,000 or less",
        "$1,001 -",
        "1,001 - 15,000",
        "$1,002 - $15,000",
        "$12,34",
        "$1,0000",
        "$,100",
        "$2,000.5",
        "$2,000.555",
        "$2,000.xx",
        "$99999999999999999999",
        "Over $1,000,001",
        "\xff\xfe"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (bracket_from(texts[i], OWNER_SPOUSE) != BRACKET_NONE)
            fail_msg("\"%s\"", texts[i]);
}

static void sides_and_owners_are_closed_lists(void **state)
{
    enum owner owner;
    assert_int_equal(printed_side(STR("Sale (Partial)")), SIDE_SELL_PARTIAL);
    assert_int_equal(printed_side(STR("Sale")), SIDE_NONE);
    assert_int_equal(printed_side(STR("S")), SIDE_SELL_FULL);
    assert_int_equal(printed_side(STR("S (partial)")), SIDE_SELL_PARTIAL);
    assert_true(printed_owner(STR("SP"), &owner));
    assert_int_equal(owner, OWNER_SPOUSE);
    assert_true(printed_owner(STR("Dependent Child"), &owner));
    assert_int_equal(owner, OWNER_CHILD);
    assert_true(printed_owner(STR("N/A"), &owner));
    assert_int_equal(owner, OWNER_NONE);
    assert_false(printed_owner(STR("Cousin"), &owner));
}

static void days_must_exist(void **state)
{
    int32_t day;
    assert_true(printed_day(STR("02/29/2020"), &day));
    assert_int_equal(day, 18321);
    assert_false(printed_day(STR("02/29/2021"), &day));
    assert_true(printed_day(STR("2/3/2020"), &day)); /* seen on House forms */
    assert_int_equal(day, 18295);
    assert_false(printed_day(STR("/3/2020"), &day));
    assert_false(printed_day(STR("002/3/2020"), &day));
    assert_false(printed_day(STR("2/3/20"), &day));
    assert_false(printed_day(STR("2/3/2020/1"), &day));
    assert_false(printed_day(STR("2/3"), &day));
    assert_false(printed_day(STR("02-29-2020"), &day));
    assert_false(printed_day(STR("-1/01/2020"), &day));
}

static void filing_times_are_washingtons(void **state)
{
    static const struct {
        const char *text, *instant;
    } cases[] = {
        {"01/29/2014 @ 6:23 PM", "2014-01-29T23:23:00Z"},
        {"07/14/2018 @ 9 AM", "2018-07-14T13:00:00Z"},
        {"02/14/2017 @ 12 PM", "2017-02-14T17:00:00Z"},
        {"02/14/2017 @ 12:05 AM", "2017-02-14T05:05:00Z"},
        {" 3/8/2017 ", "2017-03-08T05:00:00Z"},
    };
    static const char *const wrong[] = {
        "",
        "@",
        "01/29/2014 @",
        "01/29/2014 6:23 PM",
        "01/29/2014 @ 13 PM",
        "01/29/2014 @ 0:10 AM",
        "01/29/2014 @ 6:60 PM",
        "01/29/2014 @ 6:2 PM",
        "01/29/2014 @ 6:23",
        "02/30/2014 @ 6 PM",
        "01/29/2014 @ 6:23 PM @"};
    int64_t ms, wanted;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(printed_filed(str_from(cases[i].text), &ms));
        assert_true(instant_parse(str_from(cases[i].instant), &wanted));
        assert_int_equal(ms, wanted);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (printed_filed(str_from(wrong[i]), &ms))
            fail_msg("taken: %s", wrong[i]);
}

static void options_use_underlying_symbol(void **state)
{
    static const struct {
        const char *text, *symbol;
    } cases[] = {
        {"SPY160219P00180000", "SPY"},
        {"brk-b", "BRK.B"},
        {" ^MWE ", "^MWE"},
        {"XLS-WI", "XLS-WI"},
        {"SPY160219X00180000", "SPY160219X00180000"},
        {"160219P00180000", "160219P00180000"}};
    char symbol[TICKER_SIZE_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(
            str_of(symbol, printed_ticker(str_from(cases[i].text), symbol)), cases[i].symbol);
    assert_int_equal(printed_ticker(STR("W*G"), symbol), 0);
    assert_int_equal(printed_ticker(STR(""), symbol), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_and_labels_are_in_one_table),
        cmocka_unit_test(every_house_code_is_known),
        cmocka_unit_test(every_spelling_of_range_is_parsed),
        cmocka_unit_test(over_a_million_is_for_spouse_and_child),
        cmocka_unit_test(exact_amounts_go_to_their_bracket),
        cmocka_unit_test(other_texts_are_not_amounts),
        cmocka_unit_test(sides_and_owners_are_closed_lists),
        cmocka_unit_test(days_must_exist),
        cmocka_unit_test(filing_times_are_washingtons),
        cmocka_unit_test(options_use_underlying_symbol),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
