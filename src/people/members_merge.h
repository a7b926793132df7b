/*
 * Merges the members of the imported files with those in the store: one record per person, and a
 * slug for each new one. Pure, so that tests can try every order of files.
 */
#pragma once

#include "people/aliases.h"
#include "people/members_read.h"

struct members_merged {
    struct member *items; /* in the order in which slugs were assigned */
    size_t count;
    bool sitting;  /* a file lists all sitting members */
    size_t people; /* in the files; the others left the list of sitting members */
};

/*
 * - Dated terms (JSON) replace the stored terms. An undated term (CSV) is used only for a person
 *   without dated terms, because dated ones are more exact.
 * - Names add up: stored names are kept, so that a person is still found after a change of name.
 * - A stored member whom a list of sitting members no longer has is in the result too, with the
 *   day before the list's (listed_on).
 * - Stored slugs are kept. New slugs are assigned in this order: latest end of service first,
 *   people without dates after them, then the younger first, then by id. The first of several
 *   people with one name gets the plain slug, the others get a slug that ends with the id.
 *
 * `stored` and `read` must outlive the result.
 */
void members_merge(
    struct arena *arena, const struct members_read *read, const struct member_list *stored,
    const struct aliases *aliases, struct members_merged *ret);
