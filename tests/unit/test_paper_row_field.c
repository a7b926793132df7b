/* The fields of a row: by name, from text and back. */
#include "unit.h"

#include <string.h>

#include "paper/cell/row_field.h"

static struct row_values whole(void)
{
    return (struct row_values){
        .ticker = STR("ABC"),
        .asset_name = STR("Abacus Corporation"),
        .asset_type = ASSET_STOCK,
        .side = SIDE_SELL_PARTIAL,
        .bracket = BRACKET_OVER_50M,
        .trade_date = 19782,
        .owner = OWNER_JOINT,
        .details = STR("put, strike 250.00, expires 2025-01-17"),
    };
}

static void names_match_api_or_csv(void **state)
{
    enum row_field found;
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        assert_true(row_field_from_name(row_field_name((enum row_field)f), &found));
        assert_int_equal(found, f);
    }
    assert_true(row_field_from_name(STR("owner_type"), &found));
    assert_int_equal(found, ROW_OWNER);
    assert_false(row_field_from_name(STR("OwnerType"), &found));
    assert_false(row_field_from_name(STR(""), &found));
}

static void every_field_is_written_and_read_back(void **state)
{
    const struct row_values from = whole();
    struct row_values to = {.trade_date = DAY_NONE};
    char text[ROW_FIELD_COUNT][ROW_FIELD_TEXT_MAX], space[ROW_FIELD_SPACE];
    struct fail fail;
    assert_false(row_values_are_whole(&to));
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        enum row_field field = (enum row_field)f;
        assert_false(row_field_equal(&from, &to, field));
        struct str printed = row_field_text(&from, field, text[f]);
        assert_int_equal(row_field_set(&to, field, printed, space, &fail), OK);
        assert_true(row_field_equal(&from, &to, field));
    }
    assert_true(row_values_are_whole(&to));
    assert_str(row_field_text(&to, ROW_TRADE_DATE, text[0]), "2024-02-29");
}

static void only_some_fields_may_be_null(void **state)
{
    static const bool nullable[ROW_FIELD_COUNT] = {
        [ROW_TICKER] = true,
        [ROW_ASSET_TYPE] = true,
        [ROW_TRADE_DATE] = true,
        [ROW_OWNER] = true,
        [ROW_DETAILS] = true};
    char text[ROW_FIELD_TEXT_MAX], space[ROW_FIELD_SPACE];
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        struct row_values v = whole();
        struct fail fail;
        enum err err = row_field_set(&v, (enum row_field)f, STR("  "), space, &fail);
        assert_int_equal(err, nullable[f] ? OK : ERR_INVALID);
        assert_int_equal(str_is_null(row_field_text(&v, (enum row_field)f, text)), nullable[f]);
    }
}

static void invalid_text_changes_nothing_and_error_lists_accepted_values(void **state)
{
    static const struct {
        enum row_field field;
        const char *text, *says;
    } cases[] = {
        {ROW_TICKER, "A B", "symbol"},
        {ROW_ASSET_NAME, "two\nlines", "one line"},
        {ROW_ASSET_TYPE, "Stock", "municipal_bond"},
        {ROW_SIDE, "sell", "sell_partial"},
        {ROW_AMOUNT, "$1,001 - $15,000", "over_1m_spouse"},
        {ROW_TRADE_DATE, "2023-02-29", "yyyy-mm-dd"},
        {ROW_OWNER, "SP", "spouse"},
        {ROW_DETAILS, "a put", "strike 250.00"},
        {ROW_TICKER,
         "AB\xe2\x80\x8b"
         "C",
         "U+200B (zero-width character)"},
        {ROW_ASSET_NAME, "Abacus \xe2\x80\xae Inc.", "U+202E (bidirectional control)"},
        {ROW_ASSET_NAME, "Abacus\xf3\xa0\x81\x81", "U+E0041 (tag character)"},
        {ROW_ASSET_NAME,
         "Abacus\xc2\x9b"
         "31m",
         "U+009B (control character)"},
        {ROW_DETAILS,
         "description \"a\xc2\xad"
         "b\"",
         "U+00AD (soft hyphen)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct row_values v = whole(), before = whole();
        struct fail fail;
        char space[ROW_FIELD_SPACE];
        assert_int_equal(
            row_field_set(&v, cases[i].field, str_from(cases[i].text), space, &fail), ERR_INVALID);
        assert_non_null(strstr(fail.text, cases[i].says));
        assert_true(row_field_equal(&v, &before, cases[i].field));
    }
}

static void hidden_character_of_any_text_is_found(void **state)
{
    struct row_values v = whole();
    enum row_field field;
    assert_int_equal(row_values_hidden(&v, &field), -1);
    v.details = STR("put, description \"\xe2\x80\x8f\"");
    assert_int_equal(row_values_hidden(&v, &field), 0x200f);
    assert_int_equal(field, ROW_DETAILS);
    v.asset_name = STR("\xef\xbb\xbf");
    assert_int_equal(row_values_hidden(&v, &field), 0xfeff);
    assert_int_equal(field, ROW_ASSET_NAME);
}

static void symbol_is_normalized(void **state)
{
    struct row_values v = whole();
    struct fail fail;
    char space[ROW_FIELD_SPACE];
    assert_int_equal(row_field_set(&v, ROW_TICKER, STR(" brk-b "), space, &fail), OK);
    assert_str(v.ticker, "BRK.B");
}

static void symbol_of_punctuation_only_is_invalid(void **state)
{
    static const char *const symbols[] = {"..", "-", "--", "/", "^", "$", ".-/^$"};
    struct row_values v = whole();
    struct fail fail;
    char space[ROW_FIELD_SPACE];
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        assert_int_equal(
            row_field_set(&v, ROW_TICKER, str_from(symbols[i]), space, &fail), ERR_INVALID);
        assert_str(v.ticker, "ABC");
    }
    assert_int_equal(
        row_field_set(&v, ROW_DETAILS, STR("received ticker .."), space, &fail), ERR_INVALID);
    assert_int_equal(row_field_set(&v, ROW_DETAILS, STR("received ticker XYZ"), space, &fail), OK);
}

static void details_are_normalized(void **state)
{
    struct row_values v = whole();
    struct fail fail;
    char space[ROW_FIELD_SPACE];
    assert_int_equal(
        row_field_set(&v, ROW_DETAILS, STR(" expires 1/17/25, call"), space, &fail), OK);
    assert_str(v.details, "call, expires 2025-01-17");
}

static void long_name_is_refused(void **state)
{
    struct row_values v = whole();
    struct fail fail;
    char space[ROW_FIELD_SPACE], name[ROW_ASSET_NAME_MAX + 1];
    memset(name, 'a', sizeof name);
    assert_int_equal(
        row_field_set(&v, ROW_ASSET_NAME, str_of(name, sizeof name - 1), space, &fail), OK);
    assert_int_equal(
        row_field_set(&v, ROW_ASSET_NAME, str_of(name, sizeof name), space, &fail), ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_match_api_or_csv),
        cmocka_unit_test(every_field_is_written_and_read_back),
        cmocka_unit_test(only_some_fields_may_be_null),
        cmocka_unit_test(invalid_text_changes_nothing_and_error_lists_accepted_values),
        cmocka_unit_test(hidden_character_of_any_text_is_found),
        cmocka_unit_test(symbol_is_normalized),
        cmocka_unit_test(symbol_of_punctuation_only_is_invalid),
        cmocka_unit_test(details_are_normalized),
        cmocka_unit_test(long_name_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
