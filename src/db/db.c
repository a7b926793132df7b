/* Connections and queries on either driver; see db.h. */
#include "db/db.h"

#include <assert.h>

#include "base/clock.h"
#include "db/db_driver.h"
#include "db/dialect.h"

enum { STATEMENTS_FIRST_ROOM = 64 };

void db_close(struct db *db)
{
    if (!db)
        return;
    assert(!db->query);
    db_rollback(db);
    for (size_t i = 0; i < db->statement_room; i++)
        if (db->statements[i])
            db->driver->finalize(db, db->statements[i]);
    mem_free(db->statements);
    char *name = (char *)(uintptr_t)db->name.p;
    db->driver->close(db);
    mem_free(name);
}

void db_be_patient(struct db *db)
{
    db->silence_max_ms = DB_STATEMENT_TIMEOUT_MS;
}

enum db_kind db_kind(const struct db *db)
{
    return db->driver->kind;
}

struct str db_name(const struct db *db)
{
    return db->name;
}

/* Transactions */

enum err db_end(struct db *db, enum err err, struct fail *fail)
{
    if (!err)
        return db_commit(db, fail);
    db_rollback(db);
    return err;
}

bool db_in_transaction(const struct db *db)
{
    return db->in_transaction;
}

static enum err doomed(const struct db *db, struct fail *fail)
{
    return fail_set(
        fail, db->doomed, "%.*s: an earlier statement of this transaction failed",
        STR_ARG(db->name));
}

enum { BEGIN_MS = 60000 }; /* a lost connection is made anew */

static enum err begin(struct db *db, const char *sql, int64_t within_ms, struct fail *fail)
{
    assert(!db->query && !db->in_transaction);
    int64_t until = clock_mono_ms() + within_ms;
    enum err err = db->driver->ready(db, fail);
    if (!err)
        err = db->driver->exec(db, sql, fail);
    if (err == ERR_UNAVAILABLE && clock_mono_ms() < until && !db->driver->ready(db, fail))
        err = db->driver->exec(db, sql, fail); /* the loss shows only now; nothing had begun */
    if (err)
        return err;
    db->in_transaction = true;
    db->in_savepoint = false;
    db->doomed = OK;
    return OK;
}

enum err db_begin(struct db *db, struct fail *fail)
{
    return begin(db, dialect_text(db_kind(db), DIALECT_BEGIN_WRITE), BEGIN_MS, fail);
}

enum err db_begin_read(struct db *db, struct fail *fail)
{
    return begin(db, dialect_text(db_kind(db), DIALECT_BEGIN_READ), BEGIN_MS, fail);
}

enum err db_begin_read_soon(struct db *db, int within_ms, struct fail *fail)
{
    int silence_max_ms = db->silence_max_ms;
    db->silence_max_ms = within_ms;
    enum err err = begin(db, dialect_text(db_kind(db), DIALECT_BEGIN_READ), within_ms, fail);
    db->silence_max_ms = silence_max_ms;
    return err;
}

enum err db_commit(struct db *db, struct fail *fail)
{
    assert(!db->query && db->in_transaction);
    enum err err = db->doomed ? doomed(db, fail) : db->driver->ready(db, fail);
    if (!err)
        err = db->driver->exec(db, "COMMIT", fail);
    if (fail && (err == ERR_UNAVAILABLE || err == ERR_TIMEOUT))
        fail->unsure = db_kind(db) == DB_POSTGRESQL;
    if (err)
        db_rollback(db);
    db->in_transaction = false;
    return err;
}

void db_rollback(struct db *db)
{
    if (!db->in_transaction)
        return;
    assert(!db->query);
    /* A database that rolled back by itself reported an error, and so did a lost connection. */
    enum err ignored = db->driver->exec(db, "ROLLBACK", NULL);
    (void)ignored;
    db->in_transaction = false;
    db->in_savepoint = false;
    db->doomed = OK;
}

/* Runs a statement inside the transaction; a failure dooms it. */
static enum err exec_within(struct db *db, const char *sql, struct fail *fail)
{
    assert(!db->query && db->in_transaction);
    enum err err = db->driver->ready(db, fail);
    if (!err)
        err = db->driver->exec(db, sql, fail);
    if (err && !db->doomed)
        db->doomed = err;
    return err;
}

