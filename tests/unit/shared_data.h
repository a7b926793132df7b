/* Real records for tests, where the machine has them: $STOCKACT_SHARED/data or ../shared/data seen
 * from the root of the source (STOCKACT_SOURCE_ROOT, set by the build). Tests skip with a plain
 * line where there are none. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

/* A file or folder under the shared data folder, in the arena, with a NUL after it. */
static inline struct str shared_data_path(struct arena *arena, const char *path)
{
    const char *shared = getenv("STOCKACT_SHARED"), *source = getenv("STOCKACT_SOURCE_ROOT");
    return shared ? arena_fmt(arena, "%s/data/%s", shared, path)
                  : arena_fmt(arena, "%s/../shared/data/%s", source ? source : ".", path);
}

/* The whole file under the shared data folder, in the arena; the null string when it is absent. */
static inline struct str shared_data_read(struct arena *arena, const char *path)
{
    struct str name = shared_data_path(arena, path);
    FILE *file = fopen(name.p, "rbe");
    if (!file) {
        fprintf(stderr, "skipped: no %s\n", name.p);
        return STR_NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = arena_alloc(arena, (size_t)size + 1);
    size_t n = fread(text, 1, (size_t)size, file);
    fclose(file);
    return str_of(text, n);
}
