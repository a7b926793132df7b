/*
 * `members import`: people, terms and other names out of the congress-legislators data set (JSON
 * arrays, or the CSV of historical members, which states the last term only and no dates).
 *
 * Every file is read and checked before anything is written; then one transaction takes all of them
 * in. Importing the same files again, or in another order, changes nothing that is there: a slug
 * once given stays (decision 7; docs/adr/0007-slugs.md).
 */
#pragma once

#include "people/filer.h"
#include "people/members_read.h"

struct db;
struct progress_hook;

struct members_report {
    size_t people;      /* distinct people in the files */
    size_t added;       /* were not in the store */
    size_t changed;     /* were, and something about them is new */
    bool sitting;       /* a file lists all sitting members */
    int64_t change_seq; /* of the notice: what running servers must have taken in; 0: no change */
};

/* Files are told apart by their content: '[' begins JSON, anything else must be the CSV's header.
 * ERR_INVALID names the file and the line or record; ERR_REFUSED: a database of invented data.
 * Writes one change notice when anything changed. `progress` (may be NULL) receives the phases of
 * enum import_phase. */
enum err members_import(
    struct db *db, const struct import_file *files, size_t count,
    const struct progress_hook *progress, struct members_report *ret, struct fail *fail);

/*
 * Merges the members of the imported files with those in the store: one record per person, and a
 * slug for each new one. Pure, so that tests can try every order of files.
 */

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
