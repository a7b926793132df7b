/* Documents as several pages: which sections each has, and where its links lead. */
#include "unit.h"

#include "api/doc_parts.h"

static const struct str text = STR_INIT("# Title\n\n"
                                        "Intro, see [b](#b) and [inner](#inner-one).\n\n"
                                        "## A\n\n[self](#a)\n\n```sh\n## not a heading\n```\n\n"
                                        "## B {#b}\n\n[back](#a) [other](/docs/two#x)\n\n"
                                        "### Inner `one`\n\nend of b\n\n"
                                        "## C\n\nlast\n");

static struct buf out;

static int set_up(void **state)
{
    buf_init(&out, 1 << 16);
    return 0;
}

static int tear_down(void **state)
{
    buf_finish(&out);
    return 0;
}

static void single_section_becomes_a_document(void **state)
{
    const struct doc_cut cut = {STR("b"), STR("c")};
    doc_cut_put(&out, text, &cut, STR("Unused"));
    assert_str(
        buf_view(&out),
        "# B {#b}\n\n[back](#a) [other](/docs/two#x)\n\n## Inner `one`\n\nend of b\n\n");
}

static void several_sections_get_a_title(void **state)
{
    const struct doc_cut cut = {STR("b"), STR("none")};
    doc_cut_put(&out, text, &cut, STR("Both"));
    assert_true(str_starts(buf_view(&out), STR("# Both\n\n## B {#b}\n")));
    assert_true(str_ends(buf_view(&out), STR("## C\n\nlast\n\n")));
    assert_true(str_find(buf_view(&out), STR("\n### Inner")) > 0);
}

static void rest_has_what_no_cut_takes(void **state)
{
    const struct doc_cut cuts[] = {{STR("a"), STR("b")}, {STR("b"), STR("c")}};
    doc_rest_put(&out, text, cuts, 2);
    assert_str(
        buf_view(&out), "# Title\n\nIntro, see [b](#b) and [inner](#inner-one).\n\n## C\n\nlast\n");
    buf_reset(&out);
    doc_rest_put(&out, text, NULL, 0);
    assert_true(str_eq(buf_view(&out), text));
}

static void links_lead_to_the_page_of_the_section(void **state)
{
    const struct doc docs[] = {
        {.name = STR(""),
         .markdown = STR("# T\n[b](#b) [own](#own) [none](#none) [path](/docs#b) [x](/x#b)\n"
                         "## Own\n")},
        {.name = STR("part"), .markdown = STR("# B {#b}\n[own](#own) [here](#b) [p](/docs/part)")},
        {.name = STR("two"), .markdown = STR("# Two\n[b](/docs#b) [kept](/docs/part#b)")},
    };
    const struct doc_list list = {docs, 3};
    doc_links_put(&out, &list, 0);
    assert_str(
        buf_view(&out), "# T\n[b](/docs/part#b) [own](#own) [none](#none) [path](/docs/part#b) "
                        "[x](/x#b)\n## Own\n");
    buf_reset(&out);
    doc_links_put(&out, &list, 1);
    assert_str(buf_view(&out), "# B {#b}\n[own](/docs#own) [here](#b) [p](/docs/part)");
    buf_reset(&out);
    doc_links_put(&out, &list, 2);
    assert_str(buf_view(&out), "# Two\n[b](/docs/part#b) [kept](/docs/part#b)");
}

static void link_to_a_file_leads_to_its_page_or_is_its_words(void **state)
{
    const struct doc docs[] = {
        {.name = STR("one"),
         .markdown = STR("[a](sync.md) [b](sync.md#a-run) [c `d`](adr/0012-drafts.md#context) "
                         "[f](https://g.example/spec.md)\n"
                         "`[i](spec.md)` a[k](l)\n```js\nm[n](o) `\n```\n[p](spec.md) [r] [")},
        {.name = STR("sync"), .markdown = STR("# Sync\n## A run\n")},
    };
    const struct doc_list list = {docs, 2};
    doc_links_put(&out, &list, 0);
    assert_str(
        buf_view(&out),
        "[a](/docs/sync) [b](/docs/sync#a-run) c `d` [f](https://g.example/spec.md)\n"
        "`[i](spec.md)` ak\n```js\nm[n](o) `\n```\np [r] [");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(single_section_becomes_a_document, set_up, tear_down),
        cmocka_unit_test_setup_teardown(several_sections_get_a_title, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rest_has_what_no_cut_takes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            link_to_a_file_leads_to_its_page_or_is_its_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_lead_to_the_page_of_the_section, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
