/* Folding; see fold.h. utf8proc decomposes and folds case; what is left is walked once,
 * byte by byte. */
#include "base/fold.h"

#include <stdlib.h>
#include <utf8proc.h>

/* Characters that utf8proc leaves, after case folding: Latin letters without a decomposition, and
 * apostrophes, which vanish inside a word. The last one, a letter of Hawaiian names that looks like
 * an apostrophe, is for FOLD_SEARCH only. */
static const struct {
    struct str text;
    struct str ascii;
} signs[] = {
    {STR_INIT("'"), STR_INIT("")},
    {STR_INIT("`"), STR_INIT("")},
    {STR_INIT("\xe2\x80\x98"), STR_INIT("")},
    {STR_INIT("\xe2\x80\x99"), STR_INIT("")},
    {STR_INIT("\xc3\xb8"), STR_INIT("o")},
    {STR_INIT("\xc5\x82"), STR_INIT("l")},
    {STR_INIT("\xc3\xa6"), STR_INIT("ae")},
    {STR_INIT("\xc5\x93"), STR_INIT("oe")},
    {STR_INIT("\xc4\x91"), STR_INIT("d")},
    {STR_INIT("\xc3\xb0"), STR_INIT("d")},
    {STR_INIT("\xc3\xbe"), STR_INIT("th")},
    {STR_INIT("\xc4\xb1"), STR_INIT("i")},
    {STR_INIT("\xca\xbb"), STR_INIT("")},
};

enum { SIGNS = sizeof signs / sizeof *signs };

static const struct str punctuation = STR_INIT("\xe2\x80"); /* U+2000 to U+203F: spaces, dashes */

static struct str advance(struct str *text, size_t n)
{
    struct str front = str_slice(*text, 0, n);
    *text = str_slice(*text, n, text->n);
    return front;
}

/* Takes one piece off *text: what it becomes, or the null string where a word ends. */
static struct str take(struct str *text, enum fold fold)
{
    char c = text->p[0];
    if (ascii_is_alnum(c))
        return advance(text, 1);
    for (int i = 0; i < SIGNS - (fold == FOLD_ASCII); i++)
        if (str_starts(*text, signs[i].text)) {
            advance(text, signs[i].text.n);
            return signs[i].ascii;
        }
    if (str_starts(*text, punctuation)) {
        advance(text, 3);
        return STR_NULL;
    }
    struct str other = advance(text, 1);
    if (fold == FOLD_SEARCH)
        return c < 0 ? other : STR_NULL;
    return c == '.' && text->n && ascii_is_alnum(text->p[0]) ? STR("") : STR_NULL;
}

static void put_words(struct buf *b, struct str text, enum fold fold)
{
    size_t from = b->n;
    bool gap = false;
    while (text.n) {
        struct str piece = take(&text, fold);
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

/* Most texts: nothing to decompose. False: there are other characters. */
static bool put_ascii(struct buf *b, struct str text, enum fold fold)
{
    char folded[FOLD_TEXT_MAX];
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < 0)
            return false;
        folded[i] = ascii_lower(text.p[i]);
    }
    put_words(b, str_of(folded, text.n), fold);
    return true;
}

bool fold_words(struct buf *b, struct str text, enum fold fold)
{
    utf8proc_uint8_t *folded = NULL;
    size_t from = b->n;
    if (text.n == 0 || text.n > FOLD_TEXT_MAX)
        return false;
    if (put_ascii(b, text, fold))
        return b->n > from;
    utf8proc_ssize_t n = utf8proc_map(
        (const utf8proc_uint8_t *)text.p, (utf8proc_ssize_t)text.n, &folded,
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK |
            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    if (n > 0)
        put_words(b, str_of((const char *)folded, (size_t)n), fold);
    free(folded);
    return b->n > from;
}
