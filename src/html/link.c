/* Builds addresses; see link.h. */
#include "html/link.h"

static bool is_unreserved(char c) /* RFC 3986, 2.3 */
{
    return ascii_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

static char *encode(char *to, struct str text)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (is_unreserved((char)c)) {
            *to++ = (char)c;
        } else {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        }
    }
    return to;
}

struct str link_make(
    struct arena *arena, struct str path, const struct link_param *params, size_t count)
{
    size_t size = path.n + 1;
    char separator = '?';
    for (size_t i = 0; i < count; i++)
        size += 2 + 3 * (params[i].name.n + params[i].value.n);
    char *link = arena_alloc(arena, size), *to = link;
    memcpy(to, path.p, path.n);
    to += path.n;
    for (size_t i = 0; i < count; i++) {
        if (str_is_null(params[i].value))
            continue;
        *to++ = separator;
        to = encode(to, params[i].name);
        *to++ = '=';
        to = encode(to, params[i].value);
        separator = '&';
    }
    return str_of(link, (size_t)(to - link));
}
