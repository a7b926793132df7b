/* Markdown as HTML with anchors and contents; text never becomes markup. */
#include "unit.h"

#include <string.h>

#include "html/markdown.h"
#include "base/mem.h"

static struct buf out, contents;

static int setup(void **state)
{
    buf_init(&out, 1 << 20);
    buf_init(&contents, 1 << 20);
    return 0;
}

static int teardown(void **state)
{
    buf_finish(&out);
    buf_finish(&contents);
    return 0;
}

static void block_becomes_its_element(void **state)
{
    static const struct {
        const char *markdown, *html;
    } cases[] = {
        {"## A b {#ab}\n", "<h2 id=\"ab\"><a class=\"anchor\" href=\"#ab\">A b</a></h2>\n"},
        {"## As of `when`, and how-to?\n",
         "<h2 id=\"as-of-when-and-how-to\"><a class=\"anchor\" href=\"#as-of-when-and-how-to\">"
         "As of <code>when</code>, and how-to?</a></h2>\n"},
        {"# A", "<h1>A</h1>\n"},
        {"# A {#a}", "<h1 id=\"a\"><a class=\"anchor\" href=\"#a\">A</a></h1>\n"},
        {"one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>\n"},
        {"- a\n- b\n  c\n", "<ul>\n<li>a</li>\n<li>b\nc</li>\n</ul>\n"},
        {"1. a\n2. b\n", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"},
        {"text:\n- a\n", "<p>text:</p>\n<ul>\n<li>a</li>\n</ul>\n"},
        {"> a\n> b\n", "<aside class=\"note\">\n<p>a\nb</p>\n</aside>\n"},
        {"```sh\na < b\n```\n",
         "<figure class=\"code\" data-language=\"sh\"><pre tabindex=\"0\"><code>a &lt; b\n"
         "</code></pre></figure>\n"},
        {"```go\n{\n\td\n\n\t\t  a\tb\n    c\n```\n",
         "<figure class=\"code\" data-language=\"go\"><pre tabindex=\"0\"><code>{\n\td\n\n\t\t  "
         "a\tb\n    c\n"
         "</code></pre></figure>\n"},
        {"| a | b |\n|---|---:|\n| `c` | 1 |\n",
         "<div class=\"table\" tabindex=\"0\"><table>\n<thead>\n"
         "<tr>\n<th>a</th>\n<th class=\"number\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr id=\"c\">\n"
         "<td><code>c</code></td>\n<td class=\"number\" "
         "data-label=\"b\">1</td>\n</tr>\n</tbody>\n</table></div>\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_reset(&out);
        markdown_html(&out, &contents, str_from(cases[i].markdown));
        assert_str(buf_view(&out), cases[i].html);
    }
}

static void term_of_a_table_has_an_address_once(void **state)
{
    static const char rows[] = "| a | b |\n|---|---|\n| `limit` | `x` |\n| `two words` | 1 |\n"
                               "| `limit` | 2 |\n| or `c` | 3 |\n| | 4 |\n";
    struct buf text;
    buf_init(&text, 1 << 16);
    buf_fmt(&text, "## H {#h}\n\n%s\n## I {#i}\n\n%s", rows, rows);
    buf_reset(&out);
    markdown_html(&out, &contents, buf_view(&text));
    size_t rows_with_id = 0;
    struct str rest = buf_view(&out);
    for (ptrdiff_t at; (at = str_find(rest, STR("<tr id="))) >= 0; rows_with_id++)
        rest = str_slice(rest, (size_t)at + 1, rest.n);
    assert_int_equal(rows_with_id, 2);
    assert_true(str_find(buf_view(&out), STR("<tr id=\"h.limit\">")) > 0);
    assert_true(str_find(buf_view(&out), STR("<tr id=\"i.limit\">")) > 0);
    assert_true(str_find(buf_view(&out), STR("<td data-label=\"b\"><code>x</code></td>")) > 0);
    buf_finish(&text);
}

static void empty_heading_of_a_column_is_a_cell(void **state)
{
    buf_reset(&out);
    markdown_html(&out, &contents, STR("| | b |\n|---|---|\n| 1 | 2 |\n"));
    assert_true(str_find(buf_view(&out), STR("<td></td>\n<th>b</th>")) > 0);
}

/* One example in several languages is a choice; with an answer it stands beside the text. */
static void blocks_in_several_languages_are_a_choice(void **state)
{
    static const struct {
        const char *markdown;
        int choices, figures, asides;
    } cases[] = {
        {"```sh\na\n```\n\n```python more\nb\n```\n\n```json\n1\n```\n", 2, 3, 1},
        {"```sh\na\n```\n\n```r\nb\n```\n", 2, 2, 0},
        {"```sh\na\n```\n\n```json\n1\n```\n", 0, 2, 0},
        {"```python\na\n```\n\n```sh\nb\n```\n", 0, 2, 0},
        {"```sh\na\n```\n\ntext\n\n```go\nb\n```\n", 0, 2, 0},
    };
    static const char *const parts[] = {"<input type=\"radio\"", "<figure", "class=\"examples\""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int expected[] = {cases[i].choices, cases[i].figures, cases[i].asides};
        buf_reset(&out);
        markdown_html(&out, &contents, str_from(cases[i].markdown));
        for (size_t k = 0; k < 3; k++) {
            int count = 0;
            struct str rest = buf_view(&out);
            for (ptrdiff_t at; (at = str_find(rest, str_from(parts[k]))) >= 0; count++)
                rest = str_slice(rest, (size_t)at + 1, rest.n);
            assert_int_equal(count, expected[k]);
        }
    }
}

static void text_never_becomes_markup(void **state)
{
    static const struct {
        const char *markdown, *html;
    } cases[] = {
        {"<b> & \"q\"", "<p>&lt;b&gt; &amp; &quot;q&quot;</p>\n"},
        {"`<b>`", "<p><code>&lt;b&gt;</code></p>\n"},
        {"[a](#b) **c `d`**", "<p><a href=\"#b\">a</a> <strong>c <code>d</code></strong></p>\n"},
        {"<div>\n\n<!-- x -->", "<p>&lt;div&gt;</p>\n<p>&lt;!-- x --&gt;</p>\n"},
        {"&lt; max_pages", "<p>&lt; max_pages</p>\n"},
        {"an ` open, a [half](link, a ** star", "<p>an ` open, a [half](link, a ** star</p>\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_reset(&out);
        markdown_html(&out, &contents, str_from(cases[i].markdown));
        assert_str(buf_view(&out), cases[i].html);
    }
}

/* No byte follows the text, so that the address sanitizer sees a read beyond it. */
static void text_without_nul_is_read_to_its_end_only(void **state)
{
    static const char text[] = "last line\n";
    char *exact = mem_alloc(sizeof text - 1);
    memcpy(exact, text, sizeof text - 1);
    buf_reset(&out);
    markdown_html(&out, &contents, str_of(exact, sizeof text - 1));
    assert_str(buf_view(&out), "<p>last line</p>\n");
    mem_free(exact);
}

static void contents_nest_like_the_headings(void **state)
{
    buf_reset(&contents);
    markdown_html(
        &out, &contents,
        STR("# T\n## A {#a}\n### B {#b}\n```\n## no {#no}\n```\n### C {#c}\n## D e\n"));
    assert_str(
        buf_view(&contents),
        "<ul>\n<li><a href=\"#a\">A</a><ul>\n<li><a href=\"#b\">B</a></li>\n"
        "<li><a href=\"#c\">C</a></li>\n</ul></li>\n<li><a href=\"#d-e\">D e</a></li>\n</ul>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_becomes_its_element),
        cmocka_unit_test(term_of_a_table_has_an_address_once),
        cmocka_unit_test(empty_heading_of_a_column_is_a_cell),
        cmocka_unit_test(blocks_in_several_languages_are_a_choice),
        cmocka_unit_test(text_never_becomes_markup),
        cmocka_unit_test(text_without_nul_is_read_to_its_end_only),
        cmocka_unit_test(contents_nest_like_the_headings),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
