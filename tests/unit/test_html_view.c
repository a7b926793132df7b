/* Views as JSON, and the texts that they add for people. */
#include "unit.h"

#include "html/view.h"

static int set_up(void **state)
{
    static struct arena arena;
    arena_init(&arena);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    arena_finish(*state);
    return 0;
}

static void assert_json(const struct view *view, const char *expected)
{
    struct buf json;
    buf_init(&json, 1 << 16);
    view_json(&json, view);
    assert_str(buf_view(&json), expected);
    buf_finish(&json);
}

static void json_has_every_kind_of_value(void **state)
{
    struct view *v = view_create(*state);
    view_str(v, "name", STR("a \"b\""));
    view_str(v, "none", STR_NULL);
    view_text(v, "text", "t");
    view_fmt(v, "path", "/account/keys/%d", 7);
    view_int(v, "count", -3);
    view_bool(v, "yes", true);
    view_typed(v, "typed", STR("<x>"));
    view_str(view_object(v, "object"), "in", STR(""));
    struct view *list = view_list(v, "list");
    view_int(view_item(list), "n", 1);
    view_item_str(list, STR("two"));
    view_list(v, "empty");
    assert_json(
        v, "{\"name\":\"a \\\"b\\\"\",\"none\":null,\"text\":\"t\",\"path\":\"/account/keys/7\","
           "\"count\":-3,\"yes\":true,\"typed\":\"<x>\",\"object\":{\"in\":\"\"},"
           "\"list\":[{\"n\":1},\"two\"],\"empty\":[]}");
}

static void json_leaves_out_html(void **state)
{
    struct view *v = view_create(*state);
    view_html(v, "chart", STR("<svg></svg>"));
    view_int(v, "n", 1);
    assert_json(v, "{\"n\":1}");
}

static void setting_a_name_again_replaces_the_value(void **state)
{
    struct view *v = view_create(*state);
    view_item(view_list(v, "a"));
    view_int(v, "b", 1);
    view_text(v, "a", "x");
    view_object(v, "a");
    assert_json(v, "{\"a\":{},\"b\":1}");
}

static void texts_are_copied(void **state)
{
    struct view *v = view_create(*state);
    char text[] = "before";
    view_str(v, "a", str_from(text));
    memcpy(text, "after!", 6);
    assert_json(v, "{\"a\":\"before\"}");
}

static void long_formatted_text_is_whole(void **state)
{
    struct view *v = view_create(*state);
    char text[5001];
    memset(text, 'x', 5000);
    text[5000] = '\0';
    view_fmt(v, "a", "%s!", text);
    struct buf json;
    buf_init(&json, 1 << 16);
    view_json(&json, v);
    assert_int_equal(json.n, strlen("{\"a\":\"!\"}") + 5000);
    buf_finish(&json);
}

static void counts_have_separators(void **state)
{
    struct view *v = view_create(*state);
    view_count(v, "a", 0);
    view_count(v, "b", 999);
    view_count(v, "c", 1000);
    view_count(v, "d", 1002003);
    view_count(v, "e", -1234);
    view_count(v, "f", INT64_MIN);
    assert_json(
        v, "{\"a\":0,\"aText\":\"0\",\"b\":999,\"bText\":\"999\",\"c\":1000,\"cText\":\"1,000\","
           "\"d\":1002003,\"dText\":\"1,002,003\",\"e\":-1234,\"eText\":\"-1,234\","
           "\"f\":-9223372036854775808,\"fText\":\"-9,223,372,036,854,775,808\"}");
}

static int64_t at(const char *text)
{
    int64_t ms;
    assert_true(instant_parse(str_from(text), &ms));
    return ms;
}

static void instants_are_shown_in_washington(void **state)
{
    static const struct {
        const char *instant, *text;
    } rows[] = {
        {"2026-11-20T08:12:45.123Z", "2026-11-20 03:12 EST"},
        {"2026-07-01T03:59:59.999Z", "2026-06-30 23:59 EDT"},
        {"2026-03-08T06:59:00Z", "2026-03-08 01:59 EST"}, /* the clock goes to 03:00 */
        {"2026-03-08T07:00:00Z", "2026-03-08 03:00 EDT"},
        {"2026-11-01T05:30:00Z", "2026-11-01 01:30 EDT"}, /* 01:30 comes twice */
        {"2026-11-01T06:30:00Z", "2026-11-01 01:30 EST"},
        {"1969-12-31T23:59:59.500Z", "1969-12-31 18:59 EST"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char space[64];
        struct buf text = buf_over(space, sizeof space);
        instant_put_new_york(&text, at(rows[i].instant));
        assert_str(buf_view(&text), rows[i].text);
    }
    struct view *v = view_create(*state);
    view_instant(v, "a", at("2026-11-20T08:12:45.123Z"));
    view_instant(v, "b", INSTANT_NONE);
    view_instant(v, "c", at("2026-11-20T05:00:00Z")); /* midnight: a date without a time */
    view_instant(v, "d", at("2026-11-20T05:00:00.001Z"));
    assert_json(
        v, "{\"a\":\"2026-11-20T08:12:45.123Z\",\"aText\":\"2026-11-20 03:12 EST\","
           "\"b\":null,\"bText\":null,"
           "\"c\":\"2026-11-20T05:00:00.000Z\",\"cText\":\"2026-11-20\","
           "\"d\":\"2026-11-20T05:00:00.001Z\",\"dText\":\"2026-11-20 00:00 EST\"}");
}

static void distance_is_in_the_largest_whole_unit(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {0, "just now"},
        {-59 * SECOND_MS, "just now"},
        {-MINUTE_MS, "1 minute ago"},
        {-59 * MINUTE_MS, "59 minutes ago"},
        {-HOUR_MS, "1 hour ago"},
        {-47 * HOUR_MS, "1 day ago"},
        {-729LL * DAY_MS, "729 days ago"},
        {-2084LL * DAY_MS, "5 years ago"},
        {1, "in less than a minute"},
        {90 * SECOND_MS, "in 1 minute"},
        {3LL * DAY_MS, "in 3 days"},
    };
    int64_t now = at("2026-11-20T08:12:45.123Z");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct view *v = view_create(*state), *only = view_create(*state);
        view_ago(v, "a", now + rows[i].ms, now);
        struct buf json;
        view_text(only, "aAgo", rows[i].text);
        buf_init(&json, 1 << 16);
        view_json(&json, only);
        struct str member = str_slice(buf_view(&json), 1, json.n - 1);
        struct buf whole;
        buf_init(&whole, 1 << 16);
        view_json(&whole, v);
        assert_true(str_find(buf_view(&whole), member) > 0);
        buf_finish(&whole);
        buf_finish(&json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(json_has_every_kind_of_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(json_leaves_out_html, set_up, tear_down),
        cmocka_unit_test_setup_teardown(setting_a_name_again_replaces_the_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_are_copied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_formatted_text_is_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counts_have_separators, set_up, tear_down),
        cmocka_unit_test_setup_teardown(instants_are_shown_in_washington, set_up, tear_down),
        cmocka_unit_test_setup_teardown(distance_is_in_the_largest_whole_unit, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
