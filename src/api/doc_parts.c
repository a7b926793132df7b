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

static bool has_section(const struct doc *doc, struct str anchor)
{
    struct doc_lines lines = {.rest = doc->markdown};
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

/* A link target up to its closing parenthesis. */
static void put_target(struct buf *b, const struct doc_list *list, size_t page, struct str target)
{
    ptrdiff_t hash = str_find_char(target, '#');
    struct str path = str_slice(target, 0, hash < 0 ? 0 : (size_t)hash);
    struct str anchor = str_slice(target, (size_t)(hash + 1), target.n);
    const struct doc *doc = hash < 0 ? NULL : page_for(list, page, path, anchor);
    if (doc)
        buf_fmt(b, "/docs%s%.*s#%.*s", doc->name.n ? "/" : "", STR_ARG(doc->name), STR_ARG(anchor));
    else
        buf_str(b, target);
}

void doc_links_put(struct buf *b, const struct doc_list *list, size_t page)
{
    const struct str opening = STR("](");
    struct str rest = list->items[page].markdown;
    for (ptrdiff_t at; (at = str_find(rest, opening)) >= 0;) {
        size_t begin = (size_t)at + opening.n;
        buf_str(b, str_slice(rest, 0, begin));
        rest = str_slice(rest, begin, rest.n);
        ptrdiff_t end = str_find_char(rest, ')');
        size_t n = end < 0 ? rest.n : (size_t)end;
        put_target(b, list, page, str_slice(rest, 0, n));
        rest = str_slice(rest, n, rest.n);
    }
    buf_str(b, rest);
}
