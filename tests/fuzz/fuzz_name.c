/* Any two texts as names: words are lower-case ASCII, folding again changes nothing, fitting is
 * symmetric, and a narrow fit is also a wide fit. */
#include "fuzz.h"

#include <string.h>

#include "people/name.h"

static void check_words(struct arena *arena, const struct name_words *w)
{
    for (int i = 0; i < w->count; i++) {
        struct name_words again;
        assert(w->word[i].n > 0);
        for (size_t k = 0; k < w->word[i].n; k++)
            assert(
                ascii_is_digit(w->word[i].p[k]) ||
                (w->word[i].p[k] >= 'a' && w->word[i].p[k] <= 'z'));
        name_fold(arena, w->word[i], NAME_FIRST, &again);
        assert(w->word[i].n > 400 || (again.count == 1 && str_eq(again.word[0], w->word[i])));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct name_words a, b;
    const char *cut = memchr(data, '\n', size);
    size_t first = cut ? (size_t)(cut - (const char *)data) : size;
    arena_init(&arena);
    name_fold(&arena, str_of((const char *)data, first), NAME_FIRST, &a);
    name_fold(&arena, str_of((const char *)data + first, size - first), NAME_LAST, &b);
    check_words(&arena, &a);
    check_words(&arena, &b);
    for (int wide = 0; wide < 2; wide++)
        assert(
            name_given_fit(a.word, a.count, b.word, b.count, wide) ==
            name_given_fit(b.word, b.count, a.word, a.count, wide));
    if (name_given_fit(a.word, a.count, b.word, b.count, false))
        assert(name_given_fit(a.word, a.count, b.word, b.count, true));
    arena_finish(&arena);
    return 0;
}
