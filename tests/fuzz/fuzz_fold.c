/* Any text folded for search: words separated by one space, with only lower-case letters and digits
 * from ASCII. Folding again changes nothing. */
#include "fuzz.h"

#include "base/fold.h"

static void check_words(struct str words)
{
    struct str word, rest = words;
    while (str_split(&rest, ' ', &word)) {
        assert(word.n > 0);
        for (size_t i = 0; i < word.n; i++) {
            char c = word.p[i];
            assert(c < 0 || ascii_is_digit(c) || (c >= 'a' && c <= 'z'));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf once, again;
    buf_init(&once, 64 * FOLD_TEXT_MAX);
    buf_init(&again, 64 * FOLD_TEXT_MAX);
    if (fold_words(&once, fuzz_text(data, size))) {
        check_words(buf_view(&once));
        assert(!once.overflow);
        assert(
            once.n > FOLD_TEXT_MAX ||
            (fold_words(&again, buf_view(&once)) && str_eq(buf_view(&again), buf_view(&once))));
    } else {
        assert(once.n == 0);
    }
    buf_finish(&once);
    buf_finish(&again);
    return 0;
}
