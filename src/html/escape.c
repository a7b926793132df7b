/* Escapes text for HTML; see escape.h. */
#include "html/escape.h"

#include "base/hidden.h"
#include "base/utf8.h"

static const char *reference_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void put_escaped(struct buf *b, struct str text)
{
    size_t done = 0;
    for (size_t i = 0; i < text.n; i++) {
        const char *reference = reference_of(text.p[i]);
        if (reference) {
            buf_str(b, str_slice(text, done, i));
            buf_text(b, reference);
            done = i + 1;
        }
    }
    buf_str(b, str_slice(text, done, text.n));
}

void escape_text(struct buf *b, struct str text)
{
    BUF_SCOPED(shown, SIZE_MAX);
    if (hidden_in_lines(text) == HIDDEN_NONE && utf8_is_valid(text)) {
        put_escaped(b, text);
        return;
    }
    hidden_show_lines(&shown, text);
    put_escaped(b, buf_view(&shown));
}

/* A reference to a C1 control would mean another character (HTML, "numeric character reference end
 * state"), and a raw one is hidden: both are lost, so the replacement character stands for it. */
static bool has_no_reference(uint32_t code)
{
    return code == 0 || (code >= 0x7f && code <= 0x9f);
}

void escape_typed(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n;) {
        const unsigned char *p = (const unsigned char *)text.p + i;
        size_t length = p[0] < 0x80 ? 1 : utf8_length(p, text.n - i);
        uint32_t code = length <= 1 ? p[0] : utf8_decode(p, length);
        if (length == 0 || has_no_reference(code))
            buf_text(b, "\xef\xbf\xbd");
        else if (hidden_is(code) && code != '\n' && code != '\t')
            buf_fmt(b, "&#x%X;", code);
        else
            put_escaped(b, str_slice(text, i, i + length));
        i += length ? length : 1;
    }
}
