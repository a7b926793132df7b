/* Filling the target; see copy_parts.h. */
#include "store/copy/copy_parts.h"

struct filling {
    struct copy_work *work;
    const struct copy_table *table;
    bool any;           /* the table of the target has a row */
    struct buf key;     /* of the last one */
    struct arena keys;  /* of one chunk */
    int64_t chunk_rows; /* of the next chunk */
};

static enum err read_last_key(struct filling *f, struct fail *fail)
{
    QUERY(q, f->work->to, f->table->last);
    f->any = query_row(&q);
    if (f->any)
        copy_row_key(&f->key, &q, f->table);
    return query_end(&q, fail);
}

/* The rows that an earlier run copied are brought to this snapshot, so that the table is as it was
 * at one moment: rows of different moments could hold one unique value twice. */
static enum err refresh(struct filling *f, struct fail *fail)
{
    struct copy_changes changes;
    TRY(copy_changes_read(f->work, f->table, &f->keys, &changes, fail));
    size_t kept = 0;
    for (size_t i = 0; i < changes.count; i++)
        if (copy_row_compare_keys(f->table, changes.items[i].key, buf_view(&f->key)) <= 0)
            changes.items[kept++] = changes.items[i];
    changes.count = kept;
    TRY(copy_target_begin(f->work, fail));
    enum err err = copy_changes_apply(f->work, &changes, fail);
    return db_end(f->work->to, err, fail);
}

static enum err copy_chunk(struct filling *f, int64_t *ret_rows, struct fail *fail)
{
    struct bulk bulk;
    struct query q;
    int64_t rows = 0, bytes = 0;
    arena_reset(&f->keys);
    copy_chunk_start(&q, f->work->from, f->table, f->any ? &f->key : NULL, f->chunk_rows, &f->keys);
    bulk_begin(&bulk, f->work->to, &f->table->insert);
    for (; query_row(&q) && !bulk.err && !f->key.overflow; rows++) {
        copy_row_write(&bulk, &q, f->table);
        copy_row_key(&f->key, &q, f->table);
        f->any = true;
        for (size_t i = 0; i < f->table->column_count; i++)
            bytes += f->table->columns[i].type == COPY_INT ? (int64_t)sizeof(int64_t)
                                                           : (int64_t)query_get_blob(&q, (int)i).n;
        progress_tell(f->work->progress, f->work->done + rows, f->work->total);
    }
    enum err err = query_end(&q, fail);
    if (!err && f->key.overflow)
        err = copy_row_too_long(f->table, fail);
    err = bulk_end(&bulk, err, fail);
    f->chunk_rows = copy_chunk_rows(rows, bytes);
    f->work->done += rows;
    *ret_rows = rows;
    return err;
}

static enum err fill_from_key(struct filling *f, struct fail *fail)
{
    int64_t rows, wanted;
    do {
        wanted = f->chunk_rows;
        TRY(copy_target_begin(f->work, fail));
        enum err err = copy_chunk(f, &rows, fail);
        err = db_end(f->work->to, err, fail);
        if (err)
            return err;
    } while (rows == wanted);
    return OK;
}

static enum err count(
    struct db *db, const struct copy_table *table, int64_t *ret, struct fail *fail)
{
    QUERY(q, db, table->count);
    if (query_row(&q))
        *ret += query_get_i64(&q, 0);
    return query_end(&q, fail);
}

static enum err fill_table(struct filling *f, struct fail *fail)
{
    f->chunk_rows = copy_chunk_rows(0, 0);
    buf_reset(&f->key);
    arena_reset(&f->keys);
    enum err err = read_last_key(f, fail);
    if (!err)
        err = db_begin_read(f->work->from, fail);
    if (err)
        return err;
    if (f->any)
        err = refresh(f, fail);
    if (!err)
        err = fill_from_key(f, fail);
    db_rollback(f->work->from);
    return err;
}

enum err copy_fill(struct copy_work *work, struct fail *fail)
{
    enum err err = OK;
    work->done = work->total = 0;
    for (size_t i = 0; !err && i < work->schema.count; i++) {
        err = count(work->from, &work->schema.tables[i], &work->total, fail);
        if (!err)
            err = count(work->to, &work->schema.tables[i], &work->done, fail);
    }
    progress_enter(work->progress, COPY_PHASE_FILL, work->total);
    struct filling f = {.work = work};
    buf_init(&f.key, COPY_KEY_SIZE_MAX);
    arena_init(&f.keys);
    for (size_t i = 0; !err && i < work->schema.count; i++) {
        f.table = &work->schema.tables[i];
        err = fill_table(&f, fail);
    }
    buf_finish(&f.key);
    arena_finish(&f.keys);
    return err;
}
