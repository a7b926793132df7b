/* What the templates of this program promise beyond the official cases (test_html_mustache_spec):
 * errors with their place, escaping, which values are falsy, blocks of nested parents, bounds. */
#include "unit.h"

#include "html/mustache.h"

static struct arena arena;
static struct mustache_set *set;
static struct view *view;
static struct fail fail;

static int set_up(void **state)
{
    arena_init(&arena);
    set = mustache_set_create();
    view = view_create(&arena);
    return 0;
}

static int tear_down(void **state)
{
    mustache_set_destroy(set);
    arena_finish(&arena);
    return 0;
}

static void add(const char *name, const char *text)
{
    if (mustache_set_add(set, str_from(name), str_from(text), &fail) != OK)
        fail_msg("%s", fail.text);
}

static void assert_page(const char *name, const char *expected)
{
    struct buf page;
    buf_init(&page, 1 << 20);
    mustache_set_link(set);
    assert_int_equal(mustache_print(&page, mustache_find(set, str_from(name)), view), OK);
    assert_str(buf_view(&page), expected);
    buf_finish(&page);
}

static void malformed_templates_name_their_line(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"a\n{{#b}}\n", "t:3: this is never closed: \"b\""},
        {"{{$b}}", "t:1: this is never closed: \"b\""},
        {"a\nb{{/b}}", "t:2: nothing is open that this closes: \"b\""},
        {"{{#a}}\n{{#b}}\n{{/a}}\n{{/b}}", "t:3: nothing is open that this closes: \"a\""},
        {"\n\n{{name", "t:3: no end of the tag \"{{name\""},
        {"{{{name}}", "t:1: no end of the tag \"{{{name}}\""},
        {"{{}}", "t:1: not a name: \"\""},
        {"{{a b}}", "t:1: not a name: \"a b\""},
        {"{{a..b}}", "t:1: not a name: \"a..b\""},
        {"{{#.a}}{{/.a}}", "t:1: not a name: \".a\""},
        {"{{>}}", "t:1: not a name: \"\""},
        {"{{=a}}", "t:1: not two delimiters: \"a\""},
        {"{{==}}", "t:1: not two delimiters: \"=\""},
        {"{{=<% a %>=}}", "t:1: not two delimiters: \"<% a %>=\""},
        {"{{<p}}\n{{name}}{{/p}}", "t:2: only blocks may stand inside a parent, not \"name\""},
        {"{{<p}}{{#a}}{{/a}}{{/p}}", "t:1: only blocks may stand inside a parent, not \"a\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(
            mustache_set_add(set, STR("t"), str_from(rows[i].text), &fail), ERR_INVALID);
        assert_string_equal(fail.text, rows[i].error);
    }
}

static void second_template_of_a_name_is_refused(void **state)
{
    add("a", "1");
    assert_int_equal(mustache_set_add(set, STR("a"), STR("2"), &fail), ERR_EXISTS);
}

static void check_finds_missing_partials(void **state)
{
    add("a", "x\n{{#b}}{{>c}}{{/b}}");
    mustache_set_link(set);
    assert_int_equal(mustache_set_check(set, &fail), ERR_NOT_FOUND);
    assert_string_equal(fail.text, "a:2: there is no template \"c\"");
    add("c", "");
    mustache_set_link(set);
    assert_int_equal(mustache_set_check(set, &fail), OK);
    add("d", "{{<e}}{{$b}}{{/b}}{{/e}}");
    mustache_set_link(set);
    assert_int_equal(mustache_set_check(set, &fail), ERR_NOT_FOUND);
}

static void check_refuses_values_without_escaping(void **state)
{
    add("a", "{{$b}}\n{{{name}}}{{/b}}");
    mustache_set_link(set);
    assert_int_equal(mustache_set_check(set, &fail), ERR_REFUSED);
    assert_string_equal(fail.text, "a:2: write {{name}}, which escapes");
}

static void texts_are_escaped_and_html_is_not(void **state)
{
    view_text(view, "text", "<a href=\"x\" title='y'>&</a>");
    view_html(view, "html", STR("<svg>&</svg>"));
    view_str(view, "hidden", STR("a\xe2\x80\xae<b\x1b\xff\n"));
    add("t", "{{text}} {{html}} {{hidden}}");
    assert_page(
        "t", "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt; <svg>&</svg> "
             "a\\u{202E}&lt;b\\u{1B}\\x{FF}\n");
}

