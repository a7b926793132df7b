/* The target of a copy: what is switched off while it is filled; see copy_parts.h. */
#include "store/copy/copy_parts.h"

#include <assert.h>

#include "db/db_driver.h"
#include "db/dialect.h"
#include "store/row/list.h"

enum { STATEMENT_SIZE_MAX = 4096 };

/* Runs a statement on each table; %.*s is its name. */
__attribute__((format(printf, 2, 0))) static enum err run_on_all(
    struct copy_work *work, const char *format, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; !err && i < work->schema.count; i++) {
        BUF_SCOPED(sql, STATEMENT_SIZE_MAX);
        buf_fmt(&sql, format, STR_ARG(work->schema.tables[i].name));
        buf_char(&sql, '\0');
        err = db_exec(work->to, sql.p, fail);
    }
    return err;
}

/* Foreign keys */

struct foreign_keys {
    struct foreign_key {
        const char *drop, *add_deferred, *check_at_once;
    } * items;
    size_t count;
};

static enum err read_foreign_keys(
    struct copy_work *work, struct foreign_keys *ret, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(work->to), DIALECT_FOREIGN_KEYS);
    *ret = (struct foreign_keys){NULL, 0};
    if (!sql)
        return OK;
    QUERY(q, work->to, sql);
    return list_read(
        &q, work->arena, ret, fail,
        (struct foreign_key){
            .drop = query_text(&q, 1, work->arena).p,
            .add_deferred = query_text(&q, 3, work->arena).p,
            .check_at_once = query_text(&q, 4, work->arena).p,
        });
}

static enum err keep_for_later(
    struct db *to, int64_t position, const char *statement, struct fail *fail)
{
    return query_run(
        to, fail, "INSERT INTO copy_later (position, statement) VALUES ($1, $2)", V(position),
        V(str_from(statement)));
}

static enum err drop_foreign_keys(struct copy_work *work, struct fail *fail)
{
    struct foreign_keys keys;
    enum err err = read_foreign_keys(work, &keys, fail);
    for (size_t i = 0; !err && i < keys.count; i++) {
        err = keep_for_later(work->to, (int64_t)i + 1, keys.items[i].add_deferred, fail);
        if (!err)
            err = db_exec(work->to, keys.items[i].drop, fail);
    }
    return err;
}

/* Claiming */

static unsigned connection_of(struct db *to)
{
    return db_kind(to) == DB_POSTGRESQL ? db_postgresql_generation(to) : 0;
}

enum err copy_target_lock(struct copy_work *work, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(work->to), DIALECT_COPY_LOCK);
    if (!sql)
        return OK;
    QUERY(q, work->to, sql);
    bool locked = query_row(&q) && query_get_i64(&q, 0) == 1;
    enum err err = query_end(&q, fail);
    if (!err && !locked)
        err = fail_set(
            fail, ERR_BUSY, "%.*s: another `stockact copy` fills this database",
            STR_ARG(db_name(work->to)));
    work->target_connection = connection_of(work->to);
    return err;
}

/* PostgreSQL: the lock ends with its connection, and then another copy can run into this target. */
enum err copy_target_begin(struct copy_work *work, struct fail *fail)
{
    enum err err = db_begin(work->to, fail);
    if (err || connection_of(work->to) == work->target_connection)
        return err;
    db_rollback(work->to);
    return fail_set(
        fail, ERR_UNAVAILABLE, "%.*s: the connection was lost: run `stockact copy` again",
        STR_ARG(db_name(work->to)));
}

static enum err expect_empty(
    struct copy_work *work, const struct copy_table *table, struct fail *fail)
{
    QUERY(q, work->to, table->last);
    bool any = query_row(&q);
    TRY(query_end(&q, fail));
    if (any)
        return fail_set(
            fail, ERR_EXISTS, "%.*s: this database is not empty, its table %.*s has rows",
            STR_ARG(db_name(work->to)), STR_ARG(table->name));
    return OK;
}

enum err copy_target_expect_empty(struct copy_work *work, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; !err && i < work->schema.count; i++)
        if (!str_eq(work->schema.tables[i].name, STR("counter"))) /* migrations write into it */
            err = expect_empty(work, &work->schema.tables[i], fail);
    return err;
}

