/*
 * Detects that an SQLite file was moved, deleted or replaced while the server runs. The server must
 * not continue to write to the old file, which no longer has its name. It must not open the new
 * file either: the old file's log may be beside it, SQLite cannot tell whose log it is, and other
 * connections of this process may still have the old file open.
 */
#pragma once

#include <sys/types.h>

#include "base/str.h"

struct sqlite_place {
    dev_t device;
    ino_t inode; /* 0: not noted yet */
};

/* Both names end in NUL. */
void sqlite_place_note(struct sqlite_place *place, struct str name); /* right after opening it */
bool sqlite_place_is_same(const struct sqlite_place *place, struct str name);
