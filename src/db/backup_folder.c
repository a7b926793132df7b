/* Backups of a folder; see backup_folder.h. */
#include "db/backup_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "base/instant.h"

enum err backup_list(
    struct str folder, const char *pattern, struct arena *arena, struct backup_list *ret,
    struct fail *fail)
{
    struct dirent **entries;
    int n = scandir(folder.p, &entries, NULL, alphasort);
    *ret = (struct backup_list){NULL, 0};
    if (n < 0)
        return fail_set(
            fail, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read the folder \"%s\": %m",
            folder.p);
    ret->files = ARENA_ARRAY(arena, struct str, (size_t)n);
    for (int i = 0; i < n; i++) {
        if (fnmatch(pattern, entries[i]->d_name, 0) == 0)
            ret->files[ret->count++] =
                arena_fmt(arena, "%.*s/%s", STR_ARG(folder), entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return OK;
}

struct str backup_name(
    struct str folder, const char *prefix, int64_t now_ms, const char *suffix, struct arena *arena)
{
    char now[INSTANT_TEXT_SIZE];
    instant_print(now_ms, now);
    for (size_t i = 0; i < sizeof now; i++)
        now[i] = now[i] == ':' ? '-' : now[i];
    return arena_fmt(
        arena, "%.*s/%s-%.*s.%s", STR_ARG(folder), prefix, (int)sizeof now, now, suffix);
}
