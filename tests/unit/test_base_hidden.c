#include "unit.h"

#include <jansson.h>
#include <utf8proc.h>

#include "base/hidden.h"
#include "base/utf8.h"

/* The rule by another copy of Unicode's data, which has other gaps: utf8proc states the property
 * Default_Ignorable_Code_Point for assigned characters only. */
static bool expected(uint32_t code)
{
    static const uint32_t blank_by_design[] = {0x2800, 0x16fe4, 0x1d159};
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
    for (size_t i = 0; i < sizeof blank_by_design / sizeof *blank_by_design; i++)
        if (code == blank_by_design[i])
            return true;
    bool reserved = (code >= 0xfff0 && code <= 0xfff8) || (code >= 0xe0000 && code <= 0xe0fff);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP || reserved ||
           code == 0x2065 || (code >= 0x13439 && code <= 0x1343f) || /* assigned in 15.0 */
           utf8proc_get_property((utf8proc_int32_t)code)->ignorable;
}

static void table_is_the_rule_of_unicode(void **state)
{
    for (uint32_t code = 0; code <= 0x110000; code++)
        if (hidden_is(code) != expected(code))
            fail_msg("U+%04X", (unsigned)code);
}

static void ranges_end_where_unicode_ends_them(void **state)
{
    static const uint32_t hidden[] = {
        0,      0x1b,   0x1f,   0x7f,   0x80,   0x9b,    0x9f,    0xad,    0x34f,   0x61c,  0x115f,
        0x1160, 0x200b, 0x200f, 0x2028, 0x2029, 0x202a,  0x202e,  0x2060,  0x206f,  0x3164, 0xfe0f,
        0xfeff, 0xffa0, 0xfff0, 0xfffb, 0x2800, 0xe0000, 0xe0001, 0xe0041, 0xe007f, 0xe0fff};
    static const uint32_t shown[] = {
        ' ',    '~',    0xa0,   0xac,    0xae,    0xe9,     0x34e,    0x350,     0x115e, 0x1161,
        0x200a, 0x2010, 0x2027, 0x202f,  0x205f,  0x2070,   0x3000,   0x3163,    0x3165, 0xfdff,
        0xfe10, 0xfffc, 0xfffd, 0xdffff, 0xe1000, 0x10ffff, 0x110000, UINT32_MAX};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        assert_true(hidden_is(hidden[i]));
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        assert_false(hidden_is(shown[i]));
}

static void first_hidden_character_is_found(void **state)
{
    assert_int_equal(hidden_in(STR("")), HIDDEN_NONE);
    assert_int_equal(hidden_in(STR_NULL), HIDDEN_NONE);
    assert_int_equal(hidden_in(STR("Caf\xc3\xa9 \xc2\xa0 \xf0\x9f\x8f\x9b")), HIDDEN_NONE);
    assert_int_equal(hidden_in(STR("a\xe2\x80\xae\xe2\x80\x8b")), 0x202e);
    assert_int_equal(hidden_in(STR("a\xf3\xa0\x81\x81")), 0xe0041);
    assert_int_equal(hidden_in(STR("a\nb\x1b")), '\n');
    assert_int_equal(hidden_in_lines(STR("a\r\n\tb\x1b")), 0x1b);
    assert_int_equal(hidden_in(STR("\0")), 0);
    /* Malformed: no character, and nothing is read behind the end. */
    assert_int_equal(hidden_in(STR("\xe2\x80")), HIDDEN_NONE);
    assert_int_equal(hidden_in(STR("\xff\x9b\xed\xa0\x80")), HIDDEN_NONE);
    assert_int_equal(hidden_in(STR("\xe2\x80\xe2\x80\x8b")), 0x200b);
}

static void character_is_named_for_a_reviewer(void **state)
{
    char space[HIDDEN_NAME_SIZE];
    assert_str(hidden_name(0x202e, space), "U+202E (bidirectional control)");
    assert_str(hidden_name(0x1b, space), "U+001B (control character)");
    assert_str(hidden_name(0xe0041, space), "U+E0041 (tag character)");
}

