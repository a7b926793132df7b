/* Fills details once; see migrate_details.h. */
#include "db/migrate_details.h"

#include "db/migrate_rows.h"
#include "paper/cell/details_read.h"

enum { BATCH_MAX = 500 };

/* A key has two parts; the second one of a trade is 0. $1 and $2 are the key in both statements:
 * `select` continues after it and selects key, name, type and cells. */
struct details_table {
    const char *select, *update;
};

struct details_row {
    int64_t key[2];
    struct str details;
};

struct details_batch {
    struct arena arena;
    struct details_row rows[BATCH_MAX];
    size_t n;
};

static enum err read_batch(
    struct db *db, const char *select, const int64_t after[2], struct details_batch *batch,
    struct fail *fail)
{
    QUERY(q, db, select, V(after[0]), V(after[1]), V(BATCH_MAX));
    batch->n = 0;
    while (query_row(&q) && batch->n < BATCH_MAX) {
        const struct row_values values = {
            .asset_name = query_get_str(&q, 2),
            .asset_type = asset_type_from_name(query_get_str(&q, 3)),
        };
        struct str details = details_of_printed(query_get_str(&q, 4), &values, &batch->arena);
        batch->rows[batch->n++] = (struct details_row){
            {query_get_i64(&q, 0), query_get_i64(&q, 1)},
            str_is_null(details) ? STR("") : arena_str(&batch->arena, details)};
    }
    return query_end(&q, fail);
}

static enum err write_batch(
    struct db *db, const char *update, const struct details_batch *batch, struct fail *fail)
{
    for (size_t i = 0; i < batch->n; i++)
        TRY(query_run(
            db, fail, update, V(batch->rows[i].key[0]), V(batch->rows[i].key[1]),
            V(batch->rows[i].details)));
    return OK;
}

static enum err fill(
    struct db *db, const struct details_table *table, struct migrate_rows *rows, struct fail *fail)
{
    MEM_FREED struct details_batch *batch = MEM_NEW(struct details_batch);
    enum err err = OK;
    int64_t after[2] = {0, 0};
    arena_init(&batch->arena);
    do {
        arena_reset(&batch->arena);
        err = read_batch(db, table->select, after, batch, fail);
        if (!err)
            err = write_batch(db, table->update, batch, fail);
        if (batch->n)
            memcpy(after, batch->rows[batch->n - 1].key, sizeof after);
        migrate_rows_add(rows, batch->n);
    } while (!err && batch->n == BATCH_MAX);
    arena_finish(&batch->arena);
    return err;
}

enum err migrate_details(struct db *db, const struct progress_hook *progress, struct fail *fail)
{
    static const struct details_table tables[] = {
        {"SELECT no, 0, asset_name, asset_type, printed FROM trade"
         " WHERE no > $1 AND $2 = 0 AND details IS NULL ORDER BY no LIMIT $3",
         "UPDATE trade SET details = $3 WHERE no = $1 AND $2 = 0"},
        {"SELECT draft_no, position, asset_name, asset_type, printed FROM draft_row"
         " WHERE (draft_no, position) > ($1, $2) AND details IS NULL"
         " ORDER BY draft_no, position LIMIT $3",
         "UPDATE draft_row SET details = $3 WHERE draft_no = $1 AND position = $2"},
    };
    struct migrate_rows rows;
    TRY(migrate_rows_begin(
        &rows, db,
        "SELECT (SELECT count(*) FROM trade WHERE details IS NULL)"
        " + (SELECT count(*) FROM draft_row WHERE details IS NULL)",
        progress, fail));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        TRY(fill(db, &tables[i], &rows, fail));
    return OK;
}
