#include "unit.h"

#include "base/buf.h"
#include "paper/house_words.h"

#define PAGE "<page width=\"612.0\" height=\"792.0\">\n"
#define WORD(left, top, right, bottom, text)                                                       \
    "    <word xMin=\"" left "\" yMin=\"" top "\" xMax=\"" right "\" yMax=\"" bottom "\">" text    \
    "</word>\n"

static struct house_text read_all(struct arena *arena, const char *text)
{
    struct house_text out;
    assert_true(house_words(str_from(text), false, arena, &out));
    return out;
}

static struct str whole(const struct house_line *line, struct arena *arena)
{
    return house_line_text(line, 0, line->count, arena);
}

static void words_on_one_baseline_form_a_line_from_left_to_right(void **state)
{
    struct arena arena;
    arena_init(&arena);
    /* The last word's foot is 2.9 points lower, the third's 3.1. */
    struct house_text t = read_all(
        &arena, "<doc>\n" PAGE WORD("50.5", "10", "60", "20.00", "Two")
                    WORD("10", "12", "40", "20.5", "One") WORD("10", "13", "20", "23.1", "Under")
                        WORD("70", "9", "80", "22.9", "Three") "</page>\n</doc>");
    assert_int_equal(t.line_count, 2);
    assert_str(whole(&t.lines[0], &arena), "One Two Three");
    assert_int_equal(t.lines[0].top, 900);
    assert_int_equal(t.lines[0].bottom, 2290);
    assert_int_equal(t.lines[0].words[1].left, 5050);
    assert_str(whole(&t.lines[1], &arena), "Under");
    arena_finish(&arena);
}

static void empty_pages_count(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct house_text t = read_all(
        &arena,
        "<doc>\n" PAGE WORD("1", "700", "2", "710", "first") "</page>\n" PAGE "</page>\n" PAGE WORD(
            "1", "10", "2", "20", "third") "</page>\n</doc>");
    assert_int_equal(t.pages, 3);
    assert_int_equal(t.line_count, 2);
    assert_int_equal(t.lines[0].page, 1);
    assert_int_equal(t.lines[1].page, 3);
    assert_int_equal(read_all(&arena, "<doc>\n" PAGE "</page></doc>").line_count, 0);
    arena_finish(&arena);
}

static void touching_small_capitals_are_joined_to_their_word(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct house_text t = read_all(
        &arena, "<doc>\n" PAGE WORD("102", "345", "106.94", "355", "F")
                    WORD("106.95", "347", "124.15", "354.5", "ILINg")
                        WORD("126.2", "345", "130.8", "355", "S")
                            WORD("130.82", "347", "150.2", "354.5", "TaTUS") "</page>\n</doc>");
    assert_int_equal(t.line_count, 1);
    assert_str(whole(&t.lines[0], &arena), "FILINg STaTUS");
    assert_str(house_line_text(&t.lines[0], 1, 3, &arena), "ILINg S");
    assert_str(house_line_text(&t.lines[0], 2, 2, &arena), "");
    arena_finish(&arena);
}

static void entities_are_decoded_once_and_blanks_and_nul_dropped(void **state)
{
    struct arena arena;
    arena_init(&arena);
    struct house_text t = read_all(
        &arena, "<doc>\n" PAGE WORD("1", "1", "2", "9", "&lt;A&amp;amp;B&gt;&quot;&apos;&#39;")
                    WORD("3", "1", "4", "9", "\t\x0b") WORD("5", "1", "6", "9", "&nbsp;\x7f")
                        WORD("7", "1", "8", "9", "\xc3\xa9\x1f!") "</page>\n</doc>");
    assert_int_equal(t.lines[0].count, 3);
    assert_str(t.lines[0].words[0].text, "<A&amp;B>\"''");
    assert_str(t.lines[0].words[1].text, "&nbsp;\x7f");
    assert_str(t.lines[0].words[2].text, "\xc3\xa9\x1f!");
    arena_finish(&arena);
}

static void positions_are_hundredths_within_bounds(void **state)
{
    struct arena arena;
    struct house_text out;
    arena_init(&arena);
    struct house_text t = read_all(
        &arena, "<doc>\n" PAGE WORD("-1.239", "7", "999999.99", "8.5", "x") "</page>\n</doc>");
    const struct house_word *word = t.lines[0].words;
    assert_int_equal(word->left, -123);
    assert_int_equal(word->top, 700);
    assert_int_equal(word->right, 99999999);
    assert_int_equal(word->bottom, 850);
    static const char *const bad[] = {"", "-", "1e3", "1.2.3", "99999999", "nan", "1,5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str text = arena_fmt(
            &arena,
            "<doc>\n" PAGE "<word xMin=\"%s\" yMin=\"1\" xMax=\"2\" yMax=\"9\">x</word>\n</doc>",
            bad[i]);
        if (house_words(text, false, &arena, &out))
            fail_msg("taken: %s", bad[i]);
    }
    arena_finish(&arena);
}

static void text_in_another_format_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "<doc>",
        "</doc>",
        "<html><body>no words</body></html>",
        "<doc>\n" WORD("1", "1", "2", "9", "before a page") "</doc>",
        "<doc>\n" PAGE "<word xMin=\"1\" yMin=\"1\" xMax=\"2\" yMax=\"9\">open\n</doc>",
        "<doc>\n" PAGE "<word xMin=\"1\" yMin=\"1\" xMax=\"2\">x</word>\n</doc>",
        "<doc>\n" PAGE "<word </word>\n</doc>",
        "<doc>\n" PAGE "<word x</word>>\n</doc>",
    };
    struct arena arena;
    struct house_text out;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (house_words(str_from(bad[i]), false, &arena, &out))
            fail_msg("taken: %s", bad[i]);
    arena_finish(&arena);
}

static void too_many_words_are_refused(void **state)
{
    static const struct str word =
        STR_INIT("<word xMin=\"1\" yMin=\"1\" xMax=\"1\" yMax=\"1\">a</word>\n");
    struct arena arena;
    struct house_text out;
    struct buf b;
    arena_init(&arena);
    buf_init(&b, (HOUSE_WORDS_MAX + 10) * word.n);
    buf_text(&b, "<doc>\n" PAGE);
    for (int i = 0; i < HOUSE_WORDS_MAX + 1; i++)
        buf_str(&b, word);
    buf_text(&b, "</doc>");
    assert_false(b.overflow);
    assert_false(house_words(buf_view(&b), false, &arena, &out));
    buf_finish(&b);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_on_one_baseline_form_a_line_from_left_to_right),
        cmocka_unit_test(empty_pages_count),
        cmocka_unit_test(touching_small_capitals_are_joined_to_their_word),
        cmocka_unit_test(entities_are_decoded_once_and_blanks_and_nul_dropped),
        cmocka_unit_test(positions_are_hundredths_within_bounds),
        cmocka_unit_test(text_in_another_format_is_refused),
        cmocka_unit_test(too_many_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
