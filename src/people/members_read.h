/*
 * One file of the congress-legislators data set to members, without the store: either its JSON or
 * its CSV of historical members. Strings live in the arena.
 */
#pragma once

#include "base/import_file.h"
#include "store/public/member.h"

struct members_read {
    struct arena *arena;
    struct member *items; /* in the files' order; a person may stand there twice */
    size_t count;
    size_t room;
};

/* Appends the file's people. ERR_INVALID names the file and its line or record. */
enum err members_read_json(
    struct members_read *m, const struct import_file *file, struct fail *fail);
enum err members_read_csv(
    struct members_read *m, const struct import_file *file, struct fail *fail);

/* A zeroed member at the end of the list. */

void members_read_finish(struct members_read *m);

/* Appends a name unless the member has it already; `room` is how many `names` can hold. */
void member_name_add(struct member *member, size_t room, struct str first, struct str last);