enum err db_join(struct db *db, bool *ret_own, struct fail *fail)
{
    *ret_own = !db->in_transaction;
    return *ret_own ? db_begin(db, fail) : OK;
}

enum err db_leave(struct db *db, bool own, enum err err, struct fail *fail)
{
    return own ? db_end(db, err, fail) : err;
}

enum err db_savepoint(struct db *db, struct fail *fail)
{
    assert(!db->in_savepoint);
    if (db->doomed)
        return doomed(db, fail);
    enum err err = exec_within(db, "SAVEPOINT part", fail);
    db->in_savepoint = !err;
    return err;
}

enum err db_savepoint_release(struct db *db, struct fail *fail)
{
    assert(db->in_savepoint);
    if (db->doomed)
        return doomed(db, fail);
    enum err err = exec_within(db, "RELEASE SAVEPOINT part", fail);
    db->in_savepoint = err != OK;
    return err;
}

enum err db_savepoint_rollback(struct db *db, struct fail *fail)
{
    assert(db->in_savepoint);
    db->in_savepoint = false;
    enum err before = db->doomed;
    db->doomed = OK;
    enum err err = exec_within(db, "ROLLBACK TO SAVEPOINT part", fail);
    if (!err)
        err = exec_within(db, "RELEASE SAVEPOINT part", fail);
    if (err && before)
        db->doomed = before;
    return err;
}

enum err db_exec(struct db *db, const char *sql, struct fail *fail)
{
    assert(!db->query);
    if (db->in_transaction)
        return db->doomed ? doomed(db, fail) : exec_within(db, sql, fail);
    TRY(db->driver->ready(db, fail));
    return db->driver->exec(db, sql, fail);
}

/* Statements, found by the address of their text */

