/*
 * Privileges that a process drops before its first thread (docs/reliability.md, "Confinement"):
 * core dumps, new privileges, and with Landlock all parts of the file system that it does not need.
 * A kernel without Landlock does not prevent the start; the result reports the protection in force.
 */
#pragma once

#include <stddef.h>

#include "base/str.h"

struct confine_path {
    const char *path; /* a folder or a file; a missing path is skipped */
    bool write;
};

struct confine_result {
    bool no_core_dumps;
    bool no_new_privileges;
    int landlock; /* version of the kernel's interface in force; 0: none */
};

/* Confines the calling thread and all threads that it starts afterwards. */
struct confine_result confine(const struct confine_path *paths, size_t count);
