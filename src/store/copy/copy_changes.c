/* The rows that changed while they were copied; see copy_parts.h. */
#include "store/copy/copy_parts.h"

#include <string.h>

#include "store/row/list.h"

enum err copy_snapshot_begin(struct db *from, struct fail *fail)
{
    if (db_kind(from) == DB_SQLITE)
        return db_begin_read(from, fail);
    TRY(db_begin(from, fail));
    enum err err = db_exec(from, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", fail);
    if (err)
        db_rollback(from);
    return err;
}

static enum err read_last(struct db *from, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    return query_number(from, ret, fail, "SELECT coalesce(max(no), 0) FROM copy_change");
}

enum err copy_changes_read(
    struct copy_work *work, const struct copy_table *table, struct arena *arena,
    struct copy_changes *ret, struct fail *fail)
{
    struct str unknown = STR_NULL;
    TRY(read_last(work->from, &ret->last, fail));
    LIST_SCOPED(list, struct copy_changed);
    QUERY(q, work->from, "SELECT DISTINCT name, key FROM copy_change ORDER BY name, key");
    while (query_row(&q)) {
        const struct copy_table *of = copy_schema_find(&work->schema, query_get_str(&q, 0));
        if (!of)
            unknown = query_text(&q, 0, arena);
        if (!of || (table && of != table))
            continue;
        struct copy_changed *changed = list_add(&list);
        changed->table = of;
        changed->key = query_text(&q, 1, arena);
    }
    enum err err = query_end(&q, fail);
    ret->count = list.count;
    ret->items = list_keep(&list, arena);
    if (!err && !str_is_null(unknown))
        err = fail_set(fail, ERR_CORRUPT, "table copy_change names a table %.*s", STR_ARG(unknown));
    return err;
}

/* Applying */

static enum err remove_row(struct db *to, const struct copy_changed *row, struct fail *fail)
{
    ARENA_SCOPED(arena);
    QUERY(q, to, row->table->remove);
    copy_row_bind_key(&q, row->table, row->key, &arena);
    return query_end(&q, fail);
}

/* The row as the source has it, if it still does. */
static enum err write_row(
    struct db *from, struct bulk *bulk, const struct copy_changed *row, struct fail *fail)
{
    ARENA_SCOPED(arena);
    QUERY(q, from, row->table->one);
    copy_row_bind_key(&q, row->table, row->key, &arena);
    if (query_row(&q))
        copy_row_write(bulk, &q, row->table);
    return query_end(&q, fail);
}

/* Neighbours are of one table. */
static enum err write_table(
    struct copy_work *work, const struct copy_changes *changes, size_t *i, struct fail *fail)
{
    const struct copy_table *table = changes->items[*i].table;
    struct bulk bulk;
    enum err err = OK;
    bulk_begin(&bulk, work->to, &table->insert);
    for (; !err && *i < changes->count && changes->items[*i].table == table; ++*i)
        err = write_row(work->from, &bulk, &changes->items[*i], fail);
    return bulk_end(&bulk, err, fail);
}

enum err copy_changes_apply(
    struct copy_work *work, const struct copy_changes *changes, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; !err && i < changes->count; i++)
        err = remove_row(work->to, &changes->items[i], fail);
    for (size_t i = 0; !err && i < changes->count;)
        err = write_table(work, changes, &i, fail);
    return err;
}

/* Comparing */

static enum err read_one(
    struct db *db, const struct copy_changed *row, struct buf *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    buf_reset(ret);
    QUERY(q, db, row->table->one);
    copy_row_bind_key(&q, row->table, row->key, &arena);
    if (query_row(&q))
        copy_row_bytes(ret, &q, row->table);
    return query_end(&q, fail);
}

enum err copy_changes_compare(
    struct copy_work *work, const struct copy_changes *changes, struct fail *fail)
{
    BUF_SCOPED(b, COPY_ROW_SIZE_MAX);
    BUF_SCOPED(a, COPY_ROW_SIZE_MAX);
    for (size_t i = 0; i < changes->count; i++) {
        const struct copy_changed *row = &changes->items[i];
        TRY(read_one(work->from, row, &a, fail));
        TRY(read_one(work->to, row, &b, fail));
        if (a.overflow || b.overflow)
            return copy_row_too_long(row->table, fail);
        if (!str_eq(buf_view(&a), buf_view(&b)))
            return fail_set(
                fail, ERR_CORRUPT, "the row %.*s differs from its copy",
                STR_ARG(copy_row_name(row->table, row->key, work->arena)));
    }
    return OK;
}

/* Following */

/* What was noted up to this snapshot. SQLite: notes are numbered in the order of commits, and the
 * snapshot could not write. PostgreSQL: they are not, but the snapshot deletes what it sees. */
static enum err forget(struct copy_work *work, int64_t last, struct fail *fail)
{
    enum err err = OK;
    if (db_kind(work->from) == DB_SQLITE) {
        db_rollback(work->from);
        err = db_begin(work->from, fail);
        if (err)
            return err;
        err = copy_source_check(work, COPY_NONE, fail); /* else they are notes of another copy */
    }
    if (!err)
        err = query_run(work->from, fail, "DELETE FROM copy_change WHERE no <= $1", V(last));
    return db_end(work->from, err, fail);
}

static enum err take_over(
    struct copy_work *work, const struct copy_changes *changes, struct fail *fail)
{
    if (changes->count == 0)
        return OK;
    TRY(copy_target_begin(work, fail));
    enum err err = copy_changes_apply(work, changes, fail);
    err = db_end(work->to, err, fail);
    return err ? err : copy_changes_compare(work, changes, fail);
}

static enum err compare_now(struct copy_work *work, struct copy_report *ret, struct fail *fail)
{
    TRY(db_begin_read(work->to, fail));
    enum err err = copy_compare_all(work, ret, fail);
    db_rollback(work->to);
    return err;
}

enum err copy_follow(
    struct copy_work *work, struct copy_report *ret, int64_t *ret_count, struct fail *fail)
{
    struct copy_changes changes;
    ARENA_SCOPED(arena);
    *ret_count = 0;
    TRY(copy_snapshot_begin(work->from, fail));
    enum err err = copy_source_check(work, COPY_NONE, fail);
    if (!err)
        err = copy_changes_read(work, NULL, &arena, &changes, fail);
    if (!err)
        err = take_over(work, &changes, fail);
    if (!err && ret)
        err = compare_now(work, ret, fail);
    if (!err && changes.count > 0)
        err = forget(work, changes.last, fail);
    db_rollback(work->from); /* nothing, if it was committed */
    if (!err)
        *ret_count = (int64_t)changes.count;
    return err;
}
