/* A stored page as text: what a browser shows, in its order, and nothing that runs. */
#include "arena_fixture.h"

#include "base/buf.h"
#include "paper/page_text.h"

/* Lines end in "; ", cells of a row in "|", titles begin with "#". */
static const char *lines(const char *html, size_t size, struct page_text *ret)
{
    struct str all = STR("");
    page_text_read(str_of(html, size), &arena, ret);
    for (size_t i = 0; i < ret->count; i++) {
        const struct page_line *line = &ret->lines[i];
        assert_true(line->count > 0 && line->count <= PAGE_TEXT_CELLS_MAX);
        all = arena_fmt(&arena, "%.*s%s", STR_ARG(all), line->is_title ? "#" : "");
        for (size_t c = 0; c < line->count; c++)
            all = arena_fmt(
                &arena, "%.*s%.*s%s", STR_ARG(all), STR_ARG(line->cells[c]),
                line->of_table ? "|" : "");
        all = arena_fmt(&arena, "%.*s; ", STR_ARG(all));
    }
    return all.p;
}

static const char *text_of(const char *html)
{
    struct page_text page;
    return lines(html, strlen(html), &page);
}

static void lines_and_cells_keep_their_order(void **state)
{
    assert_string_equal(
        text_of("<html><head><title>eFD</title></head><body><h1>Report\n for 1/2</h1>by"
                " <em>Robin</em>&nbsp;Vale<table><caption>List</caption><thead><tr><th>#</th>"
                "<th>Owner</th></tr></thead><tbody><tr><td> 2 </td><td>Self<br>"
                "<div>A &amp; B</div></td></tr><tr><td>1<td></tr></table><p>end"),
        "eFD; Report for 1/2; by Robin Vale; List; ##|Owner|; 2|Self A & B|; 1||; end; ");
    assert_string_equal(text_of(""), "");
    assert_string_equal(text_of("no tag"), "no tag; ");
    assert_string_equal(text_of("a<span>b</span>c<br>d"), "abc; d; ");
}

static void hidden_parts_are_left_out_and_markup_is_text(void **state)
{
    assert_string_equal(
        text_of("a<!-- <p>b</p> --><script>alert('</td>')</script><style>p{}</style>"
                "<img src=x onerror=\"alert(1)>\">c &lt;script&gt;d < e"),
        "ac <script>d < e; ");
    assert_string_equal(text_of("a<!-- never ends"), "a; ");
    assert_string_equal(text_of("<a href=\"never ends"), "");
}

/* Some texts of the Senate's pages were encoded twice. */
static void entities_are_decoded(void **state)
{
    assert_string_equal(text_of("<td>AT&amp;amp;T &lt;b&gt;"), "AT&T <b>|; ");
}

static void other_bytes_than_utf8_are_shown(void **state)
{
    struct page_text page;
    assert_string_equal(lines("a\xff\0b\xc3\xa9", 6, &page), "a?b\xc3\xa9; ");
}

static void the_row_of_a_number_is_found(void **state)
{
    struct page_text page;
    static const char html[] = "<p>2</p><table><tr><th>#<th>x<tr><td>2<td>a<tr><td>1<td>b"
                               "<tr><td>1<td>c</table>";
    lines(html, sizeof html - 1, &page);
    assert_int_equal(page_text_find(&page, 2), 2);
    assert_int_equal(page_text_find(&page, 1), -1); /* two rows have it */
    assert_int_equal(page_text_find(&page, 3), -1);
}

static void many_cells_lines_and_bytes_have_an_end(void **state)
{
    struct page_text page;
    struct buf html;
    buf_init(&html, 4 << 20);
    for (int i = 0; i < 200000; i++)
        buf_text(&html, "<td>x");
    page_text_read(buf_view(&html), &arena, &page);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.lines[0].count, PAGE_TEXT_CELLS_MAX);
    assert_false(page.is_cut);
    buf_reset(&html);
    for (int i = 0; i < PAGE_TEXT_LINES_MAX + 1; i++)
        buf_text(&html, "<p>x");
    page_text_read(buf_view(&html), &arena, &page);
    assert_int_equal(page.count, PAGE_TEXT_LINES_MAX);
    assert_true(page.is_cut);
    buf_reset(&html);
    while (buf_view(&html).n <= PAGE_TEXT_BYTES_MAX)
        buf_text(&html, "text ");
    page_text_read(buf_view(&html), &arena, &page);
    assert_true(page.is_cut);
    assert_in_range(page.lines[0].cells[0].n, 1, PAGE_TEXT_BYTES_MAX);
    buf_finish(&html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_cells_keep_their_order),
        cmocka_unit_test(hidden_parts_are_left_out_and_markup_is_text),
        cmocka_unit_test(entities_are_decoded),
        cmocka_unit_test(other_bytes_than_utf8_are_shown),
        cmocka_unit_test(the_row_of_a_number_is_found),
        cmocka_unit_test(many_cells_lines_and_bytes_have_an_end),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
