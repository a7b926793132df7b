/* Estimates of shares. The interval of 81 of 263 is in Newcombe (1998), Statistics in Medicine 17;
 * the others were computed with another program. */
#include "rule/share.h"

#include <math.h>

#include "unit.h"

static void is_near(double value, double expected)
{
    if (fabs(value - expected) > 0.00005)
        fail_msg("%.6f is not %.4f", value, expected);
}

static void has_interval(int64_t wrong, int64_t checked, double rate, double low, double high)
{
    struct share share;
    assert_true(share_of(wrong, checked, &share));
    is_near(share.rate, rate);
    is_near(share.low, low);
    is_near(share.high, high);
}

static void wilson_interval_has_known_values(void **state)
{
    has_interval(1, 240, 0.0042, 0.0007, 0.0232);
    has_interval(0, 10, 0, 0, 0.2775);
    has_interval(10, 10, 1, 0.7225, 1);
    has_interval(5, 10, 0.5, 0.2366, 0.7634);
    has_interval(81, 263, 0.3080, 0.2553, 0.3662);
    has_interval(0, 1, 0, 0, 0.7935);
}

static void nothing_checked_has_no_estimate(void **state)
{
    struct share share;
    assert_false(share_of(0, 0, &share));
    assert_false(share_of_parts((struct share_part[]){{100, 0, 0}}, 1, &share));
    assert_false(share_of_parts(NULL, 0, &share));
}

static void one_part_equals_plain_share(void **state)
{
    struct share plain, parts;
    assert_true(share_of(3, 70, &plain));
    assert_true(share_of_parts((struct share_part[]){{9000, 70, 3}, {50, 0, 0}}, 2, &parts));
    is_near(parts.rate, plain.rate);
    is_near(parts.low, plain.low);
    is_near(parts.high, plain.high);
}

static void parts_count_by_their_rows(void **state)
{
    const struct share_part parts[] = {{9900, 100, 0}, {100, 100, 10}};
    struct share share;
    assert_true(share_of_parts(parts, 2, &share));
    is_near(share.rate, 0.001); /* 10 of 200 checked, but 0.1 % of all rows */
    assert_true(share.low < share.rate && share.high > share.rate);
    assert_true(share.high < 0.05); /* about 102 checks of one part */
}

static void equal_parts_are_worth_all_their_checks(void **state)
{
    const struct share_part parts[] = {{500, 100, 2}, {500, 100, 4}};
    struct share together, plain;
    assert_true(share_of_parts(parts, 2, &together));
    assert_true(share_of(6, 200, &plain));
    is_near(together.rate, plain.rate);
    is_near(together.low, plain.low);
    is_near(together.high, plain.high);
}

static void reads(double value, const char *number, const char *words)
{
    char space[64];
    struct buf b = buf_over(space, sizeof space);
    share_put(&b, value);
    assert_str(buf_view(&b), number);
    b = buf_over(space, sizeof space);
    share_put_words(&b, value);
    assert_str(buf_view(&b), words);
}

static void words_round_but_never_to_none_or_all(void **state)
{
    reads(0, "0.0000", "0 %");
    reads(0.0001, "0.0001", "under 0.1 %");
    reads(1.0 / 240, "0.0042", "0.4 %");
    reads(0.0232, "0.0232", "2.3 %");
    reads(0.5, "0.5000", "50.0 %");
    reads(0.9999, "0.9999", "over 99.9 %");
    reads(1, "1.0000", "100 %");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_interval_has_known_values),
        cmocka_unit_test(nothing_checked_has_no_estimate),
        cmocka_unit_test(one_part_equals_plain_share),
        cmocka_unit_test(parts_count_by_their_rows),
        cmocka_unit_test(equal_parts_are_worth_all_their_checks),
        cmocka_unit_test(words_round_but_never_to_none_or_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
