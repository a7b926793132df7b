/* Any text folded in both ways: words with one space between them and no other ASCII than small
 * letters and digits (FOLD_ASCII: nothing else at all), and folding them again changes nothing. */
#include "fuzz.h"

#include "base/fold.h"

static void check_words(struct str words, enum fold fold)
{
    struct str word, rest = words;
    while (str_split(&rest, ' ', &word)) {
        assert(word.n > 0);
        for (size_t i = 0; i < word.n; i++) {
            char c = word.p[i];
            bool ascii = ascii_is_digit(c) || (c >= 'a' && c <= 'z');
            assert(ascii || (c < 0 && fold == FOLD_SEARCH));
        }
    }
}

static void check_fold(struct str text, enum fold fold)
{
    struct buf once, again;
    buf_init(&once, 64 * FOLD_TEXT_MAX);
    buf_init(&again, 64 * FOLD_TEXT_MAX);
    if (fold_words(&once, text, fold)) {
        check_words(buf_view(&once), fold);
        assert(!once.overflow);
        assert(
            once.n > FOLD_TEXT_MAX || (fold_words(&again, buf_view(&once), fold) &&
                                       str_eq(buf_view(&again), buf_view(&once))));
    } else {
        assert(once.n == 0);
    }
    buf_finish(&once);
    buf_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_fold(fuzz_text(data, size), FOLD_SEARCH);
    check_fold(fuzz_text(data, size), FOLD_ASCII);
    return 0;
}
