/* Every code that an editor may meet has words. */
#include "unit.h"

#include "cmd/review_words.h"
#include "core/date_doubt.h"
#include "core/self_check.h"

static void assert_check_has_words(struct str name)
{
    assert_false(str_eq(review_check_words(name), name));
}

static void every_check_has_words(void **state)
{
    static const struct str of_ledger[] = {
        STR_INIT("no_hidden_characters"), STR_INIT("filing_id_of_file"),
        STR_INIT("signed_on_filing_date"), STR_INIT("state_district_of_index"),
        STR_INIT("name_of_index")};
    for (int document = SELF_CHECK_HOUSE; document <= SELF_CHECK_INDEX; document++) {
        struct self_check checks[SELF_CHECKS_MAX];
        size_t count = 0;
        self_checks_complete(checks, &count, (enum self_check_document)document);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            assert_check_has_words(checks[i].name);
    }
    for (size_t i = 0; i < sizeof of_ledger / sizeof *of_ledger; i++)
        assert_check_has_words(of_ledger[i]);
}

static void doubts_are_sentences_with_their_detail(void **state)
{
    struct arena arena;
    arena_init(&arena);
    assert_str(
        review_doubt_words(STR("traded_after_filed: 09/15/2016"), &arena),
        "the trade (09/15/2016) is after the report was filed");
    assert_str(
        review_doubt_words(STR("ticker_suggested: DE is Deere: a company"), &arena),
        "the name may mean a symbol: DE is Deere: a company; set ticker if it is right");
    assert_str(review_doubt_words(STR("of_a_later_version: 7"), &arena), "of_a_later_version: 7");
    for (int d = DATE_DOUBT_NONE + 1; d < DATE_DOUBT_COUNT; d++) {
        struct str name = date_doubt_name((enum date_doubt)d);
        assert_false(str_eq(review_doubt_words(name, &arena), name));
    }
    arena_finish(&arena);
}

static void texts_of_a_damaged_array_are_none(void **state)
{
    struct str texts[2];
    struct arena arena;
    arena_init(&arena);
    assert_int_equal(review_texts(STR("[\"a\",\"b: \\\"c\\\"\",\"d\"]"), &arena, texts, 2), 2);
    assert_str(texts[1], "b: \"c\"");
    assert_int_equal(review_texts(STR("[\"a\""), &arena, texts, 2), 0);
    assert_int_equal(review_texts(STR_NULL, &arena, texts, 2), 0);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_check_has_words),
        cmocka_unit_test(doubts_are_sentences_with_their_detail),
        cmocka_unit_test(texts_of_a_damaged_array_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
