/* Folding for search; see fold.h. utf8proc decomposes and folds case; one pass over the bytes does
 * the rest. */
#include "base/fold.h"

#include <stdlib.h>
#include <utf8proc.h>

/* Latin letters without a decomposition, after case folding. */
static const struct {
    struct str letter;
    struct str ascii;
} letters[] = {
    {STR_INIT("\xc3\xb8"), STR_INIT("o")},  {STR_INIT("\xc5\x82"), STR_INIT("l")},
    {STR_INIT("\xc3\xa6"), STR_INIT("ae")}, {STR_INIT("\xc5\x93"), STR_INIT("oe")},
    {STR_INIT("\xc4\x91"), STR_INIT("d")},  {STR_INIT("\xc3\xb0"), STR_INIT("d")},
    {STR_INIT("\xc3\xbe"), STR_INIT("th")}, {STR_INIT("\xc4\xb1"), STR_INIT("i")},
};

/* Separators between words, and apostrophes, which are dropped inside words. */
static const struct str apostrophes[] = {
    STR_INIT("'"), STR_INIT("`"), STR_INIT("\xe2\x80\x98"), STR_INIT("\xe2\x80\x99"),
    STR_INIT("\xca\xbb") /* a letter of Hawaiian names that looks like an apostrophe */};
static const struct str punctuation = STR_INIT("\xe2\x80"); /* U+2000 to U+203F: spaces, dashes */

/* Reads one piece of *text: returns its folded form, or the null string at the end of a word. */
static struct str take(struct str *text)
{
    struct str rest = *text, piece = str_slice(rest, 0, 1);
    size_t used = 1;
    bool word = ascii_is_alpha(rest.p[0]) || ascii_is_digit(rest.p[0]) || rest.p[0] < 0;
    if (rest.p[0] >= 0 && rest.p[0] != '\'' && rest.p[0] != '`') {
        *text = str_slice(rest, used, rest.n);
        return word ? piece : STR_NULL;
    }
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (str_starts(rest, letters[i].letter)) {
            piece = letters[i].ascii;
            used = letters[i].letter.n;
        }
    if (str_starts(rest, punctuation)) {
        word = false;
        used = 3;
    }
    for (size_t i = 0; i < sizeof apostrophes / sizeof *apostrophes; i++)
        if (str_starts(rest, apostrophes[i])) {
            piece = STR("");
            word = true;
            used = apostrophes[i].n;
        }
    *text = str_slice(rest, used, rest.n);
    return word ? piece : STR_NULL;
}

static void put_words(struct buf *b, struct str text)
{
    size_t from = b->n;
    bool gap = false;
    while (text.n) {
        struct str piece = take(&text);
        if (str_is_null(piece)) {
            gap = b->n > from;
        } else if (piece.n) {
            if (gap)
                buf_char(b, ' ');
            gap = false;
            buf_str(b, piece);
        }
    }
}

/* The fast path for ASCII texts, which need no decomposition. False: there are other characters. */
static bool put_ascii(struct buf *b, struct str text)
{
    char folded[FOLD_TEXT_MAX];
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < 0)
            return false;
        folded[i] = ascii_lower(text.p[i]);
    }
    put_words(b, str_of(folded, text.n));
    return true;
}

bool fold_words(struct buf *b, struct str text)
{
    utf8proc_uint8_t *folded = NULL;
    size_t from = b->n;
    if (text.n == 0 || text.n > FOLD_TEXT_MAX)
        return false;
    if (put_ascii(b, text))
        return b->n > from;
    utf8proc_ssize_t n = utf8proc_map(
        (const utf8proc_uint8_t *)text.p, (utf8proc_ssize_t)text.n, &folded,
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK |
            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    if (n > 0)
        put_words(b, str_of((const char *)folded, (size_t)n));
    free(folded);
    return b->n > from;
}
