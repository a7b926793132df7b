/* Tags and texts in order; see html_tags.h. */
#include "paper/html_tags.h"

static bool is_name(char c)
{
    return ascii_is_alnum(c) || c == '-';
}

/* The tag at the start of the text, whose attributes may hold a quoted >. Returns its size from <
 * to
 * >; 0: it is none. */
static size_t read_tag(struct str text, struct str *ret_name)
{
    size_t from = 1, n = text.n > 1 && text.p[1] == '/' ? 2 : 1;
    if (text.n <= n || !ascii_is_alpha(text.p[n]))
        return 0;
    while (n < text.n && is_name(text.p[n]))
        n++;
    *ret_name = str_slice(text, from, n);
    for (char quote = 0; n < text.n && (quote || text.p[n] != '>'); n++) {
        if (quote)
            quote = text.p[n] == quote ? 0 : quote;
        else if (text.p[n] == '"' || text.p[n] == '\'')
            quote = text.p[n];
    }
    return n < text.n ? n + 1 : n;
}

/* The size of what stands before `end`, and of it; all of the text if it is not there. */
static size_t size_to(struct str text, struct str end)
{
    for (size_t i = 0; i + end.n <= text.n; i++)
        if (text.p[i] == end.p[0] && str_eq_nocase(str_slice(text, i, i + end.n), end))
            return i + end.n;
    return text.n;
}

/* The size of a comment, or of an element whose text no page shows; 0: neither. */
static size_t hidden_size(struct str text, struct str name)
{
    if (str_starts(text, STR("<!--")))
        return size_to(text, STR("-->"));
    if (str_starts(text, STR("<!")) || str_starts(text, STR("<?")))
        return size_to(text, STR(">"));
    if (str_eq_nocase(name, STR("script")))
        return size_to(text, STR("</script>"));
    return str_eq_nocase(name, STR("style")) ? size_to(text, STR("</style>")) : 0;
}

struct html_piece html_tags_take(struct str *html)
{
    struct html_piece piece = {.part = HTML_TEXT};
    size_t size = 0;
    if (html->p[0] == '<') {
        size_t tag = read_tag(*html, &piece.name);
        size = hidden_size(*html, piece.name);
        piece.part = size ? HTML_HIDDEN : tag ? HTML_TAG : HTML_TEXT;
        size = size ? size : tag ? tag : 1;
    } else {
        while (size < html->n && html->p[size] != '<')
            size++;
    }
    if (piece.part == HTML_TEXT)
        piece.text = str_slice(*html, 0, size);
    *html = str_slice(*html, size, html->n);
    return piece;
}

bool html_piece_is(const struct html_piece *piece, const char *name)
{
    return piece->part == HTML_TAG && str_eq_nocase(piece->name, str_from(name));
}
