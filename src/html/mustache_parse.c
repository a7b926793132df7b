/*
 * Parses a template into its tree; see mustache.h.
 *
 * White space: a tag that is alone on its line, except values, takes the whole line with it. The
 * white space before a partial, parent or block becomes the indentation of its lines. The lines of
 * a block lose the indentation that the block has where it is written; the printer adds the one of
 * the place where the block stands.
 */
#include "html/mustache_parts.h"

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

enum err mustache_parse(
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
