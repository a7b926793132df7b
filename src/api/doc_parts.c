/* Cuts documents into pages; see doc_parts.h. */
#include "api/doc_parts.h"

enum { ANCHOR_SIZE_MAX = 200 };

/* --- headings */

/* Follows the lines of a text, and knows which are headings: not those in code. */
struct doc_lines {
    struct str rest, line;
    bool in_code;
    int level; /* of the heading; 0: the line is none */
};

static bool next_line(struct doc_lines *lines)
{
    if (!str_split(&lines->rest, '\n', &lines->line))
        return false;
    int level = 0;
    if (str_starts(lines->line, STR("```")))
        lines->in_code = !lines->in_code;
    while (!lines->in_code && level < (int)lines->line.n && lines->line.p[level] == '#')
        level++;
    bool heading = level > 0 && level < (int)lines->line.n && lines->line.p[level] == ' ';
    lines->level = heading ? level : 0;
    return true;
}

/* The anchor of a heading, as html/markdown.h makes it. */
static void put_anchor(struct buf *b, struct str heading)
{
    ptrdiff_t mark = str_find(heading, STR(" {#"));
    if (mark >= 0) {
        buf_str(b, str_slice(heading, (size_t)mark + 3, heading.n - 1));
        return;
    }
    for (size_t i = 0; i < heading.n; i++) {
        char c = ascii_lower(heading.p[i]);
        if (ascii_is_alnum(c))
            buf_char(b, c);
        else if (c == ' ' || c == '-')
            buf_char(b, '-');
    }
}

static bool has_anchor(const struct doc_lines *lines, struct str anchor)
{
    char space[ANCHOR_SIZE_MAX];
    struct buf own = buf_over(space, sizeof space);
    size_t begin = (size_t)lines->level + 1;
    put_anchor(&own, str_slice(lines->line, begin, lines->line.n));
    return !own.overflow && str_eq(buf_view(&own), anchor);
}

/* Whether the line is in the cut; `inside` is the answer for the line before. */
static bool is_in_cut(const struct doc_lines *lines, const struct doc_cut *cut, bool inside)
{
    if (lines->level != 2)
        return inside;
    return has_anchor(lines, cut->from) || (inside && !has_anchor(lines, cut->until));
}

/* --- cuts */

static size_t sections_of(struct str text, const struct doc_cut *cut)
{
    struct doc_lines lines = {.rest = text};
    size_t count = 0;
    for (bool inside = false; next_line(&lines);) {
        inside = is_in_cut(&lines, cut, inside);
        count += inside && lines.level == 2;
    }
    return count;
}

void doc_cut_put(struct buf *b, struct str text, const struct doc_cut *cut, struct str title)
{
    struct doc_lines lines = {.rest = text};
    bool single = sections_of(text, cut) == 1;
    if (!single)
        buf_fmt(b, "# %.*s\n\n", STR_ARG(title));
    for (bool inside = false; next_line(&lines);) {
        inside = is_in_cut(&lines, cut, inside);
        if (!inside)
            continue;
        buf_str(b, str_slice(lines.line, single && lines.level > 1, lines.line.n));
        buf_char(b, '\n');
    }
}

void doc_rest_put(struct buf *b, struct str text, const struct doc_cut *cuts, size_t count)
{
    struct doc_lines lines = {.rest = text};
    size_t within = count; /* the cut that the line is in; count: none */
    while (next_line(&lines)) {
        if (within < count && !is_in_cut(&lines, &cuts[within], true))
            within = count;
        for (size_t i = 0; i < count && within == count; i++)
            if (is_in_cut(&lines, &cuts[i], false))
                within = i;
        if (within < count)
            continue;
        buf_str(b, lines.line);
        if (!str_is_null(lines.rest))
            buf_char(b, '\n');
    }
}

/* --- links */

/* Whether a line looks like a heading with this anchor, perhaps in code. */
static bool has_heading(struct str text, struct str anchor)
{
    ptrdiff_t mark = 0;
    while (mark >= 0) {
        struct doc_lines lines = {.rest = text};
        if (next_line(&lines) && lines.level && has_anchor(&lines, anchor))
            return true;
        mark = str_find(text, STR("\n#"));
        text = str_slice(text, (size_t)(mark + 1), text.n);
    }
    return false;
}

/* A start looks for every link in every text: it goes through the lines of those that may have it.
 */
static bool has_section(const struct doc *doc, struct str anchor)
{
    struct doc_lines lines = {.rest = doc->markdown};
    if (!has_heading(doc->markdown, anchor))
        return false;
    while (next_line(&lines))
        if (lines.level && has_anchor(&lines, anchor))
            return true;
    return false;
}

