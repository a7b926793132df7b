/* Opening the store and the server's lock; see store.h. */
#include "db/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/disk.h"
#include "db/migrate.h"

enum { COPY_STEP = 33 }; /* the migration that creates the table copy_mark */

/* WAL mode lets readers work beside one writer. The mode is stored in the file; setting it again
 * does nothing. */
static enum err use_write_ahead_log(struct db *db, struct fail *fail)
{
    if (db_kind(db) != DB_SQLITE)
        return OK;
    QUERY(q, db, "PRAGMA journal_mode = WAL");
    bool wal = query_row(&q) && str_eq(query_get_str(&q, 0), STR("wal"));
    TRY(query_end(&q, fail));
    if (!wal)
        return fail_set(
            fail, ERR_IO, "%.*s: this file system does not allow a write-ahead log",
            STR_ARG(db_name(db)));
    return OK;
}

static bool is_for_copy(enum store_mode mode)
{
    return mode == STORE_COPY_SOURCE || mode == STORE_COPY_TARGET;
}

/* What a mark of a copy forbids. A copy that is not finished lacks rows. A database that was moved
 * refuses writes anyway; the reason says where it is now. A new column of a database that is being
 * copied would be missing in the copy. */
struct copy_rule {
    struct str state; /* copy_mark.state */
    bool forbids_reads, forbids_writes, forbids_migration;
    const char *before, *after; /* the name of the other database */
};

static const struct copy_rule copy_rules[] = {
    {STR_INIT("filling"), true, true, true, "this is an unfinished copy of ",
     ": finish it with `stockact copy`"},
    {STR_INIT("filled"), true, true, true, "this is an unfinished copy of ",
     ": finish it with `stockact copy`"},
    {STR_INIT("closed"), false, true, true, "this database was moved to ",
     ": use that one, or undo the move with `stockact copy --cancel`"},
    {STR_INIT("following"), false, false, true, "this database is being copied to ",
     ": it can be migrated when that copy is finished, or after `stockact copy --cancel`"},
};

static bool forbids(const struct copy_rule *rule, enum store_mode mode, bool migrates)
{
    return mode == STORE_READ ? rule->forbids_reads
           : migrates         ? rule->forbids_migration
                              : rule->forbids_writes;
}

static enum err check_copy_marks(
    struct db *db, enum store_mode mode, bool migrates, struct fail *fail)
{
    enum err err = OK;
    QUERY(q, db, "SELECT state, other FROM copy_mark ORDER BY role DESC");
    while (query_row(&q)) {
        for (size_t i = 0; i < sizeof copy_rules / sizeof *copy_rules; i++) {
            const struct copy_rule *rule = &copy_rules[i];
            if (err || !str_eq(query_get_str(&q, 0), rule->state) || !forbids(rule, mode, migrates))
                continue;
            struct str other = query_get_str(&q, 1);
            err = fail_set(
                fail, ERR_REFUSED, "%.*s: %s%.*s%s", STR_ARG(db_name(db)), rule->before,
                STR_ARG(other), rule->after);
        }
    }
    enum err end = query_end(&q, err ? NULL : fail);
    return err ? err : end;
}

/* Also of a database that is older or newer than this program, if it can have marks. */
static enum err check_before_migrating(struct db *db, enum migrate_state state, struct fail *fail)
{
    int applied = 0;
    enum err err = state == MIGRATE_EMPTY ? OK : migrate_applied(db, &applied, fail);
    if (err || applied < COPY_STEP)
        return err;
    return check_copy_marks(db, STORE_MIGRATE, state == MIGRATE_OLDER, fail);
}

/* A target of a copy that was killed while it got its schema. A table of the first step that has
 * rows shows that it is in use. */
static enum err is_unfilled(struct db *db, bool *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT NOT (EXISTS (SELECT 1 FROM meta) OR EXISTS (SELECT 1 FROM change)"
        " OR EXISTS (SELECT 1 FROM member) OR EXISTS (SELECT 1 FROM ticker)"
        " OR EXISTS (SELECT 1 FROM document) OR EXISTS (SELECT 1 FROM account))");
    *ret = query_row(&q) && query_get_i64(&q, 0) == 1;
    return query_end(&q, fail);
}

