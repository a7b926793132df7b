/* Bit slices give the answer of the test of each row's code, also at the ends of each field. */
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "feed/slices.h"

static uint64_t draw(uint64_t n, uint64_t salt, uint64_t below)
{
    return hash_seeded(str_of((const char *)&n, sizeof n), salt) % below;
}

static uint64_t code_of(uint64_t n)
{
    static const int32_t days[] = {-719162, 2932896, 0, 15000, 15001, 20000};
    uint64_t day = draw(n, 9, 7);
    return slices_code(SLICE_LIVE, draw(n, 1, 2)) | slices_code(SLICE_SIGNAL, draw(n, 2, 2)) |
           slices_code(SLICE_SIDE, draw(n, 3, 5)) | slices_code(SLICE_OWNER, draw(n, 4, 5)) |
           slices_code(SLICE_ASSET_TYPE, draw(n, 5, 14)) |
           slices_code(SLICE_BRACKET, draw(n, 6, 12)) |
           slices_code(SLICE_PARTY, draw(n, 7, 2) ? SLICE_PARTY_MAX : draw(n, 8, 4)) |
           slices_code(SLICE_STATE, draw(n, 8, 2) ? slices_state("VT") : slices_state("ZZ")) |
           slices_code(SLICE_DAY, day < 6 ? slices_day(days[day]) : 0);
}

static void assert_same(const struct slices *s, const uint64_t *codes, struct slice_test test)
{
    struct slice_mask mask;
    bool any = false;
    bool kept = slices_match(s, &test, 1, &mask);
    for (uint32_t row = 0; row < SLICE_ROWS; row++) {
        bool has = slice_test_has(&test, codes[row]);
        any |= has;
        assert_int_equal(mask.words[row / 64] >> row % 64 & 1, has);
    }
    assert_int_equal(kept, any);
}

static void assert_all_tests(const struct slices *s, const uint64_t *codes)
{
    static const struct slice_test tests[] = {
        {SLICE_LIVE, SLICE_EQUAL, 1},
        {SLICE_SIGNAL, SLICE_EQUAL, 0},
        {SLICE_SIDE, SLICE_IN, 1 << 2 | 1 << 3},
        {SLICE_OWNER, SLICE_EQUAL, 4},
        {SLICE_ASSET_TYPE, SLICE_EQUAL, 13},
        {SLICE_BRACKET, SLICE_IN, 0xff0},
        {SLICE_BRACKET, SLICE_IN, 1 << 15},
        {SLICE_PARTY, SLICE_EQUAL, SLICE_PARTY_MAX},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        assert_same(s, codes, tests[i]);
    assert_same(s, codes, (struct slice_test){SLICE_STATE, SLICE_EQUAL, slices_state("VT")});
    for (int32_t day = 14999; day <= 15002; day++) {
        assert_same(s, codes, (struct slice_test){SLICE_DAY, SLICE_AT_LEAST, slices_day(day)});
        assert_same(s, codes, (struct slice_test){SLICE_DAY, SLICE_AT_MOST, slices_day(day)});
    }
    assert_same(s, codes, (struct slice_test){SLICE_DAY, SLICE_AT_MOST, slices_day(INT32_MIN)});
    assert_same(s, codes, (struct slice_test){SLICE_DAY, SLICE_AT_LEAST, slices_day(INT32_MAX)});
}

static void slices_agree_with_codes_before_and_after_changes(void **state)
{
    static struct slices s;
    uint64_t codes[SLICE_ROWS] = {0};
    for (uint64_t n = 0; n < 10 * SLICE_ROWS; n++) {
        uint32_t row = n < SLICE_ROWS ? (uint32_t)n : (uint32_t)draw(n, 10, SLICE_ROWS);
        slices_change(&s, row, codes[row], code_of(n));
        codes[row] = code_of(n);
        if (n % SLICE_ROWS == SLICE_ROWS - 1)
            assert_all_tests(&s, codes);
    }
}

/* --- while a code changes */

enum { CHANGES = 200000, CHANGED_ROW = 77 };

struct changing {
    struct slices slices;
    _Atomic bool ended;
};

/* Every code passes AT_LEAST and IN below, but most codes with a part of the changed bits do not.
 */
static void *change_bracket(void *arg)
{
    struct changing *c = arg;
    uint64_t codes[] = {slices_code(SLICE_DAY, 1 << 15), slices_code(SLICE_DAY, (1 << 15) - 1)};
    for (size_t i = 0; i < 2; i++)
        codes[i] |= slices_code(SLICE_LIVE, 1) | slices_code(SLICE_BRACKET, i ? 7 : 8);
    for (int i = 0; i < CHANGES; i++)
        slices_change(&c->slices, CHANGED_ROW, i ? codes[i % 2] : 0, codes[(i + 1) % 2]);
    atomic_store(&c->ended, true);
    return NULL;
}

static void row_that_matches_before_and_after_a_change_is_found_during_it(void **state)
{
    static struct changing c;
    static const struct slice_test tests[] = {
        {SLICE_LIVE, SLICE_EQUAL, 1},
        {SLICE_BRACKET, SLICE_IN, 1 << 7 | 1 << 8},
        {SLICE_DAY, SLICE_AT_LEAST, (1 << 15) - 1},
    };
    pthread_t writer;
    struct slice_mask mask;
    assert_int_equal(pthread_create(&writer, NULL, change_bracket, &c), 0);
    while (atomic_load(&c.slices.version) < 2)
        ;
    bool found, ended;
    do {
        ended = atomic_load(&c.ended);
        slices_match(&c.slices, tests, sizeof tests / sizeof *tests, &mask);
        found = mask.words[CHANGED_ROW / 64] >> CHANGED_ROW % 64 & 1;
    } while (found && !ended);
    pthread_join(writer, NULL);
    assert_true(found);
}

static void row_without_a_day_matches_no_bound(void **state)
{
    struct slice_test from = {SLICE_DAY, SLICE_AT_LEAST, slices_day(INT32_MIN)};
    struct slice_test to = {SLICE_DAY, SLICE_AT_MOST, slices_day(INT32_MAX)};
    assert_false(slice_test_has(&from, 0));
    assert_false(slice_test_has(&to, 0));
    assert_true(slice_test_has(&from, slices_code(SLICE_DAY, slices_day(-719162))));
    assert_true(slice_test_has(&to, slices_code(SLICE_DAY, slices_day(2932896))));
}

static void state_has_two_capital_letters(void **state)
{
    static const char *const others[] = {"vt", "V1", "@T", "V[", "\0\0"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(slices_state(others[i]), 0);
    assert_true(slices_state("AA") != slices_state("AZ"));
    assert_true(slices_state("AZ") != slices_state("ZA"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_agree_with_codes_before_and_after_changes),
        cmocka_unit_test(row_that_matches_before_and_after_a_change_is_found_during_it),
        cmocka_unit_test(row_without_a_day_matches_no_bound),
        cmocka_unit_test(state_has_two_capital_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
