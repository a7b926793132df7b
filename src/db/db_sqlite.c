/*
 * The SQLite driver. Invariants of a connection: every commit is flushed (synchronous=FULL),
 * foreign keys are enforced, and SQL stored in the file cannot call functions with side effects
 * (trusted_schema=OFF). Only SQLite opens and closes the file: closing any other descriptor of it
 * would drop this process's locks.
 */

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/mem.h"
#include "db/db.h"
#include "db/db_driver.h"
#include "db/sqlite_error.h"

struct sqlite_place {
    dev_t device;
    ino_t inode; /* 0: not noted yet */
};

/* Files and their names. */

/* Both names end in NUL. */
static void sqlite_place_note(struct sqlite_place *place, struct str name)
{
    struct stat st;
    if (stat(name.p, &st) == 0)
        *place = (struct sqlite_place){st.st_dev, st.st_ino};
}

static bool sqlite_place_is_same(const struct sqlite_place *place, struct str name)
{
    struct stat st;
    return stat(name.p, &st) == 0 && st.st_dev == place->device && st.st_ino == place->inode;
}

enum { PARAMETER_NAME_SIZE = 16 };

struct sqlite_db {
    struct db base;
    sqlite3 *handle; /* NULL: the file was moved away and not replaced yet */
    struct db_options options;
    struct sqlite_place place; /* the place of the file that handle is, or was, on */
};

struct sqlite_statement {
    struct db_statement base;
    sqlite3_stmt *stmt; /* NULL: to be prepared, because its handle is gone */
    int parameters;
    bool writes;
    int index[DB_PARAMETERS_MAX + 1]; /* the index of $n, which SQLite treats as a name */
};

static const struct db_driver sqlite_driver;

static struct sqlite_db *sqlite_of(struct db *db)
{
    return (struct sqlite_db *)db;
}

static struct sqlite_statement *statement_of(struct db_statement *s)
{
    return (struct sqlite_statement *)s;
}

/* statement_of for read-only callers */
static sqlite3_stmt *stmt_of(const struct db_statement *s)
{
    return ((const struct sqlite_statement *)s)->stmt;
}

struct sqlite3 *db_sqlite_handle(struct db *db)
{
    assert(db->driver == &sqlite_driver);
    return sqlite_of(db)->handle;
}

static enum err report(struct db *db, int code, struct fail *fail)
{
    return sqlite_error(sqlite_of(db)->handle, code, db->name, fail);
}

/* Opening */

static void close_handle(struct sqlite_db *db)
{
    int code = sqlite3_close(db->handle);
    assert(code == SQLITE_OK); /* every statement was finalized */
    (void)code;
    db->handle = NULL;
}

static void sqlite_close(struct db *db)
{
    close_handle(sqlite_of(db));
    mem_free(db);
}

/* Creates the file with mode 0600, because SQLite would use 0644; the log and index files inherit
 * the mode. O_EXCL: no connection of this process can have the file open yet. */
static enum err make_file(const char *path, struct fail *fail)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
        return OK;
    }
    if (errno == EEXIST)
        return OK;
    return fail_set(
        fail, disk_err(errno), "cannot create \"%s\", its folder must exist and be writable: %s",
        path, disk_reason(errno));
}

static enum err look_for_file(const char *path, struct fail *fail)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return errno == ENOENT
                   ? fail_set(fail, ERR_NOT_FOUND, "there is no database at \"%s\"", path)
                   : fail_set(fail, ERR_IO, "%s: %m", path);
    if (!S_ISREG(st.st_mode))
        return fail_set(fail, ERR_IO, "\"%s\" is not a file", path);
    return OK;
}

