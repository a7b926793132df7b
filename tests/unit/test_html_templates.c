/* The embedded files of web/, printed as the page /style, which uses every partial. */
#include "unit.h"

#include <stdio.h>

#include "html/style_page.h"
#include "html/templates.h"

static struct buf page;

static int set_up(void **state)
{
    struct arena arena;
    struct mustache_set *set = templates_create();
    arena_init(&arena);
    struct view *view = view_create(&arena);
    view_text(view, "title", "Style");
    style_page_show(view, 1795421565123);
    buf_init(&page, 1 << 20);
    assert_int_equal(mustache_print(&page, mustache_find(set, STR("style")), view), OK);
    mustache_set_destroy(set);
    arena_finish(&arena);
    return 0;
}

static int tear_down(void **state)
{
    buf_finish(&page);
    return 0;
}

static size_t count(const char *text)
{
    struct str rest = buf_view(&page);
    size_t found = 0;
    for (ptrdiff_t at; (at = str_find(rest, str_from(text))) >= 0; found++)
        rest = str_slice(rest, (size_t)at + 1, rest.n);
    return found;
}

static void page_is_whole(void **state)
{
    assert_true(str_starts(buf_view(&page), STR("<!doctype html>\n")));
    assert_true(str_ends(buf_view(&page), STR("</html>\n")));
    assert_int_equal(count("<main"), 1);
    assert_int_equal(count("{{"), 0);
    assert_int_equal(count("<title>Style · stockact</title>"), 1);
}

static void each_part_is_shown_in_both_schemes(void **state)
{
    static const char *const parts[] = {
        "<svg class=\"bars\"",
        "<dl class=\"stats\"",
        "<dl class=\"facts\"",
        "<select",
        "<textarea",
        "class=\"badge bad\"",
        "<figure class=\"code\" data-language=\"sh\"",
        "class=\"secret\"",
        "class=\"faults\"",
        "<nav class=\"pages\"",
        "<details class=\"confirm\"",
        "data-copy",
        "type=\"checkbox\" id",
        "type=\"password\""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (count(parts[i]) < 2 || count(parts[i]) % 2)
            fail_msg("%s is shown %zu times", parts[i], count(parts[i]));
}

static void ids_are_unique(void **state)
{
    struct str rest = buf_view(&page);
    for (ptrdiff_t at; (at = str_find(rest, STR(" id=\""))) >= 0;) {
        char attribute[200];
        rest = str_slice(rest, (size_t)at, rest.n);
        ptrdiff_t end = str_find_char(str_slice(rest, 5, rest.n), '"');
        snprintf(attribute, sizeof attribute, "%.*s", (int)end + 6, rest.p);
        if (count(attribute) != 1)
            fail_msg("%s is there %zu times", attribute, count(attribute));
        rest = str_slice(rest, 5, rest.n);
    }
}

static void files_load_nothing_and_style_nothing_inline(void **state)
{
    assert_int_equal(count(" style=\""), 0);
    assert_int_equal(count(" onclick="), 0);
    assert_true(str_find(templates_asset("style"), STR("url(")) < 0);
    assert_true(str_find(templates_asset("style"), STR("@import")) < 0);
    assert_true(templates_asset("script").n <= 20 * 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_is_whole),
        cmocka_unit_test(each_part_is_shown_in_both_schemes),
        cmocka_unit_test(ids_are_unique),
        cmocka_unit_test(files_load_nothing_and_style_nothing_inline),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
