#include "unit.h"

#include "rule/model.h"
#include "rule/plan.h"

static void every_name_reads_back_as_itself(void **state)
{
    for (int i = 1; i < CHAMBER_COUNT; i++)
        assert_int_equal(chamber_from_name(chamber_name((enum chamber)i)), i);
    for (int i = 1; i < SIDE_COUNT; i++)
        assert_int_equal(side_from_name(side_name((enum side)i)), i);
    for (int i = 1; i < OWNER_COUNT; i++)
        assert_int_equal(owner_from_name(owner_name((enum owner)i)), i);
    for (int i = 1; i < ASSET_COUNT; i++)
        assert_int_equal(asset_type_from_name(asset_type_name((enum asset_type)i)), i);
    for (int i = 1; i < BRACKET_COUNT; i++)
        assert_int_equal(bracket_from_key(bracket_key((enum bracket)i)), i);
    for (int i = 1; i < FILING_REVIEW_COUNT; i++)
        assert_int_equal(filing_review_from_name(filing_review_name((enum filing_review)i)), i);
    for (int i = 1; i < CORRECTION_KIND_COUNT; i++)
        assert_int_equal(
            correction_kind_from_name(correction_kind_name((enum correction_kind)i)), i);
    for (int i = 0; i < PLAN_COUNT; i++) {
        enum plan plan;
        assert_true(plan_from_key(plan_info((enum plan)i)->key, &plan));
        assert_int_equal(plan, i);
    }
    assert_int_equal(chamber_from_name(STR("House")), CHAMBER_NONE);
    assert_int_equal(side_from_name(STR_NULL), SIDE_NONE);
    assert_int_equal(filing_review_from_name(STR_NULL), FILING_REVIEW_NONE); /* not reviewed */
}

/* The number behind the first or the second dollar sign; 0 without one. */
static int64_t dollars(struct str label, int which)
{
    int64_t n = 0;
    for (size_t i = 0; i < label.n; i++) {
        if (label.p[i] == '$')
            which--;
        else if (which == 0 && ascii_is_digit(label.p[i]))
            n = n * 10 + label.p[i] - '0';
    }
    return n;
}

static void bracket_bounds_match_label(void **state)
{
    for (int i = 1; i < BRACKET_COUNT; i++) {
        const struct bracket_info *info = bracket_info((enum bracket)i);
        int64_t first = dollars(info->label, 1), second = dollars(info->label, 2);
        assert_int_equal(info->min, str_starts(info->label, STR("Over ")) ? first + 1 : first);
        assert_int_equal(info->max, second ? second : BRACKET_OPEN);
    }
}

static void brackets_follow_one_another_without_a_gap(void **state)
{
    for (int i = BRACKET_1K_15K; i < BRACKET_OVER_50M; i++)
        assert_int_equal(
            bracket_info((enum bracket)i)->max + 1, bracket_info((enum bracket)(i + 1))->min);
    assert_int_equal(bracket_of_amount(1000), BRACKET_NONE);
    assert_int_equal(bracket_of_amount(1001), BRACKET_1K_15K);
    assert_int_equal(bracket_of_amount(15000), BRACKET_1K_15K);
    assert_int_equal(bracket_of_amount(50000000), BRACKET_25M_50M);
    assert_int_equal(bracket_of_amount(50000001), BRACKET_OVER_50M);
}

static void symbol_spellings_normalize_to_one(void **state)
{
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"brk-b", "BRK.B"}, {"BRK/B", "BRK.B"},   {"BRK.B", "BRK.B"},
        {"aapl", "AAPL"},   {"DD-PA", "DD-PA"},   {"LM09.SG", "LM09.SG"},
        {"-B", "-B"},       {"XLS-WI", "XLS-WI"}, {"SPY160219P00180000", "SPY160219P00180000"},
        {"^GSPC", "^GSPC"}, {"A", "A"},           {"", ""},
        {"A B", ""},        {"\xc3\xa9", ""},     {"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char normal[TICKER_SIZE_MAX];
        size_t n = ticker_normalize(str_from(cases[i].text), normal);
        assert_str(str_of(normal, n), cases[i].normal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_reads_back_as_itself),
        cmocka_unit_test(bracket_bounds_match_label),
        cmocka_unit_test(brackets_follow_one_another_without_a_gap),
        cmocka_unit_test(symbol_spellings_normalize_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
