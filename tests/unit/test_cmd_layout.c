/* Widths of text on a terminal, and where lines break. */
#include "unit.h"

#include "cmd/term/layout.h"
#include "cmd/term/terminal.h"

static void width_counts_columns_and_not_bytes(void **state)
{
    assert_int_equal(layout_columns(STR("")), 0);
    assert_int_equal(layout_columns(STR("Nadia")), 5);
    assert_int_equal(layout_columns(STR("Núñez")), 5);
    assert_int_equal(layout_columns(STR("Nu\xcc\x81nez")), 5); /* a combining accent */
    assert_int_equal(layout_columns(STR("株式会社")), 8);
    assert_int_equal(layout_columns(STR("✓ ok")), 4);
    assert_int_equal(layout_columns(STR("\xff\xfe")), 2); /* not UTF-8: one column a byte */
}

static void assert_lines(const char *text, size_t columns, const char *expected)
{
    struct str rest = str_from(text), line;
    struct buf b;
    buf_init(&b, 1000);
    while (layout_next_line(&rest, columns, &line)) {
        buf_str(&b, line);
        buf_char(&b, '|');
    }
    assert_str(buf_view(&b), expected);
    buf_finish(&b);
}

static void lines_break_at_blanks_and_no_word_is_cut(void **state)
{
    assert_lines("", 10, "|");
    assert_lines("one two three", 7, "one two|three|");
    assert_lines("one two three", 8, "one two|three|");
    assert_lines("one two   three", 9, "one two|three|");
    assert_lines("abcdefghij", 4, "abcdefghij|");
    assert_lines("a bcdefghij k", 4, "a|bcdefghij|k|");
    assert_lines("ééé éé é", 4, "ééé|éé é|");
    assert_lines("株式 会社", 5, "株式|会社|");
    assert_lines("trailing ", 8, "trailing|");
    assert_lines("  indented words", 11, "  indented|words|");
}

static void wrapped_text_keeps_its_indent(void **state)
{
    struct buf b;
    buf_init(&b, 1000);
    buf_text(&b, "  --json");
    layout_wrap(&b, STR("print one JSON object per line"), 8, 12, 32);
    assert_str(
        buf_view(&b), "  --json    print one JSON\n"
                      "            object per line\n");
    buf_reset(&b);
    buf_text(&b, "  --a-long-option");
    layout_wrap(&b, STR("words"), 17, 12, 32);
    assert_str(buf_view(&b), "  --a-long-option\n            words\n");
    buf_finish(&b);
}

static void colour_needs_a_terminal_unless_it_is_asked_for(void **state)
{
    struct terminal t;
    struct buf b;
    FILE *to = tmpfile();
    assert_non_null(to);
    buf_init(&b, 100);
    terminal_init(&t, to, COLOUR_AUTO);
    assert_false(t.is_tty);
    assert_int_equal(t.columns, TERMINAL_COLUMNS);
    terminal_paint(&t, &b, PAINT_BAD, STR("no"));
    assert_str(buf_view(&b), "no");
    buf_reset(&b);
    terminal_init(&t, to, COLOUR_ALWAYS);
    terminal_paint(&t, &b, PAINT_BAD, STR("no"));
    terminal_paint(&t, &b, PAINT_NONE, STR("!"));
    assert_str(buf_view(&b), "\x1b[31mno\x1b[0m!");
    buf_finish(&b);
    fclose(to);
}

static void color_option_has_three_values(void **state)
{
    enum colour_when when = COLOUR_NEVER;
    assert_true(colour_when_parse(STR("auto"), &when) && when == COLOUR_AUTO);
    assert_true(colour_when_parse(STR("always"), &when) && when == COLOUR_ALWAYS);
    assert_true(colour_when_parse(STR("never"), &when) && when == COLOUR_NEVER);
    assert_false(colour_when_parse(STR("Always"), &when));
    assert_false(colour_when_parse(STR(""), &when));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_counts_columns_and_not_bytes),
        cmocka_unit_test(lines_break_at_blanks_and_no_word_is_cut),
        cmocka_unit_test(wrapped_text_keeps_its_indent),
        cmocka_unit_test(colour_needs_a_terminal_unless_it_is_asked_for),
        cmocka_unit_test(color_option_has_three_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
