/*
 * Printed names as comparable words. Folding drops accents, letter case, punctuation and
 * apostrophes inside words, titles, degrees, and nicknames in quotes or brackets; a generation
 * (Jr., III) is taken out of the words and kept beside them. "Hon. J.D. O'Neil, Jr." gives [jd
 * oneil] and "jr".
 */
#pragma once

#include "base/mem.h"
#include "base/str.h"

enum { NAME_WORDS_MAX = 12 };

struct name_words {
    struct str word[NAME_WORDS_MAX]; /* ASCII lower case letters and digits, never empty */
    int count;
    struct str generation; /* jr, sr, ii, iii, iv, v; null: not stated */
};

/* Where a name stands: suffixes and degrees follow last names only, so that the initial in
 * "Nicholas V." stays one. */
enum name_part { NAME_FIRST, NAME_LAST };

/* No words when the text is not UTF-8, holds no Latin letter or has too many words. Words live in
 * the arena. */
void name_fold(struct arena *arena, struct str text, enum name_part part, struct name_words *ret);

/* The words of both, one after the other; false when they are too many. */
bool name_append(struct name_words *to, const struct name_words *from);

/* Words as they are, nothing dropped but punctuation: what slugs are made of. */
void name_ascii_words(struct arena *arena, struct str text, struct name_words *ret);

/*
 * Whether two lists of given names can belong to one person. The first names must be equal, or the
 * first ones compatible (an initial of the other) and the second ones equal whole words: never an
 * initial alone. Later names must be equal or initials of each other as far as both state them. A
 * leading initial that one of the two leaves out is passed over ("W. Greg", "Greg").
 *
 * `wide`, for where state and term bear the match out: common short forms count as equal (Mike,
 * Michael), and a whole leading name may be left out ("Felix Barry", "Barry").
 */
bool name_given_fit(const struct str *a, int a_count, const struct str *b, int b_count, bool wide);