static enum err sqlite_exec(struct db *db, const char *sql, struct fail *fail)
{
    int code = sqlite3_exec(sqlite_of(db)->handle, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? OK : report(db, code, fail);
}

/* Nothing here writes to the file, because it may be another program's. */
static enum err configure(struct db *db, const struct db_options *options, struct fail *fail)
{
    sqlite3 *handle = sqlite_of(db)->handle;
    sqlite3_busy_timeout(
        handle, options->busy_timeout_ms ? options->busy_timeout_ms : DB_BUSY_TIMEOUT_MS);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    TRY(sqlite_exec(
        db,
        "PRAGMA trusted_schema = OFF;"
        "PRAGMA foreign_keys = ON;"
        "PRAGMA synchronous = FULL;"
        "PRAGMA temp_store = MEMORY;"
        "PRAGMA cache_size = -16000;" /* KiB */
        "PRAGMA journal_size_limit = 67108864;",
        fail));
    if (options->read_only)
        TRY(sqlite_exec(db, "PRAGMA query_only = ON", fail));
    TRY(sqlite_exec(
        db, "SELECT count(*) FROM sqlite_schema", fail)); /* the first read of the file itself */
    if (!options->read_only && sqlite3_db_readonly(handle, "main") == 1)
        TRY(report(db, SQLITE_READONLY, fail));
    return OK;
}

/* Read-only connections open the file for writing too, because readers of a write-ahead log keep
 * marks beside it. */
static enum err open_handle(struct sqlite_db *db, struct fail *fail)
{
    int code = sqlite3_open_v2(
        db->base.name.p, &db->handle,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    sqlite_place_note(&db->place, db->base.name);
    return code == SQLITE_OK ? configure(&db->base, &db->options, fail)
                             : report(&db->base, code, fail);
}

enum err db_sqlite_open(
    struct str path, const struct db_options *options, struct db **ret, struct fail *fail)
{
    sqlite_full_install();
    char *name = mem_strdup(path);
    enum err err = options->create ? make_file(name, fail) : look_for_file(name, fail);
    if (err) {
        mem_free(name);
        return err;
    }
    struct sqlite_db *db = MEM_NEW(struct sqlite_db);
    db->base.driver = &sqlite_driver;
    db->base.name = str_of(name, path.n);
    db->options = *options;
    err = open_handle(db, fail);
    if (err) {
        db_close(&db->base);
        return err;
    }
    *ret = &db->base;
    return OK;
}

/* True if the file was moved or deleted: SQLite would go on writing to a file without a name. */
static bool was_moved(struct sqlite_db *db)
{
    int moved = 0;
    return db->handle &&
           sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
           moved;
}

/* Leaving WAL mode checkpoints and deletes the -wal file, unless another connection has it open;
 * sqlite3_close would leave it behind for a moved file. The new mode is not stored: that would take
 * a write outside the log, which SQLite refuses on a moved file. */
static void let_go(struct sqlite_db *db)
{
    sqlite3_busy_timeout(db->handle, 0);
    enum err ignored = sqlite_exec(&db->base, "PRAGMA journal_mode = DELETE", NULL);
    (void)ignored;
    for (size_t i = 0; i < db->base.statement_room; i++) {
        struct sqlite_statement *s = (struct sqlite_statement *)db->base.statements[i];
        if (s) {
            sqlite3_finalize(s->stmt);
            s->stmt = NULL;
        }
    }
    close_handle(db);
    db->base.data_version = 0;
}

static enum err moved(const struct sqlite_db *db, struct fail *fail)
{
    return fail_set(
        fail, ERR_UNAVAILABLE,
        "%.*s: the database file was moved, deleted or replaced; it is used again when it is back, "
        "another one in its place after a restart",
        STR_ARG(db->base.name));
}

static enum err open_again(struct sqlite_db *db, struct fail *fail)
{
    if (!sqlite_place_is_same(&db->place, db->base.name))
        return moved(db, fail);
    enum err err = open_handle(db, fail);
    if (!err && !db->options.read_only) /* the file may be back since before let_go left WAL mode */
        err = sqlite_exec(&db->base, "PRAGMA journal_mode = WAL", fail);
    if (err)
        close_handle(db);
    return err;
}

/* Statements */

static enum err sqlite_ready(struct db *db, struct fail *fail)
{
    struct sqlite_db *d = sqlite_of(db);
    if (was_moved(d)) {
        if (db->in_transaction)
            return moved(d, fail);
        let_go(d);
    }
    if (!d->handle)
        return open_again(d, fail);
    /* SQLite ends a transaction by itself on some errors. Continuing would commit each statement
     * alone. */
    if (db->in_transaction && sqlite3_get_autocommit(d->handle))
        return fail_set(
            fail, db->doomed ? db->doomed : ERR_IO, "%.*s: the transaction was rolled back",
            STR_ARG(db->name));
    return OK;
}

static enum err sqlite_prepare(
    struct db *db, const char *sql, struct db_statement **statement, struct fail *fail)
{
    if (*statement && stmt_of(*statement))
        return OK; /* SQLite prepares it again by itself when the schema changes */
    sqlite3_stmt *stmt = NULL;
    int code =
        sqlite3_prepare_v3(sqlite_of(db)->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (code != SQLITE_OK)
        return report(db, code, fail);
    struct sqlite_statement *s =
        *statement ? statement_of(*statement) : MEM_NEW(struct sqlite_statement);
    s->base.sql = sql;
    s->stmt = stmt;
    s->writes = !sqlite3_stmt_readonly(stmt);
    s->parameters = sqlite3_bind_parameter_count(stmt);
    assert(s->parameters <= DB_PARAMETERS_MAX);
    for (int n = 1; n <= s->parameters; n++) {
        char name[PARAMETER_NAME_SIZE];
        snprintf(name, sizeof name, "$%d", n);
        s->index[n] = sqlite3_bind_parameter_index(stmt, name);
        assert(s->index[n]); /* the text uses each of $1 to $n */
    }
    *statement = &s->base;
    return OK;
}

static void sqlite_finalize(struct db *db, struct db_statement *statement)
{
    sqlite3_finalize(stmt_of(statement));
    mem_free(statement);
}

static int sqlite_parameters(const struct db_statement *statement)
{
    return ((const struct sqlite_statement *)statement)->parameters;
}

/* Writes must be read to the end: an early reset would cut them short and lose their error. */
static bool sqlite_runs_to_end(const struct db_statement *statement)
{
    return ((const struct sqlite_statement *)statement)->writes;
}

static int index_of(const struct sqlite_statement *s, int n)
{
    assert(n <= s->parameters);
    return s->index[n];
}

static void sqlite_bind_null(struct db_statement *statement, int n)
{
    struct sqlite_statement *s = statement_of(statement);
    sqlite3_bind_null(s->stmt, index_of(s, n));
}

static void sqlite_bind_i64(struct db_statement *statement, int n, int64_t value)
{
    struct sqlite_statement *s = statement_of(statement);
    sqlite3_bind_int64(s->stmt, index_of(s, n), value);
}

static void sqlite_bind_text(struct db_statement *statement, int n, struct str value)
{
    struct sqlite_statement *s = statement_of(statement);
    int code =
        sqlite3_bind_text64(s->stmt, index_of(s, n), value.p, value.n, SQLITE_STATIC, SQLITE_UTF8);
    assert(code == SQLITE_OK); /* callers cap sizes far below SQLite's limit */
    (void)code;
}

static void sqlite_bind_blob(struct db_statement *statement, int n, const void *p, size_t size)
{
    struct sqlite_statement *s = statement_of(statement);
    int code = sqlite3_bind_blob64(s->stmt, index_of(s, n), p, size, SQLITE_STATIC);
    assert(code == SQLITE_OK);
    (void)code;
}

static enum db_step sqlite_step(
    struct db *db, struct db_statement *statement, enum err *ret_err, struct fail *fail)
{
    int code = sqlite3_step(stmt_of(statement));
    if (code == SQLITE_ROW)
        return DB_STEP_ROW;
    if (code == SQLITE_DONE)
        return DB_STEP_DONE;
    *ret_err = report(db, code, fail);
    return DB_STEP_FAILED;
}

static int64_t sqlite_end(struct db *db, struct db_statement *statement)
{
    struct sqlite_statement *s = statement_of(statement);
    int64_t changes = s->writes ? sqlite3_changes64(sqlite_of(db)->handle) : 0;
    sqlite3_reset(s->stmt); /* returns the code of the last step again */
    return changes;
}

static bool sqlite_is_null(const struct db_statement *statement, int column)
{
    return sqlite3_column_type(stmt_of(statement), column) == SQLITE_NULL;
}

static int64_t sqlite_get_i64(const struct db_statement *statement, int column)
{
    return sqlite3_column_int64(stmt_of(statement), column);
}

static struct str sqlite_get_blob(const struct db_statement *statement, int column)
{
    sqlite3_stmt *stmt = stmt_of(statement);
    const void *p = sqlite3_column_blob(stmt, column);
    if (p)
        return str_of(p, (size_t)sqlite3_column_bytes(stmt, column));
    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return STR_NULL;
    if (sqlite3_column_bytes(stmt, column) > 0)
        no_memory(0);
    return STR("");
}

/* The file stores texts as UTF-8, so reading them as blobs gives the same bytes. Reading them as
 * text would copy each one to append a NUL. */
static struct str sqlite_get_text(const struct db_statement *statement, int column)
{
    return sqlite_get_blob(statement, column);
}

static const struct db_driver sqlite_driver = {
    .kind = DB_SQLITE,
    .close = sqlite_close,
    .ready = sqlite_ready,
    .exec = sqlite_exec,
    .prepare = sqlite_prepare,
    .finalize = sqlite_finalize,
    .parameters = sqlite_parameters,
    .runs_to_end = sqlite_runs_to_end,
    .bind_null = sqlite_bind_null,
    .bind_i64 = sqlite_bind_i64,
    .bind_text = sqlite_bind_text,
    .bind_blob = sqlite_bind_blob,
    .step = sqlite_step,
    .end = sqlite_end,
    .is_null = sqlite_is_null,
    .get_i64 = sqlite_get_i64,
    .get_text = sqlite_get_text,
    .get_blob = sqlite_get_blob,
};
