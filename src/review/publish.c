/* The publishing transaction; see publish.h. */
#include "review/publish.h"

#include <assert.h>

#include "review/event_body.h"
#include "store/document.h"
#include "store/event.h"
#include "store/filing.h"
#include "store/meta.h"
#include "store/publication.h"
#include "store/trade.h"

/* What one transaction carries from filing to filing. */
struct publishing {
    struct db *db;
    struct arena arena; /* reset after each filing */
    struct publication publication;
    struct str by;
    int64_t now_ms;
    /* The document that was recorded last: filings of one document come together. */
    const struct draft_document *document;
    int64_t document_version;
};

/* The filing being published, as it stands in the store. */
struct standing {
    int64_t no;
    bool has[DRAFT_ROW_MAX + 1]; /* rows that are trades already */
};

static enum err put_document(struct publishing *p, const struct draft_filing *f, struct fail *fail)
{
    const struct draft_document *d = f->document;
    bool bulk = p->publication.kind == PUBLICATION_BACKFILL;
    if (p->document == d)
        return OK;
    struct document document = {
        .kind = d->kind,
        .source_id = d->name,
        .url = bulk ? STR_NULL : f->url,
        .chamber = bulk ? CHAMBER_NONE : f->chamber,
        .state = bulk ? DOCUMENT_BULK : DOCUMENT_DRAFT,
        .reason = STR_NULL,
        .bytes = d->bytes,
    };
    for (int i = 0; i < SHA256_SIZE; i++)
        document.sha256[i] = d->sha256[i];
    p->document = d;
    return document_put(p->db, &document, p->now_ms, &p->document_version, fail);
}

static enum err insert_filing(
    struct publishing *p, const struct draft_filing *f, struct standing *ret, struct fail *fail)
{
    bool bulk = p->publication.kind == PUBLICATION_BACKFILL;
    const struct filing_new filing = {
        .id = f->id,
        .chamber = f->chamber,
        .source_doc_id = f->source_doc_id,
        .url = f->url,
        .politician_id = f->politician_id,
        .party = f->party,
        .state = f->state,
        .filed_at = f->filed_at,
        .amends = f->amends,
        .document_version = p->document_version,
        .review = bulk ? FILING_REVIEW_BULK : FILING_REVIEW_ROW,
        .reviewed_by = p->by,
        .reviewed_at = p->now_ms,
    };
    return filing_insert(p->db, &filing, p->now_ms, &ret->no, fail);
}

static enum err note_row(void *ctx, const struct trade_row *row)
{
    struct standing *standing = ctx;
    struct str id = row->trade.id;
    int64_t number;
    if (id.n > 4 && str_to_i64(str_slice(id, id.n - 4, id.n), &number) && number >= 1)
        standing->has[number] = true;
    return OK;
}

/* The filing is there: which of its rows are trades already. */
static enum err stand_on(
    struct publishing *p, const struct filing_row *row, struct standing *ret, struct fail *fail)
{
    ret->no = row->no;
    if (row->state == FILING_WITHDRAWN || row->state == FILING_REJECTED)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is %.*s", STR_ARG(row->filing.id),
            STR_ARG(filing_state_name(row->state)));
    return trade_each_of_filing(p->db, row->no, note_row, ret, fail);
}

static size_t count_new(const struct draft_filing *f, const struct standing *standing)
{
    size_t count = 0;
    for (size_t i = 0; i < f->row_count; i++) {
        assert(f->rows[i].row >= 1 && f->rows[i].row <= DRAFT_ROW_MAX);
        count += !standing->has[f->rows[i].row];
    }
    return count;
}

static enum err insert_trades(
    struct publishing *p, const struct draft_filing *f, const struct standing *standing,
    int64_t disclosed_at, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < f->row_count && !err; i++) {
        const struct draft_row *row = &f->rows[i];
        if (standing->has[row->row])
            continue;
        const struct trade_new trade = {
            .filing_no = standing->no,
            .filing_id = f->id,
            .row = row->row,
            .page = row->page,
            .ticker = row->ticker,
            .asset_name = row->asset_name,
            .asset_type = row->asset_type,
            .side = row->side,
            .bracket = row->bracket,
            .trade_date = row->trade_date,
            .notified_date = row->notified_date,
            .owner = row->owner,
            .printed = row->printed,
            .document_version = p->document_version,
            .publication_no = p->publication.no,
            .disclosed_at = disclosed_at,
        };
        err = trade_insert(p->db, &trade, fail);
    }
    return err;
}

/* One event for all new trades of the filing, with its body as it is at this moment (decision 37).
 */
static enum err add_event(
    struct publishing *p, const struct draft_filing *f, const struct standing *standing,
    int64_t disclosed_at, size_t *ret_deliveries, struct fail *fail)
{
    struct filing_row row;
    struct buf body;
    int64_t deliveries = 0;
    enum err err = filing_find(p->db, f->id, &p->arena, &row, fail);
    if (err)
        return err;
    buf_init(&body, EVENT_BODY_SIZE_MAX);
    event_body_put(&body, &row.filing, &row.politician, f, standing->has, disclosed_at);
    if (body.overflow)
        err = fail_set(fail, ERR_LIMIT, "%.*s: the event is too large", STR_ARG(f->id));
    else
        err = event_add(
            p->db, STR("trade.published"), standing->no, p->publication.no, buf_view(&body),
            p->now_ms, &deliveries, fail);
    buf_finish(&body);
    *ret_deliveries = (size_t)deliveries;
    return err;
}

