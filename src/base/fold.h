/*
 * Folds text for search: letter case, accents and punctuation do not count. "Raúl M. O'Neil-Straße"
 * gives "raul m oneil strasse".
 */
#pragma once

#include "base/buf.h"

enum { FOLD_TEXT_MAX = 400 };

/* Appends the words of the text, separated by one space. Letters of other scripts stay unchanged.
 * False, with nothing appended: not UTF-8, longer than FOLD_TEXT_MAX, or without a word. */
bool fold_words(struct buf *b, struct str text);
