/* The triggers of a source; see copy_guard.h. */
#include "store/copy/copy_guard.h"

#include <time.h>

#include "base/clock.h"
#include "db/db_driver.h"

enum {
    STATEMENT_SIZE_MAX = 1 << 16,
    LOCK_WAIT_MS = 30000,  /* for the transactions of other programs */
    LOCK_POLITE_MS = 2000, /* so long it takes the locks only when all are free */
    LOCK_PAUSE_MS = 20,
};

typedef void put_fn(struct buf *sql, const struct copy_table *table);

static const char *const verbs[] = {"insert", "update", "delete"};
enum { VERB_COUNT = 3 };

/* The text of a key (copy_row.h). `row` is NEW or OLD. */
static void put_key(
    struct buf *sql, const struct copy_table *table, enum db_kind kind, const char *row)
{
    static const char *const forms[COPY_TYPE_COUNT][2] = {
        [COPY_INT] = {"CAST(%s.\"%.*s\" AS TEXT)", "CAST(%s.\"%.*s\" AS TEXT)"},
        [COPY_TEXT] = {"lower(hex(%s.\"%.*s\"))", "encode(convert_to(%s.\"%.*s\", 'UTF8'), 'hex')"},
        [COPY_BYTES] = {"lower(hex(%s.\"%.*s\"))", "encode(%s.\"%.*s\", 'hex')"},
    };
    for (size_t i = 0; i < table->key_count; i++) {
        const struct copy_column *column = &table->columns[table->key[i]];
        buf_text(sql, i ? " || ' ' || " : "");
        buf_fmt(sql, forms[column->type][kind == DB_POSTGRESQL], row, STR_ARG(column->name));
    }
}

static void put_note(
    struct buf *sql, const struct copy_table *table, enum db_kind kind, const char *row)
{
    buf_fmt(
        sql, "INSERT INTO %scopy_change (name, key) VALUES ('%.*s', ",
        kind == DB_POSTGRESQL ? "stockact." : "", STR_ARG(table->name));
    put_key(sql, table, kind, row);
    buf_text(sql, ");");
}

static void put_note_sqlite(struct buf *sql, const struct copy_table *table)
{
    for (int i = 0; i < VERB_COUNT; i++) {
        buf_fmt(
            sql, "CREATE TRIGGER copy_note_%s_%.*s AFTER %s ON \"%.*s\" BEGIN ", verbs[i],
            STR_ARG(table->name), verbs[i], STR_ARG(table->name));
        if (i != 0)
            put_note(sql, table, DB_SQLITE, "OLD");
        if (i != 2)
            put_note(sql, table, DB_SQLITE, "NEW");
        buf_text(sql, " END;");
    }
}

static void put_note_postgresql(struct buf *sql, const struct copy_table *table)
{
    buf_fmt(
        sql,
        "CREATE FUNCTION copy_note_%.*s() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN"
        " IF TG_OP <> 'INSERT' THEN ",
        STR_ARG(table->name));
    put_note(sql, table, DB_POSTGRESQL, "OLD");
    buf_text(sql, " END IF; IF TG_OP <> 'DELETE' THEN ");
    put_note(sql, table, DB_POSTGRESQL, "NEW");
    buf_fmt(
        sql,
        " END IF; RETURN NULL; END $body$;"
        "CREATE TRIGGER copy_note AFTER INSERT OR UPDATE OR DELETE ON \"%.*s\""
        " FOR EACH ROW EXECUTE FUNCTION copy_note_%.*s();",
        STR_ARG(table->name), STR_ARG(table->name));
    buf_fmt(/* TRUNCATE runs no triggers of rows */
            sql,
            "CREATE OR REPLACE FUNCTION copy_truncate() RETURNS trigger LANGUAGE plpgsql AS $body$"
            " BEGIN RAISE EXCEPTION 'this database is being copied: use DELETE instead of "
            "TRUNCATE';"
            " END $body$;"
            "CREATE TRIGGER copy_truncate BEFORE TRUNCATE ON \"%.*s\""
            " FOR EACH STATEMENT EXECUTE FUNCTION copy_truncate();",
            STR_ARG(table->name));
}

static void put_close_sqlite(struct buf *sql, const struct copy_table *table)
{
    for (int i = 0; i < VERB_COUNT; i++)
        buf_fmt(
            sql,
            "CREATE TRIGGER copy_close_%s_%.*s BEFORE %s ON \"%.*s\" BEGIN"
            " SELECT RAISE(ABORT, '" DB_MOVED_REASON "'); END;",
            verbs[i], STR_ARG(table->name), verbs[i], STR_ARG(table->name));
}

static void put_close_postgresql(struct buf *sql, const struct copy_table *table)
{
    buf_fmt(
        sql,
        "CREATE OR REPLACE FUNCTION copy_close() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN"
        " RAISE EXCEPTION '" DB_MOVED_REASON "' USING ERRCODE = '57P03'; END $body$;"
        "CREATE TRIGGER copy_close BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON \"%.*s\""
        " FOR EACH STATEMENT EXECUTE FUNCTION copy_close();",
        STR_ARG(table->name));
}

