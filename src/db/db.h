/*
 * One connection to the database, with one interface for SQLite and PostgreSQL. Only src/store
 * contains SQL. A statement is one constant text for both, with parameters $1 to $n, prepared once
 * per connection and found again by the address of its text.
 *
 * A connection belongs to one thread at a time and runs one query at a time: end a query before the
 * next one starts (asserted, because PostgreSQL could not do otherwise).
 *
 *     QUERY(q, db, "SELECT no, name FROM member WHERE slug = $1", V(slug));
 *     while (query_row(&q))
 *         use(query_get_i64(&q, 0), query_get_str(&q, 1));
 *     return query_end(&q, fail);
 *
 * A statement without rows, or with one number, is one call:
 *
 *     return query_run(db, fail, "UPDATE member SET name = $2 WHERE no = $1", V(no), V(name));
 *
 * Errors are sticky inside a query: binding and stepping after the first error do nothing,
 * and query_end returns it.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"
#include "db/db_kind.h"

struct db;
struct db_statement;

enum {
    DB_BUSY_TIMEOUT_MS = 5000, /* a writer waits this long for another writer */
    /* PostgreSQL: a writer that is silent for this long, because it or its machine stopped, loses
     * its locks. Other servers wait no longer than this. */
    DB_IDLE_WRITER_TIMEOUT_MS = 30000,
    /* PostgreSQL 14 and later: how often it checks, while a statement runs, that the client process
     * still exists. Shorter than DB_BUSY_TIMEOUT_MS, so that a killed process does not block
     * others.
     */
    DB_CLIENT_CHECK_MS = 2000,
    DB_STATEMENT_TIMEOUT_MS = 600000, /* PostgreSQL: one statement, including its rows */
    DB_SILENCE_MS = 12000,  /* PostgreSQL: a server that is silent for this long counts as lost */
    DB_NODE_GONE_MS = 5000, /* a server silent for longer (store/row/node.h) counts as stopped */
    DB_PARAMETERS_MAX = 48,
};

struct db_options {
    bool read_only;      /* refuse every write on this connection */
    bool create;         /* SQLite: create a missing file, with mode 0600 */
    int busy_timeout_ms; /* 0: DB_BUSY_TIMEOUT_MS */
    /* PostgreSQL: a statement may be silent for DB_STATEMENT_TIMEOUT_MS, and a writer without
     * limit. For commands that a person watches. */
    bool patient;
};

/* url is "sqlite:PATH" or "postgresql://...". Does not check the content of the database: callers
 * outside this folder use store_open. ERR_INVALID: not such a URL. ERR_NOT_FOUND: no such file or
 * database. ERR_CORRUPT: not a database. ERR_UNAVAILABLE: the server does not answer. */
enum err db_open(
    struct str url, const struct db_options *options, struct db **ret, struct fail *fail);
/* Returns OK if this build can open such a URL. ERR_INVALID: it was built without the driver. */
enum err db_check_built(struct str url, struct fail *fail);
void db_close(struct db *db); /* NULL is ignored; rolls back an open transaction */

/* Declares a connection, NULL at first, that is closed where its block ends. */
#define DB_SCOPED(name) struct db *name __attribute__((cleanup(db_close_at))) = NULL
static inline void db_close_at(struct db **db)
{
    db_close(*db);
}

/* Statements may from now on be silent for long, as with the option `patient`. */
void db_be_patient(struct db *db);

enum db_kind db_kind(const struct db *db);
struct str db_name(const struct db *db); /* for messages: path, or host and database; no secret */

/* Begins a write transaction. SQLite takes the write lock here (ERR_BUSY after the timeout).
 * PostgreSQL is READ COMMITTED, and callers lock the rows that they decide on. This function and
 * query_start reopen a lost connection, and an SQLite file that was moved or deleted, unless a
 * transaction is open: then ERR_UNAVAILABLE. */
enum err db_begin(struct db *db, struct fail *fail);
enum err db_begin_read(struct db *db, struct fail *fail); /* one snapshot, no writes */
/* The same, for callers that nobody waits long for: a database that is silent for so long is lost.
 */
enum err db_begin_read_soon(struct db *db, int within_ms, struct fail *fail);

/* A statement that fails dooms its transaction: every later call fails with the same error until
 * db_rollback or db_savepoint_rollback. A commit that fails has rolled back, or its result is
 * unknown because the connection was lost. */
enum err db_commit(struct db *db, struct fail *fail);
void db_rollback(struct db *db); /* does nothing without a transaction */
/* Commits if err is OK, else rolls back and returns err. */
enum err db_end(struct db *db, enum err err, struct fail *fail);

/* The same for actions that also run inside a transaction of their caller, such as a job of the
 * writer: db_join begins one only if none is open, and db_leave ends only that one. */
enum err db_join(struct db *db, bool *ret_own, struct fail *fail);
enum err db_leave(struct db *db, bool own, enum err err, struct fail *fail);
bool db_in_transaction(const struct db *db);

/* A savepoint: a part of a transaction that can fail alone. Not nested. */
enum err db_savepoint(struct db *db, struct fail *fail);
enum err db_savepoint_release(struct db *db, struct fail *fail);
enum err db_savepoint_rollback(struct db *db, struct fail *fail); /* and ends it */

/* The wall clock that all servers of the database share: PostgreSQL's, or `now_ms`, this machine's,
 * of an SQLite file. In tests it is in a file (base/clock.h). */
enum err db_now_ms(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail);

