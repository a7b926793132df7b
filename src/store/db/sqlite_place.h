/*
 * Detects that the SQLite file under a name was replaced. A file can be moved, deleted or replaced
 * while the server runs. The server must not go on writing to the old file, because no name leads
 * to it any more. It does not open another file in that place either: the old file's log may lie
 * beside it, SQLite cannot tell whose log it is, and other connections of this process may still
 * have the old file open.
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