static size_t statement_slot(const struct db *db, const char *sql)
{
    size_t i = (size_t)(((uintptr_t)sql * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
    for (;; i++) {
        i &= db->statement_room - 1;
        if (!db->statements[i] || db->statements[i]->sql == sql)
            return i;
    }
}

static void statements_grow(struct db *db)
{
    struct db_statement **old = db->statements;
    size_t old_room = db->statement_room;
    db->statement_room = old_room ? old_room * 2 : STATEMENTS_FIRST_ROOM;
    db->statements = mem_array(db->statement_room, sizeof(struct db_statement *));
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            db->statements[statement_slot(db, old[i]->sql)] = old[i];
    mem_free(old);
}

static enum err statement_get(
    struct db *db, const char *sql, struct db_statement **ret, struct fail *fail)
{
    if (db->statement_count * 2 >= db->statement_room)
        statements_grow(db);
    size_t slot = statement_slot(db, sql);
    bool is_new = !db->statements[slot];
    enum err err = db->driver->prepare(db, sql, &db->statements[slot], fail);
    if (is_new && db->statements[slot])
        db->statement_count++;
    *ret = db->statements[slot];
    return err;
}

/* Queries */

static void query_failed(struct query *q, enum err err)
{
    q->err = err;
    if (q->db->in_transaction && !q->db->doomed)
        q->db->doomed = err;
}

void query_start(struct query *q, struct db *db, const char *sql)
{
    assert(!db->query);
    *q = (struct query){.db = db};
    db->query = q;
    if (db->in_transaction && db->doomed) {
        q->err = doomed(db, &q->fail);
        return;
    }
    enum err err = db->driver->ready(db, &q->fail);
    if (!err)
        err = statement_get(db, sql, &q->statement, &q->fail);
    if (err)
        query_failed(q, err);
}

static void query_null(struct query *q)
{
    if (!q->err)
        q->db->driver->bind_null(q->statement, ++q->bound);
}

void query_i64(struct query *q, int64_t value)
{
    if (!q->err)
        q->db->driver->bind_i64(q->statement, ++q->bound, value);
}

void query_opt_i64(struct query *q, int64_t value, int64_t none)
{
    if (value == none)
        query_null(q);
    else
        query_i64(q, value);
}

void query_str(struct query *q, struct str value)
{
    if (str_is_null(value)) {
        query_null(q);
    } else if (memchr(value.p, '\0', value.n)) {
        if (!q->err) /* PostgreSQL cannot store NUL; reject it on both */
            q->err = fail_set(&q->fail, ERR_INVALID, "a text holds a NUL character");
    } else if (!q->err) {
        q->db->driver->bind_text(q->statement, ++q->bound, value);
    }
}

void query_blob(struct query *q, const void *p, size_t n)
{
    if (!p)
        query_null(q);
    else if (!q->err)
        q->db->driver->bind_blob(q->statement, ++q->bound, p, n);
}

void query_with_values(
    struct query *q, struct db *db, const char *sql, const struct query_value *values, size_t n)
{
    query_start(q, db, sql);
    for (size_t i = 0; i < n; i++)
        if (values[i].kind == QUERY_NUMBER)
            query_i64(q, values[i].number);
        else if (values[i].kind == QUERY_TEXT)
            query_str(q, values[i].bytes);
        else
            query_blob(q, values[i].bytes.p, values[i].bytes.n);
}

bool query_row(struct query *q)
{
    q->stepped = true;
    if (q->err || q->done)
        return false;
    const struct db_driver *driver = q->db->driver;
    assert(q->bound == driver->parameters(q->statement));
    enum err err = OK;
    switch (driver->step(q->db, q->statement, &err, &q->fail)) {
    case DB_STEP_ROW:
        q->found = true;
        return true;
    case DB_STEP_DONE:
        break;
    case DB_STEP_FAILED:
        query_failed(q, err);
        break;
    }
    q->done = true;
    return false;
}

bool query_is_null(const struct query *q, int column)
{
    return q->db->driver->is_null(q->statement, column);
}

int64_t query_get_i64(const struct query *q, int column)
{
    return q->db->driver->get_i64(q->statement, column);
}

int64_t query_get_opt_i64(const struct query *q, int column, int64_t none)
{
    return query_is_null(q, column) ? none : query_get_i64(q, column);
}

struct str query_get_str(const struct query *q, int column)
{
    return q->db->driver->get_text(q->statement, column);
}

struct str query_text(const struct query *q, int column, struct arena *arena)
{
    struct str text = query_get_str(q, column);
    return arena ? arena_str(arena, text) : text;
}

struct str query_get_blob(const struct query *q, int column)
{
    return q->db->driver->get_blob(q->statement, column);
}

enum err query_end(struct query *q, struct fail *fail)
{
    if (q->statement && (!q->stepped || q->db->driver->runs_to_end(q->statement)))
        while (query_row(q))
            continue;
    if (q->statement)
        q->changes = q->db->driver->end(q->db, q->statement);
    q->db->query = NULL;
    if (q->err && fail)
        *fail = q->fail;
    return q->err;
}

enum err query_run_values(
    struct db *db, const char *sql, const struct query_value *values, size_t n, struct fail *fail)
{
    struct query q;
    query_with_values(&q, db, sql, values, n);
    return query_end(&q, fail);
}

enum err query_any_values(
    struct db *db, const char *sql, const struct query_value *values, size_t n, bool *ret,
    struct fail *fail)
{
    struct query q;
    query_with_values(&q, db, sql, values, n);
    *ret = query_row(&q);
    return query_end(&q, fail);
}

enum err query_number_values(
    struct db *db, const char *sql, const struct query_value *values, size_t n, int64_t *ret,
    struct fail *fail)
{
    struct query q;
    query_with_values(&q, db, sql, values, n);
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err query_end_or(struct query *q, enum err none, struct fail *fail, const char *format, ...)
{
    bool read = q->stepped;
    enum err err = query_end(q, fail);
    if (err || (read ? q->found : q->changes > 0))
        return err;
    va_list args;
    va_start(args, format);
    err = fail_set_va(fail, none, format, args);
    va_end(args);
    return err;
}

int64_t query_changes(const struct query *q)
{
    return q->changes;
}

enum err query_end_count(struct query *q, int64_t *ret_count, struct fail *fail)
{
    enum err err = query_end(q, fail);
    *ret_count = err ? 0 : q->changes;
    return err;
}

enum err db_now_ms(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_CLOCK);
    *ret = now_ms;
    if (clock_database_file_ms(ret) || !sql)
        return OK;
    QUERY(q, db, sql);
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end(&q, fail);
}