static void text_shows_its_hidden_characters(void **state)
{
    static const struct {
        struct str text, line, lines;
    } cases[] = {
        {STR_INIT("Caf\xc3\xa9\xc2\xa0"), STR_INIT("Caf\xc3\xa9\xc2\xa0"),
         STR_INIT("Caf\xc3\xa9\xc2\xa0")},
        {STR_INIT("a\tb\r\nc"), STR_INIT("a b  c"), STR_INIT("a\tb\\u{D}\nc")},
        {STR_INIT("\x1b[2J\x7f\xc2\x9b"), STR_INIT("\\u{1B}[2J\\u{7F}\\u{9B}"),
         STR_INIT("\\u{1B}[2J\\u{7F}\\u{9B}")},
        {STR_INIT("x\xe2\x80\xae\xf3\xa0\x81\x81"), STR_INIT("x\\u{202E}\\u{E0041}"),
         STR_INIT("x\\u{202E}\\u{E0041}")},
        {STR_INIT("\x9b\xe2\x80"), STR_INIT("\\x{9B}\\x{E2}\\x{80}"),
         STR_INIT("\\x{9B}\\x{E2}\\x{80}")},
    };
    struct buf b;
    buf_init(&b, 1000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_reset(&b);
        hidden_show(&b, cases[i].text);
        assert_true(str_eq(buf_view(&b), cases[i].line));
        buf_reset(&b);
        hidden_show_lines(&b, cases[i].text);
        assert_true(str_eq(buf_view(&b), cases[i].lines));
    }
    buf_finish(&b);
}

static void json_keeps_its_value_without_a_hidden_byte(void **state)
{
    const struct str json =
        STR("{\"a\xe2\x80\x8b\": [\"\xf3\xa0\x81\x81\x7f \\u202e \xc3\xa9\",\n1]}");
    struct buf b;
    buf_init(&b, 1000);
    hidden_json(&b, json);
    assert_str(buf_view(&b), "{\"a\\u200b\": [\"\\udb40\\udc41\\u007f \\u202e \xc3\xa9\",\n1]}");
    json_t *before = json_loadb(json.p, json.n, 0, NULL), *after = json_loadb(b.p, b.n, 0, NULL);
    assert_true(before && json_equal(before, after));
    json_decref(before);
    json_decref(after);
    buf_finish(&b);
}

static void shown_json_hides_nothing_after_parsing(void **state)
{
    struct buf b;
    buf_init(&b, 1000);
    hidden_json_show(
        &b, STR("[\"\xe2\x80\xae \\u202E \\udb40\\udc41 \\u00ad \\b\\f\\r\\t\\n \\u0009 \\u000d\", "
                "\"\\\\u202e \\\" \\ud83c\\udfdb \\u00e9 \\ud800\"]"));
    assert_str(
        buf_view(&b),
        "[\"\\\\u{202E} \\\\u{202E} \\\\u{E0041} \\\\u{AD} \\\\u{8}\\\\u{C}\\\\u{D}\\t\\n \\u0009 "
        "\\\\u{D}\", \"\\\\u202e \\\" \\ud83c\\udfdb \\u00e9 \\ud800\"]");
    buf_reset(&b);
    hidden_json_show(&b, STR("\"\\"));
    hidden_json_show(&b, STR("\"\\u20"));
    hidden_json_show(&b, STR("\xff"));
    assert_str(buf_view(&b), "\"\\\"\\u20\xef\xbf\xbd");
    buf_finish(&b);
}

static void line_has_no_hidden_characters(void **state)
{
    assert_false(hidden_free_line(STR("a\xc2\xad")));
    assert_false(hidden_free_line(STR("\xef\xbb\xbf"
                                      "a")));
    assert_false(hidden_free_line(STR("a\xf3\xa0\x81\x81")));
    assert_true(hidden_free_line(STR("a\xc2\xa0\xf0\x9f\x8f\x9b")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_the_rule_of_unicode),
        cmocka_unit_test(ranges_end_where_unicode_ends_them),
        cmocka_unit_test(first_hidden_character_is_found),
        cmocka_unit_test(character_is_named_for_a_reviewer),
        cmocka_unit_test(text_shows_its_hidden_characters),
        cmocka_unit_test(json_keeps_its_value_without_a_hidden_byte),
        cmocka_unit_test(shown_json_hides_nothing_after_parsing),
        cmocka_unit_test(line_has_no_hidden_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
