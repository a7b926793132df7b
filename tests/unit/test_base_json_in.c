/* JSON that is read where it lies: what is taken for JSON, and what is found in it. */
#include "unit.h"

#include <stdlib.h>

#include "base/json_in.h"

static void what_is_json_passes(void **state)
{
    static const char *const right[] = {
        "null",
        " true ",
        "\t\r\nfalse",
        "\"\"",
        "0",
        "-0",
        "10",
        "-1.50",
        "1e5",
        "1E+05",
        "2.5e-3",
        "[]",
        "{}",
        " [ ] ",
        "[1,[2,{}],\"x\"]",
        "{\"a\":1,\"a\":2}",
        "{ \"a\" : { } , \"\" : 1 }",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABCD\"",
        "\"\\ud83d\\ude00\"",
        "\"\xc3\xa9\x7f\"",
        "[\"\\\\\",\"\\\"\"]",
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (!json_in_check(str_from(right[i])))
            fail_msg("refused: %s", right[i]);
}

static void what_is_no_json_does_not_pass(void **state)
{
    static const char *const wrong[] = {
        "",
        " ",
        "nul",
        "nulll",
        "True",
        "+1",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "- 1",
        "[",
        "]",
        "[1",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{",
        "{}}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "{\"a\":1]",
        "[1}",
        "1 1",
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u123g\"",
        "\"\n\"",
        "\"\x1f\"",
        "\"\xff\"",
        "\"\xed\xa0\x80\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83dx\"",
        "\"\\ud83d\\u0041\"",
        "'a'",
        "[1]//",
        "\xef\xbb\xbf[]",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (json_in_check(str_from(wrong[i])))
            fail_msg("taken: %s", wrong[i]);
    assert_false(json_in_check(STR("[1]\0")));
}

static void a_text_that_is_cut_off_does_not_pass(void **state)
{
    const struct str whole = STR("{\"a\":[1.5e3,\"\\u00e9\\n\xe2\x82\xac\",{\"b\":null}]}");
    for (size_t n = 0; n < whole.n; n++) {
        char *cut = malloc(n + 1); /* of its own, so that reading on is noticed */
        memcpy(cut, whole.p, n);
        assert_false(json_in_check(str_of(cut, n)));
        free(cut);
    }
    assert_true(json_in_check(whole));
}

static void put_nested(struct buf *b, int depth)
{
    buf_reset(b);
    for (int i = 0; i < depth; i++)
        buf_char(b, '[');
    for (int i = 0; i < depth; i++)
        buf_char(b, ']');
}

static void depth_is_bounded(void **state)
{
    struct buf b;
    buf_init(&b, SIZE_MAX);
    put_nested(&b, JSON_IN_DEPTH_MAX);
    assert_true(json_in_check(buf_view(&b)));
    put_nested(&b, JSON_IN_DEPTH_MAX + 1);
    assert_false(json_in_check(buf_view(&b)));
    buf_finish(&b);
}

static void members_are_found_by_name(void **state)
{
    const struct str object = STR(" { \"a\" : [1, {\"b\": 2}] ,\"b\":\"x\\\"}\", \"c\": -1.5 } ");
    const struct str names[] = {STR("c"), STR("a"), STR("d"), STR("b")};
    struct str values[4];
    json_in_members(object, names, 4, values);
    assert_str(values[0], "-1.5");
    assert_str(values[1], "[1, {\"b\": 2}]");
    assert_true(str_is_null(values[2]));
    assert_str(values[3], "\"x\\\"}\"");
    assert_str(json_in_member(object, STR("b")), "\"x\\\"}\"");
}

static void a_member_that_is_there_twice_is_none(void **state)
{
    const struct str object = STR("{\"a\":1,\"b\":2,\"a\":3,\"a\":4,\"c\":{\"b\":5}}");
    assert_true(str_is_null(json_in_member(object, STR("a"))));
    assert_str(json_in_member(object, STR("b")), "2");
}

static void nothing_is_found_where_there_is_no_object(void **state)
{
    static const char *const others[] = {"{}", "[]", "[{\"a\":1}]", "\"a\"", "1", "null"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(str_is_null(json_in_member(str_from(others[i]), STR("a"))));
    assert_true(str_is_null(json_in_member(STR_NULL, STR("a"))));
    assert_true(str_is_null(json_in_member(STR("{\"\\u0061\":1}"), STR("a"))));
}

static void elements_come_one_after_the_other(void **state)
{
    static const char *const elements[] = {"1", "[[2],3]", "{\"a\":\"]\"}", "\"\\\\\"", "true"};
    struct str rest = STR("[1,[[2],3] , {\"a\":\"]\"},\"\\\\\"\n,true ]"), element;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        assert_true(json_in_next(&rest, &element));
        assert_str(element, elements[i]);
    }
    assert_false(json_in_next(&rest, &element));
    assert_false(json_in_next(&rest, &element));
}

static void there_are_no_elements_where_there_is_no_array(void **state)
{
    static const char *const others[] = {"[]", "[ ]", "{}", "{\"a\":1}", "\"[1]\"", "1", "null"};
    struct str element;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct str rest = str_from(others[i]);
        assert_false(json_in_next(&rest, &element));
    }
    struct str none = STR_NULL;
    assert_false(json_in_next(&none, &element));
}

static void strings_are_read(void **state)
{
    struct buf b;
    buf_init(&b, 1000);
    assert_true(json_in_text(
        STR("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC\\ud83d\\ude00\xc3\xa9\""), &b));
    assert_str(buf_view(&b), "a\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9");
    buf_reset(&b);
    assert_true(json_in_text(STR("\"\\u0000\""), &b));
    assert_true(str_eq(buf_view(&b), STR("\0")));
    buf_reset(&b);
    assert_true(json_in_text(STR("\"\""), &b));
    assert_false(json_in_text(STR("null"), &b));
    assert_false(json_in_text(STR_NULL, &b));
    assert_int_equal(b.n, 0);
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_json_passes),
        cmocka_unit_test(what_is_no_json_does_not_pass),
        cmocka_unit_test(a_text_that_is_cut_off_does_not_pass),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(members_are_found_by_name),
        cmocka_unit_test(a_member_that_is_there_twice_is_none),
        cmocka_unit_test(nothing_is_found_where_there_is_no_object),
        cmocka_unit_test(elements_come_one_after_the_other),
        cmocka_unit_test(there_are_no_elements_where_there_is_no_array),
        cmocka_unit_test(strings_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