static enum err bring_up_to_date(
    struct db *db, enum store_mode mode, const struct progress_hook *progress, struct fail *fail)
{
    enum migrate_state state;
    enum err err = migrate_inspect(db, &state, fail);
    if (err)
        return err;
    if (mode == STORE_MIGRATE)
        err = check_before_migrating(db, state, fail);
    if (err)
        return err;
    bool fills = mode == STORE_COPY_TARGET && state == MIGRATE_EMPTY;
    if (mode == STORE_COPY_TARGET && state == MIGRATE_OLDER)
        err = is_unfilled(db, &fills, fail);
    if (err)
        return err;
    if (mode == STORE_MIGRATE || fills) {
        err = use_write_ahead_log(db, fail);
        return err || state == MIGRATE_CURRENT || state == MIGRATE_NEWER
                   ? err
                   : migrate_run(db, migrate_latest(), progress, NULL, fail);
    }
    if (state == MIGRATE_EMPTY)
        return fail_set(
            fail, ERR_NOT_FOUND, "%.*s: this database is empty: run `stockact migrate`",
            STR_ARG(db_name(db)));
    if (state == MIGRATE_OLDER)
        return fail_set(
            fail, ERR_REFUSED,
            "%.*s: this database is older than this program; run `stockact migrate`",
            STR_ARG(db_name(db)));
    return is_for_copy(mode) ? OK : check_copy_marks(db, mode, false, fail);
}

static enum err open_telling(
    struct str url, enum store_mode mode, const struct progress_hook *progress, struct db **ret,
    struct fail *fail)
{
    const struct db_options options = {
        .read_only = mode == STORE_READ,
        .create = mode == STORE_MIGRATE || mode == STORE_COPY_TARGET,
        .patient = is_for_copy(mode),
    };
    struct db *db;
    TRY(db_open(url, &options, &db, fail));
    enum err err = bring_up_to_date(db, mode, progress, fail);
    if (err) {
        db_close(db);
        return err;
    }
    *ret = db;
    return OK;
}

enum err store_open(struct str url, enum store_mode mode, struct db **ret, struct fail *fail)
{
    return open_telling(url, mode, NULL, ret, fail);
}

enum err store_migrate(
    struct str url, const struct progress_hook *progress, struct db **ret, struct fail *fail)
{
    return open_telling(url, STORE_MIGRATE, progress, ret, fail);
}

/* The server's lock is an flock on a file of its own, not on the database file, whose POSIX locks
 * SQLite uses. A second lock, of the open file description, lets commands see the first: one can
 * ask for its holder without taking it. The kernel drops both when the process ends. */
struct store_lock {
    int fd; /* -1: no lock needed */
};

static enum err lock_file(const char *path, int *ret, struct fail *fail)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_set(
            fail, disk_err(errno),
            "cannot create \"%s\", its folder must exist and be writable: %s", path,
            disk_reason(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        enum err err = errno == EWOULDBLOCK ? ERR_BUSY : ERR_IO;
        if (err == ERR_BUSY)
            (void)fail_set(
                fail, err,
                "another server is using this database (it holds %s); servers share PostgreSQL, "
                "not a file",
                path);
        else
            (void)fail_set(fail, err, "cannot lock \"%s\": %m", path);
        close(fd);
        return err;
    }
    struct flock shown = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_SETLK, &shown) != 0) {
        enum err err = fail_set(fail, ERR_IO, "cannot lock \"%s\": %m", path);
        close(fd);
        return err;
    }
    *ret = fd;
    return OK;
}

/* One file has one lock, whichever path names it. */
static struct str lock_path(struct str path, struct arena *arena)
{
    struct str text = arena_str(arena, path);
    MEM_FREED char *real = realpath(text.p, NULL);
    return arena_fmt(arena, "%s.lock", real ? real : text.p);
}

bool store_has_server(const struct db *db)
{
    if (db_kind(db) != DB_SQLITE)
        return true;
    ARENA_SCOPED(arena);
    FD_CLOSED int fd = open(lock_path(db_name(db), &arena).p, O_RDONLY | O_CLOEXEC);
    bool never = fd < 0 && errno == ENOENT;
    struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool none = fd >= 0 && fcntl(fd, F_OFD_GETLK, &other) == 0 && other.l_type == F_UNLCK;
    return !never && !none;
}

enum err store_lock_server(struct str url, struct store_lock **ret, struct fail *fail)
{
    static const struct str sqlite = STR_INIT("sqlite:");
    int fd = -1;
    if (str_starts(url, sqlite)) {
        ARENA_SCOPED(arena);
        struct str lock = lock_path(str_slice(url, sqlite.n, url.n), &arena);
        TRY(lock_file(lock.p, &fd, fail));
    }
    *ret = MEM_NEW(struct store_lock);
    (*ret)->fd = fd;
    return OK;
}

void store_unlock_server(struct store_lock *lock)
{
    if (!lock)
        return;
    if (lock->fd >= 0)
        close(lock->fd);
    mem_free(lock);
}
