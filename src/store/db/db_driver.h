/*
 * The interface between db.c and a driver. db.c enforces the rules that both databases share: one
 * query at a time, a failed statement dooms its transaction, statements are prepared once. A driver
 * only talks to its database. Private to src/store.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"
#include "store/db/db_kind.h"

struct db;
struct db_options;
struct query;

/* One prepared statement of one connection. A driver embeds it as the first member of its own
 * struct. */
struct db_statement {
    const char *sql;
};

enum db_step { DB_STEP_ROW, DB_STEP_DONE, DB_STEP_FAILED };

struct db_driver {
    enum db_kind kind;
    void (*close)(struct db *db);

    /* Called before each statement. ERR_UNAVAILABLE: the connection or its open transaction is lost
     * and could not be restored. */
    enum err (*ready)(struct db *db, struct fail *fail);
    enum err (*exec)(struct db *db, const char *sql, struct fail *fail);

    /* *statement is NULL the first time. Afterwards the driver checks it and prepares it again if
     * needed. */
    enum err (*prepare)(
        struct db *db, const char *sql, struct db_statement **statement, struct fail *fail);
    void (*finalize)(struct db *db, struct db_statement *statement);
    int (*parameters)(const struct db_statement *statement);
    /* True: every row must be read, even after the caller stops. */
    bool (*runs_to_end)(const struct db_statement *statement);

    /* n from 1 */
    void (*bind_null)(struct db_statement *statement, int n);
    void (*bind_i64)(struct db_statement *statement, int n, int64_t value);
    void (*bind_text)(struct db_statement *statement, int n, struct str value);
    void (*bind_blob)(struct db_statement *statement, int n, const void *p, size_t size);

    enum db_step (*step)(
        struct db *db, struct db_statement *statement, enum err *ret_err, struct fail *fail);
    /* After the last step; returns the number of rows changed. */
    int64_t (*end)(struct db *db, struct db_statement *statement);

    bool (*is_null)(const struct db_statement *statement, int column);
    int64_t (*get_i64)(const struct db_statement *statement, int column);
    struct str (*get_text)(const struct db_statement *statement, int column);
    struct str (*get_blob)(const struct db_statement *statement, int column);
};

/* A connection. A driver embeds it as the first member of its own struct. */
struct db {
    const struct db_driver *driver;
    struct str name;     /* owned */
    struct query *query; /* the running query, or NULL */
    bool in_transaction;
    bool in_savepoint;
    int64_t data_version; /* SQLite: as change_wait last read it */
    enum err doomed;      /* the first error of the open transaction; OK: none */

    struct db_statement **statements; /* open addressing by the address of the SQL text */
    size_t statement_count;
    size_t statement_room; /* a power of two */
};

enum err db_sqlite_open(
    struct str path, const struct db_options *options, struct db **ret, struct fail *fail);
/* ERR_INVALID: this build has no PostgreSQL driver. */
enum err db_postgresql_check_built(struct fail *fail);
enum err db_postgresql_open(
    struct str url, const struct db_options *options, struct db **ret, struct fail *fail);

/* For backup only: the sqlite3 handle of a DB_SQLITE connection. */
struct sqlite3;
struct sqlite3 *db_sqlite_handle(struct db *db);

/* For change_wait only: the socket of a DB_POSTGRESQL connection, or -1 when it is lost. */
int db_postgresql_socket(struct db *db);
/* Reads what has arrived; true if it included a notification. */
bool db_postgresql_notified(struct db *db);
