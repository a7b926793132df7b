/* Names that official forms print but no data set lists: data/member_aliases.csv, built in. */
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

/* Strings live in the arena. A malformed list is a build error (asserted). */
void aliases_read(struct arena *arena, struct aliases *ret);
