#include "unit.h"

#include "base/json_out.h"

static void values_are_separated_by_commas_at_every_depth(void **state)
{
    struct buf b;
    struct json_out j;
    buf_init(&b, 1000);
    json_init(&j, &b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "a", STR_NULL);
    json_key(&j, STR("b"));
    json_array_begin(&j);
    json_i64(&j, -1);
    json_array_begin(&j);
    json_array_end(&j);
    json_bool(&j, true);
    json_array_end(&j);
    JSON_KEY_I64(&j, "c", 3);
    json_object_end(&j);
    assert_str(buf_view(&b), "{\"a\":null,\"b\":[-1,[],true],\"c\":3}");
    buf_finish(&b);
}

static void text_is_escaped_and_always_utf8(void **state)
{
    struct buf b;
    buf_init(&b, 1000);
    json_quote(&b, STR("a\"\\\n\x01\x7f \xc3\xa9 \xed\xa0\x80 \xff \xf0\x9f\x98\x80 \xe2\x82"));
    assert_str(
        buf_view(&b), "\"a\\\"\\\\\\n\\u0001\\u007f \xc3\xa9 "
                      "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd "
                      "\xf0\x9f\x98\x80 \xef\xbf\xbd\xef\xbf\xbd\"");
    buf_finish(&b);
}

/* A terminal that prints a response must not act on it; a parser gets the same text. */
static void hidden_characters_are_escaped(void **state)
{
    struct buf b;
    struct json_out j;
    buf_init(&b, 1000);
    json_quote(
        &b, STR("\xc2\x9b"
                "31m \xe2\x80\xae\xe2\x80\xa8 \xf3\xa0\x81\x81 \xc2\xad\xc2\xa0 end"));
    assert_str(buf_view(&b), "\"\\u009b31m \\u202e\\u2028 \\udb40\\udc41 \\u00ad\xc2\xa0 end\"");
    buf_reset(&b);
    json_init(&j, &b);
    json_array_begin(&j);
    json_raw(&j, STR("{\"a\":\"\xe2\x80\x8b\"}"));
    json_raw(&j, STR("[\n1]"));
    json_array_end(&j);
    assert_str(buf_view(&b), "[{\"a\":\"\\u200b\"},[\n1]]");
    buf_finish(&b);
}

static void escape_is_found_at_any_position(void **state)
{
    static const struct {
        char byte;
        struct str printed;
    } cases[] = {
        {'"', STR_INIT("\\\"")},
        {'\\', STR_INIT("\\\\")},
        {'\n', STR_INIT("\\n")},
        {'\0', STR_INIT("\\u0000")},
        {0x1f, STR_INIT("\\u001f")},
        {0x7f, STR_INIT("\\u007f")},
        {' ', STR_INIT(" ")},
        {'~', STR_INIT("~")},
        {'!', STR_INIT("!")},
        {'#', STR_INIT("#")},
        {(char)0xff, STR_INIT("\xef\xbf\xbd")},
        {(char)0x80, STR_INIT("\xef\xbf\xbd")},
    };
    struct buf printed, expected;
    buf_init(&printed, 1000);
    buf_init(&expected, 1000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t at = 0; at < 20; at++) {
            char text[20] = "abcdefghijklmnopqrst";
            text[at] = cases[i].byte;
            buf_reset(&printed);
            json_quote(&printed, str_of(text, sizeof text));
            buf_reset(&expected);
            buf_char(&expected, '"');
            buf_put(&expected, text, at);
            buf_str(&expected, cases[i].printed);
            buf_put(&expected, text + at + 1, sizeof text - at - 1);
            buf_char(&expected, '"');
            assert_true(str_eq(buf_view(&printed), buf_view(&expected)));
        }
    }
    buf_finish(&printed);
    buf_finish(&expected);
}

static void full_buffer_stays_full(void **state)
{
    struct buf b;
    buf_init(&b, 4);
    json_quote(&b, STR("abcdef"));
    buf_char(&b, 'x');
    assert_true(b.overflow);
    assert_true(b.n <= 4);
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_separated_by_commas_at_every_depth),
        cmocka_unit_test(text_is_escaped_and_always_utf8),
        cmocka_unit_test(hidden_characters_are_escaped),
        cmocka_unit_test(escape_is_found_at_any_position),
        cmocka_unit_test(full_buffer_stays_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
