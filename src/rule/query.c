/* Query strings; see query.h. */
#include "rule/query.h"

#include "base/codec.h"

static bool has_escape(struct str text, bool plus_is_space)
{
    return str_find_char(text, '%') >= 0 || (plus_is_space && str_find_char(text, '+') >= 0);
}

bool query_decode(struct str text, bool plus_is_space, struct arena *arena, struct str *ret)
{
    if (!has_escape(text, plus_is_space)) {
        *ret = text;
        return true;
    }
    char *out = arena_alloc(arena, text.n);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '%') {
            int high = text.n - i > 2 ? hex_value(text.p[i + 1]) : -1;
            int low = text.n - i > 2 ? hex_value(text.p[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        } else if (c == '+' && plus_is_space) {
            c = ' ';
        }
        out[n++] = c;
    }
    *ret = str_of(out, n);
    return true;
}

enum query_verdict query_read(struct str text, struct arena *arena, struct query_pairs *ret)
{
    struct str part;
    ret->count = 0;
    while (str_split(&text, '&', &part)) {
        if (part.n == 0)
            continue;
        if (ret->count == QUERY_PAIRS_MAX)
            return QUERY_TOO_MANY;
        struct query_pair *pair = &ret->pairs[ret->count];
        ptrdiff_t equals = str_find_char(part, '=');
        struct str name = equals < 0 ? part : str_slice(part, 0, (size_t)equals);
        pair->value = STR_NULL;
        if (!query_decode(name, true, arena, &pair->name))
            return QUERY_BAD_ESCAPE;
        if (equals >= 0 &&
            !query_decode(str_slice(part, (size_t)equals + 1, part.n), true, arena, &pair->value))
            return QUERY_BAD_ESCAPE;
        ret->count++;
    }
    return QUERY_OK;
}

void query_encode(struct buf *b, struct str text)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (ascii_is_alnum(c) || (c && strchr("-._~", c))) {
            buf_char(b, c);
        } else {
            unsigned char byte = (unsigned char)c;
            buf_put(b, (char[]){'%', digits[byte >> 4], digits[byte & 15]}, 3);
        }
    }
}
