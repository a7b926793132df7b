/*
 * Text as words that can be compared: letter case, accents and punctuation do not count.
 * "Raúl M. O'Neil-Straße" gives "raul m oneil strasse".
 */
#pragma once

#include "base/buf.h"

enum { FOLD_TEXT_MAX = 400 };

enum fold {
    FOLD_SEARCH, /* letters of other scripts stay as they are; "J.D." is two words */
    FOLD_ASCII, /* any other letter separates words; "J.D." is one. Slugs and stored names of filers
                 * depend on it: do not change it */
};

/* Appends the words of the text, with one space between them. False, and nothing was appended: not
 * UTF-8, longer than FOLD_TEXT_MAX, or without a word. */
bool fold_words(struct buf *b, struct str text, enum fold fold);
