/* Corrections in words. */
#include "unit.h"

#include "paper/cell/change.h"
#include "paper/cell/row_field.h"

static void assert_put(
    const char *field, const char *old, const char *new, size_t shown, const char *expected)
{
    struct buf b;
    buf_init(&b, SIZE_MAX);
    correction_words_put(&b, str_from(field), str_from(old), str_from(new), shown);
    assert_true(str_eq(buf_view(&b), str_from(expected)));
    buf_finish(&b);
}

static void values_are_in_the_words_of_pages(void **state)
{
    assert_put(
        "amountBucket", "1k_15k", "50k_100k", 100,
        "amount was $1,001 – $15,000, is $50,001 – $100,000");
    assert_put("side", "sell_partial", "buy", 100, "side was sold in part, is bought");
    assert_put(
        "assetType", NULL, "municipal_bond", 100,
        "kind of asset was not stated, is municipal bond");
    assert_put("ownerType", "self", NULL, 100, "owner was filer, is not stated");
    assert_put(
        "filedAt", "2026-01-15T05:00:00.000Z", "2026-01-15T13:00:00.000Z", 100,
        "filing date was 2026-01-15, is 2026-01-15 08:00 EST");
    assert_put("politician.party", "Whig", "Other", 100, "party of the member was Whig, is Other");
}

static void unknown_fields_and_values_stay_as_they_are(void **state)
{
    assert_put("amountBucket", "lots", "1k_15k", 100, "amount was lots, is $1,001 – $15,000");
    assert_put("newField", "a", "b", 100, "newField was a, is b");
    assert_put("assetName", "A long name", "B", 6, "asset was A long, is B");
}

static void each_field_of_a_row_has_words(void **state)
{
    for (int field = 0; field < ROW_FIELD_COUNT; field++) {
        struct str words = correction_words_field(row_field_name((enum row_field)field));
        for (size_t i = 0; i < words.n; i++)
            assert_true(ascii_lower(words.p[i]) == words.p[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_in_the_words_of_pages),
        cmocka_unit_test(unknown_fields_and_values_stay_as_they_are),
        cmocka_unit_test(each_field_of_a_row_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