static void put_open_sqlite(struct buf *sql, const struct copy_table *table)
{
    for (int i = 0; i < VERB_COUNT; i++)
        buf_fmt(
            sql,
            "DROP TRIGGER IF EXISTS copy_note_%s_%.*s; DROP TRIGGER IF EXISTS copy_close_%s_%.*s;",
            verbs[i], STR_ARG(table->name), verbs[i], STR_ARG(table->name));
}

static void put_open_postgresql(struct buf *sql, const struct copy_table *table)
{
    buf_fmt(
        sql,
        "DROP TRIGGER IF EXISTS copy_note ON \"%.*s\"; DROP TRIGGER IF EXISTS copy_truncate ON"
        " \"%.*s\"; DROP TRIGGER IF EXISTS copy_close ON \"%.*s\";"
        " DROP FUNCTION IF EXISTS copy_note_%.*s();",
        STR_ARG(table->name), STR_ARG(table->name), STR_ARG(table->name), STR_ARG(table->name));
}

/* Setting */

/* PostgreSQL: no change is on its way, and none begins before the commit. Without `waits`, it never
 * waits with some of the tables locked, so nobody waits in a circle. A vacuum gives way only to
 * those that wait. */
static enum err lock(struct db *db, const struct copy_schema *schema, bool waits, struct fail *fail)
{
    if (db_kind(db) == DB_SQLITE)
        return OK;
    BUF_SCOPED(sql, STATEMENT_SIZE_MAX);
    buf_text(&sql, "LOCK TABLE ");
    for (size_t i = 0; i < schema->count; i++)
        buf_fmt(&sql, "%s\"%.*s\"", i ? ", " : "", STR_ARG(schema->tables[i].name));
    buf_fmt(&sql, " IN SHARE ROW EXCLUSIVE MODE%s", waits ? "" : " NOWAIT");
    buf_char(&sql, '\0');
    return db_exec(db, sql.p, fail);
}

static enum err run_on_all(
    struct db *db, const struct copy_schema *schema, put_fn *const put[2], struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; !err && i < schema->count; i++) {
        BUF_SCOPED(sql, STATEMENT_SIZE_MAX);
        put[db_kind(db) == DB_POSTGRESQL](&sql, &schema->tables[i]);
        buf_char(&sql, '\0');
        err = db_exec(db, sql.p, fail);
    }
    return err;
}

static put_fn *const note[] = {put_note_sqlite, put_note_postgresql};
static put_fn *const close_all[] = {put_close_sqlite, put_close_postgresql};
static put_fn *const open_all[] = {put_open_sqlite, put_open_postgresql};

/* What is done on every table. PostgreSQL takes a trigger away only when nobody reads the table, so
 * a step that must not wait for a long reader, such as pg_dump, only adds. */
struct guard_change {
    put_fn *const *first, *const *second; /* the second may be NULL */
};

static enum err set_once(
    struct db *db, const struct copy_schema *schema, const struct guard_change *change, bool waits,
    copy_guard_first *first, void *ctx, struct fail *fail)
{
    TRY(db_begin(db, fail));
    enum err err = lock(db, schema, waits, fail);
    if (!err && first)
        err = first(db, ctx, fail);
    if (!err)
        err = run_on_all(db, schema, change->first, fail);
    if (!err && change->second)
        err = run_on_all(db, schema, change->second, fail);
    return db_end(db, err, fail);
}

static enum err set(
    struct db *db, const struct copy_schema *schema, const struct guard_change *change,
    copy_guard_first *first, void *ctx, struct fail *fail)
{
    static const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000};
    int64_t from_ms = clock_mono_ms(), waited_ms = 0;
    enum err err;
    while ((err = set_once(db, schema, change, waited_ms > LOCK_POLITE_MS, first, ctx, fail)) ==
           ERR_BUSY) {
        waited_ms = clock_mono_ms() - from_ms;
        if (waited_ms >= LOCK_WAIT_MS)
            return err;
        nanosleep(&pause, NULL);
    }
    return err;
}

enum err copy_guard_note(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail)
{
    static const struct guard_change change = {note, NULL};
    return set(db, schema, &change, first, ctx, fail);
}

enum err copy_guard_close(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail)
{
    static const struct guard_change change = {close_all, NULL};
    return set(db, schema, &change, first, ctx, fail);
}

enum err copy_guard_reopen(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail)
{
    static const struct guard_change change = {open_all, note};
    return set(db, schema, &change, first, ctx, fail);
}

enum err copy_guard_open(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail)
{
    static const struct guard_change change = {open_all, NULL};
    return set(db, schema, &change, first, ctx, fail);
}
