/* Bit slices give the answer of the test of each row's values, also at the ends of each field. */
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "feed/slices.h"
#include "feed/tally.h"

static uint64_t draw(uint64_t n, uint64_t salt, uint64_t below)
{
    return hash_seeded(str_of((const char *)&n, sizeof n), salt) % below;
}

/* The values of the nth row. */
static uint64_t value_of(uint64_t n, enum slice_field field)
{
    static const int32_t days[] = {-719162, -25568, -25567, -25566, 0,
                                   15000,   15001,  105502, 105503, 2932896};
    static const uint64_t below[SLICE_FIELD_COUNT] = {
        [SLICE_LIVE] = 2,        [SLICE_SIGNAL] = 2,        [SLICE_SIDE] = 5,   [SLICE_OWNER] = 5,
        [SLICE_ASSET_TYPE] = 14, [SLICE_BRACKET] = 12,      [SLICE_PARTY] = 20, [SLICE_STATE] = 2,
        [SLICE_DAY] = 11,        [SLICE_LATE] = LATE_KINDS,
    };
    uint64_t drawn = draw(n, field, below[field]);
    if (field == SLICE_STATE)
        return drawn ? slices_state("VT") : slices_state("ZZ");
    if (field == SLICE_DAY)
        return drawn < 10 ? slices_day(days[drawn]) : 0;
    return drawn;
}

static uint64_t code_of(uint64_t n)
{
    uint64_t code = 0;
    for (int field = 0; field < SLICE_FIELD_COUNT; field++)
        code |= slices_code((enum slice_field)field, value_of(n, (enum slice_field)field));
    return code;
}

/* `values` has the n of each row. */
static void assert_same(const struct slices *s, const uint64_t *values, struct slice_test test)
{
    struct slice_mask mask;
    bool any = false;
    bool kept = slices_match(s, &test, 1, &mask);
    for (uint32_t row = 0; row < SLICE_ROWS; row++) {
        bool passes = slice_test_passes(&test, value_of(values[row], test.field));
        bool has = mask.words[row / 64] >> row % 64 & 1;
        any |= has;
        assert_true(slice_test_is_shared(&test) ? has >= passes : has == passes);
    }
    assert_int_equal(kept, any);
}

static void assert_all_tests(const struct slices *s, const uint64_t *values)
{
    static const struct slice_test tests[] = {
        {SLICE_LIVE, SLICE_EQUAL, 1},
        {SLICE_SIGNAL, SLICE_EQUAL, 0},
        {SLICE_SIDE, SLICE_IN, 1 << 2 | 1 << 3},
        {SLICE_OWNER, SLICE_EQUAL, 4},
        {SLICE_ASSET_TYPE, SLICE_EQUAL, 13},
        {SLICE_BRACKET, SLICE_IN, 0xff0},
        {SLICE_BRACKET, SLICE_IN, 1 << 15},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        assert_same(s, values, tests[i]);
    assert_same(s, values, (struct slice_test){SLICE_STATE, SLICE_EQUAL, slices_state("VT")});
    for (uint64_t party = 1; party < 20; party++)
        assert_same(s, values, (struct slice_test){SLICE_PARTY, SLICE_EQUAL, party});
    static const int32_t days[] = {INT32_MIN, -719161, -25567, -25566, -25565, 14999,    15000,
                                   15001,     15002,   105502, 105503, 105504, INT32_MAX};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        assert_same(s, values, (struct slice_test){SLICE_DAY, SLICE_AT_LEAST, slices_day(days[i])});
        assert_same(s, values, (struct slice_test){SLICE_DAY, SLICE_AT_MOST, slices_day(days[i])});
    }
}

static void slices_agree_with_values_before_and_after_changes(void **state)
{
    static struct slices s;
    uint64_t values[SLICE_ROWS];
    for (uint64_t n = 0; n < 10 * SLICE_ROWS; n++) {
        uint32_t row = n < SLICE_ROWS ? (uint32_t)n : (uint32_t)draw(n, 100, SLICE_ROWS);
        slices_change(&s, row, n < SLICE_ROWS ? 0 : code_of(values[row]), code_of(n));
        values[row] = n;
        if (n % SLICE_ROWS == SLICE_ROWS - 1)
            assert_all_tests(&s, values);
    }
}

static void only_ends_of_days_and_parties_are_shared(void **state)
{
    static const struct {
        enum slice_field field;
        uint64_t value;
        bool shared;
    } cases[] = {
        {SLICE_PARTY, 14, false}, {SLICE_PARTY, 15, true},    {SLICE_PARTY, 4095, true},
        {SLICE_PARTY, 1, false},  {SLICE_STATE, 1023, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice_test test = {cases[i].field, SLICE_EQUAL, cases[i].value};
        assert_int_equal(slice_test_is_shared(&test), cases[i].shared);
    }
    for (int32_t day = -25570; day < 105510; day++) { /* 1899-12-29 to 2258-11-16 */
        struct slice_test test = {SLICE_DAY, SLICE_AT_LEAST, slices_day(day)};
        assert_int_equal(slice_test_is_shared(&test), day <= -25567 || day >= 105503);
    }
}

/* --- while a code changes */

/* The code of this day is 1 << 15, and has no bit of the day before. */
enum { CHANGES = 200000, CHANGED_ROW = 77, DAY_OF_BITS = (1 << 15) - 25568 };

struct changing {
    struct slices slices;
    _Atomic bool ended;
};

/* Every code passes AT_LEAST and IN below, but most codes with a part of the changed bits do not.
 */
static void *change_bracket(void *arg)
{
    struct changing *c = arg;
    uint64_t codes[] = {
        slices_code(SLICE_DAY, slices_day(DAY_OF_BITS)),
        slices_code(SLICE_DAY, slices_day(DAY_OF_BITS - 1))};
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
    const struct slice_test tests[] = {
        {SLICE_LIVE, SLICE_EQUAL, 1},
        {SLICE_BRACKET, SLICE_IN, 1 << 7 | 1 << 8},
        {SLICE_DAY, SLICE_AT_LEAST, slices_day(DAY_OF_BITS - 1)},
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
    assert_false(slice_test_passes(&from, 0));
    assert_false(slice_test_passes(&to, 0));
    assert_true(slice_test_passes(&from, slices_day(-719162)));
    assert_true(slice_test_passes(&to, slices_day(2932896)));
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
        cmocka_unit_test(slices_agree_with_values_before_and_after_changes),
        cmocka_unit_test(only_ends_of_days_and_parties_are_shared),
        cmocka_unit_test(row_that_matches_before_and_after_a_change_is_found_during_it),
        cmocka_unit_test(row_without_a_day_matches_no_bound),
        cmocka_unit_test(state_has_two_capital_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
