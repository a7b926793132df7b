/*
 * What an import makes of the members in its files and those in the store: one record per person,
 * with a slug for each that is new. Pure, so that every order of files can be tried.
 */
#pragma once

#include "people/aliases.h"
#include "people/members_read.h"

struct members_merged {
    struct member *items; /* one per person in the files; in the order in which slugs were given */
    size_t count;
};

/*
 * - Dated terms (JSON) replace what is stored. A term without dates (CSV) is taken only for people
 *   of whom no dated one is known: it could only contradict what is known better.
 * - Names add up: one that is stored stays, so that a person is still found after a change of name.
 * - A stored slug stays. New ones are given in the order: latest end of service first, people
 *   without dates after them, then the younger first, then by id; the first of namesakes gets the
 *   plain slug, the others get theirs with the id behind it.
 *
 * `stored` and `read` must outlive the result.
 */
void members_merge(
    struct arena *arena, const struct members_read *read, const struct member_list *stored,
    const struct aliases *aliases, struct members_merged *ret);
