/* The table of hidden characters and its escapes; see hidden.h. */
#include "base/hidden.h"

#include <assert.h>

#include "base/codec.h"
#include "base/utf8.h"

struct hidden_range {
    uint32_t first, last;
    const char *what; /* in the words of a reviewer */
};

/* Ascending. */
static const struct hidden_range ranges[] = {
    {0x0000, 0x001f, "control character"},
    {0x007f, 0x009f, "control character"},
    {0x00ad, 0x00ad, "soft hyphen"},
    {0x034f, 0x034f, "zero-width character"},
    {0x0600, 0x0605, "format character"},
    {0x061c, 0x061c, "bidirectional control"},
    {0x06dd, 0x06dd, "format character"},
    {0x070f, 0x070f, "format character"},
    {0x0890, 0x0891, "format character"},
    {0x08e2, 0x08e2, "format character"},
    {0x115f, 0x1160, "blank filler"},
    {0x17b4, 0x17b5, "zero-width character"},
    {0x180b, 0x180f, "variation selector"},
    {0x200b, 0x200d, "zero-width character"},
    {0x200e, 0x200f, "bidirectional control"},
    {0x2028, 0x2028, "line separator"},
    {0x2029, 0x2029, "paragraph separator"},
    {0x202a, 0x202e, "bidirectional control"},
    {0x2060, 0x2065, "zero-width character"},
    {0x2066, 0x2069, "bidirectional control"},
    {0x206a, 0x206f, "format character"},
    {0x2800, 0x2800, "blank pattern"}, /* of category So */
    {0x3164, 0x3164, "blank filler"},
    {0xfe00, 0xfe0f, "variation selector"},
    {0xfeff, 0xfeff, "byte order mark"},
    {0xffa0, 0xffa0, "blank filler"},
    {0xfff0, 0xfff8, "zero-width character"},
    {0xfff9, 0xfffb, "interlinear mark"},
    {0x110bd, 0x110bd, "format character"},
    {0x110cd, 0x110cd, "format character"},
    {0x13430, 0x1343f, "format character"},
    {0x16fe4, 0x16fe4, "blank filler"}, /* of category Mn */
    {0x1bca0, 0x1bca3, "format character"},
    {0x1d159, 0x1d159, "blank symbol"}, /* of category So */
    {0x1d173, 0x1d17a, "format character"},
    {0xe0000, 0xe007f, "tag character"},
    {0xe0080, 0xe0fff, "zero-width character"}, /* variation selectors, and reserved ones */
};

static const struct hidden_range *range_of(uint32_t code)
{
    size_t from = 0, to = sizeof ranges / sizeof *ranges;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (code > ranges[middle].last)
            from = middle + 1;
        else if (code < ranges[middle].first)
            to = middle;
        else
            return &ranges[middle];
    }
    return NULL;
}

/* Printable ASCII, as nearly everything is. */
static bool is_plain(uint32_t code)
{
    return code >= ' ' && code < 0x7f;
}

bool hidden_is(uint32_t code)
{
    return !is_plain(code) && range_of(code) != NULL;
}

struct str hidden_name(int32_t code, char space[static HIDDEN_NAME_SIZE])
{
    const struct hidden_range *range = range_of((uint32_t)code);
    struct buf b = buf_over(space, HIDDEN_NAME_SIZE);
    assert(range);
    buf_fmt(&b, "U+%04X (%s)", (unsigned)code, range->what);
    return buf_view(&b);
}

/* --- searching */

/* The character at the start of a text of at least one byte, and its size; 0: not UTF-8. */
static size_t character(struct str text, uint32_t *ret)
{
    const unsigned char *p = (const unsigned char *)text.p;
    if (p[0] < 0x80) {
        *ret = p[0];
        return 1;
    }
    size_t n = utf8_length(p, text.n);
    *ret = n ? utf8_decode(p, n) : 0;
    return n;
}

static bool is_blank(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r';
}

static int32_t find(struct str text, bool blanks_too)
{
    for (size_t i = 0, n; i < text.n; i += n ? n : 1) {
        uint32_t code;
        n = 1;
        if (is_plain((unsigned char)text.p[i]))
            continue;
        n = character(str_slice(text, i, text.n), &code);
        if (n && hidden_is(code) && (blanks_too || !is_blank(code)))
            return (int32_t)code;
    }
    return HIDDEN_NONE;
}

int32_t hidden_in(struct str text)
{
    return find(text, true);
}

int32_t hidden_in_lines(struct str text)
{
    return find(text, false);
}

const char *hidden_reason(struct arena *arena, const char *what, struct str text)
{
    char name[HIDDEN_NAME_SIZE];
    int32_t hidden = hidden_in_lines(text);
    if (hidden == HIDDEN_NONE)
        return NULL;
    return arena_fmt(arena, "%s has %.*s", what, STR_ARG(hidden_name(hidden, name))).p;
}

bool hidden_free_line(struct str text)
{
    return utf8_is_valid(text) && hidden_in(text) == HIDDEN_NONE;
}

/* --- texts */

