/* The memory that this process may use: the limits of its control groups (version 2), and the
 * machine. */
#pragma once

#include <stdint.h>

struct memory_room {
    int64_t limit; /* bytes: the lowest limit of its groups, or all memory of the machine */
    int64_t left;  /* what of it no program uses: never above the limit */
};

/* `root` goes before each path: "", or in tests a folder instead of /. A limit whose file cannot be
 * read counts as none; INT64_MAX: nothing is known. */
struct memory_room memory_room(const char *root);