static enum err publish_one_live(
    struct publishing *p, const struct draft_filing *f, struct standing *standing,
    struct publish_result *ret, struct fail *fail)
{
    struct filing_row row;
    enum err err = filing_find(p->db, f->id, &p->arena, &row, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    bool is_new = err == ERR_NOT_FOUND;
    err = is_new ? OK : stand_on(p, &row, standing, fail);
    if (!err)
        err = put_document(p, f, fail);
    if (!err && is_new)
        err = insert_filing(p, f, standing, fail);
    if (err)
        return err;
    ret->trades = count_new(f, standing);
    if (!is_new && ret->trades == 0)
        return fail_set(fail, ERR_EXISTS, "%.*s holds nothing new", STR_ARG(f->id));
    err = publication_add_filing(
        p->db, &p->publication, standing->no, f->filed_at, &ret->disclosed_at, fail);
    if (!err)
        err = insert_trades(p, f, standing, ret->disclosed_at, fail);
    if (!err && ret->trades)
        err = add_event(p, f, standing, ret->disclosed_at, &ret->deliveries, fail);
    if (!err)
        err = publication_finish(
            p->db, &p->publication, (int64_t)ret->trades, &ret->change_seq, fail);
    ret->publication = p->publication.no;
    ret->filings = 1;
    return err;
}

static enum err publishing_begin(
    struct publishing *p, enum publication_kind kind, struct fail *fail)
{
    arena_init(&p->arena);
    enum err err = db_begin(p->db, fail);
    if (!err)
        err = publication_begin(p->db, kind, p->by, p->now_ms, &p->publication, fail);
    return err;
}

static enum err publishing_end(struct publishing *p, enum err err, struct fail *fail)
{
    if (err)
        db_rollback(p->db);
    else
        err = db_commit(p->db, fail);
    arena_finish(&p->arena);
    return err;
}

enum err publish_live(
    struct db *db, const struct draft_filing *filing, struct str by, int64_t now_ms,
    struct publish_result *ret, struct fail *fail)
{
    struct publishing p = {.db = db, .by = by, .now_ms = now_ms};
    struct publish_result result = {0};
    struct standing *standing = MEM_NEW(struct standing);
    enum err err = publishing_begin(&p, PUBLICATION_LIVE, fail);
    if (!err)
        err = publish_one_live(&p, filing, standing, &result, fail);
    err = publishing_end(&p, err, fail);
    mem_free(standing);
    if (!err)
        *ret = result;
    return err;
}

/* One filing of a backfill that is not there yet. */
static enum err backfill_one(
    struct publishing *p, const struct draft_filing *f, struct publish_result *result,
    struct fail *fail)
{
    struct standing *standing = MEM_NEW(struct standing);
    int64_t disclosed_at = 0;
    enum err err = put_document(p, f, fail);
    if (!err)
        err = insert_filing(p, f, standing, fail);
    if (!err)
        err = publication_add_filing(
            p->db, &p->publication, standing->no, f->filed_at, &disclosed_at, fail);
    if (!err)
        err = insert_trades(p, f, standing, disclosed_at, fail);
    result->filings++;
    result->trades += f->row_count;
    mem_free(standing);
    return err;
}

static enum err backfill_all(
    struct publishing *p, const struct draft_filing *filings, size_t count,
    publish_refused_fn *refused, void *ctx, struct publish_result *result, struct fail *fail)
{
    for (size_t i = 0; i < count; i++) {
        struct filing_row row;
        arena_reset(&p->arena);
        enum err err = filing_find(p->db, filings[i].id, &p->arena, &row, fail);
        if (!err) {
            result->unchanged++;
            continue;
        }
        if (err != ERR_NOT_FOUND)
            return err;
        if (!publication_takes(&p->publication, filings[i].filed_at)) {
            if (refused)
                refused(ctx, &filings[i], "filed at or after the first live publication");
            continue;
        }
        err = backfill_one(p, &filings[i], result, fail);
        if (err)
            return err;
    }
    return OK;
}

enum err publish_backfill(
    struct db *db, const struct draft_filing *filings, size_t count, struct str by, int64_t now_ms,
    publish_refused_fn *refused, void *ctx, struct publish_result *ret, struct fail *fail)
{
    struct publishing p = {.db = db, .by = by, .now_ms = now_ms};
    struct publish_result result = {0};
    enum err err = publishing_begin(&p, PUBLICATION_BACKFILL, fail);
    if (!err)
        err = meta_data_claim(db, META_DATA_REAL, fail);
    if (!err)
        err = backfill_all(&p, filings, count, refused, ctx, &result, fail);
    if (!err && result.filings == 0) {
        /* Nothing is new: not even the number of a publication is used up. */
        db_rollback(db);
        arena_finish(&p.arena);
        *ret = result;
        return OK;
    }
    if (!err) {
        result.publication = p.publication.no;
        err = publication_finish(
            db, &p.publication, (int64_t)result.trades, &result.change_seq, fail);
    }
    err = publishing_end(&p, err, fail);
    if (!err)
        *ret = result;
    return err;
}
