/* Closed lists that are stored as text: a table of names indexed by the enum.
 * Private to src/store. */
#pragma once

#include "base/str.h"

/* The index of `name`, or -1. */
static inline int name_find(const struct str *names, int count, struct str name)
{
    for (int i = 0; i < count; i++)
        if (str_eq(names[i], name))
            return i;
    return -1;
}

#define NAME_COUNT(names) ((int)(sizeof(names) / sizeof *(names)))