static bool is_page(const struct doc *doc, struct str path)
{
    struct str rest = str_slice(path, sizeof "/docs" - 1, path.n);
    if (!str_starts(path, STR("/docs")))
        return false;
    return doc->name.n ? rest.n && str_eq(str_slice(rest, 1, rest.n), doc->name) : rest.n == 0;
}

/* The page with the section; NULL: the link stays as it is. */
static const struct doc *page_for(
    const struct doc_list *list, size_t page, struct str path, struct str anchor)
{
    size_t named = page;
    for (size_t i = 0; i < list->count && path.n; i++)
        if (is_page(&list->items[i], path))
            named = i;
    if ((path.n && !is_page(&list->items[named], path)) || has_section(&list->items[named], anchor))
        return NULL;
    for (size_t i = 0; i < list->count; i++)
        if (has_section(&list->items[i], anchor))
            return &list->items[i];
    return NULL;
}

/* A file beside the guide, as links on GitHub name it: "sync.md". NULL: it is no page. */
static const struct doc *page_of_file(const struct doc_list *list, struct str file)
{
    for (size_t i = 0; i < list->count; i++)
        if (str_ends(file, STR(".md")) &&
            str_eq(str_slice(file, 0, file.n - 3), list->items[i].name))
            return &list->items[i];
    return NULL;
}

/* Files that are not served have no address that a reader could open. */
static bool is_file(struct str target)
{
    static const struct str others[] = {
        STR_INIT("/"), STR_INIT("#"), STR_INIT("http:"), STR_INIT("https:"), STR_INIT("mailto:")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_starts(target, others[i]))
            return false;
    return true;
}

/* A target without its anchor. */
static struct str path_of(struct str target)
{
    ptrdiff_t hash = str_find_char(target, '#');
    return str_slice(target, 0, hash < 0 ? target.n : (size_t)hash);
}

/* The target of a link on this page. */
static void put_target(struct buf *b, const struct doc_list *list, size_t page, struct str target)
{
    ptrdiff_t hash = str_find_char(target, '#');
    struct str path = path_of(target);
    struct str anchor = hash < 0 ? STR("") : str_slice(target, (size_t)hash + 1, target.n);
    const struct doc *doc = is_file(target) ? page_of_file(list, path) : NULL;
    if (!doc && anchor.n)
        doc = page_for(list, page, path, anchor);
    if (!doc) {
        buf_str(b, target);
        return;
    }
    buf_fmt(b, "/docs%s%.*s", doc->name.n ? "/" : "", STR_ARG(doc->name));
    if (anchor.n)
        buf_fmt(b, "#%.*s", STR_ARG(anchor));
}

/* A link "[words](target)" at the start of `rest`, which is moved behind it; false: there is none.
 * A link to a file that is not served becomes its words. */
static bool put_link(struct buf *b, const struct doc_list *list, size_t page, struct str *rest)
{
    ptrdiff_t middle = str_find(*rest, STR("]("));
    struct str words = str_slice(*rest, 1, middle < 0 ? 0 : (size_t)middle);
    ptrdiff_t end = middle < 0 ? -1 : str_find_char(str_slice(*rest, (size_t)middle, rest->n), ')');
    if (middle < 0 || end < 0 || str_find(words, STR("\n\n")) >= 0 ||
        str_find_char(words, '[') >= 0)
        return false;
    struct str target = str_slice(*rest, (size_t)middle + 2, (size_t)middle + (size_t)end);
    bool served = !is_file(target) || page_of_file(list, path_of(target));
    *rest = str_slice(*rest, (size_t)middle + (size_t)end + 1, rest->n);
    if (!served) {
        buf_str(b, words);
        return true;
    }
    buf_fmt(b, "[%.*s](", STR_ARG(words));
    put_target(b, list, page, target);
    buf_char(b, ')');
    return true;
}

/* Copies the code at the start of `rest`, a span or a block, up to its closing backticks. */
static void put_code(struct buf *b, struct str *rest)
{
    size_t ticks = 0;
    while (ticks < rest->n && rest->p[ticks] == '`')
        ticks++;
    ptrdiff_t end = str_find(str_slice(*rest, ticks, rest->n), str_slice(*rest, 0, ticks));
    size_t n = end < 0 ? ticks : ticks + (size_t)end + ticks;
    buf_str(b, str_slice(*rest, 0, n));
    *rest = str_slice(*rest, n, rest->n);
}

void doc_links_put(struct buf *b, const struct doc_list *list, size_t page)
{
    struct str rest = list->items[page].markdown;
    while (rest.n > 0) {
        if (rest.p[0] == '`') {
            put_code(b, &rest);
        } else if (rest.p[0] != '[' || !put_link(b, list, page, &rest)) {
            buf_char(b, rest.p[0]);
            rest = str_slice(rest, 1, rest.n);
        }
    }
}
