/* A file given to an import command. */
#pragma once

#include "base/str.h"

struct import_file {
    struct str name; /* as given on the command line; errors name it */
    struct str text;
};
