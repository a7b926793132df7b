/* Text in columns; see layout.h. */
#include "cmd/term/layout.h"

#include "base/utf8.h"

struct range {
    uint32_t first, last;
};

/* Blocks of combining characters (Unicode, general category Mn) of scripts in use, and of
 * invisible ones that hidden_show does not escape. Ascending. */
static const struct range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
    {0x05c4, 0x05c5}, {0x0610, 0x061a}, {0x064b, 0x065f}, {0x0670, 0x0670}, {0x06d6, 0x06dc},
    {0x06df, 0x06e4}, {0x093c, 0x093c}, {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31},
    {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff},
    {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

/* Blocks of wide characters (Unicode, East_Asian_Width W and F). Ascending. */
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},   {0x26bd, 0x26be},
    {0x26c4, 0x26c5},   {0x26d4, 0x26d4},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x2753, 0x2757},   {0x2795, 0x2797},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0x4dbf},
    {0x4e00, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x17000, 0x18cff},
    {0x1b000, 0x1b2ff}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320},
    {0x1f32d, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f9ff},
    {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

static bool in_ranges(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count && ranges[i].first <= code; i++)
        if (code <= ranges[i].last)
            return true;
    return false;
}

static size_t code_columns(uint32_t code)
{
    if (in_ranges(code, combining, sizeof combining / sizeof *combining))
        return 0;
    return in_ranges(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

/* The length in bytes of the character at p, and its columns. A byte that is not UTF-8 is one. */
static size_t next_character(const char *p, size_t n, size_t *ret_columns)
{
    const unsigned char *bytes = (const unsigned char *)p;
    size_t length = bytes[0] < 0x80 ? 0 : utf8_length(bytes, n);
    *ret_columns = length ? code_columns(utf8_decode(bytes, length)) : 1;
    return length ? length : 1;
}

size_t layout_columns(struct str text)
{
    size_t sum = 0, columns;
    for (size_t i = 0; i < text.n; sum += columns)
        i += next_character(text.p + i, text.n - i, &columns);
    return sum;
}

bool layout_next_line(struct str *rest, size_t columns, struct str *ret_line)
{
    if (str_is_null(*rest))
        return false;
    struct str text = *rest;
    size_t at = 0, blank = 0, width;
    for (size_t end = 0; end < text.n && (at <= columns || blank == 0); at += width) {
        if (text.p[end] == ' ' && end > 0)
            blank = end;
        end += next_character(text.p + end, text.n - end, &width);
    }
    bool fits = at <= columns;
    *ret_line = fits || blank == 0 ? text : str_slice(text, 0, blank);
    size_t next = ret_line->n;
    while (ret_line->n > 0 && ret_line->p[ret_line->n - 1] == ' ')
        ret_line->n--;
    while (next < text.n && text.p[next] == ' ')
        next++;
    *rest = next < text.n ? str_slice(text, next, text.n) : STR_NULL;
    return true;
}

void layout_spaces(struct buf *to, size_t count)
{
    while (count-- > 0)
        buf_char(to, ' ');
}

void layout_wrap(struct buf *to, struct str text, size_t at, size_t indent, size_t columns)
{
    size_t room = columns > indent + 10 ? columns - indent : 10;
    struct str line;
    if (at >= indent && at > 0) {
        buf_char(to, '\n');
        at = 0;
    }
    while (layout_next_line(&text, room, &line)) {
        layout_spaces(to, indent - at);
        buf_str(to, line);
        buf_char(to, '\n');
        at = 0;
    }
}
