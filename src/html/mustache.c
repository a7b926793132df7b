/* A set of templates; see mustache.h. */
#include "html/mustache.h"

#include "html/escape.h"
#include "html/view_parts.h"

/* The tree of a template. */

enum mustache_kind {
    MUSTACHE_TEXT,
    MUSTACHE_VALUE,
    MUSTACHE_RAW, /* a value, not escaped */
    MUSTACHE_SECTION,
    MUSTACHE_INVERTED,
    MUSTACHE_PARTIAL,
    MUSTACHE_PARENT, /* its children are the blocks that replace those of the target */
    MUSTACHE_BLOCK,
};

struct mustache_node {
    enum mustache_kind kind;
    unsigned line;
    struct str text;         /* of MUSTACHE_TEXT; otherwise the name */
    const struct str *parts; /* of a dotted name; none for "." */
    size_t part_count;
    struct str indent;             /* before each line of a partial, a parent or a block */
    const struct mustache *target; /* of a partial or parent; NULL: not in the set */
    struct mustache_node *children;
    struct mustache_node *next;
};

struct mustache {
    struct str name;
    struct mustache_node *nodes;
    struct mustache *next;
};

/* Parses `text`, which must live as long as the arena. */
static enum err mustache_parse(
    struct arena *arena, struct str name, struct str text, struct mustache_node **ret_nodes,
    struct fail *fail);

/*
 * Parses a template into its tree; see mustache.h.
 *
 * White space: a tag that is alone on its line, except values, takes the whole line with it. The
 * white space before a partial, parent or block becomes the indentation of its lines. The lines of
 * a block lose the indentation that the block has where it is written; the printer adds the one of
 * the place where the block stands.
 */

/* A section, parent or block that is open, or the template itself. */
struct level {
    struct level *outer;
    struct mustache_node *node; /* NULL: the template */
    struct mustache_node **tail;
    struct mustache_node *lead; /* of a parent that is first on its line: the text before it */
    struct str dedent;          /* of the place around it */
};

struct parser {
    struct arena *arena;
    struct str name, text;
    size_t at;
    size_t counted; /* lines before this place: `line` is the number of its own */
    unsigned line;
    struct str open, close; /* delimiters */
    struct str dedent;      /* what the lines lose */
    struct level *level;
    struct fail *fail;
    enum err err;
};

/* A tag, and how it stands on its line. */
struct tag {
    char kind;       /* one of "{&#^/!=><$", or '\0' for a value */
    struct str name; /* trimmed */
    size_t begin, end;
    struct str lead; /* white space between the start of the line and the tag, if first */
    bool first;      /* nothing but white space is before it on its line */
    bool last;       /* nothing but white space is after it on its line */
    size_t next;     /* where the next line starts, if last */
};

/* Counts on from the place of the last call. */
static unsigned line_of(struct parser *p, size_t at)
{
    while (p->counted < at)
        p->line += p->text.p[p->counted++] == '\n';
    while (p->counted > at)
        p->line -= p->text.p[--p->counted] == '\n';
    return p->line;
}

static void complain(struct parser *p, size_t at, const char *what, struct str name)
{
    if (!p->err)
        p->err = fail_set(
            p->fail, ERR_INVALID, "%.*s:%u: %s \"%.*s\"", STR_ARG(p->name), line_of(p, at), what,
            STR_ARG(name));
}

