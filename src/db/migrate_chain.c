/* Builds the chain over what was published before step 15; see migrate_chain.h. The rows are taken
 * as they are: the entry of an old publication vouches for its rows after all corrections so far.
 */
#include "db/migrate_chain.h"

#include "db/chain.h"
#include "db/migrate_rows.h"
#include "db/row_digest.h"

enum { BATCH_MAX = 500 };

struct trade_batch {
    int64_t no[BATCH_MAX];
    uint8_t digest[BATCH_MAX][SHA256_SIZE];
    size_t n;
};

/* The statements of one of a trade's two digests. $1: rows after this number. */
struct trade_digest {
    const char *select, *update;
    enum row_digest kind;
};

static const struct trade_digest trade_digests[] = {
    {"SELECT t.no, " ROW_DIGEST_TRADE_SOURCE_COLUMNS
     " FROM trade t WHERE t.no > $1 ORDER BY t.no LIMIT $2",
     "UPDATE trade SET source_digest = $2 WHERE no = $1", ROW_DIGEST_TRADE_SOURCE},
    {"SELECT t.no, " ROW_DIGEST_TRADE_COLUMNS
     " FROM trade t WHERE t.no > $1 ORDER BY t.no LIMIT $2",
     "UPDATE trade SET digest = $2 WHERE no = $1", ROW_DIGEST_TRADE},
};

static enum err read_batch(
    struct db *db, const struct trade_digest *which, int64_t after, struct trade_batch *ret,
    struct fail *fail)
{
    QUERY(q, db, which->select, V(after), V(BATCH_MAX));
    ret->n = 0;
    while (query_row(&q) && ret->n < BATCH_MAX) {
        ret->no[ret->n] = query_get_i64(&q, 0);
        row_digest(&q, 1, which->kind, ret->digest[ret->n++]);
    }
    return query_end(&q, fail);
}

static enum err write_batch(
    struct db *db, const struct trade_digest *which, const struct trade_batch *batch,
    struct fail *fail)
{
    for (size_t i = 0; i < batch->n; i++)
        TRY(query_run(
            db, fail, which->update, V(batch->no[i]), V_BLOB(batch->digest[i], SHA256_SIZE)));
    return OK;
}

/* Both digests of a batch at once, while its pages are in the cache. */
static enum err digest_trades(struct db *db, struct migrate_rows *rows, struct fail *fail)
{
    MEM_FREED struct trade_batch *batch = MEM_NEW(struct trade_batch);
    enum err err = OK;
    int64_t after = 0, last = 0;
    do {
        for (size_t i = 0; i < sizeof trade_digests / sizeof *trade_digests && !err; i++) {
            err = read_batch(db, &trade_digests[i], after, batch, fail);
            if (!err)
                err = write_batch(db, &trade_digests[i], batch, fail);
        }
        last = batch->n ? batch->no[batch->n - 1] : after;
        after = last;
        migrate_rows_add(rows, batch->n);
    } while (!err && batch->n == BATCH_MAX);
    return err;
}

/* Appends one entry for each number that the statement selects, in its order. $1: after. */
static enum err append_each(
    struct db *db, const char *sql, enum err (*append)(struct db *, int64_t, struct fail *),
    struct migrate_rows *rows, struct fail *fail)
{
    int64_t numbers[BATCH_MAX], after = 0;
    size_t n;
    enum err err;
    do {
        n = 0;
        QUERY(q, db, sql, V(after), V(BATCH_MAX));
        while (query_row(&q) && n < BATCH_MAX)
            numbers[n++] = query_get_i64(&q, 0);
        err = query_end(&q, fail);
        for (size_t i = 0; i < n && !err; i++)
            err = append(db, numbers[i], fail);
        after = n ? numbers[n - 1] : after;
        migrate_rows_add(rows, n);
    } while (!err && n == BATCH_MAX);
    return err;
}

enum err migrate_chain(struct db *db, const struct progress_hook *progress, struct fail *fail)
{
    struct migrate_rows rows;
    TRY(migrate_rows_begin(
        &rows, db,
        "SELECT (SELECT count(*) FROM trade) + (SELECT count(*) FROM publication)"
        " + (SELECT count(*) FROM correction)",
        progress, fail));
    TRY(digest_trades(db, &rows, fail));
    TRY(append_each(
        db, "SELECT no FROM publication WHERE no > $1 ORDER BY no LIMIT $2", chain_add_publication,
        &rows, fail));
    return append_each(
        db, "SELECT no FROM correction WHERE no > $1 ORDER BY no LIMIT $2", chain_add_correction,
        &rows, fail);
}
