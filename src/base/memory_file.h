/* Files in memory, without a name. No program that the process starts inherits them. */
#pragma once

#include "base/disk.h"

/* `name` is only for people, in /proc. -1: errno. */
int memory_file_create(const char *name) MUST_CHECK;

/* From now on nobody can change its bytes or its size. -1: errno. */
int memory_file_seal(int fd);

void memory_file_close(int fd); /* -1 is ignored */

/* The memory that this process may use: the limits of its control groups (version 2), and the
 * machine. */

struct memory_room {
    int64_t limit; /* bytes: the lowest limit of its groups, or all memory of the machine */
    int64_t left;  /* what of it no program uses: never above the limit */
};

/* `root` goes before each path: "", or in tests a folder instead of /. A limit whose file cannot be
 * read counts as none; INT64_MAX: nothing is known. */
struct memory_room memory_room(const char *root);
