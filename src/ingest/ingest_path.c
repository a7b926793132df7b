/* Imports the files below a folder in order of names, so that every run has the same order; see
 * ingest.h. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "ingest/ingest.h"

enum { DEPTH_MAX = 32 };

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum err take_path(
    struct ingest *in, const char *path, int depth, int64_t now_ms, struct fail *fail);

static enum err take_folder(
    struct ingest *in, const char *path, int depth, int64_t now_ms, struct fail *fail)
{
    struct dirent **names = NULL;
    struct arena arena;
    int count = depth < DEPTH_MAX ? scandir(path, &names, is_visible, alphasort) : -1;
    if (count < 0)
        return ingest_unreadable(
            in, path, depth < DEPTH_MAX ? strerror(errno) : "folders are nested too deeply", now_ms,
            fail);
    enum err err = OK;
    arena_init(&arena);
    for (int i = 0; i < count; i++) {
        struct str inner = arena_fmt(&arena, "%s/%s", path, names[i]->d_name);
        if (!err)
            err = take_path(in, inner.p, depth + 1, now_ms, fail);
        free(names[i]);
    }
    free(names);
    arena_finish(&arena);
    return err;
}

/* Follows a symbolic link to a file, but not to a folder: folder links could form a cycle. */
static enum err take_path(
    struct ingest *in, const char *path, int depth, int64_t now_ms, struct fail *fail)
{
    struct stat st, link;
    bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    bool linked = depth > 0 && lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (folder && linked)
        return OK;
    return folder ? take_folder(in, path, depth, now_ms, fail)
                  : ingest_file(in, path, now_ms, fail);
}

enum err ingest_path(struct ingest *in, const char *path, int64_t now_ms, struct fail *fail)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return fail_set(fail, ERR_NOT_FOUND, "%s: %s", path, strerror(errno));
    return take_path(in, path, 0, now_ms, fail);
}
