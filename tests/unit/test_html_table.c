/* Tables with pages, and the addresses of their links. */
#include "arena_fixture.h"

#include "html/table.h"
#include "html/templates.h"
#include "html/view_parts.h"

static void links_are_percent_encoded(void **state)
{
    const struct link_param params[] = {
        {STR("q"), STR("a b&c=\"\xe2\x82\xac")}, {STR("none"), STR_NULL}, {STR("e"), STR("")}};
    assert_str(link_make(&arena, STR("/x"), params, 3), "/x?q=a%20b%26c%3D%22%E2%82%AC&e=");
    assert_str(link_make(&arena, STR("/x"), params + 1, 1), "/x");
    assert_str(link_make(&arena, STR("/x"), NULL, 0), "/x");
}

static struct view *make(struct view *view)
{
    return table_begin(view, "keys", "Name|#Requests", "You have no keys yet.");
}

static struct str print(const struct view *view)
{
    struct mustache_set *set = mustache_set_create();
    struct buf page;
    struct fail fail;
    struct mustache_set *web = templates_create();
    assert_non_null(mustache_find(web, STR("table")));
    mustache_set_destroy(web);
    buf_init(&page, 1 << 16);
    assert_int_equal(
        mustache_set_add(
            set, STR("page"),
            STR("{{#keys}}{{#any}}{{#columns}}{{label}}{{#number}}!{{/number}};{{/columns}}"
                "{{#rows}}{{name}};{{/rows}}{{/any}}{{^any}}{{empty}}{{/any}}"
                "{{#paged}}{{#previous}}<{{previous}}{{/previous}}{{#next}}>{{next}}{{/next}}"
                "{{/paged}}{{/keys}}"),
            &fail),
        OK);
    assert_int_equal(mustache_print(&page, mustache_find(set, STR("page")), view), OK);
    struct str text = arena_str(&arena, buf_view(&page));
    buf_finish(&page);
    mustache_set_destroy(set);
    return text;
}

static void empty_table_is_a_sentence(void **state)
{
    struct view *view = view_create(&arena);
    make(view);
    assert_str(print(view), "You have no keys yet.");
}

static void pages_keep_the_filters(void **state)
{
    const struct link_param filters[] = {{STR("state"), STR("failed")}, {STR("since"), STR_NULL}};
    struct view *view = view_create(&arena);
    struct view *table = make(view);
    view_text(table_row(table), "name", "one");
    view_text(table_row(table), "name", "two");
    table_pages(
        table, STR("/k"), filters, 2, (struct link_param){STR("before"), STR_NULL},
        (struct link_param){STR("after"), STR("c2")});
    assert_str(print(view), "Name;Requests!;one;two;>/k?state=failed&amp;after=c2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(links_are_percent_encoded),
        ARENA_TEST(empty_table_is_a_sentence),
        ARENA_TEST(pages_keep_the_filters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
