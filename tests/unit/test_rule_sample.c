/* Draws are repeatable, uniform, and divided among the strata. The seeds are fixed, so a test gives
 * the same result every time. */
#include "rule/sample.h"
#include "rule/sample_dice.h"

#include <string.h>

#include "unit.h"

static struct sample_dice dice_of(uint8_t seed)
{
    struct sample_dice dice = {.drawn = 0};
    memset(dice.seed, seed, sizeof dice.seed);
    return dice;
}

static void same_seed_draws_same_numbers(void **state)
{
    struct sample_dice a = dice_of(1), b = dice_of(1), c = dice_of(2);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t n = sample_dice_below(&a, 1000000);
        assert_true(n < 1000000);
        assert_true(n == sample_dice_below(&b, 1000000));
        same += n == sample_dice_below(&c, 1000000);
    }
    assert_true(same < 5);
}

/* Chi-square with 99 degrees of freedom: 99.9 % of uniform draws are under 148.2 and 0.1 % under
 * 60.9. */
static void assert_uniform(const int64_t *counts, size_t n, int64_t draws)
{
    double expected = (double)draws / (double)n, sum = 0;
    assert_int_equal(n, 100);
    for (size_t i = 0; i < n; i++) {
        double off = (double)counts[i] - expected;
        sum += off * off / expected;
    }
    if (sum > 148.2 || sum < 60.9)
        fail_msg("chi-square is %.1f", sum);
}

static void numbers_are_uniform(void **state)
{
    enum { DRAWS = 100000 };
    for (uint8_t seed = 1; seed <= 3; seed++) {
        struct sample_dice dice = dice_of(seed);
        int64_t counts[100] = {0};
        for (int i = 0; i < DRAWS; i++)
            counts[sample_dice_below(&dice, 100)]++;
        assert_uniform(counts, 100, DRAWS);
    }
}

/* 100 rows in groups of 1, 2, 3 ... rows: large filings must not win, nor small ones. */
static void rows_of_unequal_groups_are_equally_likely(void **state)
{
    enum { DRAWS = 100000 };
    struct sample_group groups[20];
    struct sample_dice dice = dice_of(7);
    int64_t counts[100] = {0};
    size_t n = 0;
    for (int64_t before = 0, size = 1; before < 100; before += size++)
        groups[n++] = (struct sample_group){.key = before, .before = before};
    for (int i = 0; i < DRAWS; i++) {
        int64_t at = (int64_t)sample_dice_below(&dice, 100);
        const struct sample_group *group = sample_group_of(groups, n, at);
        assert_true(group->before <= at);
        assert_true(group + 1 == groups + n || at < group[1].before);
        counts[group->key + (at - group->before)]++;
    }
    assert_uniform(counts, 100, DRAWS);
}

static void divides(int64_t rows, int32_t day, const int64_t *trades, const int64_t *expected)
{
    int64_t parts[SAMPLE_STRATA];
    sample_divide(rows, day, trades, parts);
    for (int i = 0; i < SAMPLE_STRATA; i++)
        assert_int_equal(parts[i], expected[i]);
}

#define FOUR(a, b, c, d) ((int64_t[]){a, b, c, d})

static void strata_share_the_rows_of_a_day(void **state)
{
    divides(5, 0, FOUR(1000, 1000, 1000, 1000), FOUR(2, 1, 1, 1));
    divides(5, 1, FOUR(1000, 1000, 1000, 1000), FOUR(1, 2, 1, 1));
    divides(5, 3, FOUR(1000, 1000, 1000, 1000), FOUR(1, 1, 1, 2));
    divides(2, 3, FOUR(1000, 1000, 1000, 1000), FOUR(1, 0, 0, 1));
    divides(6, 0, FOUR(1000, 0, 1000, 1), FOUR(3, 0, 2, 1));
    divides(6, 0, FOUR(1, 1, 0, 0), FOUR(1, 1, 0, 0));
    divides(6, -3, FOUR(0, 0, 0, 0), FOUR(0, 0, 0, 0));
    divides(0, 0, FOUR(9, 9, 9, 9), FOUR(0, 0, 0, 0));
}

static void every_stratum_has_a_place(void **state)
{
    for (int i = 0; i < SAMPLE_STRATA; i++)
        assert_int_equal(sample_stratum(sample_stratum_chamber(i), sample_stratum_kind(i)), i);
    assert_str(sample_kind_name(SAMPLE_PAPER), "paper");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_draws_same_numbers),
        cmocka_unit_test(numbers_are_uniform),
        cmocka_unit_test(rows_of_unequal_groups_are_equally_likely),
        cmocka_unit_test(strata_share_the_rows_of_a_day),
        cmocka_unit_test(every_stratum_has_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
