#include "unit.h"

#include "paper/cell/html_cell.h"

static struct arena arena;

static void expect(const char *cell, enum html_cell_part part, const char *text)
{
    struct str got = html_cell_text(&arena, str_from(cell), part);
    assert_false(str_is_null(got));
    if (!str_eq(got, str_from(text)))
        fail_msg("%s part %d: \"%.*s\", not \"%s\"", cell, (int)part, STR_ARG(got), text);
}

static void tags_vanish_and_white_space_is_folded(void **state)
{
    expect("", HTML_CELL_ALL, "");
    expect(" \t\n ", HTML_CELL_ALL, "");
    expect("  a \n\t b  ", HTML_CELL_ALL, "a b");
    expect(
        "a\xc2\xa0 b\x01"
        "c\x7f",
        HTML_CELL_ALL, "a b c");
    expect("<a href=\"x\" target=\"_blank\">AB</a>", HTML_CELL_ALL, "AB");
    expect("<em>a</em>b", HTML_CELL_ALL, "ab");
    expect("a<br>b<BR/>c<div>d</div>e", HTML_CELL_ALL, "a b c d e");
    expect("a<!-- c -->b", HTML_CELL_ALL, "ab");
    expect("a <b", HTML_CELL_ALL, "a <b");
    expect("1 < 2 > 1", HTML_CELL_ALL, "1 < 2 > 1");
}

static void entities_are_decoded(void **state)
{
    expect("A &amp; B", HTML_CELL_ALL, "A & B");
    expect("A &amp;amp; B &amp;amp;amp; C", HTML_CELL_ALL, "A & B & C");
    expect("Vale&amp;apos;s &amp;#39;A&amp;nbsp;B&amp;#x27;", HTML_CELL_ALL, "Vale's 'A B'");
    expect("A &amp;lt;b&amp;gt; &amp;hill; &amp;T;", HTML_CELL_ALL, "A <b> &hill; &T;");
    expect("&lt;a&gt; &quot;b&quot; &apos;", HTML_CELL_ALL, "<a> \"b\" '");
    expect("a&nbsp;&nbsp;b&nbsp;", HTML_CELL_ALL, "a b");
    expect("Nestl&eacute; &Auml;&yuml;&iexcl;", HTML_CELL_ALL, "Nestl\u00e9 \u00c4\u00ff\u00a1");
    expect(
        "&ldquo;x&rdquo; &ndash; &euro; &trade; &thetasym;", HTML_CELL_ALL,
        "\u201cx\u201d \u2013 \u20ac \u2122 &thetasym;");
    expect("&#65;&#x42;&#X43;&#0065;&#160;&#8217;", HTML_CELL_ALL, "ABCA \u2019");
    expect(
        "&#;&#x;&#0;&#9;&#xd800;&#1114112;&#6a;", HTML_CELL_ALL,
        "&#;&#x;&#0;&#9;&#xd800;&#1114112;&#6a;");
    expect("AT&T; &amp", HTML_CELL_ALL, "AT&T; &amp");
}

static void parts_of_a_cell_are_split(void **state)
{
    static const char bond[] = "Abacus Bond <div class=\"text-muted\"><em>Rate/Coupon:</em>"
                               " 1.700%<br> <em>Matures:</em> 08/01/27</div>";
    expect(bond, HTML_CELL_ALL, "Abacus Bond Rate/Coupon: 1.700% Matures: 08/01/27");
    expect(bond, HTML_CELL_HEAD, "Abacus Bond");
    expect(bond, HTML_CELL_DETAIL, "Rate/Coupon: 1.700% Matures: 08/01/27");
    static const char company[] =
        "Abacus LLC <div class=\"text-muted\"> <em>Company:</em> Abacus LLC &nbsp;(Salem, OR) "
        "</div> <div class=\"text-muted\"><em>Description:</em>&nbsp;Software</div>";
    expect(company, HTML_CELL_HEAD, "Abacus LLC");
    expect(company, HTML_CELL_DETAIL, "Company: Abacus LLC (Salem, OR) Description: Software");
    static const char nested[] = "A <div class='text-muted'>b <div>c</div> d</div> E";
    expect(nested, HTML_CELL_HEAD, "A E");
    expect(nested, HTML_CELL_DETAIL, "b c d");
    expect("A <div class=\"text-muted\">never closed", HTML_CELL_HEAD, "A");
    expect("A <div class=\"text-muted\">never closed", HTML_CELL_DETAIL, "never closed");
    expect("A <div>plain</div>", HTML_CELL_HEAD, "A plain");
    expect("A <div>plain</div>", HTML_CELL_DETAIL, "");
}

static void lines_of_a_cell_are_split(void **state)
{
    expect("<a>OLD</a>  <br>\n <a>NEW</a>", HTML_CELL_FIRST_LINE, "OLD");
    expect("<a>OLD</a>  <br>\n <a>NEW</a>", HTML_CELL_OTHER_LINES, "NEW");
    expect("-- <br/> <a>NEW</a><br>X", HTML_CELL_OTHER_LINES, "NEW X");
    expect("OLD", HTML_CELL_FIRST_LINE, "OLD");
    expect("OLD", HTML_CELL_OTHER_LINES, "");
    expect("OLD<br>", HTML_CELL_OTHER_LINES, "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_vanish_and_white_space_is_folded),
        cmocka_unit_test(entities_are_decoded),
        cmocka_unit_test(parts_of_a_cell_are_split),
        cmocka_unit_test(lines_of_a_cell_are_split),
    };
    arena_init(&arena);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_finish(&arena);
    return failed;
}
