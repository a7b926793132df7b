/*
 * The interface between db.c and a driver. db.c enforces the rules that both databases share: one
 * query at a time, a failed statement dooms its transaction, statements are prepared once. A driver
 * only talks to its database.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"
#include "db/db_kind.h"

struct db;
struct db_options;
struct query;

/* One prepared statement of one connection. A driver embeds it as the first member of its own
 * struct. */
struct db_statement {
    const char *sql;
};

enum db_step { DB_STEP_ROW, DB_STEP_DONE, DB_STEP_FAILED };

/* The error text of the triggers in a database that was moved (store/copy/copy_guard.h):
 * ERR_UNAVAILABLE. */
#define DB_MOVED_REASON "this database was moved to another one and takes no more changes"

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

    /* Many rows at once (bulk.h). NULL: this database inserts them one by one. Between start and
     * stop the connection accepts no other statement. */
    enum err (*copy_start)(struct db *db, const char *sql, struct fail *fail);
    enum err (*copy_put)(struct db *db, const void *p, size_t n, struct fail *fail);
    /* !whole: the server forgets what it got, and the transaction is doomed. */
    enum err (*copy_stop)(struct db *db, bool whole, struct fail *fail);
};

/* A connection. A driver embeds it as the first member of its own struct. */
struct db {
    const struct db_driver *driver;
    struct str name;     /* owned */
    struct query *query; /* the running query, or NULL */
    bool in_transaction;
    bool in_savepoint;
    int64_t data_version; /* SQLite: as change_wait last read it */
    int silence_max_ms;   /* PostgreSQL: one that is silent for longer counts as lost */
    unsigned listening;   /* PostgreSQL: generation of the connection that change_wait listens on */
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

/* For backup and bulk only: the sqlite3 handle of a DB_SQLITE connection. */
struct sqlite3;
struct sqlite3 *db_sqlite_handle(struct db *db);

/* For postgresql_copy.c only: the connection (NULL: lost), the next result, and whether the output
 * buffer of a nonblocking connection was sent; see postgresql_wait.h. The last one reads all
 * results of the request and returns the first error. */
struct pg_conn;
struct pg_result;
struct pg_conn *db_postgresql_connection(struct db *db);
struct pg_result *db_postgresql_next_result(struct db *db);
bool db_postgresql_flush(struct db *db);
enum err db_postgresql_finish(struct db *db, struct fail *fail);

/* For change_wait only: the socket of a DB_POSTGRESQL connection, or -1 when it is lost. */
int db_postgresql_socket(struct db *db);
/* Reads what has arrived; true if it included a notification. */
bool db_postgresql_notified(struct db *db);
/* Counts the connections of this handle; the first is 1. */
unsigned db_postgresql_generation(struct db *db);
