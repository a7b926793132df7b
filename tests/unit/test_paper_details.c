/* Details of trades: the line of text, and every form in which documents print them
 * (sources.md 8). Companies are invented; the forms are real. */
#include "unit.h"

#include <string.h>

#include "paper/cell/details_read.h"

static int setup(void **state)
{
    struct arena *arena = MEM_NEW(struct arena);
    arena_init(arena);
    *state = arena;
    return 0;
}

static int teardown(void **state)
{
    arena_finish(*state);
    mem_free(*state);
    return 0;
}

static struct str line_of(const struct details_source *source, struct arena *arena)
{
    struct details details;
    details_read(source, arena, &details);
    struct str line = details_line(&details, arena);
    return str_is_null(line) ? STR("") : line;
}

/* Beside `description` in the expected line. */
struct form {
    enum asset_type type;
    const char *text, *line;
};

static void expect_each(
    const struct form *forms, size_t count, size_t offset, struct arena *arena, bool described)
{
    for (size_t i = 0; i < count; i++) {
        struct details_source source = {
            .asset_type = forms[i].type, .asset = STR("Vale Hill Inc.")};
        struct str text = str_from(forms[i].text);
        *(struct str *)((char *)&source + offset) = text;
        struct details details;
        details_read(&source, arena, &details);
        if (described) {
            assert_str(details.description, forms[i].text);
            details.description = STR_NULL;
        }
        struct str line = details_line(&details, arena);
        if (!str_eq(str_is_null(line) ? STR("") : line, str_from(forms[i].line)))
            fail_msg("%s: \"%.*s\", not \"%s\"", forms[i].text, STR_ARG(line), forms[i].line);
    }
}

#define EXPECT_EACH(forms, member, described)                                                      \
    expect_each(                                                                                   \
        (forms), sizeof(forms) / sizeof *(forms), offsetof(struct details_source, member), *state, \
        (described))

static void labelled_values_are_read(void **state)
{
    static const struct form forms[] = {
        {ASSET_OPTION, "Option Type: Put Strike price: $42.50 Expires: 07/17/2020",
         "put, strike 42.50, expires 2020-07-17"},
        {ASSET_OPTION, "Option Type: Call Strike price: $1,250.00 Expires: 09/15/23",
         "call, strike 1250.00, expires 2023-09-15"},
        {ASSET_OPTION, "Option Type: Short Sale Strike price: $20.00 Expires: 10/20/2023",
         "short sale, strike 20.00, expires 2023-10-20"},
        {ASSET_OPTION, "Option Type: Neither Strike price: $24.96 Expires: 02/23/2020",
         "neither call nor put, strike 24.96, expires 2020-02-23"},
        {ASSET_OPTION, "Option Type: Put Strike price: -- Expires:", "put"},
        {ASSET_BOND, "Rate/Coupon: 5.5% Matures: 2036-04-15", "coupon 5.5%, matures 2036-04-15"},
        {ASSET_BOND, "Rate/Coupon: 4.40 % Matures: 12/9/22", "coupon 4.40%, matures 2022-12-09"},
        {ASSET_BOND, "Rate/Coupon: 02.125% Matures: 6/15/2016",
         "coupon 2.125%, matures 2016-06-15"},
        {ASSET_BOND, "Rate/Coupon: 6.7 Matures: 02/01/25", "coupon 6.7%, matures 2025-02-01"},
        {ASSET_BOND, "Rate/Coupon: .94 Matures: 08/01/2027", "coupon 0.94%, matures 2027-08-01"},
        {ASSET_BOND, "Rate/Coupon: 2.41% - Variable Matures: 08/01/2027",
         "coupon 2.41% variable, matures 2027-08-01"},
        {ASSET_BOND, "Rate/Coupon: 1.7% - Floating Matures: 08/01/2061",
         "coupon 1.7% floating, matures 2061-08-01"},
        {ASSET_STOCK, "Company: Vale Hill LLC (Dover, DE) Description: Farmland; and a mill",
         "company \"Vale Hill LLC (Dover, DE)\", description \"Farmland; and a mill\""},
        {ASSET_OTHER, "Company: Vale Hill LLC (Dover, DE)",
         "company \"Vale Hill LLC (Dover, DE)\""},
        {ASSET_OTHER, "Description: Exchange Traded Fund", "description \"Exchange Traded Fund\""},
        {ASSET_CRYPTO, "Exchange/Platform: River", "platform \"River\""},
        {ASSET_CRYPTO, "Exchange/Platform : OTC", "platform \"OTC\""},
    };
    EXPECT_EACH(forms, detail, false);
}

