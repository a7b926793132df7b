/* HTML pages; see html_tree.h. */
#include "paper/html_tree.h"

#include <libxml/HTMLparser.h>
#include <limits.h>

#include "base/buf.h"

enum { TEXT_SIZE_MAX = 1024 * 1024 };

xmlDoc *html_tree_parse(struct str html)
{
    if (html.n == 0 || html.n > INT_MAX)
        return NULL;
    return htmlReadMemory(
        html.p, (int)html.n, NULL, "UTF-8",
        HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
}

static bool is_element(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* The node after `at` in document order, inside `root`. Not recursive, because pages may nest as
 * deep as the parser allows. */
static xmlNode *step(xmlNode *root, xmlNode *at, bool into)
{
    if (into && at->children)
        return at->children;
    while (at != root && !at->next)
        at = at->parent;
    return at == root ? NULL : at->next;
}

xmlNode *html_tree_next(xmlNode *root, xmlNode *at, const char *name)
{
    for (at = step(root, at ? at : root, true); at; at = step(root, at, true))
        if (is_element(at, name))
            return at;
    return NULL;
}

xmlNode *html_tree_child(xmlNode *parent, xmlNode *before, const char *name)
{
    for (xmlNode *at = before ? before->next : parent->children; at; at = at->next)
        if (is_element(at, name))
            return at;
    return NULL;
}

bool html_tree_has_class(const xmlNode *element, const char *word)
{
    for (const xmlAttr *a = element->properties; a; a = a->next) {
        if (strcmp((const char *)a->name, "class") != 0 || !a->children || !a->children->content)
            continue;
        struct str rest = str_from((const char *)a->children->content), part;
        while (str_split(&rest, ' ', &part))
            if (str_eq(part, str_from(word)))
                return true;
    }
    return false;
}

/* Turns each run of white space and no-break spaces into one space between words. */
static void fold(struct buf *b, bool *space, struct str text)
{
    static const struct str no_break = STR_INIT("\xc2\xa0");
    for (size_t i = 0; i < text.n; i++) {
        bool wide = str_starts(str_slice(text, i, text.n), no_break);
        if (wide || ascii_is_space(text.p[i])) {
            *space = true;
            i += wide;
            continue;
        }
        if (*space && b->n)
            buf_char(b, ' ');
        *space = false;
        buf_char(b, text.p[i]);
    }
}

struct str html_tree_text(const xmlNode *node, const char *skip_class, struct arena *arena)
{
    BUF_SCOPED(b, TEXT_SIZE_MAX);
    bool space = false;
    xmlNode *root = (xmlNode *)(uintptr_t)node, *at = root;
    while (at) {
        bool skip = skip_class && at != root && at->type == XML_ELEMENT_NODE &&
                    html_tree_has_class(at, skip_class);
        if (at->type == XML_TEXT_NODE && at->content)
            fold(&b, &space, str_from((const char *)at->content));
        else if (is_element(at, "br") || is_element(at, "div"))
            space = true;
        at = step(root, at, !skip);
    }
    return arena_str(arena, buf_view(&b));
}
