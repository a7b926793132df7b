/* Rows typed blind, and what counts as a difference. */
#include "unit.h"

#include <string.h>

#include "review/desk/blind.h"

static struct arena arena;

static int setup(void **state)
{
    arena_init(&arena);
    *state = &arena;
    return 0;
}

static int teardown(void **state)
{
    arena_finish(*state);
    return 0;
}

static struct blind_row with(enum blind_field field, const char *typed)
{
    struct blind_row row = blind_row_none;
    struct fail why;
    if (blind_set(&row, field, str_from(typed), &arena, &why))
        fail_msg("%s: %s", typed, why.text);
    return row;
}

static void check(
    enum blind_field field, const char *typed, const char *stored, enum blind_verdict expected)
{
    struct blind_row a = with(field, typed), b = with(field, stored);
    if (blind_compare(&a, &b, field) != expected)
        fail_msg("%s | %s: not %d", typed, stored, expected);
}

static void spelling_of_a_name_is_no_difference(void **state)
{
    check(BLIND_ASSET, "microsoft", "Microsoft Corporation", BLIND_AGREES);
    check(BLIND_ASSET, "AT & T", "AT&T Inc. Common Stock", BLIND_AGREES);
    check(BLIND_ASSET, "D R Horton, Inc", "D.R. Horton", BLIND_AGREES);
    check(BLIND_ASSET, "McDonald's Corp", "MCDONALDS", BLIND_AGREES);
    check(BLIND_ASSET, "The Company", "the company", BLIND_AGREES);
    check(BLIND_ASSET, "", "", BLIND_AGREES);
}

static void another_name_is_a_difference(void **state)
{
    check(BLIND_ASSET, "Microsft", "Microsoft", BLIND_DIFFERS);
    check(BLIND_ASSET, "Apple", "Apple Hospitality REIT", BLIND_DIFFERS);
    check(BLIND_ASSET, "Acorn Wells Class A", "Acorn Wells Class B", BLIND_DIFFERS);
    check(BLIND_ASSET, "The Company", "The Corporation", BLIND_DIFFERS);
    check(BLIND_ASSET, "", "Acorn Wells", BLIND_DIFFERS);
    check(BLIND_ASSET, "—", "Acorn Wells", BLIND_DIFFERS);
}

static void asset_agrees_by_its_symbol(void **state)
{
    struct blind_row stored = with(BLIND_ASSET, "Acorn Wells, Inc.");
    stored.values.ticker = STR("QQAC.B");
    struct blind_row typed = with(BLIND_ASSET, "qqac/b");
    assert_int_equal(blind_compare(&typed, &stored, BLIND_ASSET), BLIND_AGREES);
    typed = with(BLIND_ASSET, "Acorn W. cl. B");
    assert_int_equal(blind_compare(&typed, &stored, BLIND_ASSET), BLIND_DIFFERS);
    typed.values.ticker = with(BLIND_TICKER, "qqac-b").values.ticker;
    assert_int_equal(blind_compare(&typed, &stored, BLIND_ASSET), BLIND_AGREES);
}

static void missing_symbol_is_not_compared(void **state)
{
    check(BLIND_TICKER, "", "AAPL", BLIND_NOT_COMPARED);
    check(BLIND_TICKER, "aapl", "AAPL", BLIND_AGREES);
    check(BLIND_TICKER, "aapl", "APLE", BLIND_DIFFERS);
    check(BLIND_TICKER, "aapl", "", BLIND_DIFFERS);
    check(BLIND_TICKER, "", "", BLIND_AGREES);
}

static void dates_are_read_in_every_notation(void **state)
{
    static const char *const same[] = {"3/4/24",   "03/04/2024", "03-04-24",
                                       "3.4.2024", "2024-03-04", "2024/3/4",
                                       "030424",   "03042024",   " 3 4 24 "};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        check(BLIND_TRADE_DATE, same[i], "2024-03-04", BLIND_AGREES);
        check(BLIND_NOTIFIED, same[i], "2024-03-04", BLIND_AGREES);
    }
    check(BLIND_TRADE_DATE, "4/3/24", "2024-03-04", BLIND_DIFFERS);
    check(BLIND_TRADE_DATE, "", "2024-03-04", BLIND_DIFFERS);
}

static void impossible_value_is_refused_with_the_accepted_ones(void **state)
{
    static const struct {
        enum blind_field field;
        const char *typed, *says;
    } bad[] = {
        {BLIND_TRADE_DATE, "13/1/24", "month/day/year"},
        {BLIND_TRADE_DATE, "2/30/24", "yyyy"},
        {BLIND_TRADE_DATE, "3/4", "yyyy"},
        {BLIND_TRADE_DATE, "3/4/24/", "yyyy"},
        {BLIND_TRADE_DATE, "3//24", "yyyy"},
        {BLIND_TRADE_DATE, "3/4/024", "yyyy"},
        {BLIND_TRADE_DATE, "1/2/3/4", "yyyy"},
        {BLIND_TRADE_DATE, "99999/1/1", "yyyy"},
        {BLIND_SIDE, "purchase", "sell_partial"},
        {BLIND_AMOUNT, "15000", "1k_15k"},
        {BLIND_OWNER, "wife", "spouse"},
        {BLIND_TICKER, "--", "letter"},
        {BLIND_ASSET, "Acorn\xe2\x80\x8bWells", "cannot see"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct blind_row row = blind_row_none;
        struct fail why;
        if (blind_set(&row, bad[i].field, str_from(bad[i].typed), &arena, &why) != ERR_INVALID ||
            !strstr(why.text, bad[i].says))
            fail_msg("%s: not refused, or with other words", bad[i].typed);
        assert_true(blind_is_empty(&row));
    }
}

static void owner_that_is_not_stated_is_the_filer(void **state)
{
    check(BLIND_OWNER, "", "self", BLIND_AGREES);
    check(BLIND_OWNER, "", "", BLIND_AGREES);
    check(BLIND_OWNER, "self", "", BLIND_AGREES);
    check(BLIND_OWNER, "", "spouse", BLIND_DIFFERS);
    check(BLIND_OWNER, "joint", "spouse", BLIND_DIFFERS);
}

static void side_and_amount_differ_if_they_are_not_the_same(void **state)
{
    check(BLIND_SIDE, "sell_full", "sell_full", BLIND_AGREES);
    check(BLIND_SIDE, "sell_full", "sell_partial", BLIND_DIFFERS);
    check(BLIND_AMOUNT, "", "1k_15k", BLIND_DIFFERS);
    check(BLIND_AMOUNT, "1k_15k", "1k_15k", BLIND_AGREES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spelling_of_a_name_is_no_difference),
        cmocka_unit_test(another_name_is_a_difference),
        cmocka_unit_test(asset_agrees_by_its_symbol),
        cmocka_unit_test(missing_symbol_is_not_compared),
        cmocka_unit_test(dates_are_read_in_every_notation),
        cmocka_unit_test(impossible_value_is_refused_with_the_accepted_ones),
        cmocka_unit_test(owner_that_is_not_stated_is_the_filer),
        cmocka_unit_test(side_and_amount_differ_if_they_are_not_the_same),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