static void unknown_value_stays_as_text_with_its_label(void **state)
{
    static const struct form forms[] = {
        {ASSET_BOND, "Rate/Coupon: 3.5% Matures: 07/30/219",
         "coupon 3.5%, description \"Matures: 07/30/219\""},
        {ASSET_BOND, "Rate/Coupon: 3 1/2% Matures: 07/30/2019",
         "matures 2019-07-30, description \"Rate/Coupon: 3 1/2%\""},
        {ASSET_BOND, "Rate/Coupon: 2% - Step Matures: 02/30/2019",
         "description \"Rate/Coupon: 2% - Step; Matures: 02/30/2019\""},
        {ASSET_BOND, "Rate/Coupon: $5 Matures: 02/03/2019",
         "matures 2019-02-03, description \"Rate/Coupon: $5\""},
        {ASSET_OPTION, "Option Type: Collar Strike price: $1,25.00 Expires: soon",
         "description \"Option Type: Collar; Strike price: $1,25.00; Expires: soon\""},
        {ASSET_OPTION, "an older form", "description \"an older form\""},
        {ASSET_OPTION, "early Option Type: Put", "put, description \"early\""},
    };
    EXPECT_EACH(forms, detail, false);
}

static void options_in_words_are_read(void **state)
{
    static const struct form forms[] = {
        {ASSET_OPTION,
         "Purchased 50 call options with a strike price of $200 and an expiration date of 1/17/25.",
         "call, strike 200, expires 2025-01-17"},
        {ASSET_OPTION, "Call options; Strike price $240; Expires 12/19/2025",
         "call, strike 240, expires 2025-12-19"},
        {ASSET_OPTION, "CALL VALE HILL CL B NEW $300 EXP 01/17/25 CLASS B",
         "call, strike 300, expires 2025-01-17"},
        {ASSET_OPTION, "EXP 01/17/25 CLASS B C 300.00", "call, strike 300.00, expires 2025-01-17"},
        {ASSET_OPTION, "P 380.00", "put, strike 380.00"},
        {ASSET_OPTION, "Sold puts, $35 strike, expiring on Jan 16, 2026",
         "put, strike 35, expires 2026-01-16"},
        {ASSET_OPTION, "Put option. Strike: 12.50. Expiry: 2026-03-20",
         "put, strike 12.50, expires 2026-03-20"},
        {ASSET_OTHER, "CALL VALE HILL 2000 $175 EXP 09/19/25",
         "call, strike 175, expires 2025-09-19"},
        {ASSET_NONE, "CALL VALE HILL 2000 $175 EXP 09/19/25",
         "call, strike 175, expires 2025-09-19"},
    };
    EXPECT_EACH(forms, description, true);
}

static void ambiguous_words_are_not_read(void **state)
{
    static const struct form forms[] = {
        /* a combination */
        {ASSET_OPTION, "Sold 5 calls and bought 5 puts, strike price $30", ""},
        {ASSET_OPTION, "Call spread with strike prices of $100 and $110, exp 1/17/25",
         "call, expires 2025-01-17"},
        {ASSET_OPTION, "Call spread, strike $100 and $110", "call"},
        {ASSET_OPTION, "Rolled calls: expires 1/17/25, expires 6/20/25, strike $20",
         "call, strike 20"},
        /* a premium is no strike */
        {ASSET_OPTION, "Sold 5 calls for $500 expiring 1/17/25", "call, expires 2025-01-17"},
        {ASSET_OPTION, "Bought options at $4", ""},
        {ASSET_OPTION, "Called away", ""},
        /* shares, received for options */
        {ASSET_STOCK,
         "Exercised 200 call options purchased 6/24/24 (20,000 shares) at a strike price of $80 "
         "with an expiration date of 6/20/25.",
         ""},
        {ASSET_OTHER, "Covered call strategy", ""},
        {ASSET_OTHER, "Put on the market", ""},
        {ASSET_FUND, "CALL VALE HILL 2000 $175 EXP 09/19/25", ""},
        {ASSET_OPTION, "strike price 12/31/25", ""},
        {ASSET_OPTION, "Expiration date Feb 30, 2025", ""},
        {ASSET_OPTION, "Part of a 20% position due 1/1/25", ""},
    };
    EXPECT_EACH(forms, description, true);
}

