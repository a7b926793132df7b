/*
 * One connection to the database, SQLite or PostgreSQL, behind one face. SQL stands in this folder
 * only; a statement is one constant text for both, with parameters $1 to $n, prepared once per
 * connection and found again by the address of its text.
 *
 * A connection belongs to one thread at a time and runs one query at a time: end a query before the
 * next one starts (asserted, because PostgreSQL could not do otherwise).
 *
 *     struct query q;
 *     query_start(&q, db, "SELECT no, name FROM member WHERE slug = $1");
 *     query_str(&q, slug);
 *     while (query_row(&q))
 *         use(query_get_i64(&q, 0), query_get_str(&q, 1));
 *     return query_end(&q, fail);
 *
 * Errors are sticky inside a query: binding and stepping after the first do nothing, query_end
 * tells.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"
#include "store/db/db_kind.h"

struct db;
struct db_statement;

enum {
    DB_BUSY_TIMEOUT_MS = 5000, /* how long a writer waits for another one */
    /* PostgreSQL: a writer that says nothing more, stopped or on a machine that is, lets its locks
     * go: no other server waits for it longer. */
    DB_IDLE_WRITER_TIMEOUT_MS = 30000,
    DB_STATEMENT_TIMEOUT_MS = 600000, /* PostgreSQL: one statement, its rows included */
    DB_SILENCE_MS = 12000,            /* PostgreSQL: a server that says nothing counts as gone */
    DB_PARAMETERS_MAX = 32,
};

struct db_options {
    bool read_only;      /* refuse every write on this connection */
    bool create;         /* SQLite: make the file, mode 0600, where there is none */
    int busy_timeout_ms; /* 0: DB_BUSY_TIMEOUT_MS */
};

/* url is "sqlite:PATH" or "postgresql://...". Says nothing about what is in the database: callers
 * outside this folder use store_open. ERR_INVALID: not such a URL. ERR_NOT_FOUND: no such file or
 * database. ERR_CORRUPT: not a database. ERR_UNAVAILABLE: the server does not answer. */
enum err db_open(
    struct str url, const struct db_options *options, struct db **ret,
    struct fail *fail) MUST_CHECK;
/* Can this build open such a URL? ERR_INVALID: it was built without the driver. */
enum err db_check_built(struct str url, struct fail *fail) MUST_CHECK;
void db_close(struct db *db); /* NULL is fine; an open transaction is rolled back */

enum db_kind db_kind(const struct db *db);
struct str db_name(const struct db *db); /* for messages: path, or host and database; no secret */

/* A write transaction. SQLite takes the write lock here (ERR_BUSY after the timeout); PostgreSQL is
 * READ COMMITTED, and the nouns lock the rows they decide on. A connection that was lost, or an
 * SQLite file that was moved or deleted, is opened again here and in query_start, unless a
 * transaction is open: then ERR_UNAVAILABLE. */
enum err db_begin(struct db *db, struct fail *fail) MUST_CHECK;
enum err db_begin_read(struct db *db, struct fail *fail) MUST_CHECK; /* one snapshot, no writes */

/* A statement that fails dooms its transaction: whatever follows fails with the same error until
 * db_rollback (or db_savepoint_rollback). Failed: rolled back, or unknown where the connection was
 * lost meanwhile. */
enum err db_commit(struct db *db, struct fail *fail) MUST_CHECK;
void db_rollback(struct db *db); /* without a transaction: nothing */
bool db_in_transaction(const struct db *db);

/* A part of a transaction that can fail alone. Not nested. */
enum err db_savepoint(struct db *db, struct fail *fail) MUST_CHECK;
enum err db_savepoint_release(struct db *db, struct fail *fail) MUST_CHECK;
enum err db_savepoint_rollback(struct db *db, struct fail *fail) MUST_CHECK; /* and ends it */

/* One statement run. Lives on the caller's stack. */
struct query {
    struct db *db;
    struct db_statement *statement;
    enum err err;
    int bound;    /* parameters bound so far */
    bool done;    /* no further row */
    bool stepped; /* query_row was called */
    int64_t changes;
    struct fail fail;
};

void query_start(struct query *q, struct db *db, const char *sql);

/* Parameters in order, $1 first. Bytes are borrowed until query_end. */
void query_i64(struct query *q, int64_t value);
void query_opt_i64(struct query *q, int64_t value, int64_t none); /* `none` is stored as NULL */
void query_str(struct query *q, struct str value); /* UTF-8 without NUL; the null string is NULL */
void query_blob(struct query *q, const void *p, size_t n); /* p == NULL is NULL */
void query_null(struct query *q);

bool query_row(struct query *q); /* steps; false at the end and on error */

/* Columns of the current row, from 0. Pointers are valid until the next query_row or query_end. */
int64_t query_get_i64(const struct query *q, int column);
int64_t query_get_opt_i64(const struct query *q, int column, int64_t none);
struct str query_get_str(const struct query *q, int column);  /* null string for NULL */
struct str query_get_blob(const struct query *q, int column); /* bytes; null string for NULL */
bool query_is_null(const struct query *q, int column);

/* Runs the statement if query_row was never called, and ends it. Must be called after query_start.
 * ERR_EXISTS: a unique value is taken; ERR_REFUSED: another constraint; ERR_BUSY, ERR_FULL,
 * ERR_IO, ERR_CORRUPT, ERR_TIMEOUT, ERR_UNAVAILABLE as their names say. */
enum err query_end(struct query *q, struct fail *fail) MUST_CHECK;

/* After query_end: rows that were inserted, updated or deleted. */
int64_t query_changes(const struct query *q);
/* query_end, with those rows; 0 after an error. */
enum err query_end_count(struct query *q, int64_t *ret_count, struct fail *fail) MUST_CHECK;

/* Runs a text that has no parameters and gives no rows; it is not kept prepared. */
enum err db_exec(struct db *db, const char *sql, struct fail *fail) MUST_CHECK;
