/*
 * Folding and comparing of names; see name.h. utf8proc decomposes and folds case; what is left
 * after that is walked once, byte by byte.
 */
#include "people/name.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "people/short_name.h"

enum { NAME_TEXT_MAX = 400 };

static const char *const titles[] = {
    "the",
    "hon",
    "honorable",
    "mr",
    "mrs",
    "ms",
    "miss",
    "dr",
    "senator",
    "sen",
    "representative",
    "rep",
    "congressman",
    "congresswoman",
    "former"};

static const char *const degrees[] = {"md",  "phd", "dds",  "dvm",  "dmd", "do",  "od",
                                      "dpm", "rn",  "jd",   "esq",  "mba", "cpa", "facs",
                                      "ret", "usn", "usaf", "usmc", "usa", "hon", "dr"};

static const char *const generations[] = {"jr", "sr", "ii", "iii", "iv", "v"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Latin letters that have no decomposition, after case folding. */
static const struct {
    const char *letter;
    const char *ascii;
} letters[] = {
    {"\xc3\xb8", "o"}, {"\xc5\x82", "l"}, {"\xc3\xa6", "ae"}, {"\xc5\x93", "oe"},
    {"\xc4\x91", "d"}, {"\xc3\xb0", "d"}, {"\xc3\xbe", "th"}, {"\xc4\xb1", "i"},
};

static bool listed(const char *const *list, size_t count, struct str word)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(word, str_from(list[i])))
            return true;
    return false;
}

/* What stands at p: an apostrophe, an opening or closing quotation mark, or neither. */
static size_t quote_at(struct str s, size_t i, char *ret_kind)
{
    *ret_kind = 0;
    if (s.p[i] == '\'' || s.p[i] == '`') {
        *ret_kind = '\'';
        return 1;
    }
    if (s.p[i] == '"') {
        *ret_kind = '"';
        return 1;
    }
    if (i + 2 < s.n && s.p[i] == '\xe2' && s.p[i + 1] == '\x80') {
        switch (s.p[i + 2]) {
        case '\x98':
        case '\x99':
            *ret_kind = '\'';
            return 3;
        case '\x9c':
        case '\x9d':
            *ret_kind = '"';
            return 3;
        }
    }
    return 0;
}

static bool is_word_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

/* Where a nickname that opens at `from` (just behind the mark) ends, just behind its closing mark;
 * 0 when it is not closed. A single mark closes only at the end of a word. */
static size_t nickname_end(struct str s, size_t from, char kind)
{
    for (size_t i = from; i < s.n; i++) {
        if (kind == ')') {
            if (s.p[i] == ')')
                return i + 1;
            continue;
        }
        char found;
        size_t size = quote_at(s, i, &found);
        if (found == kind && (kind == '"' || i + size == s.n || !is_word_char(s.p[i + size])))
            return i + size;
    }
    return 0;
}

static const char *letter_ascii(struct str s, size_t i, size_t *ret_size)
{
    for (size_t k = 0; k < COUNT(letters); k++)
        if (str_starts(str_slice(s, i, s.n), str_from(letters[k].letter))) {
            *ret_size = strlen(letters[k].letter);
            return letters[k].ascii;
        }
    return NULL;
}

/* Splits folded text into words in `out` (a buffer at least twice the text's size). */
static void words_split(struct str s, bool drop_nicknames, char *out, struct name_words *ret)
{
    size_t at = 0, start = 0; /* the word being written is out[start..at) */
    bool too_many = false;
    for (size_t i = 0; i <= s.n;) {
        char c = i < s.n ? s.p[i] : ' ';
        size_t size = 1;
        char kind = 0;
        if (i < s.n && is_word_char(c)) {
            out[at++] = c;
            i++;
            continue;
        }
        const char *ascii = i < s.n ? letter_ascii(s, i, &size) : NULL;
        if (ascii) {
            while (*ascii)
                out[at++] = *ascii++;
            i += size;
            continue;
        }
        if (i < s.n && (size = quote_at(s, i, &kind)) && kind == '\'' &&
            (at > start || !drop_nicknames)) {
            i += size; /* O'Neil */
            continue;
        }
        /* "J.D." is one word, "J. D." are two. */
        if (c == '.' && at > start && i + 1 < s.n && is_word_char(s.p[i + 1])) {
            i++;
            continue;
        }
        if (at > start) {
            if (ret->count < NAME_WORDS_MAX)
                ret->word[ret->count++] = str_of(out + start, at - start);
            else
                too_many = true;
            start = at;
        }
        size_t end = 0;
        if (drop_nicknames && i < s.n && (kind || c == '('))
            end = nickname_end(s, i + (size ? size : 1), kind ? kind : ')');
        i = end ? end : i + (size ? size : 1);
    }
    if (too_many)
        ret->count = 0;
}