static void bonds_in_names_are_read(void **state)
{
    static const struct form forms[] = {
        {ASSET_GOVERNMENT_SECURITY, "VALE TREASURY NOTE 4.375% DUE 12/15/26 (000000AA0)",
         "coupon 4.375%, matures 2026-12-15"},
        {ASSET_GOVERNMENT_SECURITY, "Vale Notes; 4.25%; Due 3-15-27",
         "coupon 4.25%, matures 2027-03-15"},
        {ASSET_GOVERNMENT_SECURITY, "Vale Go BDS 5.00 % Due Aug 1, 2028",
         "coupon 5.00%, matures 2028-08-01"},
        {ASSET_GOVERNMENT_SECURITY, "Vale Hos 4%36 SYST HLTH Due 03/01/36",
         "coupon 4%, matures 2036-03-01"},
        {ASSET_BOND, "VALE CORP MTN 6.20400% 11/10/2028 CALL MAKE WHOLE",
         "coupon 6.20400%, matures 2028-11-10"},
        {ASSET_BOND, "Vale ST UNIV 5.0% 09/01/2035 DTD 09/10/2024 PAR CALL",
         "coupon 5.0%, matures 2035-09-01"},
        {ASSET_BOND, "Vale GO Call 12/1/27 4% due 12/1/47", "coupon 4%, matures 2047-12-01"},
        {ASSET_BOND, "Vale Bill (3-Month, Matures 5/1/2025)", "matures 2025-05-01"},
        {ASSET_BOND, "Vale Treas Bill Maturity 2/19/2026", "matures 2026-02-19"},
        {ASSET_NONE, "VaLE LT RF MaR17 05.000%aUg01 2033", "coupon 5.000%, matures 2033-08-01"},
        {ASSET_NONE, "11.15% due 9/30/16 Vale Autocall", "coupon 11.15%, matures 2016-09-30"},
        {ASSET_OTHER, "Vale Note 4% due 7/15/2019", "coupon 4%, matures 2019-07-15"},
    };
    EXPECT_EACH(forms, asset, false);
}

static void unclear_bond_names_are_not_read(void **state)
{
    static const struct form forms[] = {
        {ASSET_BOND, "Vale MTN 9/1/2026", ""}, /* of what? */
        {ASSET_BOND, "Vale 4 1/2% due 9/1/2026", "matures 2026-09-01"},
        {ASSET_BOND, "Vale 4% to 5% due 9/1/2026", "matures 2026-09-01"},
        {ASSET_BOND, "Vale 101% redemption", ""},
        {ASSET_BOND, "Vale 3% due 9/1/2026, due 9/1/2027", "coupon 3%"},
        {ASSET_BOND, "Vale 3% due JUN15 1016", "coupon 3%"},
        {ASSET_NONE, "Vale 3% Preferred", ""},
        {ASSET_NONE, "Vale lease due 9/1/2026", ""},
        {ASSET_STOCK, "Vale 6.5% Notes due 9/1/2026", ""},
        {ASSET_FUND, "Vale Target Maturity 2026 3% due 9/1/2026", ""},
    };
    EXPECT_EACH(forms, asset, false);
}

static void bond_description_needs_its_words(void **state)
{
    static const struct form forms[] = {
        {ASSET_BOND, "Corporate Bond; Maturity Date - 03/20/2055; Coupon Rate - 6% Fixed",
         "coupon 6% fixed, matures 2055-03-20"},
        {ASSET_BOND, "30,000 units Vale 4.00% maturing 12/01/33", "matures 2033-12-01"},
        {ASSET_BOND, "Sold 50% of the position, payment due 12/01/33", ""},
    };
    EXPECT_EACH(forms, description, true);
}

