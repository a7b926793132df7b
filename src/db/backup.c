/* Backups; see backup.h. */
#include "db/backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/instant.h"
#include "db/db_driver.h"
#include "db/sqlite_error.h"

enum { PAGES_PER_STEP = 4096 };

static enum err check_free(const char *path, struct fail *fail)
{
    return access(path, F_OK) == 0
               ? fail_set(fail, ERR_EXISTS, "\"%s\" already exists: choose another name", path)
               : OK;
}

/* Creates the file empty, so that its mode is right from the start. *ret_fd holds a lock against
 * other backups. It must stay open until SQLite has closed the file: closing it ends SQLite's own
 * locks. */
static enum err make_part(const char *part, int *ret_fd, struct fail *fail)
{
    int fd = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(fd, 0) == 0) {
        *ret_fd = fd;
        return OK;
    }
    enum err err =
        fd >= 0 && errno == EWOULDBLOCK
            ? fail_set(fail, ERR_BUSY, "another backup writes \"%s\"", part)
            : fail_set(fail, disk_err(errno), "cannot create \"%s\": %s", part, disk_reason(errno));
    if (fd >= 0)
        close(fd);
    return err;
}

static enum err report(const char *path, sqlite3 *to, int code, struct fail *fail)
{
    return sqlite_error(to, code, str_from(path), fail);
}

/* 0 if it cannot be read, which the copy then says. */
static int64_t page_size_of(sqlite3 *db)
{
    sqlite3_stmt *statement;
    int64_t size = 0;
    if (sqlite3_prepare_v2(db, "PRAGMA page_size", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        size = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return size;
}

/* One long read transaction, so that writes of a busy server cannot restart the copy forever; they
 * continue in the write-ahead log. */
static int copy(sqlite3 *from, sqlite3 *to, int64_t page_size, const struct progress_hook *progress)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return sqlite3_errcode(to);
    int code;
    do {
        code = sqlite3_backup_step(backup, PAGES_PER_STEP);
        int total = sqlite3_backup_pagecount(backup), left = sqlite3_backup_remaining(backup);
        progress_tell(progress, (total - left) * page_size, total * page_size);
    } while (code == SQLITE_OK);
    sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static enum err copy_to_file(
    struct db *db, const char *path, const struct progress_hook *progress, struct fail *fail)
{
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) /* without a journal: a copy that fails is removed, not rolled back */
        code = sqlite3_exec(
            to, "PRAGMA synchronous = FULL; PRAGMA journal_mode = OFF", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = copy(db_sqlite_handle(db), to, page_size_of(db_sqlite_handle(db)), progress);
    enum err err = code == SQLITE_OK ? OK : report(path, to, code, fail);
    sqlite3_close(to);
    return err;
}

static enum err flush(const char *path, int flags, struct fail *fail)
{
    FD_CLOSED int fd = open(path, flags | O_CLOEXEC);
    if (fd >= 0 && fsync(fd) == 0)
        return OK;
    return fail_set(fail, disk_err(errno), "cannot flush \"%s\": %s", path, disk_reason(errno));
}

static enum err flush_folder_of(const char *path, struct fail *fail)
{
    struct str text = str_from(path);
    size_t n = text.n;
    while (n > 0 && text.p[n - 1] != '/')
        n--;
    MEM_FREED char *folder = n > 0 ? mem_strdup(str_slice(text, 0, n)) : mem_strdup(STR("."));
    return flush(folder, O_RDONLY | O_DIRECTORY, fail);
}

/* Gives the whole file its name, unless there is a file of that name. Some file systems cannot do
 * both at once. */
static enum err name_file(const char *part, const char *path, struct fail *fail)
{
    bool done = renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) == 0;
    bool cannot = !done && errno == EINVAL;
    enum err err = done ? OK : check_free(path, fail);
    if (done || err || (cannot && rename(part, path) == 0))
        return err;
    return fail_set(fail, disk_err(errno), "cannot rename \"%s\": %s", part, disk_reason(errno));
}

/* Into the empty file `part`. */
static enum err write_part(
    struct db *db, const char *part, const struct progress_hook *progress, struct fail *fail)
{
    enum err err = db_begin_read(db, fail);
    if (!err) {
        err = copy_to_file(db, part, progress, fail);
        db_rollback(db);
    }
    return err ? err : flush(part, O_RDONLY, fail);
}

enum err backup_write(
    struct db *db, const char *path, const struct progress_hook *progress, struct fail *fail)
{
    if (db_kind(db) == DB_POSTGRESQL)
        return fail_set(
            fail, ERR_REFUSED,
            "PostgreSQL is backed up by its own program: pg_dump --schema=stockact --format=custom "
            "--file=%s \"$STOCKACT_DATABASE\"",
            path);
    int lock = -1;
    ARENA_SCOPED(arena);
    const char *part = arena_fmt(&arena, "%s.part", path).p;
    enum err err = check_free(path, fail);
    if (!err)
        err = make_part(part, &lock, fail);
    if (!err) {
        err = write_part(db, part, progress, fail);
        if (!err)
            err = name_file(part, path, fail);
        if (err)
            unlink(part);
        close(lock);
    }
    return err ? err : flush_folder_of(path, fail);
}

/* --- backups of a folder */

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
