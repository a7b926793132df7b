/* Bulk publication; see publish_bulk.h. */
#include "review/publish_bulk.h"

#include "base/progress_hook.h"
#include "review/publish_write.h"
#include "store/filing.h"

struct publish_bulk {
    struct publish_write write;
    struct publish_result result;
};

enum err publish_bulk_open(
    struct db *db, enum meta_data data, struct str by, int64_t now_ms, struct publish_bulk **ret,
    struct fail *fail)
{
    enum err err = db_begin(db, fail);
    if (err)
        return err;
    struct publish_bulk *b = MEM_NEW(struct publish_bulk);
    b->write = (struct publish_write){.db = db, .by = by, .now_ms = now_ms};
    err = meta_data_claim(db, data, fail);
    if (!err)
        err = publish_write_begin(&b->write, PUBLICATION_BACKFILL, fail);
    if (err) {
        db_rollback(db);
        mem_free(b);
        return err;
    }
    *ret = b;
    return OK;
}

enum err publish_bulk_add(struct publish_bulk *b, const struct draft_filing *f, struct fail *fail)
{
    struct publish_write *w = &b->write;
    int64_t filing_no, disclosed_at;
    enum err err = publish_write_document(w, f, fail);
    if (!err)
        err = publish_write_filing(w, f, &filing_no, fail);
    if (!err)
        err = publication_add_filing(
            w->db, &w->publication, filing_no, f->filed_at, &disclosed_at, fail);
    if (!err)
        err = publish_write_judge(w, f, fail);
    if (!err)
        err = publish_write_trades(w, f, filing_no, NULL, disclosed_at, fail);
    b->result.filings++;
    b->result.trades += f->row_count;
    return err;
}

enum err publish_bulk_close(
    struct publish_bulk *b, enum err err, struct publish_result *ret, struct fail *fail)
{
    struct publish_write *w = &b->write;
    struct publish_result result = b->result;
    if (!err && result.filings) {
        result.publication = w->publication.no;
        err = publication_finish(
            w->db, &w->publication, (int64_t)result.trades, &result.change_seq, fail);
    }
    /* If nothing is new, do not use up a publication number either. */
    if (err || result.filings == 0)
        db_rollback(w->db);
    else
        err = db_commit(w->db, fail);
    publish_write_finish(w);
    mem_free(b);
    if (!err)
        *ret = result;
    return err;
}

static enum err add_new(
    struct publish_bulk *b, const struct draft_filing *filings, size_t count,
    publish_refused_fn *refused, void *ctx, const struct progress_hook *progress,
    size_t *ret_unchanged, struct fail *fail)
{
    enum err err = OK;
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < count && !err; i++) {
        struct filing_row row;
        progress_tell(progress, (int64_t)i, (int64_t)count);
        arena_reset(&arena);
        err = filing_find(b->write.db, filings[i].id, &arena, &row, fail);
        if (!err) {
            ++*ret_unchanged;
        } else if (
            err == ERR_NOT_FOUND && publication_takes(&b->write.publication, filings[i].filed_at)) {
            err = publish_bulk_add(b, &filings[i], fail);
        } else if (err == ERR_NOT_FOUND) {
            err = OK;
            if (refused)
                refused(ctx, &filings[i], "filed at or after the first live publication");
        }
    }
    arena_finish(&arena);
    return err;
}

enum err publish_backfill(
    struct db *db, const struct draft_filing *filings, size_t count, struct str by, int64_t now_ms,
    publish_refused_fn *refused, void *ctx, const struct progress_hook *progress,
    struct publish_result *ret, struct fail *fail)
{
    struct publish_bulk *b;
    size_t unchanged = 0;
    enum err err = publish_bulk_open(db, META_DATA_REAL, by, now_ms, &b, fail);
    if (err)
        return err;
    err = add_new(b, filings, count, refused, ctx, progress, &unchanged, fail);
    progress_tell(progress, (int64_t)count, (int64_t)count);
    err = publish_bulk_close(b, err, ret, fail);
    if (!err)
        ret->unchanged = unchanged;
    return err;
}
