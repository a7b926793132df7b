/* The repair of letter case in a font's map. */
#include "unit.h"

#include "paper/letter_case.h"

enum { MAP_MAX = 4096, GLYPH_A = 36, GLYPH_SMALL_A = 68 };

#define A_OF_REPORT "<0024><0024><0061>"

/* A font with A, C, a, c, m and n in the widths of Georgia. */
static struct letter_case_font georgia(void)
{
    struct letter_case_font font = {{0}};
    font.width[GLYPH_A] = 671;
    font.width[GLYPH_A + 2] = 642;
    font.width[GLYPH_SMALL_A] = 504;
    font.width[GLYPH_SMALL_A + 2] = 454;
    font.width[GLYPH_SMALL_A + 12] = 881;
    font.width[GLYPH_SMALL_A + 13] = 591;
    return font;
}

/* The repaired map of the font; NULL: it stays as it is. */
static const char *repaired(const char *map, const struct letter_case_font *font, size_t *ret_count)
{
    static char text[MAP_MAX];
    struct buf b = buf_over(text, sizeof text - 1);
    bool done = letter_case_repair(str_from(map), font, &b, ret_count);
    assert_false(b.overflow);
    assert_true(done || b.n == 0);
    text[b.n] = '\0';
    return done ? text : NULL;
}

static void assert_stays(const char *map, const struct letter_case_font *font)
{
    size_t count;
    const char *changed = repaired(map, font, &count);
    if (changed)
        fail_msg("changed: %s", changed);
    assert_int_equal(count, 0);
}

static void capital_given_as_small_letter_gets_a_stand_in(void **state)
{
    const struct letter_case_font font = georgia();
    size_t count;
    assert_string_equal(
        repaired(
            "1 begincodespacerange\n<0003><005C>\nendcodespacerange\n3 beginbfrange\n"
            "<0003><0003><0020>\n<0024><0024><0061>\n<0026><0026><0043>\n<0044><0044><0061>\n"
            "endbfrange\nendcmap",
            &font, &count),
        "1 begincodespacerange\n<0003><005C>\nendcodespacerange\n3 beginbfrange\n"
        "<0003><0003><0020>\n<0024><0024><E041>\n<0026><0026><0043>\n<0044><0044><0061>\n"
        "endbfrange\nendcmap");
    assert_int_equal(count, 1);
    assert_string_equal(
        repaired("2 beginbfchar <0024> <0061>\n<0026>  <0063> endbfchar", &font, &count),
        "2 beginbfchar <0024> <E041>\n<0026>  <E043> endbfchar");
    assert_int_equal(count, 2);
}

static void map_that_is_right_stays(void **state)
{
    const struct letter_case_font font = georgia();
    assert_stays("2 beginbfchar <0024> <0041> <0044> <0061> endbfchar", &font);
    assert_stays("1 beginbfrange <0024> <003D> <0041> endbfrange", &font);
    assert_stays("1 beginbfchar <0024> <0000> endbfchar", &font);
    assert_stays("<0024> <0061>", &font);
    assert_stays("", &font);
}

/* Another font may number its small letters from 36. */
static void font_with_other_numbers_stays(void **state)
{
    const struct letter_case_font font = georgia();
    assert_stays("2 beginbfchar <0024> <0061> <0026> <0062> endbfchar", &font);
    assert_stays("2 beginbfchar <0024> <0061> <0044> <0078> endbfchar", &font);
    assert_stays("2 beginbfchar <0024> <0061> <0026> <00630063> endbfchar", &font);
    assert_stays("1 beginbfrange <0024> <0026> <0061> endbfrange", &font);
}

static void font_with_other_widths_stays(void **state)
{
    static const char map[] = "1 beginbfrange " A_OF_REPORT " endbfrange";
    struct letter_case_font font = georgia();
    size_t count;
    assert_non_null(repaired(map, &font, &count));
    font.width[GLYPH_A] = 504; /* drawn as a small letter */
    assert_stays(map, &font);
    font = georgia();
    font.width[GLYPH_SMALL_A + 13] = 580;
    assert_stays(map, &font);
    font = (struct letter_case_font){{0}}; /* too few to prove anything */
    font.width[GLYPH_A] = 671;
    font.width[GLYPH_SMALL_A] = 504;
    font.width[GLYPH_SMALL_A + 12] = 881;
    assert_stays(map, &font);
}

static void bold_face_has_its_own_widths(void **state)
{
    struct letter_case_font font = {{0}};
    size_t count;
    font.width[GLYPH_A] = 758;
    font.width[GLYPH_A + 2] = 715;
    font.width[GLYPH_SMALL_A] = 596;
    font.width[GLYPH_SMALL_A + 2] = 531;
    assert_non_null(repaired("1 beginbfrange " A_OF_REPORT " endbfrange", &font, &count));
}

static void stand_ins_are_read_in_both_cases(void **state)
{
    static const struct str text =
        STR_INIT("\xee\x81\x81mazon \xee\x81\x9a, \xee\x81\x80 \xee\x81\x9b \xee\x81");
    char space[64];
    struct buf b = buf_over(space, sizeof space);
    letter_case_of_page(&b, text);
    assert_str(buf_view(&b), "Amazon Z, \xee\x81\x80 \xee\x81\x9b \xee\x81");
    buf_reset(&b);
    letter_case_of_file(&b, text);
    assert_str(buf_view(&b), "amazon z, \xee\x81\x80 \xee\x81\x9b \xee\x81");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capital_given_as_small_letter_gets_a_stand_in),
        cmocka_unit_test(map_that_is_right_stays),
        cmocka_unit_test(font_with_other_numbers_stays),
        cmocka_unit_test(font_with_other_widths_stays),
        cmocka_unit_test(bold_face_has_its_own_widths),
        cmocka_unit_test(stand_ins_are_read_in_both_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
