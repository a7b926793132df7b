/* Forms from both kinds of body, their bounds, and forms that are shown again. */
#include "arena_fixture.h"

#include "html/form.h"

static struct form form;
static struct fail fail;

static const char *const lists[] = {"event", NULL};

static enum err read_urlencoded(const char *body)
{
    return form_read_urlencoded(&form, &arena, str_from(body), lists, &fail);
}

static enum err read_json(const char *body)
{
    return form_read_json(&form, &arena, str_from(body), lists, &fail);
}

static void urlencoded_pairs_are_decoded(void **state)
{
    assert_int_equal(
        read_urlencoded("name=A+b%26c%3D&&empty=&bare&event=x&u=%E2%82%ac&event=y"), 0);
    assert_int_equal(form.count, 6);
    assert_str(form_value(&form, "name"), "A b&c=");
    assert_str(form_value(&form, "empty"), "");
    assert_str(form_value(&form, "bare"), "");
    assert_str(form_value(&form, "u"), "\xe2\x82\xac");
    assert_true(str_is_null(form_value(&form, "other")));
    assert_true(form_has(&form, "event", STR("y")));
    assert_false(form_has(&form, "event", STR("z")));
    assert_int_equal(read_urlencoded(""), 0);
    assert_int_equal(form.count, 0);
}

static void json_object_is_the_same_form(void **state)
{
    assert_int_equal(
        read_json("{\"name\":\"A b\",\"days\":30,\"on\":true,\"off\":false,\"none\":null,"
                  "\"event\":[\"x\",\"y\"]}"),
        0);
    assert_int_equal(form.count, 5);
    assert_str(form_value(&form, "name"), "A b");
    assert_str(form_value(&form, "days"), "30");
    assert_true(form_checked(&form, "on"));
    assert_false(form_checked(&form, "off"));
    assert_true(str_is_null(form_value(&form, "none")));
    size_t at = 0;
    assert_str(form_next(&form, "event", &at), "x");
    assert_str(form_next(&form, "event", &at), "y");
    assert_true(str_is_null(form_next(&form, "event", &at)));
}

static void invalid_bodies_are_refused_whole(void **state)
{
    static const struct {
        const char *body, *text;
    } urlencoded[] =
        {
            {"a=1&b=%4", "the form has a percent sign without two hexadecimal digits after it"},
            {"a=%zz", "the form has a percent sign without two hexadecimal digits after it"},
            {"a%=1", "the form has a percent sign without two hexadecimal digits after it"},
            {"a=1&a=2", "the form has the field \"a\" twice"},
            {"%61=1&a=1", "the form has the field \"a\" twice"},
            {"=1", "the form has a field without a name"},
            {"a=%ff", "the form is not UTF-8"},
            {"%c0%80=1", "the form is not UTF-8"},
            {"a=x%00y", "the form has a NUL character"},
        },
      json[] = {
          {"", "the body: line 1: not JSON: '[' or '{' expected near end of file"},
          {"[1]", "the body: line 1: not a JSON object"},
          {"{\"a\":1.5}", "\"a\" is not a string, a whole number, true, false or null"},
          {"{\"a\":{}}", "\"a\" is not a string, a whole number, true, false or null"},
          {"{\"a\":[\"x\"]}", "\"a\" is not a string, a whole number, true, false or null"},
          {"{\"event\":{}}", "\"event\" is not a string or an array of strings"},
          {"{\"event\":[\"x\",1]}", "\"event\" has an item that is not a string"},
          {"{\"\":\"x\"}", "the form has a field without a name"},
      };
    for (size_t i = 0; i < sizeof urlencoded / sizeof *urlencoded; i++) {
        assert_int_equal(read_urlencoded(urlencoded[i].body), ERR_INVALID);
        assert_string_equal(fail.text, urlencoded[i].text);
        assert_int_equal(form.count, 0);
    }
    for (size_t i = 0; i < sizeof json / sizeof *json; i++) {
        assert_int_equal(read_json(json[i].body), ERR_INVALID);
        assert_string_equal(fail.text, json[i].text);
        assert_int_equal(form.count, 0);
    }
    assert_int_equal(read_json("{\"a\":1,\"a\":2}"), ERR_INVALID);
    assert_int_equal(read_json("{\"a\":\"\\u0000\"}"), ERR_INVALID);
    assert_int_equal(read_json("{\"a\":\"\xff\"}"), ERR_INVALID);
}

