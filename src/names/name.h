/*
 * A person's name as words that can be compared: folded (base/fold.h), in spoken order, without
 * titles and degrees, and with the generation taken out. "McConnell, Hon. A. Mitchell, Jr." gives
 * [a mitchell mcconnell] and "jr".
 */
#pragma once

#include "base/err.h"
#include "base/fold.h"
#include "base/mem.h"

enum { NAME_WORDS_MAX = 12, NAME_LETTERS_MAX = 2 * FOLD_TEXT_MAX };

struct name {
    struct str word[NAME_WORDS_MAX]; /* side by side in memory: see name_span */
    int count;
    struct str generation; /* a constant: jr, sr, ii, iii, iv, v; null: not stated */
};

/* A name as people type and sites display it. The last name may stand in front of a comma.
 * Nicknames are words; a party with its state, the number of a district and "of Massachusetts" are
 * dropped. Words live in the arena. ERR_INVALID, with a reason about "the name" and no words in
 * *ret: longer than FOLD_TEXT_MAX, not UTF-8, without a Latin letter, or more than NAME_WORDS_MAX
 * words. */
enum err name_read_typed(struct name *ret, struct arena *arena, struct str text, struct fail *fail);

/* A name as official forms print it: given names and last name, or all of it in `last`. Either may
 * be null. Nicknames in quotes or brackets are dropped. False, and no words, where name_read_typed
 * would fail. */
bool name_read_printed(struct name *ret, struct arena *arena, struct str first, struct str last);

/* `count` words from `from` on as one: "van hollen" as "vanhollen". Null without a word. */
struct str name_span(const struct name *name, int from, int count);

/* Whether the letters begin these words, one each; false for a single word. */
bool name_initials(const struct name *name, int from, int count, struct str letters);
