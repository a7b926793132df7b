/* Rules, times, words and links of alerts. */
#include "unit.h"
#include "day_from.h"

#include "base/instant.h"
#include "market/alert_words.h"
#include "market/industry.h"
#include "rule/alert.h"

static const struct str seats[] = {STR_INIT("HSAG22"), STR_INIT("HSIF")};

static struct alert_trade trade(void)
{
    return (struct alert_trade){
        .member_no = 7,
        .chamber = CHAMBER_HOUSE,
        .symbols = {STR("FB"), STR("META")},
        .symbol_count = 2,
        .industry = 3,
        .bracket = BRACKET_50K_100K,
        .flagged = true,
        .committees = seats,
        .committee_count = 2,
    };
}

static struct alert_rule all_of_it(void)
{
    return (struct alert_rule){
        .member_no = 7,
        .ticker = STR("META"),
        .chamber = CHAMBER_HOUSE,
        .committee = STR("HSAG"),
        .industry = 3,
        .flagged = true,
        .minimum = BRACKET_50K_100K,
    };
}

static void rule_matches_only_if_every_criterion_does(void **state)
{
    struct alert_trade is = trade(), other;
    struct alert_rule rule = all_of_it();
    assert_true(alert_rule_matches(&rule, &is));
    other = is;
    other.member_no = 8;
    assert_false(alert_rule_matches(&rule, &other));
    other = is;
    other.symbol_count = 1;
    assert_false(alert_rule_matches(&rule, &other));
    other = is;
    other.chamber = CHAMBER_SENATE;
    assert_false(alert_rule_matches(&rule, &other));
    other = is;
    other.committees = seats + 1;
    other.committee_count = 1;
    assert_false(alert_rule_matches(&rule, &other));
    other = is;
    other.industry = 0;
    assert_false(alert_rule_matches(&rule, &other));
    other = is;
    other.flagged = false;
    assert_false(alert_rule_matches(&rule, &other));
    other = is;
    other.bracket = BRACKET_15K_50K;
    assert_false(alert_rule_matches(&rule, &other));
}

static void open_bracket_of_a_spouse_counts_by_its_lower_bound(void **state)
{
    struct alert_trade is = trade();
    struct alert_rule rule = {.minimum = BRACKET_500K_1M};
    is.bracket = BRACKET_OVER_1M_SPOUSE;
    assert_true(alert_rule_matches(&rule, &is));
    rule.minimum = BRACKET_5M_25M;
    assert_false(alert_rule_matches(&rule, &is));
}

static void empty_rule_has_no_criterion(void **state)
{
    struct alert_rule rule = {.member_no = 0};
    assert_false(alert_rule_has_criterion(&rule));
    rule.flagged = true;
    assert_true(alert_rule_has_criterion(&rule));
}

/* A grade of 1 is A. */
static void grade_matches_itself_and_better_ones(void **state)
{
    const struct alert_rule rule = {.grade = 2};
    struct alert_rule other = rule;
    struct alert_trade is = {.flagged = true, .grade = 1};
    assert_true(alert_rule_has_criterion(&rule) && alert_rule_matches(&rule, &is));
    is.grade = 2;
    assert_true(alert_rule_matches(&rule, &is));
    is.grade = 3;
    assert_false(alert_rule_matches(&rule, &is));
    is.grade = 0;
    assert_false(alert_rule_matches(&rule, &is));
    other.grade = 1;
    assert_false(alert_rule_equals(&rule, &other));
}

static int64_t at(const char *text)
{
    int64_t ms;
    assert_true(instant_parse(str_from(text), &ms));
    return ms;
}

