/*
 * A name as it is compared: folded words (base/fold.h) in the order in which names are spoken,
 * without what is not part of them. "Hon. McConnell, A. Mitchell, Jr." and "A. Mitchell McConnell
 * Jr. (R-KY)" give [a mitchell mcconnell] and the generation of a junior.
 *
 * What goes: titles, degrees, a party with its state, numbers of districts. A name is never
 * dropped whole: "Senator" alone stays a word.
 */
#pragma once

#include "base/err.h"
#include "base/fold.h"

enum { NAME_WORDS_MAX = 12, NAME_LETTERS_MAX = 2 * FOLD_TEXT_MAX };

enum name_generation {
    GENERATION_NONE, /* not stated */
    GENERATION_SENIOR,
    GENERATION_JUNIOR, /* "II" as well */
    GENERATION_THIRD,
    GENERATION_FOURTH,
};

/* `letters` are the words with nothing between them, so that any words that stand side by side can
 * be compared as one: "van hollen" with "vanhollen". */
struct name_parts {
    char letters[NAME_LETTERS_MAX];
    struct {
        uint16_t at; /* in letters */
        uint16_t n;  /* at least 1 */
    } word[NAME_WORDS_MAX];
    int count; /* at least 1 */
    enum name_generation generation;
};

/* ERR_INVALID, with a reason that speaks of "the name": longer than FOLD_TEXT_MAX, not UTF-8,
 * without a letter, or more than NAME_WORDS_MAX words. */
enum err name_parts_read(struct name_parts *ret, struct str text, struct fail *fail) MUST_CHECK;

/* `count` words from `from` on, as one. */
static inline struct str name_parts_span(const struct name_parts *p, int from, int count)
{
    int last = from + count - 1;
    size_t n = (size_t)p->word[last].at + p->word[last].n - p->word[from].at;
    return str_of(p->letters + p->word[from].at, n);
}

static inline struct str name_parts_word(const struct name_parts *p, int at)
{
    return name_parts_span(p, at, 1);
}

static inline struct str name_parts_all(const struct name_parts *p)
{
    return name_parts_span(p, 0, p->count);
}

/* Whether the letters of `initials` begin these words, one each. */
static inline bool name_parts_initials(
    const struct name_parts *p, int from, int count, struct str initials)
{
    if (initials.n != (size_t)count)
        return false;
    for (int i = 0; i < count; i++)
        if (p->letters[p->word[from + i].at] != initials.p[i])
            return false;
    return true;
}