static void names_that_state_the_type_are_read(void **state)
{
    static const struct form forms[] = {
        {ASSET_STOCK, "VALE PUT", "put"},
        {ASSET_STOCK, "QQ M CALL", "call"},
        {ASSET_STOCK, "PUT Vale Hill Dep Rec at 180", "put"},
        {ASSET_COMMODITY, "Call Dec 22 CBT Corn", "call"},
        {ASSET_STOCK, "Call Now, Inc.", ""},
        {ASSET_STOCK, "Vale Roll Call", ""},
        {ASSET_STOCK, "CALL", ""},
        {ASSET_STOCK, "Putnam Fund", ""},
        {ASSET_BOND, "CALL VALE", ""},
    };
    EXPECT_EACH(forms, asset, false);
}

static void symbol_of_the_exchanges_is_read(void **state)
{
    static const struct {
        const char *ticker, *line;
    } cases[] = {
        {"VALE160219P00180000", "put, strike 180, expires 2016-02-19"},
        {"VH250117C00042500", "call, strike 42.5, expires 2025-01-17"},
        {"VH250117C00100005", "call, strike 100.005, expires 2025-01-17"},
        {"VH251317C00042500", ""},
        {"VH250117X00042500", ""},
        {"VALE", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct details_source source = {
            .asset_type = ASSET_STOCK,
            .asset = STR("Vale Hill"),
            .ticker = str_from(cases[i].ticker)};
        assert_str(line_of(&source, *state), cases[i].line);
    }
}

static void exchange_states_both_sides(void **state)
{
    const struct details_source source = {
        .asset_type = ASSET_MUNICIPAL_BOND,
        .asset = STR("Vale \"A\" Bond (Exchanged) Hill (old) Bond (Received)"),
        .ticker_two = STR("hil-b"),
        .detail = STR("Rate/Coupon: 4.0% Matures: 08/15/2031"),
    };
    assert_str(
        line_of(&source, *state),
        "coupon 4.0%, matures 2031-08-15, gave \"Vale \"\"A\"\" Bond\", received \"Hill (old) "
        "Bond\", received ticker HIL.B");
    const struct details_source half = {
        .asset = STR("Vale (Exchanged) Hill"), .ticker_two = STR("--")};
    assert_str(line_of(&half, *state), "");
}

static void labels_win_over_words(void **state)
{
    const struct details_source source = {
        .asset_type = ASSET_MUNICIPAL_BOND,
        .asset = STR("Vale 4.5% due 08/15/2032"),
        .detail = STR("Rate/Coupon: 4.0% Matures:"),
    };
    assert_str(line_of(&source, *state), "coupon 4.0%, matures 2032-08-15");
}

static void comment_is_read_for_options_only_and_not_kept(void **state)
{
    struct details_source source = {
        .asset_type = ASSET_OPTION,
        .asset = STR("Vale Hill"),
        .comment = STR("Put; strike price $20; expires 1/16/2026"),
    };
    assert_str(line_of(&source, *state), "put, strike 20, expires 2026-01-16");
    source.asset_type = ASSET_STOCK;
    assert_str(line_of(&source, *state), "");
}

static void description_says_more_than_the_name(void **state)
{
    struct details_source source = {
        .asset_type = ASSET_OPTION,
        .asset = STR("Vale Hill call, exp 1/16/26"),
        .description = STR("strike price $20"),
    };
    assert_str(
        line_of(&source, *state),
        "call, strike 20, expires 2026-01-16, description \"strike price $20\"");
}

static void long_text_is_cut_at_a_character(void **state)
{
    char text[2 * DETAILS_TEXT_MAX];
    for (size_t i = 0; i < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    struct str cut = details_text(str_of(text, sizeof text), *state);
    assert_true(cut.n <= DETAILS_TEXT_MAX && cut.n > DETAILS_TEXT_MAX - 4);
    assert_true(str_ends(cut, STR("\xc3\xa9\xe2\x80\xa6")));
    assert_str(
        details_text(str_of(text, DETAILS_TEXT_MAX), *state).n == DETAILS_TEXT_MAX ? STR("whole")
                                                                                   : STR("cut"),
        "whole");
    assert_true(str_is_null(details_text(STR("  "), *state)));
    assert_str(details_text(STR(" a\tb\n"), *state), "a b");
}

/* --- the line */

static void line_is_read_back(void **state)
{
    static const char *const lines[] = {
        "put, strike 250.00, expires 2025-01-17",
        "neither call nor put",
        "coupon 2.41% variable, matures 2031-08-15, description \"Corporate, \"\"senior\"\"\"",
        "gave \"Vale, Inc.\", received \"Hill\", received ticker HIL.B",
        "company \"Vale\", platform \"River\", description \"x\"",
        "short sale, strike 0.5, coupon 0%",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct details details;
        assert_true(details_parse(str_from(lines[i]), *state, &details));
        assert_str(details_line(&details, *state), lines[i]);
    }
}

static void line_of_a_person_is_put_in_order(void **state)
{
    struct details details;
    assert_true(details_parse(
        STR("  expires 1/17/25, strike $1,250, call, description \"as told\""), *state, &details));
    assert_str(
        details_line(&details, *state),
        "call, strike 1250, expires 2025-01-17, description \"as told\"");
    assert_true(details_parse(STR(""), *state, &details));
    assert_true(details_are_none(&details));
    assert_true(str_is_null(details_line(&details, *state)));
}

static void other_lines_are_refused(void **state)
{
    static const char *const lines[] = {
        "straddle",
        "put, call",
        "put,",
        "put, ",
        ", put",
        "put; strike $20",
        "strike 20 dollars",
        "strike $",
        "strike $1,25",
        "strike $1.",
        "strike $1234567890",
        "expires 2025-02-29",
        "expires 17/1/25",
        "coupon 5",
        "coupon 5% step",
        "coupon 5%fixed",
        "matures soon",
        "company Vale",
        "company \"\"",
        "company \"Vale",
        "company \" Vale\"",
        "company \"Vale\" \"Hill\"",
        "description \"a\", description \"b\"",
        "received ticker A B",
        "description \"a\tb\"",
    };
    struct details details;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (details_parse(str_from(lines[i]), *state, &details))
            fail_msg("\"%s\" is accepted", lines[i]);
}

static void names_are_the_api_s(void **state)
{
    assert_str(option_type_name(OPTION_SHORT_SALE), "short_sale");
    assert_str(coupon_type_name(COUPON_FLOATING), "floating");
    assert_true(str_is_null(option_type_name(OPTION_TYPE_NONE)));
    assert_true(str_is_null(coupon_type_name(COUPON_TYPE_NONE)));
}

static void stored_cells_give_the_same_line(void **state)
{
    struct row_values values = {.asset_type = ASSET_OPTION, .asset_name = STR("Vale Hill")};
    assert_str(
        details_of_printed(
            STR("{\"asset\":\"Vale Hill\",\"asset_detail\":\"Option Type: Put Strike price: $5.00 "
                "Expires: 07/17/2020\"}"),
            &values, *state),
        "put, strike 5.00, expires 2020-07-17");
    assert_str(
        details_of_printed(STR("{\"description\":\"P 7.50\"}"), &values, *state),
        "put, strike 7.50, description \"P 7.50\"");
    assert_true(str_is_null(details_of_printed(STR_NULL, &values, *state)));
    assert_true(str_is_null(details_of_printed(STR("{}"), &values, *state)));
    assert_true(str_is_null(details_of_printed(STR("{\"description\":5}"), &values, *state)));
    assert_true(str_is_null(details_of_printed(STR("no JSON"), &values, *state)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labelled_values_are_read),
        cmocka_unit_test(unknown_value_stays_as_text_with_its_label),
        cmocka_unit_test(options_in_words_are_read),
        cmocka_unit_test(ambiguous_words_are_not_read),
        cmocka_unit_test(bonds_in_names_are_read),
        cmocka_unit_test(unclear_bond_names_are_not_read),
        cmocka_unit_test(bond_description_needs_its_words),
        cmocka_unit_test(names_that_state_the_type_are_read),
        cmocka_unit_test(symbol_of_the_exchanges_is_read),
        cmocka_unit_test(exchange_states_both_sides),
        cmocka_unit_test(labels_win_over_words),
        cmocka_unit_test(comment_is_read_for_options_only_and_not_kept),
        cmocka_unit_test(description_says_more_than_the_name),
        cmocka_unit_test(long_text_is_cut_at_a_character),
        cmocka_unit_test(line_is_read_back),
        cmocka_unit_test(line_of_a_person_is_put_in_order),
        cmocka_unit_test(other_lines_are_refused),
        cmocka_unit_test(names_are_the_api_s),
        cmocka_unit_test(stored_cells_give_the_same_line),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
