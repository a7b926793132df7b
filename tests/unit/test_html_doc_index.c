/* The headings and terms of a page, from the HTML of its Markdown. */
#include "unit.h"

#include "html/doc_index.h"
#include "html/markdown.h"

static struct buf html, contents;
static struct arena arena;
static struct doc_index made;

static int setup(void **state)
{
    buf_init(&html, 1 << 20);
    buf_init(&contents, 1 << 20);
    arena_init(&arena);
    return 0;
}

static int teardown(void **state)
{
    buf_finish(&html);
    buf_finish(&contents);
    arena_finish(&arena);
    return 0;
}

static void check(size_t i, int level, const char *anchor, const char *title, const char *text)
{
    assert_true(i < made.count);
    assert_int_equal(made.entries[i].level, level);
    if (anchor)
        assert_str(made.entries[i].anchor, anchor);
    else
        assert_true(str_is_null(made.entries[i].anchor));
    assert_str(made.entries[i].title, title);
    assert_str(made.entries[i].text, text);
}

static void page_has_its_headings_and_terms_in_order(void **state)
{
    markdown_html(
        &html, &contents,
        STR("above\n\n# Title\none\n\n- two\n- `a<b`\n\n```sh\ncode\n```\n\n## Second part {#s}\n"
            "three\n\n| name | default | meaning |\n|---|---|---|\n| `limit` | 25 | rows & more |\n"
            "| two words | | text |\n| `x` | | |\n\nfour\n\n### Third\n"));
    doc_index_make(&made, &arena, buf_view(&html));
    assert_int_equal(made.count, 5);
    check(0, 1, NULL, "Title", "one two a<b");
    check(1, 2, "s", "Second part", "three two words text four");
    check(2, 0, "s.limit", "limit", "25; rows & more");
    check(3, 0, "s.x", "x", "");
    check(4, 3, "third", "Third", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(page_has_its_headings_and_terms_in_order)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
