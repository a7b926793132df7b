/*
 * How alike two words are in writing and in sound: what separates a slip of the finger or the ear
 * from another word. Words are folded (base/fold.h); everything here is symmetric.
 */
#pragma once

#include "base/str.h"

/* Longer words are never alike, only equal. */
enum { WORD_LIKE_MAX = 24 };

/* Letters changed, left out, added, or swapped with their neighbour, at the fewest; `max` + 1 when
 * they are more than `max`. */
int word_edits(struct str a, struct str b, int max);

/* How many edits still are a slip in words as long as the longer of the two; 0 in short ones, where
 * each letter makes another word. */
int word_slips(struct str a, struct str b);

/* Whether both have the same consonants to the ear, with few edits between them ("gates", "gaetz").
 * For English ears; says nothing of words with less than three consonants. */
bool word_sounds_like(struct str a, struct str b);