static void show(struct buf *b, struct str text, bool lines)
{
    for (size_t i = 0, n; i < text.n; i += n ? n : 1) {
        uint32_t code;
        n = character(str_slice(text, i, text.n), &code);
        if (n == 0)
            buf_fmt(b, "\\x{%02X}", (unsigned char)text.p[i]);
        else if (!hidden_is(code) || (lines && (code == '\t' || code == '\n')))
            buf_put(b, text.p + i, n);
        else if (!lines && is_blank(code))
            buf_char(b, ' ');
        else
            buf_fmt(b, "\\u{%X}", (unsigned)code);
    }
}

void hidden_show(struct buf *b, struct str text)
{
    show(b, text, false);
}

void hidden_show_lines(struct buf *b, struct str text)
{
    show(b, text, true);
}

/* --- JSON */

enum { ESCAPE_SIZE = 6, HIGH_SURROGATE = 0xd800, LOW_SURROGATE = 0xdc00, SURROGATES_END = 0xe000 };

static void put_unit(struct buf *b, uint32_t unit)
{
    const uint8_t bytes[2] = {(uint8_t)(unit >> 8), (uint8_t)unit};
    char text[ESCAPE_SIZE] = {'\\', 'u'};
    hex_encode(bytes, sizeof bytes, text + 2);
    buf_put(b, text, sizeof text);
}

void hidden_put_json(struct buf *b, uint32_t code)
{
    if (code > 0xffff) {
        put_unit(b, HIGH_SURROGATE + ((code - 0x10000) >> 10));
        code = LOW_SURROGATE + ((code - 0x10000) & 0x3ff);
    }
    put_unit(b, code);
}

/* Nothing but printable ASCII and blanks. */
static bool is_plain_ascii(struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c >= 0x7f || (c < ' ' && !is_blank(c)))
            return false;
    }
    return true;
}

void hidden_json(struct buf *b, struct str json)
{
    if (is_plain_ascii(json)) {
        buf_str(b, json);
        return;
    }
    for (size_t i = 0, n; i < json.n; i += n) {
        uint32_t code = 0;
        n = character(str_slice(json, i, json.n), &code);
        if (n == 0) {
            buf_text(b, "\xef\xbf\xbd");
            n = 1;
        } else if (hidden_is(code) && !is_blank(code)) {
            hidden_put_json(b, code);
        } else {
            buf_put(b, json.p + i, n);
        }
    }
}

/* The UTF-16 unit of the escape at the start of the text, "\u202e"; -1: it begins with none. */
static int32_t escaped_unit(struct str text)
{
    uint8_t bytes[2];
    if (text.n < ESCAPE_SIZE || text.p[0] != '\\' || text.p[1] != 'u' ||
        !hex_decode(str_slice(text, 2, ESCAPE_SIZE), bytes, sizeof bytes))
        return -1;
    return bytes[0] << 8 | bytes[1];
}

/* The character of the escape at the start of the text, which begins with a backslash, and its
 * size; *ret is HIDDEN_NONE for the escapes that stay. */
static size_t escaped(struct str text, int32_t *ret)
{
    int32_t unit = escaped_unit(text);
    char letter = text.n > 1 ? text.p[1] : '\0';
    *ret = letter == 'b' ? '\b' : letter == 'f' ? '\f' : letter == 'r' ? '\r' : HIDDEN_NONE;
    if (unit < 0)
        return text.n > 1 ? 2 : 1;
    int32_t low = escaped_unit(str_slice(text, ESCAPE_SIZE, text.n));
    bool pair = unit >= HIGH_SURROGATE && unit < LOW_SURROGATE && low >= LOW_SURROGATE &&
                low < SURROGATES_END;
    if (pair)
        unit = 0x10000 + ((unit - HIGH_SURROGATE) << 10) + (low - LOW_SURROGATE);
    if (hidden_is((uint32_t)unit) && unit != '\t' && unit != '\n')
        *ret = unit;
    return pair ? 2 * ESCAPE_SIZE : ESCAPE_SIZE;
}

void hidden_json_show(struct buf *b, struct str json)
{
    for (size_t i = 0, n; i < json.n; i += n) {
        struct str rest = str_slice(json, i, json.n);
        int32_t hidden = HIDDEN_NONE;
        uint32_t code = 0;
        n = 0; /* most of it at once */
        while (n < rest.n && rest.p[n] >= ' ' && rest.p[n] < 0x7f && rest.p[n] != '\\')
            n++;
        if (n) {
            buf_put(b, rest.p, n);
            continue;
        }
        if (rest.p[0] == '\\') {
            n = escaped(rest, &hidden);
        } else {
            n = character(rest, &code);
            if (n && hidden_is(code) && !is_blank(code))
                hidden = (int32_t)code;
        }
        if (hidden != HIDDEN_NONE)
            buf_fmt(b, "\\\\u{%X}", (unsigned)hidden);
        else if (n)
            buf_put(b, rest.p, n);
        else
            buf_text(b, "\xef\xbf\xbd");
        n = n ? n : 1;
    }
}
