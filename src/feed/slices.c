/* Facts of rows as bit slices; see slices.h. */
#include "feed/slices.h"

#include <assert.h>

/* The first day that can be written is 0001-01-01; its value is 1. */
enum { DAYS_BEFORE_1970 = 719162, IN_WIDTH_MAX = 4 };

/* `skipped` values share code 1 with the value after them; the values after them count from there.
 * In an open field, those that are too large share the last code. */
static const struct field {
    uint8_t first, width;
    bool open;
    uint32_t skipped;
} fields[SLICE_FIELD_COUNT] = {
    [SLICE_LIVE] = {0, 1},
    [SLICE_SIGNAL] = {1, 3},
    [SLICE_SIDE] = {4, 3},
    [SLICE_BRACKET] = {7, 4},
    [SLICE_LATE] = {11, 3},
    [SLICE_OWNER] = {14, 3},
    [SLICE_ASSET_TYPE] = {17, 4},
    [SLICE_PARTY] = {21, 4, .open = true},
    [SLICE_STATE] = {25, 10},
    [SLICE_DAY] = {SLICE_DAY_SHIFT, SLICE_DAY_BITS, .open = true, .skipped = SLICE_DAYS_SKIPPED},
};

_Static_assert(
    SLICE_DAY_SHIFT + SLICE_DAY_BITS == SLICES && SLICES <= 64, "the fields fill a code");

static uint64_t code_max(enum slice_field field)
{
    return (UINT64_C(1) << fields[field].width) - 1;
}

/* The value's number in its field. A larger value never has a smaller one. */
static uint64_t code_of(enum slice_field field, uint64_t value)
{
    const struct field *f = &fields[field];
    uint64_t code = value > f->skipped ? value - f->skipped : value != 0, max = code_max(field);
    assert(code <= max || f->open);
    return code < max ? code : max;
}

uint64_t slices_code(enum slice_field field, uint64_t value)
{
    return code_of(field, value) << fields[field].first;
}

struct slice_place slices_place(enum slice_field field)
{
    return (struct slice_place){fields[field].first, code_max(field)};
}

bool slices_code_is_shared(uint64_t code)
{
    bool shared = false;
    for (int field = 0; field < SLICE_FIELD_COUNT; field++) {
        uint64_t max = code_max((enum slice_field)field), value = code >> fields[field].first & max;
        shared |= (fields[field].open && value == max) || (fields[field].skipped && value == 1);
    }
    return shared;
}

bool slice_test_is_shared(const struct slice_test *test)
{
    const struct field *f = &fields[test->field];
    if (!f->open)
        return false;
    uint64_t code = code_of(test->field, test->value);
    return code == code_max(test->field) || (f->skipped && code == 1);
}

uint64_t slices_state(const char letters[static 2])
{
    uint64_t first = (uint64_t)(letters[0] - 'A'), second = (uint64_t)(letters[1] - 'A');
    return first < 26 && second < 26 ? (first + 1) << 5 | (second + 1) : 0;
}

uint64_t slices_day(int32_t day)
{
    int64_t value = (int64_t)day + DAYS_BEFORE_1970 + 1;
    return (uint64_t)(value < 1 ? 1 : value);
}

static void flip(struct slices *s, uint32_t row, uint64_t bits)
{
    for (; bits; bits &= bits - 1) {
        _Atomic uint64_t *word = &s->words[__builtin_ctzll(bits)][row / 64];
        uint64_t old = atomic_load_explicit(word, memory_order_relaxed);
        atomic_store_explicit(word, old ^ UINT64_C(1) << row % 64, memory_order_release);
    }
}

void slices_put(struct slices *s, uint32_t row, uint64_t code)
{
    flip(s, row, code);
}

/* A reader that sees a flipped bit also sees the odd version, and the record that was stored
 * before. */
void slices_change(struct slices *s, uint32_t row, uint64_t from, uint64_t to)
{
    uint32_t version = atomic_load_explicit(&s->version, memory_order_relaxed);
    atomic_store_explicit(&s->version, version + 1, memory_order_relaxed);
    flip(s, row, from ^ to);
    atomic_store_explicit(&s->version, version + 2, memory_order_release);
}

static uint64_t word_of(const struct slices *s, int slice, int word)
{
    return atomic_load_explicit(&s->words[slice][word], memory_order_acquire);
}

