/* Names of uploaded files; see upload_name.h. */
#include "site/desk/upload_name.h"

#include "base/buf.h"
#include "base/utf8.h"

enum { SENT_MAX = 64 * 1024, END_KEPT = 60 };

static struct str last_part(struct str name)
{
    for (size_t i = name.n; i-- > 0;)
        if (name.p[i] == '/' || name.p[i] == '\\')
            return str_slice(name, i + 1, name.n);
    return name;
}

/* Appends one character, and returns its bytes in `s`. */
static size_t put_character(struct buf *b, struct str s)
{
    size_t n = utf8_length((const unsigned char *)s.p, s.n);
    unsigned char c = (unsigned char)s.p[0];
    if (str_starts(s, STR("%22"))) {
        buf_char(b, '"');
        return 3;
    }
    if (n)
        buf_put(b, s.p, n);
    else if (c < 0x20 || c == 0x7f)
        buf_char(b, '_');
    else if (c < 0x80)
        buf_char(b, (char)c);
    else
        buf_text(b, "\xef\xbf\xbd"); /* U+FFFD: no UTF-8 */
    return n ? n : 1;
}

static bool is_inside(struct str s, size_t at)
{
    return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

static struct str cut(struct str name, struct arena *arena)
{
    static const struct str gap = STR_INIT("\xe2\x80\xa6");
    size_t head = UPLOAD_NAME_MAX - END_KEPT - gap.n, tail = name.n - END_KEPT;
    while (is_inside(name, head))
        head--;
    while (is_inside(name, tail))
        tail++;
    return arena_fmt(
        arena, "%.*s%.*s%.*s", (int)head, name.p, STR_ARG(gap), (int)(name.n - tail),
        name.p + tail);
}

struct str upload_name(struct str sent, struct arena *arena)
{
    BUF_SCOPED(b, SENT_MAX);
    struct str part = last_part(sent);
    for (size_t i = 0; i < part.n;)
        i += put_character(&b, str_slice(part, i, part.n));
    struct str name = str_trim(buf_view(&b));
    if (name.n == 0)
        name = STR("document");
    name = name.n > UPLOAD_NAME_MAX ? cut(name, arena) : arena_str(arena, name);
    return name;
}
