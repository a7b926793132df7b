#include "unit.h"

#include "base/buf.h"
#include "paper/html_tree.h"

struct page {
    struct arena arena;
    xmlDoc *doc;
    xmlNode *root;
};

static struct page *parse(struct str html)
{
    struct page *p = MEM_NEW(struct page);
    arena_init(&p->arena);
    p->doc = html_tree_parse(html);
    assert_non_null(p->doc);
    p->root = xmlDocGetRootElement(p->doc);
    return p;
}

static void done(struct page *p)
{
    xmlFreeDoc(p->doc);
    arena_finish(&p->arena);
    mem_free(p);
}

static void text_is_folded_to_single_spaces(void **state)
{
    struct page *p = parse(STR("<p> a\n\t b&nbsp;&#160; c<br>d<div>e</div><b>f</b>g &amp;lt; "
                               "\xc3\xa9</p>"));
    assert_str(html_tree_text(p->root, NULL, &p->arena), "a b c d efg &lt; \xc3\xa9");
    done(p);
}

static void elements_of_a_skipped_class_are_left_out(void **state)
{
    struct page *p = parse(STR("<td>Name <div class=\"small text-muted\">x<i>y</i></div>end"
                               "<div class=\"text-muted-not\">z</div></td>"));
    assert_str(html_tree_text(p->root, "text-muted", &p->arena), "Name end z");
    xmlNode *div = html_tree_next(p->root, NULL, "div");
    assert_true(html_tree_has_class(div, "small") && html_tree_has_class(div, "text-muted"));
    assert_false(html_tree_has_class(div, "muted"));
    /* The element itself counts, whatever its class. */
    assert_str(html_tree_text(div, "text-muted", &p->arena), "xy");
    done(p);
}

static void elements_come_in_document_order_inside_the_root(void **state)
{
    struct page *p = parse(STR("<ul><li>1<ul><li>2</li></ul></li><li>3</li></ul><li>4</li>"));
    xmlNode *list = html_tree_next(p->root, NULL, "ul"), *at = NULL;
    static const char *const texts[] = {"12", "2", "3"};
    for (size_t i = 0; i < 3; i++) {
        at = html_tree_next(list, at, "li");
        assert_non_null(at);
        assert_str(html_tree_text(at, NULL, &p->arena), texts[i]);
    }
    assert_null(html_tree_next(list, at, "li"));
    at = html_tree_child(list, NULL, "li");
    at = html_tree_child(list, at, "li");
    assert_str(html_tree_text(at, NULL, &p->arena), "3");
    assert_null(html_tree_child(list, at, "li"));
    done(p);
}

/* A million open tags: the parser stops somewhere, and no function here recurses into the
 * result. */
static void deep_nesting_does_not_overflow_the_stack(void **state)
{
    enum { TAGS = 1000000 };
    struct arena arena;
    struct buf b;
    arena_init(&arena);
    buf_init(&b, 8 * TAGS);
    buf_text(&b, "<html><body>");
    for (int i = 0; i < TAGS; i++)
        buf_text(&b, "<div>");
    assert_false(b.overflow);
    xmlDoc *doc = html_tree_parse(buf_view(&b));
    if (doc) {
        xmlNode *root = xmlDocGetRootElement(doc);
        assert_null(html_tree_next(root, NULL, "table"));
        assert_str(html_tree_text(root, NULL, &arena), "");
    }
    xmlFreeDoc(doc);
    buf_finish(&b);
    arena_finish(&arena);
}

static void empty_text_is_not_a_page(void **state)
{
    assert_null(html_tree_parse(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_folded_to_single_spaces),
        cmocka_unit_test(elements_of_a_skipped_class_are_left_out),
        cmocka_unit_test(elements_come_in_document_order_inside_the_root),
        cmocka_unit_test(deep_nesting_does_not_overflow_the_stack),
        cmocka_unit_test(empty_text_is_not_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
