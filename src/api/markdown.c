/* Markdown to HTML; see markdown.h. */
#include "api/markdown.h"

void html_text(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        switch (text.p[i]) {
        case '<':
            buf_text(b, "&lt;");
            break;
        case '>':
            buf_text(b, "&gt;");
            break;
        case '&':
            buf_text(b, "&amp;");
            break;
        case '"':
            buf_text(b, "&quot;");
            break;
        default:
            buf_char(b, text.p[i]);
        }
    }
}

/* The text up to `close`, cut off *rest with the mark; null, and *rest untouched, without one. */
static struct str cut(struct str *rest, struct str close)
{
    ptrdiff_t at = str_find(*rest, close);
    if (at < 0)
        return STR_NULL;
    struct str part = str_slice(*rest, 0, (size_t)at);
    *rest = str_slice(*rest, (size_t)at + close.n, rest->n);
    return part;
}

static void put_inline(struct buf *b, struct str text);

static bool put_code(struct buf *b, struct str *rest)
{
    struct str after = str_slice(*rest, 1, rest->n), code = cut(&after, STR("`"));
    if (str_is_null(code))
        return false;
    buf_text(b, "<code>");
    html_text(b, code);
    buf_text(b, "</code>");
    *rest = after;
    return true;
}

static bool put_strong(struct buf *b, struct str *rest)
{
    struct str after = str_slice(*rest, 2, rest->n), strong = cut(&after, STR("**"));
    if (str_is_null(strong))
        return false;
    buf_text(b, "<strong>");
    put_inline(b, strong);
    buf_text(b, "</strong>");
    *rest = after;
    return true;
}

static bool put_link(struct buf *b, struct str *rest)
{
    struct str after = str_slice(*rest, 1, rest->n), text = cut(&after, STR("](")), to;
    if (str_is_null(text))
        return false;
    to = cut(&after, STR(")"));
    if (str_is_null(to))
        return false;
    buf_text(b, "<a href=\"");
    html_text(b, to);
    buf_text(b, "\">");
    put_inline(b, text);
    buf_text(b, "</a>");
    *rest = after;
    return true;
}

static void put_inline(struct buf *b, struct str text)
{
    while (text.n) {
        bool done = false;
        if (text.p[0] == '`')
            done = put_code(b, &text);
        else if (str_starts(text, STR("**")))
            done = put_strong(b, &text);
        else if (text.p[0] == '[')
            done = put_link(b, &text);
        if (!done) {
            html_text(b, str_slice(text, 0, 1));
            text = str_slice(text, 1, text.n);
        }
    }
}

/* Blocks. `next` is the text from the current line on; each takes the lines that are its own. */

static struct str peek(struct str next)
{
    struct str line = STR_NULL;
    return str_split(&next, '\n', &line) ? line : STR_NULL;
}

static struct str take(struct str *next)
{
    struct str line = STR_NULL;
    str_split(next, '\n', &line);
    return line;
}

struct heading {
    int level;
    struct str text;
    struct str anchor; /* null: none */
};

static bool read_heading(struct str line, struct heading *ret)
{
    int level = 0;
    while ((size_t)level < line.n && line.p[level] == '#')
        level++;
    if (level == 0 || level > 3 || (size_t)level >= line.n || line.p[level] != ' ')
        return false;
    struct str text = str_slice(line, (size_t)level + 1, line.n), anchor = STR_NULL;
    ptrdiff_t mark = str_find(text, STR(" {#"));
    if (mark >= 0 && str_ends(text, STR("}"))) {
        anchor = str_slice(text, (size_t)mark + 3, text.n - 1);
        text = str_slice(text, 0, (size_t)mark);
    }
    *ret = (struct heading){level, text, anchor};
    return true;
}

/* Below the title every heading can be linked to. */
static bool has_anchor(const struct heading *heading)
{
    return heading->level > 1 || !str_is_null(heading->anchor);
}

/* The one that stands there, or else as forges make it: "In short" is in-short. */
static void put_anchor(struct buf *b, const struct heading *heading)
{
    if (!str_is_null(heading->anchor)) {
        html_text(b, heading->anchor);
        return;
    }
    for (size_t i = 0; i < heading->text.n; i++) {
        char c = ascii_lower(heading->text.p[i]);
        if ((c >= 'a' && c <= 'z') || ascii_is_digit(c))
            buf_char(b, c);
        else if (c == ' ' || c == '-')
            buf_char(b, '-');
    }
}

static void put_heading(struct buf *b, const struct heading *heading)
{
    buf_fmt(b, "<h%d", heading->level);
    if (has_anchor(heading)) {
        buf_text(b, " id=\"");
        put_anchor(b, heading);
        buf_text(b, "\"><a class=\"anchor\" href=\"#");
        put_anchor(b, heading);
        buf_text(b, "\">");
        put_inline(b, heading->text);
        buf_text(b, "</a>");
    } else {
        buf_char(b, '>');
        put_inline(b, heading->text);
    }
    buf_fmt(b, "</h%d>\n", heading->level);
}

static void put_fence(struct buf *b, struct str *next)
{
    struct str fence = take(next), language = str_slice(fence, 3, fence.n);
    buf_text(b, "<figure class=\"code\" data-language=\"");
    html_text(b, language);
    buf_text(b, "\"><pre tabindex=\"0\"><code>");
    while (!str_is_null(*next)) {
        struct str line = take(next);
        if (str_eq(line, STR("```")))
            break;
        html_text(b, line);
        buf_char(b, '\n');
    }
    buf_text(b, "</code></pre></figure>\n");
}

