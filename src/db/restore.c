/* Restoring of backups; see restore.h. */
#include "db/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"

enum { COPY_BYTES = 1 << 20 };

/* What SQLite keeps beside a file. It would apply a former database's log to the new file. */
static const char *const companions[] = {"-wal", "-journal", "-shm"};
enum { COMPANIONS = sizeof companions / sizeof *companions };

static struct str copy_of(const char *path, struct arena *arena)
{
    return arena_fmt(arena, "%s.restoring", path);
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static enum err check_target(const char *path, struct arena *arena, struct fail *fail)
{
    if (exists(path))
        return fail_set(
            fail, ERR_EXISTS,
            "there is a database at \"%s\": `restore` replaces nothing; move it away, or name "
            "another place with --database",
            path);
    for (int i = 0; i < COMPANIONS; i++) {
        struct str name = arena_fmt(arena, "%s%s", path, companions[i]);
        if (exists(name.p))
            return fail_set(
                fail, ERR_EXISTS,
                "\"%s\" is left over from the database that was here: move it to where you moved "
                "that database",
                name.p);
    }
    return OK;
}

/* A database in use has its newest changes in a log beside it, which a copy would lack. */
static enum err check_source(const char *file, struct arena *arena, struct fail *fail)
{
    struct stat st;
    for (int i = 0; i < COMPANIONS - 1; i++) {
        struct str name = arena_fmt(arena, "%s%s", file, companions[i]);
        if (stat(name.p, &st) == 0 && st.st_size > 0)
            return fail_set(
                fail, ERR_REFUSED,
                "\"%s\" is a database in use, not a backup: its newest changes are in \"%s\". Make "
                "a backup with `stockact backup`",
                file, name.p);
    }
    return OK;
}

/* What a killed call left is removed before the copy: not if it is to be restored. */
static enum err check_distinct(const char *file, const char *name, struct fail *fail)
{
    struct stat from, to;
    if (stat(file, &from) == 0 && stat(name, &to) == 0 && from.st_dev == to.st_dev &&
        from.st_ino == to.st_ino)
        return fail_set(
            fail, ERR_REFUSED,
            "\"%s\" was left by an interrupted `restore` and may be incomplete: name the backup "
            "itself",
            file);
    return OK;
}

static enum err write_all(int to, const char *path, const char *bytes, ssize_t n, struct fail *fail)
{
    if (disk_write(to, str_of(bytes, (size_t)n)))
        return OK;
    return fail_set(fail, disk_err(errno), "cannot write \"%s\": %s", path, disk_reason(errno));
}

static enum err copy_bytes(
    int from, const char *file, int to, const char *path, int64_t size,
    const struct progress_hook *progress, struct fail *fail)
{
    MEM_FREED char *bytes = mem_alloc(COPY_BYTES);
    enum err err = OK;
    int64_t copied = 0;
    ssize_t n = 0;
    while (!err && (n = read(from, bytes, COPY_BYTES)) > 0) {
        err = write_all(to, path, bytes, n, fail);
        copied += n;
        progress_tell(progress, copied, size);
    }
    if (!err && n < 0)
        err = fail_set(fail, ERR_IO, "cannot read \"%s\": %m", file);
    return err;
}

static enum err copy(
    const char *file, const char *path, const struct progress_hook *progress, struct fail *fail)
{
    struct stat st;
    int from = open(file, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return fail_set(
            fail, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open the backup \"%s\": %m",
            file);
    if (fstat(from, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(from);
        return fail_set(fail, ERR_INVALID, "\"%s\" is not a file", file);
    }
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0) {
        close(from);
        return fail_set(
            fail, disk_err(errno),
            "cannot create \"%s\", its folder must exist and be writable: %s", path,
            disk_reason(errno));
    }
    enum err err = copy_bytes(from, file, to, path, st.st_size, progress, fail);
    if (!err && fsync(to) != 0)
        err = fail_set(fail, disk_err(errno), "cannot flush \"%s\": %s", path, disk_reason(errno));
    close(to);
    close(from);
    return err;
}

static void drop(const char *path, struct arena *arena)
{
    struct str name = copy_of(path, arena);
    unlink(name.p);
    for (int i = 0; i < COMPANIONS; i++)
        unlink(arena_fmt(arena, "%s%s", name.p, companions[i]).p);
}

enum err restore_begin(
    const char *file, const char *path, const struct progress_hook *progress, struct arena *arena,
    struct str *ret_url, struct fail *fail)
{
    struct str name = copy_of(path, arena);
    TRY(check_target(path, arena, fail));
    TRY(check_source(file, arena, fail));
    TRY(check_distinct(file, name.p, fail));
    drop(path, arena); /* of a call that was killed */
    enum err err = copy(file, name.p, progress, fail);
    if (err)
        drop(path, arena);
    else
        *ret_url = arena_fmt(arena, "sqlite:%s", name.p);
    return err;
}

/* A full disk can end the copy's last checkpoint, of which closing it says nothing. */
static enum err check_complete(const char *name, struct arena *arena, struct fail *fail)
{
    struct stat st;
    for (int i = 0; i < COMPANIONS - 1; i++) {
        struct str beside = arena_fmt(arena, "%s%s", name, companions[i]);
        if (stat(beside.p, &st) == 0 && st.st_size > 0)
            return fail_set(
                fail, ERR_IO,
                "the copy is incomplete, and a part of it is left in \"%s\": check whether the "
                "disk is full, and try again",
                beside.p);
    }
    return OK;
}

/* File systems without RENAME_NOREPLACE have hard links. */
static bool rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && link(from, to) == 0;
}

static bool flush(const char *path, int flags)
{
    FD_CLOSED int fd = open(path, flags | O_CLOEXEC);
    return fd >= 0 && fsync(fd) == 0;
}

static enum err put(const char *name, const char *path, struct fail *fail)
{
    if (flush(name, O_RDONLY) && rename_new(name, path))
        return OK;
    if (errno == EEXIST)
        return fail_set(fail, ERR_EXISTS, "\"%s\" was created meanwhile: it stays", path);
    return fail_set(
        fail, disk_err(errno), "cannot put the database at \"%s\": %s", path, disk_reason(errno));
}

/* The database is there. A second name of its file would let it be opened twice, with two logs. */
static enum err settle(const char *name, const char *path, struct fail *fail)
{
    char *folder = mem_strdup(str_from(path)); /* dirname writes into it */
    enum err err = OK;
    if (unlink(name) != 0 && errno != ENOENT)
        err = fail_set(
            fail, ERR_IO,
            "the database is at \"%s\", but \"%s\" cannot be removed, remove it before you start "
            "the server: %s",
            path, name, disk_reason(errno));
    else if (!flush(dirname(folder), O_RDONLY | O_DIRECTORY))
        err = fail_set(
            fail, disk_err(errno),
            "the database is at \"%s\", but its folder cannot be flushed, a power failure may undo "
            "that: %s",
            path, disk_reason(errno));
    mem_free(folder);
    return err;
}

enum err restore_end(const char *path, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str name = copy_of(path, &arena);
    enum err err = check_complete(name.p, &arena, fail);
    if (!err)
        err = put(name.p, path, fail);
    if (!err)
        err = settle(name.p, path, fail);
    drop(path, &arena);
    return err;
}

void restore_drop(const char *path)
{
    ARENA_SCOPED(arena);
    drop(path, &arena);
}
