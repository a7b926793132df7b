/*
 * Which of the words are the last name? Nobody says: not of what was typed, and not quite of the
 * member. So each reading is tried, some words side by side against words that may be the member's
 * last name and the others against the given names, and the best one counts. For name_rank.c.
 */
#pragma once

#include "mcp/name_rank.h"

/* A form of a member's name, with its place for the last name. */
struct name_view {
    const struct name_parts *name;
    int family;       /* where the last name begins, as far as is known; 1 or more */
    struct str first; /* the first name in another form of it; null: none */
};

/* The best reading with a last name. */
struct name_score name_reading_best(const struct name_query *q, const struct name_view *v);

/* Given names alone, one or all of them: they name too many to be worth much. */
struct name_score name_reading_given(const struct name_query *q, const struct name_view *v);
