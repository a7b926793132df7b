/* GET /api/v1/coverage: counts of the ledger (decision 40). */
#include <math.h>
#include <string.h>

#include "api/context.h"
#include "api/reply.h"
#include "api/resources.h"
#include "noun/change.h"
#include "noun/coverage.h"
#include "store/desk/sample_report.h"
#include "store/public/correction.h"
#include "store/public/document.h"
#include "store/public/known.h"
#include "store/row/meta.h"

/* How right the published trades are (docs/adr/0036-sample.md), as GET /coverage prints it. */

static struct shape_sample_share share_with(
    int64_t checked, int64_t wrong, bool known, const struct share *share)
{
    return (struct shape_sample_share){
        checked, wrong, known ? share->rate : NAN, known ? share->low : NAN,
        known ? share->high : NAN};
}

static struct shape_sample_share share_shown(int64_t checked, int64_t wrong)
{
    struct share share = {0};
    bool known = share_of(wrong, checked, &share);
    return share_with(checked, wrong, known, &share);
}

/* Of every thousand rows of the documents. */
static struct shape_sample_missing missing_shown(
    const struct sample_document_sum *sum, bool known, const struct share *share)
{
    return (struct shape_sample_missing){
        sum->documents,
        sum->rows,
        sum->missing,
        known ? share->rate * 1000 : NAN,
        known ? share->low * 1000 : NAN,
        known ? share->high * 1000 : NAN,
    };
}

static struct shape_sample_group group_shown(const struct sample_report *report, int stratum)
{
    const struct sample_stratum_count *drawn = &report->draw.strata[stratum];
    const struct share_part *part = &report->strata[stratum];
    struct share share = {0};
    bool known = share_of_groups(&report->missing[stratum], &share);
    return (struct shape_sample_group){
        .chamber = sample_stratum_chamber(stratum),
        .kind = sample_stratum_kind(stratum) + 1,
        .trades = drawn->trades,
        .unstored = drawn->unstored,
        .share = share_shown(part->checked, part->wrong),
        .documents = drawn->documents,
        .missing = missing_shown(&report->documents.strata[stratum], known, &share),
    };
}

/* The arena keeps its rows. */
static struct shape_sample coverage_sample_of(
    const struct sample_report *report, struct arena *arena)
{
    size_t count = report->draw.day == DAY_NONE ? 0 : SAMPLE_STRATA;
    struct shape_sample_group *groups =
        ARENA_ARRAY(arena, struct shape_sample_group, SAMPLE_STRATA);
    struct shape_sample_month *months =
        ARENA_ARRAY(arena, struct shape_sample_month, report->cell_count + 1);
    struct shape_sample_field *fields =
        ARENA_ARRAY(arena, struct shape_sample_field, report->field_count + 1);
    for (size_t i = 0; i < count; i++)
        groups[i] = group_shown(report, (int)i);
    for (size_t i = 0; i < report->cell_count; i++) {
        const struct sample_cell *cell = &report->cells[i];
        months[i] = (struct shape_sample_month){
            cell->month, sample_stratum_chamber(cell->stratum),
            sample_stratum_kind(cell->stratum) + 1, share_shown(cell->checked, cell->wrong)};
    }
    for (size_t i = 0; i < report->field_count; i++)
        fields[i] = (struct shape_sample_field){
            report->fields[i].name, report->fields[i].differences, report->fields[i].wrong};
    return (struct shape_sample){
        .from = report->first_month,
        .to = report->last_month,
        .share = share_with(report->checked, report->wrong, report->is_known, &report->share),
        .waiting = report->waiting,
        .undecided = report->undecided,
        .unreadable = report->unreadable,
        .skipped = report->skipped,
        .expired = report->expired,
        .missing =
            missing_shown(&report->documents.all, report->missing_known, &report->missing_share),
        .documents_waiting = report->documents.waiting,
        .documents_undecided = report->documents.undecided,
        .documents_skipped = report->documents.skipped,
        .documents_expired = report->documents.expired,
        .drawn_at = report->draw.drawn_at,
        .groups = groups,
        .group_count = count,
        .months = months,
        .month_count = report->cell_count,
        .fields = fields,
        .field_count = report->field_count,
    };
}

/* --- the response */

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
