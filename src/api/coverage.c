/* GET /api/v1/coverage: counts of the ledger (decision 40). */
#include <string.h>

#include "api/context.h"
#include "api/coverage_sample.h"
#include "api/reply.h"
#include "api/resources.h"
#include "noun/change.h"
#include "store/public/correction.h"
#include "store/public/document.h"
#include "store/public/known.h"
#include "store/row/meta.h"

enum { BACKFILLS_MAX = 100 };

/* Rows of the objects that the database is asked for one by one. */
struct coverage {
    struct buf *counts, *indexes, *backfills;
    int64_t total;
};

static void put_count(void *ctx, const struct document_count *count)
{
    struct coverage *c = ctx;
    const struct shape_coverage_count shown = {
        count->chamber, count->year, count->state, count->count};
    shape_row_add(c->counts, &shape_coverage_count, &shown);
    c->total += count->count;
}

static void put_index(void *ctx, const struct known_index *index)
{
    struct coverage *c = ctx;
    const struct shape_coverage_index shown = {index->chamber, index->year, index->as_of};
    shape_row_add(c->indexes, &shape_coverage_index, &shown);
}

static void put_backfill(void *ctx, const struct correction *correction)
{
    struct coverage *c = ctx;
    const struct shape_backfill shown = {
        correction->at, correction->range_start, correction->range_end, correction->count};
    if (!correction->damaged)
        shape_row_add(c->backfills, &shape_backfill, &shown);
}

static enum err find_newest(
    struct db *db, struct arena *arena, struct shape_coverage_document *space,
    struct shape_coverage *ret, struct fail *fail)
{
    struct document_seen seen;
    enum err err = document_newest(db, arena, &seen, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    *space = (struct shape_coverage_document){
        .chamber = seen.chamber,
        .source_id = seen.source_id,
        .url = seen.url,
        .seen_at = seen.seen_at,
    };
    memcpy(space->sha256, seen.sha256, sizeof seen.sha256);
    ret->newest = space;
    return OK;
}

/* Public filings by how they were reviewed. */
static enum err count_reviews(
    struct db *db, struct coverage_cache *cache, struct shape_coverage_review *ret,
    struct fail *fail)
{
    struct review_counts counts = {0};
    enum err err = review_count(db, cache, &counts, fail);
    memcpy(ret->of, counts.of, sizeof counts.of);
    memcpy(ret->row_ms, counts.row_ms, sizeof counts.row_ms);
    ret->unrecorded = counts.unrecorded;
    return err;
}

static enum err put_coverage(
    struct coverage *c, struct api_call *call, struct db *db, struct fail *fail)
{
    struct shape_coverage shown = {.data = 0};
    struct shape_coverage_document newest;
    struct correction_range range = CORRECTION_RANGE_ALL;
    struct sample_report sample = {.first_month = 0};
    enum meta_data data;
    range.kind = CORRECTION_BACKFILL;
    TRY(meta_data_get(db, &data, fail));
    TRY(document_coverage(db, call->api->coverage, put_count, c, fail));
    TRY(known_each_index(db, put_index, c, fail));
    TRY(find_newest(db, http_arena(call->x), &newest, &shown, fail));
    TRY(count_reviews(db, call->api->coverage, &shown.review, fail));
    TRY(correction_each(db, &range, BACKFILLS_MAX, put_backfill, c, fail));
    TRY(sample_report_load(db, http_now_ms(call->x), http_arena(call->x), &sample, fail));
    shown.data = data == META_DATA_NONE ? 0 : data == META_DATA_REAL ? 1 : 2;
    shown.counts = buf_view(c->counts);
    shown.total = c->total;
    shown.indexes = buf_view(c->indexes);
    shown.backfills = buf_view(c->backfills);
    shown.sample = coverage_sample_of(&sample, http_arena(call->x));
    reply_object(call, &shape_coverage, &shown);
    return OK;
}

enum err coverage_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    BUF_SCOPED(counts, SIZE_MAX);
    BUF_SCOPED(indexes, SIZE_MAX);
    BUF_SCOPED(backfills, SIZE_MAX);
    struct coverage c = {&counts, &indexes, &backfills, 0};
    return put_coverage(&c, call, db, fail);
}