enum { TABLE_COLUMNS_MAX = 8 };

/* The cells of "| a | b |"; returns how many. */
static size_t read_cells(struct str line, struct str cells[static TABLE_COLUMNS_MAX])
{
    size_t n = 0;
    struct str rest = str_slice(line, 1, line.n), cell;
    while (n < TABLE_COLUMNS_MAX && str_split(&rest, '|', &cell) && !str_is_null(rest))
        cells[n++] = str_trim(cell);
    return n;
}

static void put_row(
    struct buf *b, struct str line, const char *tag, const struct str *marks, size_t columns)
{
    struct str cells[TABLE_COLUMNS_MAX];
    size_t n = read_cells(line, cells);
    buf_text(b, "<tr>");
    for (size_t i = 0; i < n; i++) {
        bool number = i < columns && str_ends(marks[i], STR(":"));
        buf_fmt(b, "<%s%s>", tag, number ? " class=\"number\"" : "");
        put_inline(b, cells[i]);
        buf_fmt(b, "</%s>", tag);
    }
    buf_text(b, "</tr>\n");
}

static void put_table(struct buf *b, struct str *next)
{
    struct str head = take(next), marks[TABLE_COLUMNS_MAX];
    size_t columns = read_cells(take(next), marks);
    buf_text(b, "<div class=\"table\" tabindex=\"0\"><table>\n<thead>");
    put_row(b, head, "th", marks, columns);
    buf_text(b, "</thead>\n<tbody>\n");
    while (str_starts(peek(*next), STR("|")))
        put_row(b, take(next), "td", marks, columns);
    buf_text(b, "</tbody></table></div>\n");
}

/* What begins an item of either list: "- " or "1. "; 0: none. */
static size_t item_mark(struct str line)
{
    if (str_starts(line, STR("- ")))
        return 2;
    return line.n > 3 && ascii_is_digit(line.p[0]) && line.p[1] == '.' && line.p[2] == ' ' ? 3 : 0;
}

static void put_list(struct buf *b, struct str *next)
{
    const char *tag = item_mark(peek(*next)) == 2 ? "ul" : "ol";
    buf_fmt(b, "<%s>\n", tag);
    while (item_mark(peek(*next))) {
        struct str line = take(next);
        buf_text(b, "<li>");
        put_inline(b, str_slice(line, item_mark(line), line.n));
        while (str_starts(peek(*next), STR("  "))) {
            buf_char(b, '\n');
            put_inline(b, str_trim(take(next)));
        }
        buf_text(b, "</li>\n");
    }
    buf_fmt(b, "</%s>\n", tag);
}

static void put_note(struct buf *b, struct str *next)
{
    buf_text(b, "<aside class=\"note\"><p>");
    while (str_starts(peek(*next), STR("> "))) {
        struct str line = take(next);
        put_inline(b, str_slice(line, 2, line.n));
        buf_char(b, '\n');
    }
    buf_text(b, "</p></aside>\n");
}

static void put_paragraph(struct buf *b, struct str *next)
{
    struct heading heading;
    buf_text(b, "<p>");
    do {
        put_inline(b, take(next));
        buf_char(b, '\n');
    } while (peek(*next).n && !item_mark(peek(*next)) && !str_starts(peek(*next), STR("|")) &&
             !str_starts(peek(*next), STR("```")) && !read_heading(peek(*next), &heading));
    buf_text(b, "</p>\n");
}

void markdown_html(struct buf *b, struct str markdown)
{
    struct heading heading;
    while (!str_is_null(markdown)) {
        struct str line = peek(markdown);
        if (line.n == 0) {
            take(&markdown);
        } else if (read_heading(line, &heading)) {
            take(&markdown);
            put_heading(b, &heading);
        } else if (str_starts(line, STR("```"))) {
            put_fence(b, &markdown);
        } else if (str_starts(line, STR("|"))) {
            put_table(b, &markdown);
        } else if (item_mark(line)) {
            put_list(b, &markdown);
        } else if (str_starts(line, STR("> "))) {
            put_note(b, &markdown);
        } else {
            put_paragraph(b, &markdown);
        }
    }
}

void markdown_contents(struct buf *b, struct str markdown)
{
    struct heading heading;
    bool fenced = false;
    int level = 1;
    while (!str_is_null(markdown)) {
        struct str line = take(&markdown);
        if (str_starts(line, STR("```")))
            fenced = !fenced;
        if (fenced || !read_heading(line, &heading) || !has_anchor(&heading))
            continue;
        /* Levels change by one: a list is opened inside the item before it. */
        if (heading.level > level)
            buf_text(b, "<ul>\n");
        else if (heading.level < level)
            buf_text(b, "</li>\n</ul></li>\n");
        else
            buf_text(b, "</li>\n");
        level = heading.level;
        buf_text(b, "<li><a href=\"#");
        put_anchor(b, &heading);
        buf_text(b, "\">");
        put_inline(b, heading.text);
        buf_text(b, "</a>");
    }
    for (; level > 1; level--)
        buf_text(b, "</li>\n</ul>");
    buf_char(b, '\n');
}
