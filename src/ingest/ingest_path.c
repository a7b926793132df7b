/*
 * Imports the files below a folder in order of names, so that every run has the same order; see
 * ingest.h. Every entry is opened relative to its open folder and without following links, and only
 * the open file decides what it is: an entry that is replaced meanwhile leads nowhere else.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/mem.h"
#include "ingest/ingest.h"

enum { DEPTH_MAX = 32 };

/* A folder that is being imported. */
struct folder {
    int fd;
    const char *path; /* for people */
    int depth;
};

static enum err take_folder(
    struct ingest *in, const struct folder *folder, int64_t now_ms, struct fail *fail);

static void skip(struct ingest *in, const char *path, const char *reason)
{
    const struct ingest_line line = {
        .document = str_from(path), .status = INGEST_SKIPPED, .reason = str_from(reason)};
    ingest_emit_line(in, &line);
}

/* NULL: a file or a folder. */
static const char *why_skipped(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
    case S_IFDIR:
        return NULL;
    case S_IFLNK:
        return "a symbolic link; name its target to import it";
    case S_IFIFO:
        return "a named pipe, not a file";
    case S_IFSOCK:
        return "a socket, not a file";
    default:
        return "a device, not a file";
    }
}

static enum err take_inner_folder(
    struct ingest *in, int fd, const char *path, int depth, int64_t now_ms, struct fail *fail)
{
    if (depth >= DEPTH_MAX)
        return ingest_unreadable(in, path, "folders are nested too deeply", now_ms, fail);
    const struct folder inner = {fd, path, depth};
    return take_folder(in, &inner, now_ms, fail);
}

/* Not opened before its type is known: opening a device may do something. */
static enum err take_entry(
    struct ingest *in, const struct folder *folder, const char *name, const char *path,
    int64_t now_ms, struct fail *fail)
{
    struct stat st;
    if (fstatat(folder->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return ingest_unreadable(in, path, strerror(errno), now_ms, fail);
    const char *skipped = why_skipped(st.st_mode);
    if (skipped) {
        skip(in, path, skipped);
        return OK;
    }
    int fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno != ELOOP)
        return ingest_unreadable(in, path, strerror(errno), now_ms, fail);
    enum err err = OK;
    if (fd < 0)
        skip(in, path, why_skipped(S_IFLNK)); /* a link by now */
    else if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
        err = take_inner_folder(in, fd, path, folder->depth + 1, now_ms, fail);
    else
        err = ingest_open_file(in, path, fd, now_ms, fail);
    if (fd >= 0)
        close(fd);
    return err;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum err take_folder(
    struct ingest *in, const struct folder *folder, int64_t now_ms, struct fail *fail)
{
    struct dirent **names = NULL;
    ARENA_SCOPED(arena);
    int count = scandirat(folder->fd, ".", &names, is_visible, alphasort);
    if (count < 0)
        return ingest_unreadable(in, folder->path, strerror(errno), now_ms, fail);
    enum err err = OK;
    for (int i = 0; i < count; i++) {
        struct str path = arena_fmt(&arena, "%s/%s", folder->path, names[i]->d_name);
        if (!err)
            err = take_entry(in, folder, names[i]->d_name, path.p, now_ms, fail);
        free(names[i]);
    }
    free(names);
    return err;
}

enum err ingest_path(struct ingest *in, const char *path, int64_t now_ms, struct fail *fail)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return fail_set(fail, ERR_NOT_FOUND, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return ingest_file(in, path, now_ms, fail);
    FD_CLOSED int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return ingest_unreadable(in, path, strerror(errno), now_ms, fail);
    const struct folder folder = {fd, path, 0};
    return take_folder(in, &folder, now_ms, fail);
}

/* --- counting */

static int64_t count_folder(int fd, int depth)
{
    int64_t files = 0;
    struct dirent **names = NULL;
    int count = depth < DEPTH_MAX ? scandirat(fd, ".", &names, is_visible, NULL) : 0;
    for (int i = 0; i < count; i++) {
        struct stat st;
        bool known = fstatat(fd, names[i]->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0;
        files += known && S_ISREG(st.st_mode);
        int inner =
            known && S_ISDIR(st.st_mode)
                ? openat(fd, names[i]->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                : -1;
        if (inner >= 0) {
            files += count_folder(inner, depth + 1);
            close(inner);
        }
        free(names[i]);
    }
    free(names);
    return files;
}

int64_t ingest_count(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return 0;
    if (!S_ISDIR(st.st_mode))
        return 1;
    FD_CLOSED int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? 0 : count_folder(fd, 0);
}
