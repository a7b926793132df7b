/*
 * What db.c asks of a driver. db.c keeps the rules that are alike for both (one query at a time, a
 * failed statement dooms its transaction, statements are prepared once); a driver only speaks to
 * its database. Private to src/store.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"
#include "store/db/db_kind.h"

struct db;
struct db_options;
struct query;

/* One prepared text of one connection; drivers put it first in a struct of their own. */
struct db_statement {
    const char *sql;
};

enum db_step { DB_STEP_ROW, DB_STEP_DONE, DB_STEP_FAILED };

struct db_driver {
    enum db_kind kind;
    void (*close)(struct db *db);

    /* Called before each statement: ERR_UNAVAILABLE when the connection, or the open transaction
     * with it, is lost and could not be made again. */
    enum err (*ready)(struct db *db, struct fail *fail);
    enum err (*exec)(struct db *db, const char *sql, struct fail *fail);

    /* *statement: NULL the first time; afterwards to be checked and, if need be, prepared again. */
    enum err (*prepare)(
        struct db *db, const char *sql, struct db_statement **statement, struct fail *fail);
    void (*finalize)(struct db *db, struct db_statement *statement);
    int (*parameters)(const struct db_statement *statement);
    /* Must every row be stepped over, also when nobody wants more of them? */
    bool (*runs_to_end)(const struct db_statement *statement);

    /* n from 1 */
    void (*bind_null)(struct db_statement *statement, int n);
    void (*bind_i64)(struct db_statement *statement, int n, int64_t value);
    void (*bind_text)(struct db_statement *statement, int n, struct str value);
    void (*bind_blob)(struct db_statement *statement, int n, const void *p, size_t size);

    enum db_step (*step)(
        struct db *db, struct db_statement *statement, enum err *ret_err, struct fail *fail);
    /* After the last step; returns the rows changed. */
    int64_t (*end)(struct db *db, struct db_statement *statement);

    bool (*is_null)(const struct db_statement *statement, int column);
    int64_t (*get_i64)(const struct db_statement *statement, int column);
    struct str (*get_text)(const struct db_statement *statement, int column);
    struct str (*get_blob)(const struct db_statement *statement, int column);
};

/* A connection; drivers put it first in a struct of their own. */
struct db {
    const struct db_driver *driver;
    struct str name;     /* owned */
    struct query *query; /* the one that runs, or NULL */
    bool in_transaction;
    bool in_savepoint;
    int64_t data_version; /* SQLite: as change_wait saw it last */
    enum err doomed;      /* what failed in the open transaction; OK while nothing has */

    struct db_statement **statements; /* open addressing by the address of the text */
    size_t statement_count;
    size_t statement_room; /* a power of two */
};

enum err db_sqlite_open(
    struct str path, const struct db_options *options, struct db **ret, struct fail *fail);
/* ERR_INVALID: the build has no PostgreSQL. */
enum err db_postgresql_check_built(struct fail *fail);
enum err db_postgresql_open(
    struct str url, const struct db_options *options, struct db **ret, struct fail *fail);

/* For backup only: the sqlite3 handle of a DB_SQLITE connection. */
struct sqlite3;
struct sqlite3 *db_sqlite_handle(struct db *db);

/* For change_wait only: the socket of a DB_POSTGRESQL connection, or -1 when it is lost. */
int db_postgresql_socket(struct db *db);
/* Takes in what has arrived; true when a notification was among it. */
bool db_postgresql_notified(struct db *db);
