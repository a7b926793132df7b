/* Tokens of code get their class, and the code itself stays as it was. */
#include "unit.h"

#include "html/markdown.h"

static struct buf out;

static int setup(void **state)
{
    buf_init(&out, 1 << 20);
    return 0;
}

static int teardown(void **state)
{
    buf_finish(&out);
    return 0;
}

static void token_gets_its_class(void **state)
{
    static const struct {
        const char *language, *code, *html;
    } cases[] = {
        {"json", "{&quot;a&quot;: &quot;b&quot;}",
         "{<span class=\"k\">&quot;a&quot;</span>: <span class=\"s\">&quot;b&quot;</span>}"},
        {"json", "[15001, true, nullable]",
         "[<span class=\"v\">15001</span>, <span class=\"v\">true</span>, nullable]"},
        {"json", "&quot;a\\&quot;b&quot;", "<span class=\"s\">&quot;a\\&quot;b&quot;</span>"},
        {"sh", "curl 'a\nb' # c\n$#d",
         "curl <span class=\"s\">'a\nb'</span> <span class=\"c\"># c</span>\n$#d"},
        {"python", "'a' if x else None",
         "<span class=\"s\">'a'</span> <span class=\"k\">if</span> x <span class=\"k\">else</span> "
         "<span class=\"v\">None</span>"},
        {"python", "&quot;&quot;&quot;a\n'b'&quot;&quot;&quot;",
         "<span class=\"s\">&quot;&quot;&quot;a\n'b'&quot;&quot;&quot;</span>"},
        {"javascript", "a // it's\n`b\n`",
         "a <span class=\"c\">// it's</span>\n<span class=\"s\">`b\n`</span>"},
        {"go", "x.return1 &lt;- y &amp;&amp; nil",
         "x.return1 &lt;- y &amp;&amp; <span class=\"v\">nil</span>"},
        {"r", "print(&quot;a", "print(&quot;a"},
        {"json", "&quot;a\n&quot;", "&quot;a\n&quot;"},
        {"text", "&quot;if&quot; 1", "&quot;if&quot; 1"},
        {"json", "", ""},
        {"json", "&quot;a\\", "&quot;a\\"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buf_reset(&out);
        highlight_put(&out, str_from(cases[i].language), str_from(cases[i].code));
        assert_str(buf_view(&out), cases[i].html);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(token_gets_its_class)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
