/* Comparing two databases row by row; see copy_parts.h. */
#include "store/copy/copy_parts.h"

#include <string.h>

struct comparing {
    struct copy_work *work;
    const struct copy_table *table;
    struct copy_digest digest;
    bool any;          /* a row of this table was compared */
    struct buf key;    /* of the last one */
    struct buf a, b;   /* the bytes of one row of each */
    struct arena keys; /* of one chunk */
    int64_t chunk_rows;
    int64_t rows;
};

static void read_row(struct comparing *c, struct query *q, bool is_there, struct buf *to)
{
    buf_reset(to);
    if (is_there)
        copy_row_bytes(to, q, c->table);
}

/* The key of the first row that differs: the lesser of both, if they differ. */
static void note_key(
    struct comparing *c, const struct query *a, bool has_a, const struct query *b, bool has_b)
{
    BUF_SCOPED(other, COPY_KEY_SIZE_MAX);
    if (has_a)
        copy_row_key(&c->key, a, c->table);
    if (has_b)
        copy_row_key(&other, b, c->table);
    if (has_b &&
        (!has_a || copy_row_compare_keys(c->table, buf_view(&other), buf_view(&c->key)) < 0)) {
        buf_reset(&c->key);
        buf_str(&c->key, buf_view(&other));
    }
}

static enum err compare_chunk(struct comparing *c, bool *ret_more, struct fail *fail)
{
    struct query a, b;
    int64_t rows = 0, bytes = 0;
    bool differs = false, fits = true;
    arena_reset(&c->keys);
    const struct buf *key = c->any ? &c->key : NULL;
    copy_chunk_start(&a, c->work->from, c->table, key, c->chunk_rows, &c->keys);
    copy_chunk_start(&b, c->work->to, c->table, key, c->chunk_rows, &c->keys);
    for (;; rows++) {
        bool has_a = query_row(&a), has_b = query_row(&b);
        if (!has_a && !has_b)
            break;
        if (differs || !fits || a.err || b.err)
            continue; /* PostgreSQL's rows must be read to the end */
        read_row(c, &a, has_a, &c->a);
        read_row(c, &b, has_b, &c->b);
        fits = !c->a.overflow && !c->b.overflow && !c->key.overflow;
        differs = !str_eq(buf_view(&c->a), buf_view(&c->b));
        if (differs) {
            note_key(c, &a, has_a, &b, has_b);
            continue;
        }
        bytes += (int64_t)c->a.n;
        copy_digest_add(&c->digest, buf_view(&c->a));
        copy_row_key(&c->key, &a, c->table);
        c->any = true;
        progress_tell(c->work->progress, c->work->done + rows, c->work->total);
    }
    enum err err = query_end(&a, fail);
    enum err err_b = query_end(&b, err ? NULL : fail);
    err = err ? err : err_b;
    if (!err && !fits)
        err = copy_row_too_long(c->table, fail);
    if (!err && differs)
        err = fail_set(
            fail, ERR_CORRUPT, "the row %.*s differs: %.*s and %.*s are not the same",
            STR_ARG(copy_row_name(c->table, buf_view(&c->key), c->work->arena)),
            STR_ARG(db_name(c->work->from)), STR_ARG(db_name(c->work->to)));
    *ret_more = !err && rows == c->chunk_rows;
    c->chunk_rows = copy_chunk_rows(rows, bytes);
    c->rows += rows;
    c->work->done += rows;
    return err;
}

static enum err compare_table(struct comparing *c, struct copy_reported *ret, struct fail *fail)
{
    bool more = true;
    enum err err = OK;
    c->any = false;
    c->chunk_rows = copy_chunk_rows(0, 0);
    c->rows = 0;
    copy_digest_begin(&c->digest, c->table);
    while (!err && more)
        err = compare_chunk(c, &more, fail);
    ret->name = c->table->name;
    ret->rows = c->rows;
    memcpy(ret->digest, c->digest.bytes, sizeof ret->digest);
    return err;
}

enum err copy_compare_all(struct copy_work *work, struct copy_report *ret, struct fail *fail)
{
    struct comparing c = {.work = work};
    enum err err = OK;
    buf_init(&c.key, COPY_KEY_SIZE_MAX);
    buf_init(&c.a, COPY_ROW_SIZE_MAX);
    buf_init(&c.b, COPY_ROW_SIZE_MAX);
    arena_init(&c.keys);
    ret->tables = arena_alloc(work->arena, (work->schema.count + 1) * sizeof *ret->tables);
    ret->table_count = work->schema.count;
    ret->rows = 0;
    work->done = 0;
    progress_enter(work->progress, COPY_PHASE_COMPARE, work->total);
    for (size_t i = 0; !err && i < work->schema.count; i++) {
        c.table = &work->schema.tables[i];
        err = compare_table(&c, &ret->tables[i], fail);
        ret->rows += ret->tables[i].rows;
    }
    buf_finish(&c.key);
    buf_finish(&c.a);
    buf_finish(&c.b);
    arena_finish(&c.keys);
    return err;
}
