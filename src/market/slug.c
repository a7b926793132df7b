/* Making slugs; see slug.h. */
#include "market/slug.h"

#include "base/fold.h"

enum { SLUG_SIZE_MAX = 1024 };

static void put_lower(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        buf_char(b, ascii_lower(text.p[i]));
}

static struct str finish(struct arena *arena, struct buf *b)
{
    struct str slug = arena_str(arena, buf_view(b));
    buf_finish(b);
    return slug;
}

struct str slug_make(struct arena *arena, struct str first, struct str last, struct str id)
{
    struct buf b;
    buf_init(&b, SLUG_SIZE_MAX);
    fold_words(&b, arena_fmt(arena, "%.*s %.*s", STR_ARG(first), STR_ARG(last)), FOLD_ASCII);
    for (size_t i = 0; i < b.n; i++)
        if (b.p[i] == ' ')
            b.p[i] = '-';
    if (b.n == 0)
        put_lower(&b, id);
    return finish(arena, &b);
}

struct str slug_with_id(struct arena *arena, struct str slug, struct str id)
{
    struct buf b;
    buf_init(&b, SLUG_SIZE_MAX);
    buf_str(&b, slug);
    buf_char(&b, '-');
    put_lower(&b, id);
    return finish(arena, &b);
}
