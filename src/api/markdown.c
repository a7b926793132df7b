/* Converts Markdown to HTML with the callbacks of md4c; see markdown.h. */
#include "api/markdown.h"

#include <md4c.h>

#include "base/hidden.h"
#include "base/mem.h"
#include "base/no_memory.h"

struct page {
    struct str source;
    struct buf *html, *contents;
    struct buf *inline_to; /* where inline text goes: html or heading */
    struct buf heading;    /* HTML of the current heading */
    struct buf plain;      /* its text */
    int level;             /* of the last entry in contents; 1: none */
};

static void put_escaped(struct buf *b, struct str text)
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

void html_text(struct buf *b, struct str text)
{
    struct buf shown;
    if (hidden_in_lines(text) == HIDDEN_NONE) {
        put_escaped(b, text);
        return;
    }
    buf_init(&shown, SIZE_MAX);
    hidden_show_lines(&shown, text);
    put_escaped(b, buf_view(&shown));
    buf_finish(&shown);
}

static void put_attribute(struct buf *b, const MD_ATTRIBUTE *attribute)
{
    html_text(b, str_of(attribute->text, attribute->size));
}

/* --- headings */

/* "In short" becomes in-short, as on GitHub. */
static void put_anchor(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = ascii_lower(text.p[i]);
        if (ascii_is_alnum(c))
            buf_char(b, c);
        else if (c == ' ' || c == '-')
            buf_char(b, '-');
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
static void put_entry(struct page *page, int level, struct str anchor, struct str heading)
{
    struct buf *b = page->contents;
    buf_text(
        b, level > page->level   ? "<ul>\n"
           : level < page->level ? "</li>\n</ul></li>\n"
                                 : "</li>\n");
    buf_fmt(b, "<li><a href=\"#%.*s\">%.*s</a>", STR_ARG(anchor), STR_ARG(heading));
    page->level = level;
}

static void end_contents(struct page *page)
{
    for (; page->level > 1; page->level--)
        buf_text(page->contents, "</li>\n</ul>");
    buf_char(page->contents, '\n');
}

/* Every heading below the title gets an anchor. */
static void end_heading(struct page *page, int level)
{
    struct str heading = buf_view(&page->heading), plain = buf_view(&page->plain);
    struct str anchor = cut_anchor(&heading);
    struct buf made;
    buf_init(&made, SIZE_MAX);
    if (str_is_null(anchor) && level > 1) {
        put_anchor(&made, plain);
        anchor = buf_view(&made);
    }
    if (str_is_null(anchor))
        buf_fmt(page->html, "<h%d>%.*s</h%d>\n", level, STR_ARG(heading), level);
    else
        buf_fmt(
            page->html, "<h%d id=\"%.*s\"><a class=\"anchor\" href=\"#%.*s\">%.*s</a></h%d>\n",
            level, STR_ARG(anchor), STR_ARG(anchor), STR_ARG(heading), level);
    if (level == 2 || level == 3)
        put_entry(page, level, anchor, heading);
    buf_finish(&made);
    buf_reset(&page->heading);
    buf_reset(&page->plain);
}

/* --- callbacks of md4c */

static const struct tags {
    const char *open, *close;
} blocks[] =
    {
        [MD_BLOCK_QUOTE] = {"<aside class=\"note\">", "</aside>\n"},
        [MD_BLOCK_UL] = {"<ul>\n", "</ul>\n"},
        [MD_BLOCK_OL] = {"<ol>\n", "</ol>\n"},
        [MD_BLOCK_LI] = {"<li>", "</li>\n"},
        [MD_BLOCK_HR] = {"<hr>\n", ""},
        [MD_BLOCK_CODE] = {"<figure class=\"code\" data-language=\"", "</code></pre></figure>\n"},
        [MD_BLOCK_P] = {"<p>", "</p>\n"},
        [MD_BLOCK_TABLE] = {"<div class=\"table\" tabindex=\"0\"><table>\n", "</table></div>\n"},
        [MD_BLOCK_THEAD] = {"<thead>", "</thead>\n"},
        [MD_BLOCK_TBODY] = {"<tbody>\n", "</tbody>"},
        [MD_BLOCK_TR] = {"<tr>", "</tr>\n"},
        [MD_BLOCK_TH] = {"<th", "</th>"},
        [MD_BLOCK_TD] = {"<td", "</td>"},
},
  spans[] = {
      [MD_SPAN_EM] = {"<em>", "</em>"},
      [MD_SPAN_STRONG] = {"<strong>", "</strong>"},
      [MD_SPAN_A] = {"<a href=\"", "</a>"},
      [MD_SPAN_CODE] = {"<code>", "</code>"},
};

static const struct tags *tags_of(const struct tags *table, size_t count, size_t type)
{
    static const struct tags none = {"", ""};
    return type < count && table[type].open ? &table[type] : &none;
}

#define TAGS(table, type) tags_of((table), sizeof(table) / sizeof *(table), (size_t)(type))

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct page *page = ctx;
    buf_text(page->html, TAGS(blocks, type)->open);
    if (type == MD_BLOCK_H)
        page->inline_to = &page->heading;
    if (type == MD_BLOCK_CODE) {
        put_attribute(page->html, &((const MD_BLOCK_CODE_DETAIL *)detail)->lang);
        buf_text(page->html, "\"><pre tabindex=\"0\"><code>");
    }
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
        bool number = ((const MD_BLOCK_TD_DETAIL *)detail)->align == MD_ALIGN_RIGHT;
        buf_text(page->html, number ? " class=\"number\">" : ">");
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct page *page = ctx;
    if (type == MD_BLOCK_H)
        end_heading(page, (int)((const MD_BLOCK_H_DETAIL *)detail)->level);
    page->inline_to = page->html;
    buf_text(page->html, TAGS(blocks, type)->close);
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    struct page *page = ctx;
    buf_text(page->inline_to, TAGS(spans, type)->open);
    if (type == MD_SPAN_A) {
        put_attribute(page->inline_to, &((const MD_SPAN_A_DETAIL *)detail)->href);
        buf_text(page->inline_to, "\">");
    }
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    struct page *page = ctx;
    buf_text(page->inline_to, TAGS(spans, type)->close);
    return 0;
}

