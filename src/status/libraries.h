/*
 * The libraries that the program is linked with, and their versions: of the file that is loaded
 * where the library says it, else of the one that the program was built with. For `stockact
 * version` and for admins.
 */
#pragma once

#include "base/str.h"

struct library {
    struct str name;    /* "libcurl": of its file, without ".so" */
    struct str version; /* "7.88.1"; a constant string */
};

enum { LIBRARIES_MAX = 32 };

/* In the order of their names. Returns how many there are. */
size_t libraries_read(struct library ret[static LIBRARIES_MAX]);
