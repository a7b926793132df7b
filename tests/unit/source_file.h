/* Files of the source tree, for tests that hold a text against the code: seen from the root that
 * the build names (STOCKACT_SOURCE_ROOT). */
#pragma once

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* The whole file, in the arena; its absence fails the test. */
static inline struct str source_file_read(struct arena *a, const char *path)
{
    const char *root = getenv("STOCKACT_SOURCE_ROOT");
    struct str name = arena_fmt(a, "%s/%s", root ? root : ".", path);
    FILE *file = fopen(name.p, "rbe");
    if (!file)
        fail_msg("there is no %s", name.p);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = arena_alloc(a, (size_t)size + 1);
    size_t n = fread(text, 1, (size_t)size, file);
    fclose(file);
    return str_of(text, n);
}