static uint64_t equal_rows(const struct slices *s, int first, int width, int word, uint64_t value)
{
    uint64_t rows = UINT64_MAX;
    for (int bit = 0; bit < width; bit++) {
        uint64_t ones = word_of(s, first + bit, word);
        rows &= value >> bit & 1 ? ones : ~ones;
    }
    return rows;
}

static uint64_t rows_in(const struct slices *s, int first, int width, int word, uint64_t set)
{
    uint64_t rows = 0;
    assert(width <= IN_WIDTH_MAX);
    for (; set; set &= set - 1)
        rows |= equal_rows(s, first, width, word, (uint64_t)__builtin_ctzll(set));
    return rows;
}

/* Compares from the highest bit down: `equal` rows have the value's bits so far. */
static uint64_t compared_rows(
    const struct slices *s, int first, int width, int word, uint64_t value, bool at_least)
{
    uint64_t equal = UINT64_MAX, above = 0, below = 0, not_zero = 0;
    for (int bit = width - 1; bit >= 0; bit--) {
        uint64_t ones = word_of(s, first + bit, word);
        not_zero |= ones;
        if (value >> bit & 1) {
            below |= equal & ~ones;
            equal &= ones;
        } else {
            above |= equal & ones;
            equal &= ~ones;
        }
    }
    return (equal | (at_least ? above : below)) & not_zero;
}

/* `value`: a set, or a code. */
static uint64_t rows_of(
    const struct slices *s, const struct slice_test *test, uint64_t value, int word)
{
    int first = fields[test->field].first, width = fields[test->field].width;
    switch (test->compare) {
    case SLICE_IN:
        return rows_in(s, first, width, word, value);
    case SLICE_EQUAL:
        return equal_rows(s, first, width, word, value);
    case SLICE_AT_LEAST:
    case SLICE_AT_MOST:
        break;
    }
    return compared_rows(s, first, width, word, value, test->compare == SLICE_AT_LEAST);
}

static void all_rows(struct slice_mask *mask)
{
    for (int word = 0; word < SLICE_WORDS; word++)
        mask->words[word] = UINT64_MAX;
}

/* Clears the bits of rows that fail the test; false: none is left. */
static bool keep(const struct slices *s, const struct slice_test *test, struct slice_mask *mask)
{
    uint64_t any = 0,
             value = test->compare == SLICE_IN ? test->value : code_of(test->field, test->value);
    for (int word = 0; word < SLICE_WORDS; word++) {
        if (mask->words[word])
            mask->words[word] &= rows_of(s, test, value, word);
        any |= mask->words[word];
    }
    return any != 0;
}

/* False: a code changed meanwhile. */
static inline bool read_rows(
    const struct slices *s, const struct slice_test *tests, size_t n, struct slice_mask *ret,
    bool *ret_any)
{
    uint32_t version = atomic_load_explicit(&s->version, memory_order_acquire);
    bool any = true;
    all_rows(ret);
    for (size_t i = 0; i < n && any; i++)
        any = keep(s, &tests[i], ret);
    *ret_any = any;
    /* Every word was loaded with acquire, so this load comes after them. */
    return version % 2 == 0 && atomic_load_explicit(&s->version, memory_order_relaxed) == version;
}

bool slices_read(
    const struct slices *s, const struct slice_test *tests, size_t n, struct slice_mask *ret)
{
    bool any;
    return read_rows(s, tests, n, ret, &any);
}

bool slices_match(
    const struct slices *s, const struct slice_test *tests, size_t n, struct slice_mask *ret)
{
    bool any;
    if (read_rows(s, tests, n, ret, &any))
        return any;
    all_rows(ret);
    return true;
}

void slices_prefetch(const struct slices *s, const struct slice_test *test)
{
    enum { SLICES_OF_LINE = 64 / sizeof s->words[0] };
    int first = fields[test->field].first, end = first + fields[test->field].width;
    for (int slice = first; slice < end; slice += SLICES_OF_LINE)
        __builtin_prefetch(s->words[slice]);
}

bool slice_test_passes(const struct slice_test *test, uint64_t value)
{
    switch (test->compare) {
    case SLICE_IN:
        return test->value >> value & 1;
    case SLICE_EQUAL:
        return value == test->value;
    case SLICE_AT_LEAST:
        return value && value >= test->value;
    case SLICE_AT_MOST:
        return value && value <= test->value;
    }
    return false;
}
