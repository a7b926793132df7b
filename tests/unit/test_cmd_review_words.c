/* Every code that an editor may meet has words. */
#include "unit.h"

#include "review/review_words.h"
#include "rule/date_doubt.h"
#include "rule/draft_state.h"
#include "rule/self_check.h"

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
        "the name may mean a symbol: DE is Deere: a company; set it if it is right");
    assert_str(review_doubt_words(STR("of_a_later_version: 7"), &arena), "of_a_later_version: 7");
    for (int d = DATE_DOUBT_NONE + 1; d < DATE_DOUBT_COUNT; d++) {
        struct str name = date_doubt_name((enum date_doubt)d);
        assert_false(str_eq(review_doubt_words(name, &arena), name));
    }
    arena_finish(&arena);
}

static void reasons_have_the_words_of_their_failed_checks(void **state)
{
    struct arena arena;
    arena_init(&arena);
    assert_str(
        review_reason_words(
            STR("failed check: signed_on_filing_date (1/14/25), later (a, b)"), &arena),
        "failed check: it was signed on the filing date in the index (1/14/25), later (a, b)");
    assert_str(
        review_reason_words(STR("failed check: signed"), &arena),
        "failed check: the report is signed");
    assert_str(review_reason_words(STR("a scan, signed"), &arena), "a scan, signed");
    assert_true(str_is_null(review_reason_words(STR_NULL, &arena)));
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

static void actions_have_words(void **state)
{
    for (int a = 0; a < DRAFT_ACTION_COUNT; a++) {
        struct str name = draft_action_name((enum draft_action)a);
        bool noted = a != DRAFT_EDIT && a != DRAFT_AMEND; /* the others are never in the history */
        assert_true(!noted || !str_eq(review_action_words(name), name));
    }
    assert_str(review_action_words(STR("set")), "changed");
    assert_str(review_action_words(STR("of_a_later_version")), "of_a_later_version");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_check_has_words),
        cmocka_unit_test(doubts_are_sentences_with_their_detail),
        cmocka_unit_test(reasons_have_the_words_of_their_failed_checks),
        cmocka_unit_test(actions_have_words),
        cmocka_unit_test(texts_of_a_damaged_array_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