static void fold_words(
    struct arena *arena, struct str text, bool drop_nicknames, struct name_words *ret)
{
    *ret = (struct name_words){0};
    if (text.n == 0 || text.n > NAME_TEXT_MAX)
        return;
    utf8proc_uint8_t *folded = NULL;
    utf8proc_ssize_t n = utf8proc_map(
        (const utf8proc_uint8_t *)text.p, (utf8proc_ssize_t)text.n, &folded,
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK |
            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
    if (n > 0)
        words_split(
            str_of((const char *)folded, (size_t)n), drop_nicknames,
            arena_alloc(arena, (size_t)n * 2), ret);
    free(folded);
}

static void drop_front(struct name_words *w)
{
    for (int i = 1; i < w->count; i++)
        w->word[i - 1] = w->word[i];
    w->count--;
}

void name_fold(struct arena *arena, struct str text, enum name_part part, struct name_words *ret)
{
    fold_words(arena, text, true, ret);
    while (ret->count > 1 && listed(titles, COUNT(titles), ret->word[0]))
        drop_front(ret);
    while (ret->count > 1) {
        struct str end = ret->word[ret->count - 1];
        bool generation =
            listed(generations, COUNT(generations), end) && (part == NAME_LAST || end.n > 1);
        if (!generation && !listed(titles, COUNT(titles), end) &&
            !(part == NAME_LAST && listed(degrees, COUNT(degrees), end)))
            break;
        if (generation)
            ret->generation = end;
        ret->count--;
    }
}

void name_ascii_words(struct arena *arena, struct str text, struct name_words *ret)
{
    fold_words(arena, text, false, ret);
}

bool name_append(struct name_words *to, const struct name_words *from)
{
    if (to->count + from->count > NAME_WORDS_MAX)
        return false;
    for (int i = 0; i < from->count; i++)
        to->word[to->count++] = from->word[i];
    if (str_is_null(to->generation))
        to->generation = from->generation;
    return true;
}

enum fit { FIT_NOT, FIT_INITIAL, FIT_WHOLE };

static enum fit words_fit(struct str a, struct str b, bool short_forms)
{
    if (str_eq(a, b))
        return a.n > 1 ? FIT_WHOLE : FIT_INITIAL;
    if (a.n == 1 || b.n == 1)
        return a.p[0] == b.p[0] ? FIT_INITIAL : FIT_NOT;
    return short_forms && short_name_same(a, b) ? FIT_WHOLE : FIT_NOT;
}

static bool sequences_fit(
    const struct str *a, int a_count, const struct str *b, int b_count, bool wide)
{
    enum fit first = FIT_NOT, second = FIT_NOT;
    for (int i = 0; i < a_count && i < b_count; i++) {
        /* The name somebody goes by is the first or, behind an initial, the second. */
        enum fit fit = words_fit(a[i], b[i], wide && i < 2);
        if (fit == FIT_NOT)
            return false;
        if (i == 0)
            first = fit;
        if (i == 1)
            second = fit;
    }
    return first == FIT_WHOLE || (first == FIT_INITIAL && second == FIT_WHOLE);
}

/* Whether b is what is left of a without its first name. */
static bool tail_fits(const struct str *a, int a_count, const struct str *b, int b_count, bool wide)
{
    if (a_count < 2 || b_count < 1 || (a[0].n > 1 && !wide))
        return false;
    return words_fit(a[1], b[0], wide) == FIT_WHOLE &&
           sequences_fit(a + 1, a_count - 1, b, b_count, wide);
}

bool name_given_fit(const struct str *a, int a_count, const struct str *b, int b_count, bool wide)
{
    return sequences_fit(a, a_count, b, b_count, wide) || tail_fits(a, a_count, b, b_count, wide) ||
           tail_fits(b, b_count, a, a_count, wide);
}
