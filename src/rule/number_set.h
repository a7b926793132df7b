/* A set of the numbers from 1 to 9999, such as pages or rows, stored and shown as "1-3,7". */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

enum { NUMBER_SET_MAX = 9999, NUMBER_SET_WORDS = (NUMBER_SET_MAX + 64) / 64 };

struct number_set {
    uint64_t words[NUMBER_SET_WORDS];
};

static inline bool number_set_has(const struct number_set *set, int number)
{
    return number > 0 && number <= NUMBER_SET_MAX && set->words[number / 64] >> number % 64 & 1;
}

/* A number outside of the range is not added. */
static inline void number_set_add(struct number_set *set, int number)
{
    if (number > 0 && number <= NUMBER_SET_MAX)
        set->words[number / 64] |= (uint64_t)1 << number % 64;
}

/* Adds the numbers of the text; parts that are none are skipped. */
void number_set_read(struct number_set *set, struct str text);

/* The text in the arena; an empty set is an empty text. */
struct str number_set_text(const struct number_set *set, struct arena *arena);

/* Removes what is not in `of`. */
static inline void number_set_keep(struct number_set *set, const struct number_set *of)
{
    for (size_t i = 0; i < NUMBER_SET_WORDS; i++)
        set->words[i] &= of->words[i];
}

/* Whether it is a part of `all`. */
bool number_set_within(const struct number_set *set, const struct number_set *all);

int number_set_count(const struct number_set *set);