static struct mustache_node *add(struct parser *p, enum mustache_kind kind, size_t at)
{
    struct mustache_node *node = ARENA_NEW(p->arena, struct mustache_node);
    node->kind = kind;
    node->line = line_of(p, at);
    *p->level->tail = node;
    p->level->tail = &node->next;
    return node;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t skip_blanks(struct str text, size_t at)
{
    while (at < text.n && is_blank(text.p[at]))
        at++;
    return at;
}

/* The common first part. */
static size_t common(struct str a, struct str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    return n;
}

static struct str without_dedent(const struct parser *p, struct str blanks)
{
    return str_slice(blanks, common(blanks, p->dedent), blanks.n);
}

/* --- text */

static struct str dedented(const struct parser *p, size_t from, size_t to)
{
    char *copy = arena_alloc(p->arena, to - from + 1);
    size_t n = 0;
    for (size_t i = from; i < to;) {
        if (i == 0 || p->text.p[i - 1] == '\n')
            i += common(str_slice(p->text, i, to), p->dedent);
        while (i < to && (copy[n++] = p->text.p[i++]) != '\n')
            ;
    }
    return str_of(copy, n);
}

/* NULL: no text, or text inside a parent, which is ignored. */
static struct mustache_node *add_text(struct parser *p, size_t from, size_t to)
{
    const struct mustache_node *within = p->level->node;
    if (from >= to || (within && within->kind == MUSTACHE_PARENT))
        return NULL;
    struct str text = p->dedent.n ? dedented(p, from, to) : str_slice(p->text, from, to);
    if (text.n == 0)
        return NULL;
    struct mustache_node *node = add(p, MUSTACHE_TEXT, from);
    node->text = text;
    return node;
}

/* --- reading a tag */

static bool find(const struct parser *p, size_t from, struct str what, size_t *ret)
{
    ptrdiff_t at = str_find(str_slice(p->text, from, p->text.n), what);
    *ret = from + (at < 0 ? 0 : (size_t)at);
    return at >= 0;
}

static void place_on_line(const struct parser *p, struct tag *tag)
{
    size_t start = tag->begin, after = skip_blanks(p->text, tag->end);
    while (start > 0 && is_blank(p->text.p[start - 1]))
        start--;
    tag->first = start == 0 || p->text.p[start - 1] == '\n';
    tag->lead = tag->first ? str_slice(p->text, start, tag->begin) : STR("");
    struct str rest = str_slice(p->text, after, p->text.n);
    tag->last = rest.n == 0 || str_starts(rest, STR("\n")) || str_starts(rest, STR("\r\n"));
    tag->next = after + (rest.n == 0 ? 0 : rest.p[0] == '\n' ? 1 : 2);
}

/* The text between the delimiters of the tag at `begin`. */
static struct str read_inside(struct parser *p, struct tag *tag)
{
    size_t inside = tag->begin + p->open.n, end;
    char kind = inside < p->text.n ? p->text.p[inside] : '\0';
    tag->kind = kind && strchr("{&#^/!=><$", kind) ? kind : '\0';
    inside += tag->kind != '\0';
    struct str close =
        tag->kind == '{' ? arena_fmt(p->arena, "}%.*s", STR_ARG(p->close)) : p->close;
    if (!find(p, inside, close, &end)) {
        complain(p, tag->begin, "no end of the tag", str_slice(p->text, tag->begin, inside + 20));
        return STR("");
    }
    tag->end = end + close.n;
    return str_slice(p->text, inside, end);
}

static bool has_space(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (ascii_is_space(text.p[i]))
            return true;
    return false;
}

static void read_tag(struct parser *p, struct tag *tag)
{
    tag->name = str_trim(read_inside(p, tag));
    if (p->err)
        return;
    place_on_line(p, tag);
    bool named = tag->kind != '!' && tag->kind != '=';
    if (named && (tag->name.n == 0 || has_space(tag->name)))
        complain(p, tag->begin, "not a name:", tag->name);
}

/* --- names */

static void set_name(struct parser *p, struct mustache_node *node, struct str name, size_t at)
{
    struct str rest = name, part;
    size_t count = 1;
    node->text = name;
    if (str_eq(name, STR(".")))
        return;
    for (size_t i = 0; i < name.n; i++)
        count += name.p[i] == '.';
    struct str *parts = ARENA_ARRAY(p->arena, struct str, count);
    while (str_split(&rest, '.', &part)) {
        if (part.n == 0)
            complain(p, at, "not a name:", name);
        parts[node->part_count++] = part;
    }
    node->parts = parts;
}

/* --- levels */

static void open_level(struct parser *p, struct mustache_node *node, struct mustache_node *lead)
{
    struct level *level = ARENA_NEW(p->arena, struct level);
    *level = (struct level){
        .outer = p->level,
        .node = node,
        .tail = &node->children,
        .lead = lead,
        .dedent = p->dedent};
    p->level = level;
}

static bool is_parent(const struct level *level)
{
    return level && level->node && level->node->kind == MUSTACHE_PARENT;
}

/* The indentation of a block whose opening tag is the last thing on its line: that of its first
 * line with text, or of the tag itself if there is none. */
static struct str content_indent(const struct parser *p, const struct tag *tag)
{
    for (size_t at = tag->next; at < p->text.n;) {
        size_t end = skip_blanks(p->text, at);
        struct str rest = str_slice(p->text, end, p->text.n);
        struct str closing = arena_fmt(p->arena, "%.*s/", STR_ARG(p->open));
        ptrdiff_t newline = str_find_char(rest, '\n');
        if (str_starts(rest, closing))
            break;
        if (rest.n > 0 && newline != 0 && !str_starts(rest, STR("\r\n")))
            return str_slice(p->text, at, end);
        at = end + (newline < 0 ? rest.n : (size_t)newline + 1);
    }
    return tag->lead;
}

/* --- one function for each kind of tag; each adds the text before the tag and moves p->at */

/* The text before a tag; without the white space of its line, if `bare`. */
static void add_text_before(struct parser *p, const struct tag *tag, bool bare)
{
    add_text(p, p->at, bare ? tag->begin - tag->lead.n : tag->begin);
}

/* A tag that takes its line with it if it is alone on it. Returns whether it is. */
static bool take_line(struct parser *p, const struct tag *tag)
{
    bool alone = tag->first && tag->last;
    add_text_before(p, tag, alone);
    p->at = alone ? tag->next : tag->end;
    return alone;
}

static void read_value(struct parser *p, const struct tag *tag)
{
    add_text_before(p, tag, false);
    set_name(
        p, add(p, tag->kind ? MUSTACHE_RAW : MUSTACHE_VALUE, tag->begin), tag->name, tag->begin);
    p->at = tag->end;
}

static void read_section(struct parser *p, const struct tag *tag)
{
    take_line(p, tag);
    struct mustache_node *node =
        add(p, tag->kind == '#' ? MUSTACHE_SECTION : MUSTACHE_INVERTED, tag->begin);
    set_name(p, node, tag->name, tag->begin);
    open_level(p, node, NULL);
}

static void read_partial(struct parser *p, const struct tag *tag)
{
    bool alone = take_line(p, tag);
    struct mustache_node *node = add(p, MUSTACHE_PARTIAL, tag->begin);
    node->text = tag->name;
    node->indent = alone ? without_dedent(p, tag->lead) : STR("");
}

static void read_parent(struct parser *p, const struct tag *tag)
{
    add_text_before(p, tag, true);
    struct mustache_node *lead = add_text(p, tag->begin - tag->lead.n, tag->begin);
    struct mustache_node *node = add(p, MUSTACHE_PARENT, tag->begin);
    node->text = tag->name;
    node->indent = without_dedent(p, tag->lead);
    open_level(p, node, lead);
    p->at = tag->end;
    if (!tag->first)
        node->indent = STR_NULL; /* it cannot take its line */
}

static void read_block(struct parser *p, const struct tag *tag)
{
    bool replaces = is_parent(p->level);
    bool opens_lines = tag->last && (tag->first || replaces);
    add_text_before(p, tag, true);
    struct mustache_node *node = add(p, MUSTACHE_BLOCK, tag->begin);
    node->text = tag->name;
    open_level(p, node, NULL);
    struct str indent = opens_lines ? content_indent(p, tag) : tag->first ? tag->lead : p->dedent;
    node->indent = without_dedent(p, indent);
    p->dedent = indent;
    p->at = opens_lines ? tag->next : tag->end;
}

/* A parent takes its line if nothing but white space is before its opening and after its closing
 * tag; what is between them is on lines of its own. */
static void close_parent(struct parser *p, const struct tag *tag, struct level *level)
{
    struct mustache_node *node = level->node;
    bool takes_line = !str_is_null(node->indent) && tag->last;
    if (takes_line && level->lead)
        level->lead->text = STR("");
    if (!takes_line)
        node->indent = STR("");
    p->at = takes_line ? tag->next : tag->end;
}

static void read_end(struct parser *p, const struct tag *tag)
{
    struct level *level = p->level;
    if (!level->node || !str_eq(level->node->text, tag->name)) {
        complain(p, tag->begin, "nothing is open that this closes:", tag->name);
        return;
    }
    if (level->node->kind == MUSTACHE_PARENT) {
        close_parent(p, tag, level);
    } else if (level->node->kind == MUSTACHE_BLOCK && is_parent(level->outer)) {
        add_text_before(p, tag, true);
        p->at = tag->end;
    } else {
        take_line(p, tag);
    }
    p->dedent = level->dedent;
    p->level = level->outer;
}

/* {{=<% %>=}} */
static void read_delimiters(struct parser *p, const struct tag *tag)
{
    struct str rest = tag->name, open, close;
    take_line(p, tag);
    bool ends = str_ends(rest, STR("="));
    rest = str_trim(str_slice(rest, 0, rest.n - ends));
    size_t n = 0;
    while (n < rest.n && !ascii_is_space(rest.p[n]))
        n++;
    open = str_slice(rest, 0, n);
    close = str_trim(str_slice(rest, n, rest.n));
    if (!ends || open.n == 0 || close.n == 0 || has_space(close) || str_find_char(rest, '=') >= 0)
        complain(p, tag->begin, "not two delimiters:", tag->name);
    else {
        p->open = open;
        p->close = close;
    }
}

static void read_comment(struct parser *p, const struct tag *tag)
{
    take_line(p, tag);
}

static const struct {
    char kind;
    bool in_parent; /* allowed between the tags of a parent */
    void (*read)(struct parser *p, const struct tag *tag);
} readers[] = {
    {'\0', false, read_value},  {'{', false, read_value},     {'&', false, read_value},
    {'#', false, read_section}, {'^', false, read_section},   {'>', false, read_partial},
    {'<', false, read_parent},  {'$', true, read_block},      {'/', true, read_end},
    {'!', true, read_comment},  {'=', true, read_delimiters},
};

static void read_next(struct parser *p)
{
    struct tag tag = {0};
    size_t i = 0;
    if (!find(p, p->at, p->open, &tag.begin)) {
        add_text(p, p->at, p->text.n);
        p->at = p->text.n;
        return;
    }
    read_tag(p, &tag);
    if (p->err)
        return;
    while (readers[i].kind != tag.kind)
        i++;
    if (is_parent(p->level) && !readers[i].in_parent)
        complain(p, tag.begin, "only blocks may stand inside a parent, not", tag.name);
    else
        readers[i].read(p, &tag);
}

static enum err mustache_parse(
    struct arena *arena, struct str name, struct str text, struct mustache_node **ret_nodes,
    struct fail *fail)
{
    *ret_nodes = NULL;
    struct level root = {.tail = ret_nodes};
    struct parser parser = {
        .arena = arena,
        .name = name,
        .text = text,
        .line = 1,
        .open = STR("{{"),
        .close = STR("}}"),
        .dedent = STR(""),
        .level = &root,
        .fail = fail,
    };
    while (parser.at < text.n && !parser.err)
        read_next(&parser);
    if (parser.level->node)
        complain(&parser, text.n, "this is never closed:", parser.level->node->text);
    return parser.err;
}

struct mustache_set {
    struct arena arena;
    struct mustache *first;
};

struct mustache_set *mustache_set_create(void)
{
    struct mustache_set *set = MEM_NEW(struct mustache_set);
    arena_init(&set->arena);
    return set;
}

void mustache_set_destroy(struct mustache_set *set)
{
    if (!set)
        return;
    arena_finish(&set->arena);
    mem_free(set);
}

enum err mustache_set_add(
    struct mustache_set *set, struct str name, struct str text, struct fail *fail)
{
    struct mustache_node *nodes;
    if (mustache_find(set, name))
        return fail_set(fail, ERR_EXISTS, "there are two templates \"%.*s\"", STR_ARG(name));
    name = arena_str(&set->arena, name);
    TRY(mustache_parse(&set->arena, name, arena_str(&set->arena, text), &nodes, fail));
    struct mustache *template = ARENA_NEW(&set->arena, struct mustache);
    *template = (struct mustache){.name = name, .nodes = nodes, .next = set->first};
    set->first = template;
    return OK;
}

const struct mustache *mustache_find(const struct mustache_set *set, struct str name)
{
    const struct mustache *template = set->first;
    while (template && !str_eq(template->name, name))
        template = template->next;
    return template;
}

static void link_nodes(const struct mustache_set *set, struct mustache_node *node)
{
    for (; node; node = node->next) {
        if (node->kind == MUSTACHE_PARTIAL || node->kind == MUSTACHE_PARENT)
            node->target = mustache_find(set, node->text);
        link_nodes(set, node->children);
    }
}

void mustache_set_link(struct mustache_set *set)
{
    for (struct mustache *template = set->first; template; template = template->next)
        link_nodes(set, template->nodes);
}

static enum err check_nodes(
    const struct mustache *template, const struct mustache_node *node, struct fail *fail)
{
    enum err err = OK;
    for (; node && !err; node = node->next) {
        bool names = node->kind == MUSTACHE_PARTIAL || node->kind == MUSTACHE_PARENT;
        if (names && !node->target)
            return fail_set(
                fail, ERR_NOT_FOUND, "%.*s:%u: there is no template \"%.*s\"",
                STR_ARG(template->name), node->line, STR_ARG(node->text));
        if (node->kind == MUSTACHE_RAW)
            return fail_set(
                fail, ERR_REFUSED, "%.*s:%u: write {{%.*s}}, which escapes",
                STR_ARG(template->name), node->line, STR_ARG(node->text));
        err = check_nodes(template, node->children, fail);
    }
    return err;
}

enum err mustache_set_check(const struct mustache_set *set, struct fail *fail)
{
    for (const struct mustache *template = set->first; template; template = template->next)
        TRY(check_nodes(template, template->nodes, fail));
    return OK;
}

/*
 * Prints a template with a view; see mustache.h.
 *
 * Indentation is added when a line begins, so that it depends on where the output stands, not on
 * where a template was written. White space in values is never changed.
 */

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