/* One execution of a statement. Lives on the caller's stack. */
struct query {
    struct db *db;
    struct db_statement *statement;
    enum err err;
    int bound;    /* parameters bound so far */
    bool done;    /* no more rows */
    bool stepped; /* query_row was called */
    bool found;   /* it returned a row */
    int64_t changes;
    struct fail fail;
};

void query_start(struct query *q, struct db *db, const char *sql);

/* Parameters in order, $1 first. Bytes are borrowed until query_end. */
void query_i64(struct query *q, int64_t value);
void query_opt_i64(struct query *q, int64_t value, int64_t none); /* stores `none` as NULL */
void query_str(struct query *q, struct str value);         /* UTF-8 without NUL; null stores NULL */
void query_blob(struct query *q, const void *p, size_t n); /* p == NULL stores NULL */

/* The same parameters as values of one call. */
struct query_value {
    enum { QUERY_NUMBER, QUERY_TEXT, QUERY_BLOB } kind;
    int64_t number;
    struct str bytes; /* borrowed until query_end; null: NULL */
};

static inline struct query_value query_value_number(int64_t number)
{
    return (struct query_value){.kind = QUERY_NUMBER, .number = number};
}

static inline struct query_value query_value_text(struct str text)
{
    return (struct query_value){.kind = QUERY_TEXT, .bytes = text};
}

static inline struct query_value query_value_opt(int64_t number, int64_t none)
{
    return number == none ? query_value_text(STR_NULL) : query_value_number(number);
}

static inline struct query_value query_value_blob(const void *p, size_t n)
{
    return (struct query_value){.kind = QUERY_BLOB, .bytes = {p, n}};
}

#define V(x) /* a struct str, or a number, bool or enum */                                         \
    _Generic((x), struct str : query_value_text, default : query_value_number)(x)
#define V_OPT(x, none) query_value_opt(x, none) /* as query_opt_i64 */
#define V_BLOB(p, n) query_value_blob(p, n)     /* as query_blob */

#ifdef __cppcheck__ /* takes an array as an argument for a syntax error */
#define QUERY_VALUES(...) NULL, 0
#else
#define QUERY_VALUES(...)                                                                          \
    (const struct query_value[]){__VA_ARGS__},                                                     \
        sizeof((const struct query_value[]){__VA_ARGS__}) / sizeof(struct query_value)
#endif

/* Declares a query and starts it with these values, or without any; more may be bound after them.
 */
#define QUERY(q, db, ...)                                                                          \
    struct query q;                                                                                \
    query_with(&q, db, __VA_ARGS__)

/* Calls query_start and binds the values. */
#define query_with(q, db, sql, ...) query_with_values(q, db, sql, QUERY_VALUES(__VA_ARGS__))
void query_with_values(
    struct query *q, struct db *db, const char *sql, const struct query_value *values, size_t n);

/* A whole statement without rows. Returns what query_end does. */
#define query_run(db, fail, sql, ...) query_run_values(db, sql, QUERY_VALUES(__VA_ARGS__), fail)
enum err query_run_values(
    struct db *db, const char *sql, const struct query_value *values, size_t n, struct fail *fail);

/* *ret: whether there is a row. */
#define query_any(db, ret, fail, sql, ...)                                                         \
    query_any_values(db, sql, QUERY_VALUES(__VA_ARGS__), ret, fail)
enum err query_any_values(
    struct db *db, const char *sql, const struct query_value *values, size_t n, bool *ret,
    struct fail *fail);

/* Reads the first column of the first row; without a row *ret stays. */
#define query_number(db, ret, fail, sql, ...)                                                      \
    query_number_values(db, sql, QUERY_VALUES(__VA_ARGS__), ret, fail)
enum err query_number_values(
    struct db *db, const char *sql, const struct query_value *values, size_t n, int64_t *ret,
    struct fail *fail);

bool query_row(struct query *q); /* steps to the next row; false at the end and on error */

/* Columns of the current row, from 0. Pointers stay valid until the next query_row or query_end. */
int64_t query_get_i64(const struct query *q, int column);
int64_t query_get_opt_i64(const struct query *q, int column, int64_t none);
struct str query_get_str(const struct query *q, int column); /* null string for NULL */
/* The same, copied to the arena; NULL: not copied. */
struct str query_text(const struct query *q, int column, struct arena *arena);
struct str query_get_blob(const struct query *q, int column); /* bytes; null string for NULL */
bool query_is_null(const struct query *q, int column);

/* Runs the statement if query_row was never called, and ends it. Must follow every query_start.
 * ERR_EXISTS: a unique value is taken. ERR_REFUSED: another constraint failed. ERR_BUSY, ERR_FULL,
 * ERR_IO, ERR_CORRUPT, ERR_TIMEOUT, ERR_UNAVAILABLE as their names say. */
enum err query_end(struct query *q, struct fail *fail);

/* Calls query_end, then returns the error `none` with this reason if query_row found no row, or, if
 * query_row was not called, if no row was inserted, updated or deleted. */
enum err query_end_or(struct query *q, enum err none, struct fail *fail, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* After query_end: the number of rows inserted, updated or deleted. */
int64_t query_changes(const struct query *q);
/* Calls query_end and returns that number; 0 after an error. */
enum err query_end_count(struct query *q, int64_t *ret_count, struct fail *fail);

/* Runs a statement without parameters and rows. It is not kept prepared. */
enum err db_exec(struct db *db, const char *sql, struct fail *fail);
