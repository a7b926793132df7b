/* Names that no data set lists but official forms print: data/member_aliases.csv, built in. */
#pragma once

#include "base/mem.h"
#include "base/str.h"

struct alias {
    struct str id; /* Bioguide id */
    struct str first;
    struct str last;
};

struct aliases {
    const struct alias *items; /* by id */
    size_t count;
};

/* Strings live in the arena. A list that is not well formed is a mistake of the build (asserted).
 */
void aliases_read(struct arena *arena, struct aliases *ret);
