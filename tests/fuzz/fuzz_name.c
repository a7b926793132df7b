/* Any two texts as a printed name: words are lower case ASCII, reading them again changes nothing,
 * fitting is symmetric, and what fits narrowly fits widely. */
#include "fuzz.h"

#include <string.h>

#include "names/name.h"
#include "people/match.h"

static void check_words(struct arena *arena, const struct name *n)
{
    for (int i = 0; i < n->count; i++) {
        struct str word = n->word[i];
        struct name again;
        assert(word.n > 0);
        for (size_t k = 0; k < word.n; k++)
            assert(ascii_is_digit(word.p[k]) || (word.p[k] >= 'a' && word.p[k] <= 'z'));
        if (name_read_printed(&again, arena, word, STR_NULL))
            assert(again.count == 1 && str_eq(again.word[0], word));
        assert(str_eq(name_span(n, i, 1), word));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct name a, b, both;
    struct str rest = fuzz_text(data, size), first = fuzz_line(&rest);
    arena_init(&arena);
    bool read = name_read_printed(&a, &arena, first, STR_NULL);
    read = name_read_printed(&b, &arena, STR_NULL, rest) && read;
    check_words(&arena, &a);
    check_words(&arena, &b);
    if (read && name_read_printed(&both, &arena, first, rest)) {
        check_words(&arena, &both);
        assert(both.count == a.count + b.count);
    }
    for (int wide = 0; wide < 2; wide++)
        assert(
            given_names_fit(a.word, a.count, b.word, b.count, wide) ==
            given_names_fit(b.word, b.count, a.word, a.count, wide));
    if (given_names_fit(a.word, a.count, b.word, b.count, false))
        assert(given_names_fit(a.word, a.count, b.word, b.count, true));
    arena_finish(&arena);
    return 0;
}
