/* Bulk publication; see publish_bulk.h. */
#include "review/publish_bulk.h"

#include "base/progress_hook.h"
#include "review/difference.h"
#include "review/publish_write.h"
#include "store/public/filing_bulk.h"
#include "store/public/filing.h"
#include "store/public/trade.h"

enum {
    MANY_FILINGS = 2000, /* for fewer it takes longer to drop the rules */
    GROUP = 512,         /* filings that are looked up at once */
};

struct publish_bulk {
    struct publish_write write;
    struct publish_result result;
    struct bulk_rules rules; /* that come back at the end */
    struct arena arena;      /* for them; zeroed is empty */
};

enum err publish_bulk_open(
    struct db *db, enum meta_data data, struct str by, int64_t now_ms, struct publish_bulk **ret,
    struct fail *fail)
{
    TRY(db_begin(db, fail));
    struct publish_bulk *b = MEM_NEW(struct publish_bulk);
    b->write = (struct publish_write){.db = db, .by = by, .now_ms = now_ms};
    enum err err = meta_data_claim(db, data, fail);
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

enum err publish_bulk_expect(struct publish_bulk *b, int64_t filings, struct fail *fail)
{
    return filings < MANY_FILINGS ? OK : bulk_rules_drop(b->write.db, &b->arena, &b->rules, fail);
}

enum err publish_bulk_add(struct publish_bulk *b, const struct draft_filing *f, struct fail *fail)
{
    struct publish_write *w = &b->write;
    int64_t filing_no, disclosed_at;
    TRY(publish_write_document(w, f, fail));
    TRY(publication_admit(&w->publication, f->filed_at, &disclosed_at, fail));
    TRY(publish_write_filing(w, f, disclosed_at, &filing_no, fail));
    TRY(publish_write_judge(w, f, fail));
    TRY(publish_write_trades(w, f, filing_no, NULL, disclosed_at, fail));
    b->result.filings++;
    b->result.trades += f->row_count;
    return OK;
}

enum err publish_bulk_write(struct publish_bulk *b, struct fail *fail)
{
    return publish_write_rest(&b->write, fail);
}

enum err publish_bulk_close(
    struct publish_bulk *b, enum err err, struct publish_result *ret, struct fail *fail)
{
    struct publish_write *w = &b->write;
    struct publish_result result = b->result;
    if (!err)
        err = publish_write_rest(w, fail);
    if (!err)
        err = bulk_rules_add(w->db, &b->rules, fail);
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
    arena_finish(&b->arena);
    mem_free(b);
    if (!err)
        *ret = result;
    return err;
}

/* What add_new carries from filing to filing. */
struct backfilling {
    struct publish_bulk *bulk;
    const struct draft_filing *filings;
    size_t count;
    publish_refused_fn *refused;
    void *ctx;
    const struct progress_hook *progress;
    size_t unchanged;
};

/* Whether one of the same group was added under this id. */
static bool was_added(const struct backfilling *a, const bool *added, size_t first, size_t i)
{
    for (size_t k = first; k < i; k++)
        if (added[k - first] && str_eq(a->filings[k].id, a->filings[i].id))
            return true;
    return false;
}

/* --- originals of public amendments: their trades are public already */

/* A public amendment without its original, of the same senator and day. */
struct amendment {
    const struct draft_filing *of;
    struct arena *arena;
    int64_t no; /* 0: none */
    struct str id;
    bool repeats; /* has a trade that is a row of the filing */
};

static void note_amendment(void *ctx, const struct filing_of_report *filing)
{
    struct amendment *found = ctx;
    if (found->no || filing->amendment == 0 || !str_is_null(filing->amends))
        return;
    found->no = filing->no;
    found->id = arena_str(found->arena, filing->id);
}

static enum err note_repeated(void *ctx, const struct trade_row *row)
{
    struct amendment *found = ctx;
    for (size_t i = 0; i < found->of->row_count && !found->repeats; i++)
        found->repeats = row->withdrawn_at == INSTANT_NONE &&
                         difference_equal(&row->trade.values, &found->of->rows[i].values);
    return OK;
}

/* *ret_reason stays NULL if the filing can be added. */
static enum err refuse_amended(
    struct backfilling *a, const struct draft_filing *filing, const char **ret_reason,
    struct fail *fail)
{
    struct db *db = a->bulk->write.db;
    struct amendment found = {.of = filing, .arena = &a->bulk->arena};
    if (filing->chamber != CHAMBER_SENATE)
        return OK;
    TRY(filing_each_of_report(
        db, filing->politician_id, instant_day_new_york(filing->filed_at), note_amendment, &found,
        fail));
    if (found.no)
        TRY(trade_each_of_filing(db, found.no, note_repeated, &found, fail));
    if (found.repeats)
        *ret_reason =
            arena_fmt(
                &a->bulk->arena, "its amendment %.*s is public: import the page of this report",
                STR_ARG(found.id))
                .p;
    return OK;
}

static enum err add_one(
    struct backfilling *a, const struct draft_filing *filing, bool *ret_added, struct fail *fail)
{
    const char *reason = NULL;
    enum err err = OK;
    if (!publication_takes(&a->bulk->write.publication, filing->filed_at))
        reason = "filed at or after the first live publication";
    else
        err = refuse_amended(a, filing, &reason, fail);
    *ret_added = !err && !reason;
    if (*ret_added)
        return publish_bulk_add(a->bulk, filing, fail);
    if (!err && a->refused)
        a->refused(a->ctx, filing, reason);
    return err;
}

static enum err add_group(struct backfilling *a, size_t first, size_t count, struct fail *fail)
{
    struct str ids[GROUP];
    int64_t numbers[GROUP];
    bool added[GROUP];
    for (size_t i = 0; i < count; i++)
        ids[i] = a->filings[first + i].id;
    TRY(filing_numbers(a->bulk->write.db, ids, count, numbers, fail));
    for (size_t i = 0; i < count; i++) {
        const struct draft_filing *filing = &a->filings[first + i];
        progress_tell(a->progress, (int64_t)(first + i), (int64_t)a->count);
        added[i] = false;
        if (numbers[i] || was_added(a, added, first, first + i))
            a->unchanged++;
        else
            TRY(add_one(a, filing, &added[i], fail));
    }
    return OK;
}

/* Filings of earlier groups must be in the store before the next group is looked up. */
static enum err add_new(struct backfilling *a, struct fail *fail)
{
    enum err err = OK;
    for (size_t done = 0; done < a->count && !err;) {
        size_t left = a->count - done, count = left < GROUP ? left : GROUP;
        err = add_group(a, done, count, fail);
        done += count;
        if (err)
            break;
        progress_tell(a->progress, (int64_t)done, (int64_t)a->count);
        err = publish_bulk_write(a->bulk, fail);
    }
    return err;
}

enum err publish_backfill(
    struct db *db, const struct draft_filing *filings, size_t count, struct str by, int64_t now_ms,
    publish_refused_fn *refused, void *ctx, const struct progress_hook *progress,
    struct publish_result *ret, struct fail *fail)
{
    struct backfilling adding = {
        .filings = filings, .count = count, .refused = refused, .ctx = ctx, .progress = progress};
    TRY(publish_bulk_open(db, META_DATA_REAL, by, now_ms, &adding.bulk, fail));
    enum err err = publish_bulk_expect(adding.bulk, (int64_t)count, fail);
    if (!err)
        err = add_new(&adding, fail);
    err = publish_bulk_close(adding.bulk, err, ret, fail);
    if (!err)
        ret->unchanged = adding.unchanged;
    return err;
}
