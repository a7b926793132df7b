/* Pages as text; see page_text.h. */
#include "paper/page_text.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "paper/cell/html_cell.h"
#include "paper/html_tags.h"

struct page_reader {
    struct arena *arena;
    struct page_text *out;
    size_t room;
    struct buf text; /* since the last end of a line or a cell */
    struct str cells[PAGE_TEXT_CELLS_MAX];
    size_t count;
    bool in_cell, any_value; /* a cell of the row is no title */
};

/* Tags that end a line. Others, such as <a> and <em>, stand inside of one. */
static bool ends_line(const struct html_piece *tag)
{
    static const char *const blocks[] = {
        "address", "article", "aside",   "body",  "br",    "caption", "dd",    "div", "dl",
        "dt",      "footer",  "form",    "h1",    "h2",    "h3",      "h4",    "h5",  "h6",
        "head",    "header",  "hr",      "html",  "li",    "main",    "nav",   "ol",  "option",
        "p",       "pre",     "section", "tbody", "tfoot", "thead",   "title", "ul"};
    const struct html_piece bare = {
        HTML_TAG, STR_NULL,
        tag->name.n && tag->name.p[0] == '/' ? str_slice(tag->name, 1, tag->name.n) : tag->name};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (html_piece_is(&bare, blocks[i]))
            return true;
    return false;
}

static void put_space(struct buf *to)
{
    struct str text = buf_view(to);
    if (text.n && text.p[text.n - 1] != ' ')
        buf_char(to, ' ');
}

/* Folds white space. What is not UTF-8 becomes "?", as every text that a page prints is UTF-8. */
static void put_text(struct buf *to, struct str text)
{
    for (size_t i = 0; i < text.n;) {
        const unsigned char *p = (const unsigned char *)text.p + i;
        size_t length = p[0] < 0x80 ? 1 : utf8_length(p, text.n - i);
        if (length == 0)
            buf_char(to, '?');
        else if (ascii_is_space(text.p[i]))
            put_space(to);
        else if (p[0] != '\0')
            buf_str(to, str_slice(text, i, i + length));
        i += length ? length : 1;
    }
}

/* The text so far, with its entities decoded, also those that were encoded twice. */
static struct str take_text(struct page_reader *r)
{
    struct str text = str_trim(html_cell_decode(r->arena, buf_view(&r->text)));
    buf_reset(&r->text);
    return text;
}

static void add_line(struct page_reader *r, const struct str *cells, size_t count, bool of_table)
{
    struct page_text *out = r->out;
    if (out->count == PAGE_TEXT_LINES_MAX) {
        out->is_cut = true;
        return;
    }
    out->lines = arena_grow(r->arena, out->lines, out->count, &r->room, sizeof *out->lines);
    struct page_line *line = &out->lines[out->count++];
    *line = (struct page_line){
        .cells = ARENA_ARRAY(r->arena, struct str, count),
        .count = count,
        .of_table = of_table,
        .is_title = of_table && !r->any_value,
    };
    for (size_t i = 0; i < count; i++)
        line->cells[i] = cells[i];
}

/* The last cell that fits has the text of all that follow. */
static void end_cell(struct page_reader *r)
{
    if (r->count + 1 < PAGE_TEXT_CELLS_MAX)
        r->cells[r->count++] = take_text(r);
    else
        put_space(&r->text);
}

/* Ends the line, or the row of a table. */
static void end_line(struct page_reader *r)
{
    if (r->in_cell)
        end_cell(r);
    struct str rest = take_text(r);
    if (r->count) {
        if (rest.n)
            r->cells[r->count++] = rest;
        add_line(r, r->cells, r->count, true);
    } else if (rest.n) {
        add_line(r, &rest, 1, false);
    }
    r->count = 0;
    r->in_cell = r->any_value = false;
}

static void read_tag(struct page_reader *r, const struct html_piece *tag)
{
    bool value = html_piece_is(tag, "td");
    if (value || html_piece_is(tag, "th")) {
        if (r->in_cell)
            end_cell(r);
        else if (!r->count)
            end_line(r);
        r->in_cell = true;
        r->any_value |= value;
    } else if (html_piece_is(tag, "/td") || html_piece_is(tag, "/th")) {
        if (r->in_cell)
            end_cell(r);
        r->in_cell = false;
    } else if (
        html_piece_is(tag, "tr") || html_piece_is(tag, "/tr") || html_piece_is(tag, "table") ||
        html_piece_is(tag, "/table")) {
        end_line(r);
    } else if (ends_line(tag)) {
        if (r->in_cell || r->count)
            put_space(&r->text);
        else
            end_line(r);
    }
}

void page_text_read(struct str html, struct arena *arena, struct page_text *ret)
{
    struct page_reader r = {.arena = arena, .out = ret};
    *ret = (struct page_text){.is_cut = html.n > PAGE_TEXT_BYTES_MAX};
    html = str_slice(html, 0, PAGE_TEXT_BYTES_MAX);
    buf_init(&r.text, html.n + 1);
    while (html.n && ret->count < PAGE_TEXT_LINES_MAX) {
        struct html_piece piece = html_tags_take(&html);
        if (piece.part == HTML_TAG)
            read_tag(&r, &piece);
        put_text(&r.text, piece.text);
    }
    end_line(&r);
    ret->is_cut |= html.n > 0;
    buf_finish(&r.text);
}

ptrdiff_t page_text_find(const struct page_text *page, int64_t number)
{
    ptrdiff_t found = -1;
    for (size_t i = 0; i < page->count; i++) {
        const struct page_line *line = &page->lines[i];
        int64_t printed;
        if (!line->of_table || !str_to_i64(line->cells[0], &printed) || printed != number)
            continue;
        if (found >= 0)
            return -1;
        found = (ptrdiff_t)i;
    }
    return found;
}
