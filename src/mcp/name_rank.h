/*
 * Ranks politicians by how well their name fits the name that a person or a language model typed.
 * Pure: no I/O, no clock.
 *
 * Letter case, accents, punctuation, titles and degrees do not count (names/name.h). Nicknames,
 * initials, middle names that only one side has, the order of words, words run together or apart,
 * and typing errors cost something.
 */
#pragma once

#include "names/given_name.h"
#include "names/name.h"

enum {
    NAME_SCORE_SAME = 1000,
    NAME_SCORE_SHOWN = 400, /* below: not worth showing */
};

/* What a score rests on, or what costs it most; the text is part of an English sentence. */
#define NAME_WHYS(X)                                                                               \
    X(WHY_NOTHING, "nothing in common")                                                            \
    X(WHY_SAME, "same name")                                                                       \
    X(WHY_SLUG, "the slug itself")                                                                 \
    X(WHY_NAMES, "same first and last name")                                                       \
    X(WHY_NICKNAME, "nickname or other form of the first name")                                    \
    X(WHY_INITIAL, "initial instead of the first name")                                            \
    X(WHY_MIDDLE, "one of the given names, not the first")                                         \
    X(WHY_FIRST_SPELLING, "first name spelled differently")                                        \
    X(WHY_ONE_LETTER, "one letter of the last name differs")                                       \
    X(WHY_SPELLING, "last name spelled differently")                                               \
    X(WHY_SOUND, "last name sounds alike")                                                         \
    X(WHY_BEGINNING, "beginning of the last name")                                                 \
    X(WHY_PART, "part of the last name")                                                           \
    X(WHY_MIDDLE_AS_LAST, "middle name instead of the last name")                                  \
    X(WHY_LAST_INITIAL, "first name and initial of the last name")                                 \
    X(WHY_ORDER, "other order of the words")                                                       \
    X(WHY_SURPLUS, "words that are not in the name")                                               \
    X(WHY_TOGETHER, "words written together")                                                      \
    X(WHY_LAST_ONLY, "last name only")                                                             \
    X(WHY_FIRST_ONLY, "given name only")                                                           \
    X(WHY_INITIALS, "initials")                                                                    \
    X(WHY_OTHER_FIRST, "same last name, other first name")                                         \
    X(WHY_GENERATION, "other generation (Jr., Sr., III)")

#define NAME_WHY_ENUM(why, text) why,
enum name_why { NAME_WHYS(NAME_WHY_ENUM) WHY_COUNT };

const char *name_why_text(enum name_why why);

struct name_score {
    int permille;      /* 0 (nothing in common that counts) to NAME_SCORE_SAME */
    enum name_why why; /* WHY_NOTHING with 0, and with nothing else */
};

/* A typed name, prepared once for many comparisons. */
struct name_query {
    struct name name;
    struct given_name given[NAME_WORDS_MAX]; /* each word as a given name */
    bool slug;                               /* typed as a slug: "nancy-pelosi" */
    struct arena *arena;
};

/* The arena must outlive the query; every score takes a little of it. ERR_INVALID as
 * name_read_typed. */
enum err name_query_init(
    struct name_query *q, struct str text, struct arena *arena, struct fail *fail);

/* `name` as displayed, "Robert C. \"Bobby\" Scott"; `slug` is made of first and last name,
 * "robert-scott", perhaps with an id behind it. The slug tells where the last name begins, and
 * often another first name. Either may be null. A name and its slug score NAME_SCORE_SAME. */
struct name_score name_query_score(const struct name_query *q, struct str name, struct str slug);
