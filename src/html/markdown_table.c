/*
 * Tables of the documentation. Each cell but the first says its column in data-label, because a row
 * becomes a block on a phone. A row whose first cell is one word of code is a term with an address:
 * "limit" below the heading "trades" is #trades.limit.
 */
#include "html/markdown_parts.h"

static const struct {
    struct str tag;
    bool head, number;
} cells[] = {
    {STR_INIT("<th>"), true, false},
    {STR_INIT("<th align=\"left\">"), true, false},
    {STR_INIT("<th align=\"right\">"), true, true},
    {STR_INIT("<td>"), false, false},
    {STR_INIT("<td align=\"left\">"), false, false},
    {STR_INIT("<td align=\"right\">"), false, true},
};

/* A heading of a column. An empty one is a cell: a heading must say something. */
static void put_head(struct markdown_rewriter *r, bool number)
{
    struct str label = markdown_take_until(r, "</th>");
    if (r->columns < MARKDOWN_COLUMNS_MAX)
        r->labels[r->columns++] = label;
    const char *class = number ? " class=\"number\"" : "";
    if (label.n)
        buf_fmt(r->html, "<th%s>%.*s</th>", class, STR_ARG(label));
    else
        buf_text(r->html, "<td></td>");
}

/* The text of a heading, without its tags. */
static void put_label(struct buf *b, struct str label)
{
    bool in_tag = false;
    for (size_t i = 0; i < label.n; i++) {
        in_tag |= label.p[i] == '<';
        if (!in_tag)
            buf_char(b, label.p[i]);
        in_tag &= label.p[i] != '>';
    }
}

static void put_cell(struct markdown_rewriter *r, bool number)
{
    size_t column = r->column++;
    buf_fmt(r->html, "<td%s", number ? " class=\"number\"" : "");
    if (column > 0 && column < r->columns) {
        buf_text(r->html, " data-label=\"");
        put_label(r->html, r->labels[column]);
        buf_char(r->html, '"');
    }
    buf_char(r->html, '>');
}

static bool is_term(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!ascii_is_alnum(word.p[i]) && word.p[i] != '_' && word.p[i] != '-' && word.p[i] != '.')
            return false;
    return word.n > 0;
}

/* The term that the row begins with; null: none. */
static struct str term_of(struct str row)
{
    const struct str opening = STR("<code>");
    ptrdiff_t begin = str_find(row, opening), end = str_find(row, STR("</code>"));
    ptrdiff_t cell = str_find(row, STR("<td")), cell_end = str_find(row, STR(">"));
    if (begin < 0 || end < begin || cell < 0 || begin != cell_end + 1)
        return STR_NULL;
    struct str word = str_slice(row, (size_t)begin + opening.n, (size_t)end);
    return is_term(word) ? word : STR_NULL;
}

/* The first row with a term has the address. */
static void put_row(struct markdown_rewriter *r)
{
    struct buf id;
    struct str term = r->in_head ? STR_NULL : term_of(r->rest);
    r->column = 0;
    buf_init(&id, SIZE_MAX);
    buf_fmt(
        &id, " id=\"%.*s%s%.*s\"", STR_ARG(buf_view(&r->anchor)), r->anchor.n ? "." : "",
        STR_ARG(term));
    buf_text(r->html, "<tr");
    if (term.n && str_find(buf_view(r->html), buf_view(&id)) < 0)
        buf_str(r->html, buf_view(&id));
    buf_char(r->html, '>');
    buf_finish(&id);
}

bool markdown_put_table_tag(struct markdown_rewriter *r)
{
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (!markdown_take(r, cells[i].tag))
            continue;
        if (cells[i].head)
            put_head(r, cells[i].number);
        else
            put_cell(r, cells[i].number);
        return true;
    }
    if (markdown_take(r, STR("<table>"))) {
        buf_text(r->html, "<div class=\"table\" tabindex=\"0\"><table>");
        r->columns = 0;
        r->in_head = true;
    } else if (markdown_take(r, STR("</table>"))) {
        buf_text(r->html, "</table></div>");
    } else if (markdown_take(r, STR("<tbody>"))) {
        buf_text(r->html, "<tbody>");
        r->in_head = false;
    } else if (markdown_take(r, STR("<tr>"))) {
        put_row(r);
    } else {
        return false;
    }
    return true;
}
