#include "unit.h"

#include "base/hidden.h"
#include "base/utf8.h"

static void printable_text_is_accepted(void **state)
{
    static const char *const lines[] = {
        "",
        "plain",
        "\xc2\xa0",
        "\xc3\xa9t\xc3\xa9",
        "\xe0\xa0\x80",
        "\xed\x9f\xbf",
        "\xef\xbf\xbd",
        "\xf0\x90\x80\x80",
        "\xf4\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_true(hidden_free_line(str_from(lines[i])));
}

static void malformed_text_is_refused(void **state)
{
    static const char *const refused[] = {
        "\x80",
        "\xff",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc3",
        "\xc3(",
        "\xe0\x9f\xbf",
        "\xe2\x82",
        "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(hidden_free_line(str_from(refused[i])));
}

static void printable_text_has_no_control_characters(void **state)
{
    static const char *const refused[] = {"a\nb", "\t", "\x1b[2J", "\x7f", "\xc2\x80", "\xc2\x9f"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(hidden_free_line(str_from(refused[i])));
    assert_false(hidden_free_line(STR("a\0b")));
}

static void one_byte_order_mark_is_skipped(void **state)
{
    assert_true(str_eq(utf8_without_mark(STR("\xef\xbb\xbf[]")), STR("[]")));
    assert_true(str_eq(utf8_without_mark(STR("\xef\xbb\xbf\xef\xbb\xbf")), STR("\xef\xbb\xbf")));
    assert_true(str_eq(utf8_without_mark(STR("\xef\xbb")), STR("\xef\xbb")));
    assert_true(str_eq(utf8_without_mark(STR(" \xef\xbb\xbf")), STR(" \xef\xbb\xbf")));
    assert_int_equal(utf8_without_mark(STR("\xef\xbb\xbf")).n, 0);
    assert_int_equal(utf8_without_mark(STR_NULL).n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printable_text_is_accepted),
        cmocka_unit_test(malformed_text_is_refused),
        cmocka_unit_test(printable_text_has_no_control_characters),
        cmocka_unit_test(one_byte_order_mark_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
