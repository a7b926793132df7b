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
struct member *members_read_add(struct members_read *m);
void members_read_finish(struct members_read *m);

/* Appends a name unless the member has it already; `room` is how many `names` can hold. */
void member_name_add(struct member *member, size_t room, struct str first, struct str last);

/* "James", "M." give "James M."; an empty or null part is left out. */
struct str members_join(struct arena *arena, struct str a, struct str b);

/* Splits a full name into given names and last name: `last` where the name ends in it, otherwise
 * its final word. Generations and degrees stay with the last name. */
struct member_name members_split_full(struct arena *arena, struct str full, struct str last);

/* Why the member is refused: a name or a party has a hidden character. NULL: none has. */
const char *members_hidden(struct arena *arena, const struct member *member);

bool members_state_valid(struct str state); /* two capital letters */