static void typed_text_is_posted_again_as_it_is(void **state)
{
    view_typed(view, "a", STR("\"\xe2\x80\xae\r\n\t'\xc2\x85\xf0\x9f\x98\x80\xff"));
    add("t", "{{a}}");
    assert_page("t", "&quot;&#x202E;&#xD;\n\t&#39;\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd");
}

static void falsy_values_are_those_of_the_header(void **state)
{
    view_null(view, "null");
    view_text(view, "empty", "");
    view_bool(view, "no", false);
    view_list(view, "list");
    view_instant(view, "never", INSTANT_NONE);
    view_int(view, "zero", 0);
    view_object(view, "object");
    add("t", "{{^null}}1{{/null}}{{^empty}}2{{/empty}}{{^no}}3{{/no}}{{^list}}4{{/list}}"
             "{{^never}}5{{/never}}{{^neverText}}6{{/neverText}}{{^missing}}7{{/missing}}"
             "{{#zero}}8{{.}}{{/zero}}{{#object}}9{{/object}}");
    assert_page(
        "t", "12345678"
             "09");
}

static void null_member_hides_the_one_of_an_outer_object(void **state)
{
    view_text(view, "error", "outer");
    view_null(view_object(view, "field"), "error");
    add("t", "{{#field}}{{^error}}none{{/error}}{{error}}{{/field}}");
    assert_page("t", "none");
}

static void page_does_not_replace_blocks_of_its_partials(void **state)
{
    add("layout", "<title>{{$title}}none{{/title}}</title>{{$content}}{{/content}}");
    add("box", "<h2>{{$title}}box{{/title}}</h2>{{$content}}empty{{/content}}");
    add("page", "{{<layout}}{{$title}}page{{/title}}{{$content}}{{>box}}"
                "{{<box}}{{$content}}full{{/content}}{{/box}}{{/content}}{{/layout}}");
    assert_page("page", "<title>page</title><h2>box</h2>empty<h2>box</h2>full");
}

static void block_can_pass_on_the_block_of_its_own_template(void **state)
{
    add("layout", "[{{$content}}{{/content}}]");
    add("account",
        "{{<layout}}{{$content}}nav {{$content}}default{{/content}}{{/content}}{{/layout}}");
    add("page", "{{<account}}{{$content}}keys{{/content}}{{/account}}");
    add("bare", "{{>account}}");
    assert_page("bare", "[nav default]");
    assert_page("page", "[keys]");
}

static void indentation_leaves_values_and_empty_lines_alone(void **state)
{
    view_text(view, "code", "one\ntwo");
    add("part", "<pre>\n\n{{code}}\n</pre>\n");
    add("page", "<p>\n  {{>part}}\n</p>\n");
    assert_page("page", "<p>\n  <pre>\n\n  one\ntwo\n  </pre>\n</p>\n");
}

static void templates_without_end_are_an_error(void **state)
{
    struct buf page;
    add("a", "x{{>b}}");
    add("b", "{{>a}}");
    mustache_set_link(set);
    buf_init(&page, 1 << 20);
    assert_int_equal(mustache_print(&page, mustache_find(set, STR("a")), view), ERR_LIMIT);
    buf_finish(&page);
}

static void page_larger_than_its_buffer_is_an_error(void **state)
{
    char space[8];
    struct buf page = buf_over(space, sizeof space);
    add("a", "123456789");
    assert_int_equal(mustache_print(&page, mustache_find(set, STR("a")), view), ERR_LIMIT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(malformed_templates_name_their_line),
        TEST(second_template_of_a_name_is_refused),
        TEST(check_finds_missing_partials),
        TEST(check_refuses_values_without_escaping),
        TEST(texts_are_escaped_and_html_is_not),
        TEST(typed_text_is_posted_again_as_it_is),
        TEST(falsy_values_are_those_of_the_header),
        TEST(null_member_hides_the_one_of_an_outer_object),
        TEST(page_does_not_replace_blocks_of_its_partials),
        TEST(block_can_pass_on_the_block_of_its_own_template),
        TEST(indentation_leaves_values_and_empty_lines_alone),
        TEST(templates_without_end_are_an_error),
        TEST(page_larger_than_its_buffer_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