static enum err claim(struct copy_work *work, const struct copy_mark *mark, struct fail *fail)
{
    TRY(copy_target_expect_empty(work, fail));
    TRY(db_exec(work->to, "DELETE FROM counter", fail));
    TRY(drop_foreign_keys(work, fail));
    if (db_kind(work->to) == DB_POSTGRESQL)
        TRY(run_on_all(work, "ALTER TABLE \"%.*s\" DISABLE TRIGGER USER", fail));
    return copy_mark_set(work->to, COPY_TARGET, mark, fail);
}

enum err copy_target_claim(struct copy_work *work, const struct copy_mark *mark, struct fail *fail)
{
    TRY(copy_target_begin(work, fail));
    enum err err = claim(work, mark, fail);
    return db_end(work->to, err, fail);
}

/* Tying */

static enum err read_later(
    struct copy_work *work, const char ***ret, size_t *ret_count, struct fail *fail)
{
    QUERY(q, work->to, "SELECT statement FROM copy_later ORDER BY position");
    return list_read_items(&q, work->arena, ret, ret_count, fail, query_text(&q, 0, work->arena).p);
}

static enum err run_later(struct copy_work *work, struct fail *fail)
{
    const char **statements;
    size_t count;
    TRY(read_later(work, &statements, &count, fail));
    for (size_t i = 0; i < count; i++)
        TRY(db_exec(work->to, statements[i], fail));
    return db_exec(work->to, "DELETE FROM copy_later", fail);
}

static enum err check_foreign_keys(struct copy_work *work, struct fail *fail)
{
    struct str name = STR_NULL;
    QUERY(q, work->to, "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1");
    if (query_row(&q))
        name = query_text(&q, 0, work->arena);
    TRY(query_end(&q, fail));
    if (!str_is_null(name))
        return fail_set(
            fail, ERR_CORRUPT,
            "a row of table %.*s refers to a row that does not exist: run `stockact check` on the "
            "source",
            STR_ARG(name));
    return OK;
}

enum err copy_target_tie(struct copy_work *work, struct fail *fail)
{
    if (db_kind(work->to) == DB_SQLITE)
        return check_foreign_keys(work, fail);
    TRY(copy_target_begin(work, fail));
    enum err err = run_later(work, fail);
    err = db_end(work->to, err, fail);
    return err ? err : db_exec(work->to, "ANALYZE", fail);
}

/* Finishing */

/* The next number of each table whose rows the database numbers. */
static enum err continue_numbers(struct copy_work *work, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; !err && i < work->schema.count; i++) {
        const struct copy_table *t = &work->schema.tables[i];
        const struct copy_column *c = &t->columns[t->key[0]];
        if (t->key_count != 1 || c->type != COPY_INT)
            continue;
        BUF_SCOPED(sql, STATEMENT_SIZE_MAX);
        /* NULL for a column that has no sequence; then nothing is set */
        buf_fmt(
            &sql,
            "SELECT setval(pg_get_serial_sequence('%.*s', '%.*s'),"
            " (SELECT coalesce(max(\"%.*s\"), 0) + 1 FROM \"%.*s\"), false)",
            STR_ARG(t->name), STR_ARG(c->name), STR_ARG(c->name), STR_ARG(t->name));
        buf_char(&sql, '\0');
        err = db_exec(work->to, sql.p, fail);
    }
    return err;
}

static enum err restore_rules(struct copy_work *work, struct fail *fail)
{
    struct foreign_keys keys;
    TRY(run_on_all(work, "ALTER TABLE \"%.*s\" ENABLE TRIGGER USER", fail));
    TRY(read_foreign_keys(work, &keys, fail));
    for (size_t i = 0; i < keys.count; i++)
        TRY(db_exec(work->to, keys.items[i].check_at_once, fail));
    return continue_numbers(work, fail);
}

enum err copy_target_finish(struct copy_work *work, const struct copy_mark *mark, struct fail *fail)
{
    enum err err = copy_target_begin(work, fail);
    if (err)
        return err;
    if (db_kind(work->to) == DB_POSTGRESQL)
        err = restore_rules(work, fail);
    if (!err)
        err = copy_mark_set(work->to, COPY_TARGET, mark, fail);
    return db_end(work->to, err, fail);
}
