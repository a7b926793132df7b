/*
 * What a process gives up before its first thread (docs/reliability.md, "Confinement"): core dumps,
 * new privileges, and with Landlock every part of the file system that it does not need. A kernel
 * without Landlock is no reason not to start; the result says what was had.
 */
#pragma once

#include <stddef.h>

#include "base/str.h"

struct confine_path {
    const char *path; /* a folder or a file; one that is not there is passed over */
    bool write;
};

struct confine_result {
    bool no_core_dumps;
    bool no_new_privileges;
    int landlock; /* version of the kernel's interface that is in force; 0: none */
};

/* Binds the calling thread and all that it starts afterwards. */
struct confine_result confine(const struct confine_path *paths, size_t count);
