/*
 * Text as it is compared when people search: letter case, accents and punctuation do not count.
 * "Raúl M. O'Neil-Straße" gives "raul m oneil strasse".
 */
#pragma once

#include "base/buf.h"

enum { FOLD_TEXT_MAX = 400 };

/* Appends the words of the text, with one space between them. Letters of other scripts stay as they
 * are. False, and nothing was appended: not UTF-8, longer than FOLD_TEXT_MAX, or without a word. */
bool fold_words(struct buf *b, struct str text);