/* 07:00 in Washington is 12:00 UTC in winter and 11:00 UTC in summer. */
static void daily_digest_is_due_at_seven_in_washington_all_year(void **state)
{
    assert_int_equal(
        alert_next_due(ALERT_DAILY, at("2026-03-07T12:00:00Z")), at("2026-03-08T11:00:00Z"));
    assert_int_equal(
        alert_next_due(ALERT_DAILY, at("2026-03-07T11:59:59Z")), at("2026-03-07T12:00:00Z"));
    assert_int_equal(
        alert_next_due(ALERT_DAILY, at("2026-10-31T11:00:00Z")), at("2026-11-01T12:00:00Z"));
    assert_int_equal(
        alert_period_day(ALERT_DAILY, at("2026-11-01T11:59:59Z")), day_from("2026-10-31"));
    assert_int_equal(
        alert_period_day(ALERT_DAILY, at("2026-11-01T12:00:00Z")), day_from("2026-11-01"));
}

static void weekly_digest_is_due_on_monday(void **state)
{
    /* 2026-11-23 is a Monday */
    assert_int_equal(
        alert_period_day(ALERT_WEEKLY, at("2026-11-23T11:59:59Z")), day_from("2026-11-16"));
    assert_int_equal(
        alert_period_day(ALERT_WEEKLY, at("2026-11-23T12:00:00Z")), day_from("2026-11-23"));
    assert_int_equal(
        alert_period_day(ALERT_WEEKLY, at("2026-11-29T23:00:00Z")), day_from("2026-11-23"));
    assert_int_equal(
        alert_next_due(ALERT_WEEKLY, at("2026-10-26T11:00:00Z")), at("2026-11-02T12:00:00Z"));
}

/* Every period begins once, and none is skipped, over ten years of clock changes. */
static void every_hour_of_ten_years_belongs_to_one_period(void **state)
{
    int32_t last = alert_period_day(ALERT_DAILY, at("2020-01-01T12:00:00Z"));
    for (int64_t ms = at("2020-01-01T13:00:00Z"); ms < at("2030-01-01T00:00:00Z"); ms += HOUR_MS) {
        int32_t period = alert_period_day(ALERT_DAILY, ms);
        assert_true(period == last || period == last + 1);
        assert_true(alert_next_due(ALERT_DAILY, ms) > ms);
        last = period;
    }
}

static void rule_reads_as_words(void **state)
{
    char space[ALERT_WORDS_MAX];
    struct buf b = buf_over(space, sizeof space);
    struct alert_rule rule = {
        .member_no = 1, .ticker = STR("NVDA"), .flagged = true, .minimum = BRACKET_50K_100K};
    alert_put_rule(&b, &rule, STR("Robin Vale"));
    assert_str(
        buf_view(&b), "trades reported by Robin Vale in NVDA, flagged only, $50,001 and more");
    b = buf_over(space, sizeof space);
    rule = (struct alert_rule){.committee = STR("HSAG"), .chamber = CHAMBER_HOUSE};
    alert_put_rule(&b, &rule, STR_NULL);
    assert_str(
        buf_view(&b),
        "trades reported by members of the House Committee on Agriculture, House only");
}

static void end_link_is_valid_for_its_id_only(void **state)
{
    uint8_t key[SHA256_SIZE] = {1}, other[SHA256_SIZE] = {2};
    char token[ALERT_END_TOKEN_SIZE];
    alert_end_token(key, STR("al_1"), token);
    struct str text = str_of(token, sizeof token);
    assert_true(alert_end_token_valid(key, STR("al_1"), text));
    assert_false(alert_end_token_valid(key, STR("al_2"), text));
    assert_false(alert_end_token_valid(other, STR("al_1"), text));
    assert_false(alert_end_token_valid(key, STR("al_1"), str_slice(text, 0, text.n - 1)));
    assert_false(alert_end_token_valid(key, STR("al_1"), STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grade_matches_itself_and_better_ones),
        cmocka_unit_test(rule_matches_only_if_every_criterion_does),
        cmocka_unit_test(open_bracket_of_a_spouse_counts_by_its_lower_bound),
        cmocka_unit_test(empty_rule_has_no_criterion),
        cmocka_unit_test(daily_digest_is_due_at_seven_in_washington_all_year),
        cmocka_unit_test(weekly_digest_is_due_on_monday),
        cmocka_unit_test(every_hour_of_ten_years_belongs_to_one_period),
        cmocka_unit_test(rule_reads_as_words),
        cmocka_unit_test(end_link_is_valid_for_its_id_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
