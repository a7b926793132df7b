/*
 * Converts Markdown with md4c-html, then gives its output the anchors and elements of our pages;
 * see markdown.h. In that output every '<' begins a tag, because text is escaped.
 */
#include "html/markdown.h"

#include <md4c-html.h>

#include "base/hidden.h"
#include "html/markdown_parts.h"
#include "base/mem.h"
#include "base/no_memory.h"

/* --- before md4c */

static bool is_fence(struct str line)
{
    return str_starts(str_trim(line), STR("```"));
}

/* Marks tabs at the start of lines of fenced code, so that copied code has them. */
static void put_source(struct buf *b, struct str text)
{
    struct str line;
    bool in_code = false;
    while (str_split(&text, '\n', &line)) {
        size_t i = 0;
        in_code ^= is_fence(line);
        for (; in_code && i < line.n && (line.p[i] == '\t' || line.p[i] == ' '); i++)
            buf_char(b, line.p[i] == '\t' ? MARKDOWN_TAB : ' ');
        buf_str(b, str_slice(line, i, line.n));
        buf_char(b, '\n');
    }
}

/* --- headings */

/* "In short" becomes in-short, as on GitHub. Tags and references in the heading are left out. */
static void put_anchor(struct buf *b, struct str heading)
{
    for (size_t i = 0; i < heading.n; i++) {
        char c = ascii_lower(heading.p[i]);
        if (c == '<' || c == '&') {
            char end = c == '<' ? '>' : ';';
            while (i < heading.n && heading.p[i] != end)
                i++;
        } else if (ascii_is_alnum(c)) {
            buf_char(b, c);
        } else if (c == ' ' || c == '-') {
            buf_char(b, '-');
        }
    }
}

/* Removes " {#anchor}" from the end of a heading and returns the anchor. Null: there is none. */
static struct str cut_anchor(struct str *heading)
{
    ptrdiff_t mark = str_find(*heading, STR(" {#"));
    if (mark < 0 || !str_ends(*heading, STR("}")))
        return STR_NULL;
    struct str anchor = str_slice(*heading, (size_t)mark + 3, heading->n - 1);
    *heading = str_slice(*heading, 0, (size_t)mark);
    return anchor;
}

/* Levels change by one. A nested list opens inside the previous item. */
static void put_entry(struct markdown_rewriter *r, int level, struct str anchor, struct str heading)
{
    struct buf *b = r->contents;
    buf_text(b, level > r->level ? "<ul>\n" : level < r->level ? "</li>\n</ul></li>\n" : "</li>\n");
    buf_fmt(b, "<li><a href=\"#%.*s\">%.*s</a>", STR_ARG(anchor), STR_ARG(heading));
    r->level = level;
}

static void end_contents(struct markdown_rewriter *r)
{
    for (; r->level > 1; r->level--)
        buf_text(r->contents, "</li>\n</ul>");
    buf_char(r->contents, '\n');
}

struct str markdown_take_until(struct markdown_rewriter *r, const char *closing)
{
    ptrdiff_t end = str_find(r->rest, str_from(closing));
    size_t n = end < 0 ? r->rest.n : (size_t)end;
    struct str text = str_slice(r->rest, 0, n);
    r->rest = str_slice(r->rest, n + strlen(closing), r->rest.n);
    return text;
}

/* Every heading below the title gets an anchor. */
static void put_heading(struct markdown_rewriter *r, int level)
{
    char closing[] = "</h0>";
    struct buf made;
    closing[3] = (char)('0' + level);
    struct str heading = markdown_take_until(r, closing), anchor = cut_anchor(&heading);
    buf_init(&made, SIZE_MAX);
    if (str_is_null(anchor) && level > 1) {
        put_anchor(&made, heading);
        anchor = buf_view(&made);
    }
    if (str_is_null(anchor))
        buf_fmt(r->html, "<h%d>%.*s</h%d>", level, STR_ARG(heading), level);
    else
        buf_fmt(
            r->html, "<h%d id=\"%.*s\"><a class=\"anchor\" href=\"#%.*s\">%.*s</a></h%d>", level,
            STR_ARG(anchor), STR_ARG(anchor), STR_ARG(heading), level);
    if (level == 2 || level == 3)
        put_entry(r, level, anchor, heading);
    buf_reset(&r->anchor);
    buf_str(&r->anchor, anchor);
    buf_finish(&made);
}

/* --- tags */

/* Tags of md4c-html that become others. */
static const struct {
    struct str from;
    const char *to;
} tags[] = {
    {STR_INIT("<blockquote>"), "<aside class=\"note\">"},
    {STR_INIT("</blockquote>"), "</aside>"},
};

bool markdown_take(struct markdown_rewriter *r, struct str tag)
{
    if (!str_starts(r->rest, tag))
        return false;
    r->rest = str_slice(r->rest, tag.n, r->rest.n);
    return true;
}

static void put_tag(struct markdown_rewriter *r)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (markdown_take(r, tags[i].from)) {
            buf_text(r->html, tags[i].to);
            return;
        }
    for (int level = 1; level <= 6; level++) {
        char opening[] = "<h0>";
        opening[2] = (char)('0' + level);
        if (markdown_take(r, str_from(opening))) {
            put_heading(r, level);
            return;
        }
    }
    if (markdown_take(r, STR("<pre><code class=\"language-"))) {
        markdown_put_code(r, markdown_take_until(r, "\">"));
    } else if (markdown_take(r, STR("<pre><code>"))) {
        markdown_put_code(r, STR(""));
    } else if (!markdown_put_table_tag(r)) {
        buf_char(r->html, '<');
        r->rest = str_slice(r->rest, 1, r->rest.n);
    }
}

static void rewrite(struct markdown_rewriter *r)
{
    while (r->rest.n > 0) {
        ptrdiff_t tag = str_find_char(r->rest, '<');
        size_t n = tag < 0 ? r->rest.n : (size_t)tag;
        buf_str(r->html, str_slice(r->rest, 0, n));
        r->rest = str_slice(r->rest, n, r->rest.n);
        if (r->rest.n > 0)
            put_tag(r);
    }
    end_contents(r);
}

static void collect(const MD_CHAR *bytes, MD_SIZE n, void *ctx)
{
    buf_put(ctx, bytes, n);
}

void markdown_html(struct buf *b, struct buf *contents, struct str markdown)
{
    enum { PARSER_FLAGS = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS };
    struct buf shown, source, html;
    buf_init(&shown, SIZE_MAX);
    buf_init(&source, SIZE_MAX);
    buf_init(&html, SIZE_MAX);
    hidden_show_lines(&shown, markdown);
    put_source(&source, buf_view(&shown));
    buf_char(&source, '\0'); /* md4c searches the end of a line with strcspn */
    if (md_html(source.p, (MD_SIZE)source.n - 1, collect, &html, PARSER_FLAGS, 0) != 0)
        no_memory(0);
    struct markdown_rewriter rewriter = {
        .html = b, .contents = contents, .rest = buf_view(&html), .level = 1};
    buf_init(&rewriter.anchor, SIZE_MAX);
    rewrite(&rewriter);
    buf_finish(&rewriter.anchor);
    buf_finish(&html);
    buf_finish(&source);
    buf_finish(&shown);
}
