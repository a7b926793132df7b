/*
 * Which file stands under a database's name. An SQLite file may be moved, deleted or replaced under
 * a running server; who had it open must not go on writing to what nobody finds again. Another file
 * in its place is not opened: the old one's log may lie beside it, and SQLite cannot tell whose it
 * is, nor can it be known that every connection of this process has let go of the old file.
 */
#pragma once

#include <sys/types.h>

#include "base/str.h"

struct sqlite_place {
    dev_t device;
    ino_t inode; /* 0: none yet */
};

/* Both names end in NUL. */
void sqlite_place_note(struct sqlite_place *place, struct str name); /* of what was just opened */
bool sqlite_place_is_same(const struct sqlite_place *place, struct str name);
