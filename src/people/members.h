/*
 * `members import`: people, terms and other names out of the congress-legislators data set (JSON
 * arrays, or the CSV of historical members, which states the last term only and no dates).
 *
 * Every file is read and checked before anything is written; then one transaction takes all of them
 * in. Importing the same files again, or in another order, changes nothing that is there: a slug
 * once given stays (decision 7; docs/adr/0007-slugs.md).
 */
#pragma once

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
    const struct progress_hook *progress, struct members_report *ret, struct fail *fail) MUST_CHECK;
