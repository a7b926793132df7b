/*
 * How alike two words are in writing and in sound: tells a typing error, or a name written by ear,
 * from another word. Words are folded (base/fold.h); every function is symmetric.
 */
#pragma once

#include "base/str.h"

/* Longer words are equal or not alike at all. */
enum { LIKENESS_WORD_MAX = 32 };

/* The edit distance: letters changed, left out, added, or swapped with their neighbour. `max` + 1
 * when it is more than `max`. */
int likeness_edits(struct str a, struct str b, int max);

/* The most edits that count as typing errors in words of that length; 0 in short words, where each
 * letter makes another word. */
int likeness_slips(struct str a, struct str b);

/* Whether an English ear hears the same consonants in both ("gates", "gaetz"), with few edits
 * between them. False for words of less than three consonants. */
bool likeness_sounds(struct str a, struct str b);
