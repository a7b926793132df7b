/* Patterns; see like.h. */
#include "store/row/like.h"

struct str like_words(struct str words, struct arena *arena)
{
    char *text = arena_alloc(arena, 2 * words.n + 2);
    size_t n = 0;
    text[n++] = '%';
    for (size_t i = 0; i < words.n; i++) {
        char c = words.p[i];
        if (c == '%' || c == '_' || c == '\\')
            text[n++] = '\\';
        text[n++] = c == ' ' ? '%' : c;
    }
    text[n++] = '%';
    return str_of(text, n);
}
