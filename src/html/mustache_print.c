/*
 * Prints a template with a view; see mustache.h.
 *
 * Indentation is added when a line begins, so that it depends on where the output stands, not on
 * where a template was written. White space in values is never changed.
 */
#include "html/escape.h"
#include "html/mustache_parts.h"
#include "html/view_parts.h"

enum { DEPTH_MAX = 100 }; /* of templates and blocks inside each other */

struct printer {
    struct buf *to;
    bool line_begins; /* nothing of the current line is printed yet */
    int depth;
    enum err err;
};

/* The values around a place, the innermost first. */
struct scope {
    const struct view *value;
    const struct scope *outer;
};

/* The parents around a place, the innermost first: each replaces blocks. */
struct parents {
    const struct mustache_node *blocks;
    const struct parents *outer;
};

struct indents {
    struct str text;
    const struct indents *outer;
};

struct print_place {
    const struct scope *scope;
    const struct parents *parents;
    const struct indents *indents; /* NULL: none */
};

static void print_nodes(
    struct printer *p, const struct mustache_node *node, struct print_place place);

/* --- text */

static void put_indents(struct printer *p, const struct indents *indents)
{
    if (!indents)
        return;
    put_indents(p, indents->outer);
    buf_str(p->to, indents->text);
}

static void begin_line(struct printer *p, const struct indents *indents)
{
    if (p->line_begins)
        put_indents(p, indents);
    p->line_begins = false;
}

static void print_text(struct printer *p, struct str text, const struct indents *indents)
{
    if (text.n == 0)
        return;
    if (!indents) {
        buf_str(p->to, text);
        p->line_begins = text.p[text.n - 1] == '\n';
        return;
    }
    for (size_t at = 0; at < text.n;) {
        const char *newline = memchr(text.p + at, '\n', text.n - at);
        size_t end = newline ? (size_t)(newline - text.p) + 1 : text.n;
        struct str line = str_slice(text, at, end);
        if (line.p[0] != '\n') /* an empty line stays empty */
            begin_line(p, indents);
        buf_str(p->to, line);
        p->line_begins = newline;
        at = end;
    }
}

/* --- values */

/* NULL: missing. Only the first part of a dotted name is looked up in all scopes. */
static const struct view *look_up(const struct mustache_node *node, const struct scope *scope)
{
    if (node->part_count == 0)
        return scope->value;
    const struct view *value = NULL;
    for (; scope && !value; scope = scope->outer)
        value = view_find(scope->value, node->parts[0]);
    for (size_t i = 1; i < node->part_count && value; i++)
        value = view_find(value, node->parts[i]);
    return value;
}

static bool is_truthy(const struct view *value)
{
    if (!value)
        return false;
    switch (value->kind) {
    case VIEW_NULL:
        return false;
    case VIEW_BOOL:
        return value->yes;
    case VIEW_STR:
    case VIEW_TYPED:
    case VIEW_HTML:
        return value->text.n > 0;
    case VIEW_LIST:
        return value->children.first;
    case VIEW_INT:
    case VIEW_OBJECT:
        break;
    }
    return true;
}

static void put_value(struct buf *b, const struct view *value, bool raw)
{
    switch (value->kind) {
    case VIEW_BOOL:
        buf_text(b, value->yes ? "true" : "false");
        break;
    case VIEW_INT:
        buf_i64(b, value->number);
        break;
    case VIEW_STR:
        if (!raw)
            escape_text(b, value->text);
        else
            buf_str(b, value->text);
        break;
    case VIEW_TYPED:
        if (!raw)
            escape_typed(b, value->text);
        else
            buf_str(b, value->text);
        break;
    case VIEW_HTML:
        buf_str(b, value->text);
        break;
    case VIEW_NULL:
    case VIEW_OBJECT:
    case VIEW_LIST:
        break;
    }
}

static void print_value(
    struct printer *p, const struct mustache_node *node, struct print_place place)
{
    const struct view *value = look_up(node, place.scope);
    if (!value || (value->kind != VIEW_BOOL && !is_truthy(value)))
        return;
    begin_line(p, place.indents);
    put_value(p->to, value, node->kind == MUSTACHE_RAW);
}

/* --- sections */

static void print_within(
    struct printer *p, const struct mustache_node *nodes, const struct view *value,
    struct print_place place)
{
    struct scope scope = {value, place.scope};
    place.scope = &scope;
    print_nodes(p, nodes, place);
}

static void print_section(
    struct printer *p, const struct mustache_node *node, struct print_place place)
{
    const struct view *value = look_up(node, place.scope);
    if (!is_truthy(value))
        return;
    if (value->kind != VIEW_LIST) {
        print_within(p, node->children, value, place);
        return;
    }
    for (const struct view *item = value->children.first; item && !p->err; item = item->next)
        print_within(p, node->children, item, place);
}

/* --- other templates */

static void print_indented(
    struct printer *p, const struct mustache_node *nodes, struct str indent,
    struct print_place place)
{
    struct indents indents = {indent, place.indents};
    if (indent.n > 0)
        place.indents = &indents;
    print_nodes(p, nodes, place);
}

static void print_template(
    struct printer *p, const struct mustache_node *node, struct print_place place)
{
    struct parents parents = {node->children, place.parents};
    if (!node->target)
        return;
    if (node->kind == MUSTACHE_PARENT)
        place.parents = &parents;
    print_indented(p, node->target->nodes, node->indent, place);
}

/* The outermost block with this name that replaces others; NULL: none. */
static const struct mustache_node *replacement(
    const struct parents *parents, struct str name, const struct parents **ret_from)
{
    if (!parents)
        return NULL;
    const struct mustache_node *block = replacement(parents->outer, name, ret_from);
    if (block)
        return block;
    *ret_from = parents;
    block = parents->blocks;
    while (block && !str_eq(block->text, name))
        block = block->next;
    return block;
}

static void print_block(
    struct printer *p, const struct mustache_node *node, struct print_place place)
{
    const struct parents *from;
    const struct mustache_node *block = replacement(place.parents, node->text, &from);
    if (block)
        place.parents = from->outer; /* those of the template that wrote it */
    print_indented(p, (block ? block : node)->children, node->indent, place);
}

static void print_node(
    struct printer *p, const struct mustache_node *node, struct print_place place)
{
    switch (node->kind) {
    case MUSTACHE_TEXT:
        print_text(p, node->text, place.indents);
        break;
    case MUSTACHE_VALUE:
    case MUSTACHE_RAW:
        print_value(p, node, place);
        break;
    case MUSTACHE_SECTION:
        print_section(p, node, place);
        break;
    case MUSTACHE_INVERTED:
        if (!is_truthy(look_up(node, place.scope)))
            print_nodes(p, node->children, place);
        break;
    case MUSTACHE_PARTIAL:
    case MUSTACHE_PARENT:
        print_template(p, node, place);
        break;
    case MUSTACHE_BLOCK:
        print_block(p, node, place);
        break;
    }
}

static void print_nodes(
    struct printer *p, const struct mustache_node *node, struct print_place place)
{
    if (p->depth == DEPTH_MAX)
        p->err = ERR_LIMIT;
    p->depth++;
    for (; node && !p->err; node = node->next)
        print_node(p, node, place);
    p->depth--;
}

enum err mustache_print(struct buf *b, const struct mustache *template, const struct view *view)
{
    struct scope scope = {view, NULL};
    struct printer printer = {.to = b, .line_begins = true};
    print_nodes(&printer, template->nodes, (struct print_place){.scope = &scope});
    return b->overflow ? ERR_LIMIT : printer.err;
}