static void bounds_are_exact(void **state)
{
    struct buf body;
    buf_init(&body, 1 << 20);
    for (int i = 0; i < FORM_FIELDS_MAX; i++)
        buf_fmt(&body, "f%d=1&", i);
    assert_int_equal(form_read_urlencoded(&form, &arena, buf_view(&body), NULL, &fail), OK);
    assert_int_equal(form.count, FORM_FIELDS_MAX);
    buf_text(&body, "g=1");
    assert_int_equal(form_read_urlencoded(&form, &arena, buf_view(&body), NULL, &fail), ERR_LIMIT);
    assert_string_equal(fail.text, "the form has more than 100 fields");

    buf_reset(&body);
    buf_text(&body, "a=");
    while (body.n < FORM_SIZE_MAX)
        buf_char(&body, 'x');
    assert_int_equal(form_read_urlencoded(&form, &arena, buf_view(&body), NULL, &fail), OK);
    buf_char(&body, 'x');
    assert_int_equal(form_read_urlencoded(&form, &arena, buf_view(&body), NULL, &fail), ERR_LIMIT);
    assert_int_equal(form_read_json(&form, &arena, buf_view(&body), NULL, &fail), ERR_LIMIT);

    buf_reset(&body);
    for (int i = 0; i < FORM_NAME_MAX; i++)
        buf_char(&body, 'n');
    assert_int_equal(form_read_urlencoded(&form, &arena, buf_view(&body), NULL, &fail), OK);
    buf_char(&body, 'n');
    assert_int_equal(form_read_urlencoded(&form, &arena, buf_view(&body), NULL, &fail), ERR_LIMIT);
    buf_finish(&body);
}

static void number_outside_its_range_is_a_fault(void **state)
{
    assert_int_equal(read_urlencoded("a=+30&b=31&c=x"), 0);
    assert_int_equal(form_number(&form, "a", 1, 30), 30);
    assert_false(form_is_faulty(&form));
    assert_int_equal(form_number(&form, "b", 1, 30), 1);
    assert_int_equal(form_number(&form, "c", 1, 30), 1);
    assert_int_equal(form_number(&form, "d", 1, 30), 1);
    assert_true(form_is_faulty(&form));
}

static void assert_view(const struct view *view, const char *expected)
{
    struct buf json;
    buf_init(&json, 1 << 16);
    view_json(&json, view);
    assert_str(buf_view(&json), expected);
    buf_finish(&json);
}

static void fault_stands_beside_what_was_typed(void **state)
{
    static const struct form_option kinds[] = {
        {STR_INIT("a"), STR_INIT("First")}, {STR_INIT("b"), STR_INIT("Second")}};
    struct view *view = view_create(&arena);
    assert_int_equal(read_urlencoded("name=%3Cb%3E&secret=hush&on=on&kind=b&event=a"), 0);
    (void)fail_set(&fail, ERR_INVALID, "the name has \"<\"");
    form_fault(&form, "name", &fail);
    form_fault_text(&form, "name", "A second fault.");
    form_fault_text(&form, NULL, "Nothing was changed.");
    form_show(view, &form, "name", STR("initial"));
    form_show_secret(view, &form, "secret");
    form_show_check(view, &form, "on", false);
    form_show_choice(view, &form, "kind", STR("a"), kinds, 2);
    form_show_choices(view, &form, "event", STR("b"), kinds, 2);
    form_show_faults(view, &form);
    assert_view(
        view,
        "{\"fields\":{\"name\":{\"name\":\"name\",\"error\":\"The name has \\\"<\\\".\","
        "\"value\":\"<b>\"},"
        "\"secret\":{\"name\":\"secret\",\"error\":null,\"value\":null},"
        "\"on\":{\"name\":\"on\",\"error\":null,\"checked\":true},"
        "\"kind\":{\"name\":\"kind\",\"error\":null,\"value\":\"b\",\"options\":["
        "{\"value\":\"a\",\"label\":\"First\",\"selected\":false},"
        "{\"value\":\"b\",\"label\":\"Second\",\"selected\":true}]},"
        "\"event\":{\"name\":\"event\",\"error\":null,\"options\":["
        "{\"value\":\"a\",\"label\":\"First\",\"selected\":true},"
        "{\"value\":\"b\",\"label\":\"Second\",\"selected\":false}]}},"
        "\"hasFaults\":true,\"faults\":[{\"name\":\"name\",\"error\":\"The name has \\\"<\\\".\"},"
        "{\"name\":null,\"error\":\"Nothing was changed.\"}]}");
}

static void opened_form_has_initial_values(void **state)
{
    static const struct form_option kinds[] = {{STR_INIT("a"), STR_INIT("First")}};
    struct view *view = view_create(&arena);
    form_show(view, NULL, "name", STR("initial"));
    form_show_check(view, NULL, "on", true);
    form_show_choices(view, NULL, "event", STR("x a"), kinds, 1);
    form_show_faults(view, NULL);
    assert_view(
        view, "{\"fields\":{\"name\":{\"name\":\"name\",\"error\":null,\"value\":\"initial\"},"
              "\"on\":{\"name\":\"on\",\"error\":null,\"checked\":true},"
              "\"event\":{\"name\":\"event\",\"error\":null,\"options\":["
              "{\"value\":\"a\",\"label\":\"First\",\"selected\":true}]}},\"hasFaults\":false,"
              "\"faults\":[]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(urlencoded_pairs_are_decoded),
        ARENA_TEST(json_object_is_the_same_form),
        ARENA_TEST(invalid_bodies_are_refused_whole),
        ARENA_TEST(bounds_are_exact),
        ARENA_TEST(number_outside_its_range_is_a_fault),
        ARENA_TEST(fault_stands_beside_what_was_typed),
        ARENA_TEST(opened_form_has_initial_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
