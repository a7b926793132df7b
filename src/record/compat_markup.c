/* Puts markup around text; see compat_markup.h. */
#include "record/compat_markup.h"

static void put_escaped(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '&')
            buf_text(b, "&amp;");
        else if (text.p[i] == '<' || text.p[i] == '>')
            buf_text(b, text.p[i] == '<' ? "&lt;" : "&gt;");
        else
            buf_char(b, text.p[i]);
}

struct str compat_markup(struct str text, struct arena *arena)
{
    BUF_SCOPED(b, SIZE_MAX);
    put_escaped(&b, text);
    return arena_str(arena, buf_view(&b));
}

static void put_link(struct buf *b, struct str symbol)
{
    bool none = str_eq(symbol, STR("--"));
    buf_text(b, none ? "" : "<a href=\"https://finance.yahoo.com/q?s=");
    put_escaped(b, symbol);
    if (none)
        return;
    buf_text(b, "\" target=\"_blank\">");
    put_escaped(b, symbol);
    buf_text(b, "</a>");
}

struct str compat_markup_link(struct str first, struct str second, struct arena *arena)
{
    BUF_SCOPED(b, SIZE_MAX);
    put_link(&b, first);
    if (second.n) {
        buf_text(&b, " <br> ");
        put_link(&b, second);
    }
    return arena_str(arena, buf_view(&b));
}

#define BLOCK " <div class=\"text-muted\">"

/* In the order of the page. */
static const struct {
    struct str label;
    const char *before, *after;
    bool place; /* the value ends with one in parentheses */
    bool rest;  /* free text: there is no label behind it */
} details[] = {
    {STR_INIT("Rate/Coupon: "), BLOCK "<em>Rate/Coupon:</em> ", "<br>", false, false},
    {STR_INIT("Matures: "), " <em>Matures:</em> ", "</div>", false, false},
    {STR_INIT("Option Type: "), BLOCK "Option Type: ", " <br>", false, false},
    {STR_INIT("Strike price: "), "<em>Strike price:</em> ", " <br>", false, false},
    {STR_INIT("Expires: "), " <em>Expires:</em> ", " </div>", false, false},
    {STR_INIT("Company: "), BLOCK " <em>Company:</em> ", " </div>", true, false},
    {STR_INIT("Description: "), BLOCK "<em>Description:</em>&nbsp;", "</div>", false, true},
};

enum { DETAILS = sizeof details / sizeof *details };

/* Where a value in parentheses at the end begins; the length of the text: there is none. */
static size_t place_of(struct str text)
{
    size_t at = text.n;
    int depth = 0;
    while (at && str_ends(text, STR(")"))) {
        char c = text.p[--at];
        depth += (c == ')') - (c == '(');
        if (depth == 0)
            return at;
    }
    return text.n;
}

static void put_detail(struct buf *b, size_t i, struct str value)
{
    size_t place = details[i].place ? place_of(value) : value.n;
    buf_text(b, details[i].before);
    put_escaped(b, str_slice(value, 0, place));
    buf_text(b, place < value.n ? "&nbsp;" : "");
    put_escaped(b, str_slice(value, place, value.n));
    buf_text(b, details[i].after);
}

/* The label that is next in the text, from `first` on; DETAILS: none. */
static size_t next_label(struct str text, size_t first, size_t *ret_at)
{
    size_t found = DETAILS;
    *ret_at = text.n;
    for (size_t i = first; i < DETAILS; i++) {
        ptrdiff_t at = str_find(text, details[i].label);
        bool word = at == 0 || (at > 0 && text.p[at - 1] == ' ');
        if (word && (size_t)at < *ret_at) {
            *ret_at = (size_t)at;
            found = i;
        }
    }
    return found;
}

struct str compat_markup_asset(struct str asset, struct str rest, struct arena *arena)
{
    static const struct str given = STR_INIT("(Exchanged) ");
    BUF_SCOPED(b, SIZE_MAX);
    ptrdiff_t second = str_find(asset, given);
    size_t cut = second < 0 ? 0 : (size_t)second + given.n, at = 0;
    put_escaped(&b, str_slice(asset, 0, cut));
    buf_text(&b, cut ? "<br> " : "");
    put_escaped(&b, str_slice(asset, cut, asset.n));
    size_t label = next_label(rest, 0, &at);
    while (label < DETAILS) {
        rest = str_slice(rest, at + details[label].label.n, rest.n);
        size_t next = details[label].rest ? DETAILS : next_label(rest, label + 1, &at);
        put_detail(&b, label, str_trim(str_slice(rest, 0, next < DETAILS ? at : rest.n)));
        label = next;
    }
    return arena_str(arena, buf_view(&b));
}
