/* A file given to an import command. */
#pragma once

#include "base/str.h"

struct import_file {
    struct str name; /* as given on the command line; errors name it */
    struct str text;
};

/* The phases of an import of files (progress_hook.h). */
enum import_phase {
    IMPORT_READ, /* bytes of the files */
    IMPORT_WRITE /* what the import counts: people, symbols */
};
