/* A file that a person gave to an import. */
#pragma once

#include "base/str.h"

struct import_file {
    struct str name; /* as the person gave it: named in errors */
    struct str text;
};