/* md4c replaces the tabs at the start of a code line by spaces. Restores them, for copied code. */
static struct str with_tabs(struct page *page, struct str line)
{
    struct buf *b = page->inline_to;
    bool in_source = (uintptr_t)line.p - (uintptr_t)page->source.p - 1 < page->source.n;
    struct str full = line;
    for (; in_source && (full.p[-1] == '\t' || full.p[-1] == ' '); full.p--)
        full.n++;
    if (str_find_char(str_slice(full, 0, full.n - line.n), '\t') < 0)
        return line;
    while (b->n > 0 && b->p[b->n - 1] == ' ')
        b->n--;
    return full;
}

static int text(MD_TEXTTYPE type, const MD_CHAR *bytes, MD_SIZE n, void *ctx)
{
    struct page *page = ctx;
    struct str part = str_of(bytes, n);
    html_text(page->inline_to, type == MD_TEXT_CODE ? with_tabs(page, part) : part);
    if (page->inline_to == &page->heading)
        buf_str(&page->plain, part);
    return 0;
}

void markdown_html(struct buf *b, struct buf *contents, struct str markdown)
{
    static const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = text,
    };
    /* md4c uses strcspn to find the end of a line, which needs a NUL after the text. */
    char *source = mem_strdup(markdown);
    struct page page = {
        .source = str_of(source, markdown.n),
        .html = b,
        .contents = contents,
        .inline_to = b,
        .level = 1};
    buf_init(&page.heading, SIZE_MAX);
    buf_init(&page.plain, SIZE_MAX);
    if (md_parse(source, (MD_SIZE)markdown.n, &parser, &page) != 0)
        no_memory(0);
    end_contents(&page);
    buf_finish(&page.heading);
    buf_finish(&page.plain);
    mem_free(source);
}
