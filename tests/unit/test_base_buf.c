/* The growing buffer, its front bytes, and digits. */
#include "unit.h"

#include <string.h>

#include "base/buf.h"

static void buffer_grows_to_maximum(void **state)
{
    struct buf b;
    buf_init(&b, 1000);
    for (int i = 0; i < 1000; i++)
        buf_char(&b, (char)('a' + i % 26));
    assert_false(b.overflow);
    assert_int_equal(b.n, 1000);
    buf_char(&b, '!');
    assert_true(b.overflow);
    assert_int_equal(b.n, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(b.p[i], 'a' + i % 26);
    buf_finish(&b);
}

static void camel_case_becomes_words(void **state)
{
    struct buf b;
    buf_init(&b, 100);
    buf_camel(&b, "tradesReadToday");
    assert_str(buf_view(&b), "trades read today");
    buf_finish(&b);
}

/* ASan detects a write outside the buffer on either side. */
static void front_bytes_survive_growth(void **state)
{
    enum { FRONT = 64 };
    struct buf b;
    buf_init_front(&b, 1 << 20, FRONT);
    for (size_t grown = 1; grown < 1 << 20; grown *= 4) {
        while (b.n < grown)
            buf_put(&b, "0123456789", 10);
        assert_int_equal(b.front, FRONT);
        memset(b.p - FRONT, '-', FRONT);
        assert_memory_equal(b.p, "0123456789", 10);
        assert_memory_equal(b.p + b.n - 10, "0123456789", 10);
    }
    buf_finish(&b);
    assert_int_equal(b.front, FRONT);
    assert_true(buf_reserve(&b, 10) != NULL);
    memset(b.p - FRONT, '-', FRONT);
    buf_finish(&b);
}

static void digits_match_number(void **state)
{
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {9, "9"},
        {10, "10"},
        {99, "99"},
        {100, "100"},
        {101, "101"},
        {12345, "12345"},
        {9999999999, "9999999999"},
        {10000000000, "10000000000"},
        {INT64_MAX, "9223372036854775807"},
        {9999999999999999999u, "9999999999999999999"},
        {10000000000000000000u, "10000000000000000000"},
        {UINT64_MAX, "18446744073709551615"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char space[DIGITS_MAX_U64];
        char *end = digits_put(space, cases[i].value);
        assert_str(str_of(space, (size_t)(end - space)), cases[i].text);
    }
}

static void smallest_int64_is_written(void **state)
{
    struct buf b;
    buf_init(&b, 100);
    buf_i64(&b, INT64_MIN);
    assert_str(buf_view(&b), "-9223372036854775808");
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffer_grows_to_maximum),    cmocka_unit_test(camel_case_becomes_words),
        cmocka_unit_test(front_bytes_survive_growth), cmocka_unit_test(digits_match_number),
        cmocka_unit_test(smallest_int64_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
