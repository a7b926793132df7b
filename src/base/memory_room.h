/* The memory that this process may use: the limits of its control groups (version 2), and the
 * machine. */
#pragma once

#include <stdint.h>

struct memory_room {
    int64_t limit; /* bytes: the lowest limit of its groups, or all memory of the machine */
    int64_t left;  /* what of it no program uses: never above the limit */
};

/* `root`: "", or a folder of a test that stands for /. A container or unit that hides a file leaves
 * its limit out; INT64_MAX: nothing is known. */
struct memory_room memory_room(const char *root);
