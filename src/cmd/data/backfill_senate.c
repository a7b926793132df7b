/* Reads the dump and publishes it; see backfill_senate.h. */
#include "cmd/data/backfill_senate.h"

#include "base/progress_hook.h"
#include "review/publish.h"
#include "event/transaction.h"
#include "review/unread.h"
#include "store/row/meta.h"

/* Reports filings that publication refuses. */
struct reporting {
    const struct stock_watcher *sw;
    stock_watcher_refused_fn *refused;
    void *ctx;
    size_t filings;
    size_t rows;
};

static void report_refused(void *ctx, const struct draft_filing *filing, const char *reason)
{
    struct reporting *r = ctx;
    const struct stock_watcher_refusal refusal = {
        .record = r->sw->records[filing - r->sw->filings],
        .filing_id = filing->id,
        .reason = str_from(reason),
    };
    r->filings++;
    r->rows += filing->row_count;
    if (r->refused)
        r->refused(r->ctx, &refusal);
}

/* Called before the file is parsed, so that an unsuitable database fails at once. */
static enum err load_members(
    struct db *db, struct arena *arena, struct member_list *ret, struct fail *fail)
{
    enum meta_data data;
    enum err err = meta_data_get(db, &data, fail);
    if (!err && data == META_DATA_DEMO)
        err = meta_data_claim(db, META_DATA_REAL, fail);
    if (!err)
        err = member_load(db, arena, ret, fail);
    if (!err && ret->count == 0)
        err =
            fail_set(fail, ERR_REFUSED, "the database has no members: run `stockact setup` first");
    return err;
}

/* --- unread paper filings */

struct paper_run {
    struct db *db;
    struct str by;
    int64_t now_ms;
    const struct progress_hook *progress;
    struct backfill_report *report;
};

/* Earlier versions published such papers. */
static enum err withdraw_listed(
    struct paper_run *p, const struct filing_row *filing, struct fail *fail)
{
    bool is_unread = false;
    enum err err = unread_is(p->db, filing, &is_unread, fail);
    if (err || !is_unread || (filing->state != FILING_PUBLISHED && filing->state != FILING_AMENDED))
        return err;
    p->report->papers_withdrawn++;
    return unread_withdraw(p->db, filing, p->by, p->now_ms, &p->report->change_seq, fail);
}

static enum err take_paper(
    struct paper_run *p, const struct unread_paper *paper, struct arena *arena, struct fail *fail)
{
    struct filing_row filing;
    bool is_unread = true, added = false;
    enum err err = filing_find(p->db, paper->filing.id, arena, &filing, fail);
    if (!err)
        err = unread_is(p->db, &filing, &is_unread, fail);
    if (!err)
        err = withdraw_listed(p, &filing, fail);
    if ((err && err != ERR_NOT_FOUND) || !is_unread)
        return err;
    err = unread_paper_record(p->db, paper, p->by, p->now_ms, &added, fail);
    p->report->papers_added += added;
    return err;
}

static enum err take_papers(struct paper_run *p, const struct stock_watcher *sw, struct fail *fail)
{
    REVIEW_TRANSACTION(t);
    ARENA_SCOPED(arena);
    if (sw->paper_count == 0)
        return OK;
    progress_enter(p->progress, BACKFILL_PAPERS, (int64_t)sw->paper_count);
    TRY(review_begin(&t, p->db, p->now_ms, fail));
    TRY(meta_data_claim(p->db, META_DATA_REAL, fail));
    for (size_t i = 0; i < sw->paper_count; i++) {
        arena_reset(&arena);
        TRY(take_paper(p, &sw->papers[i], &arena, fail));
        progress_tell(p->progress, (int64_t)i + 1, (int64_t)sw->paper_count);
    }
    return review_end(&t, fail);
}

enum err backfill_senate(
    struct db *db, struct str name, struct str text, struct str by, int64_t now_ms,
    stock_watcher_refused_fn *refused, void *ctx, const struct progress_hook *progress,
    struct backfill_report *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct member_list members;
    struct stock_watcher *sw = NULL;
    struct publish_result result;
    struct reporting reporting = {.refused = refused, .ctx = ctx};
    progress_enter(progress, BACKFILL_READ, 0);
    enum err err = load_members(db, &arena, &members, fail);
    if (!err)
        err = stock_watcher_read(name, text, &members, refused, ctx, &sw, fail);
    reporting.sw = sw;
    if (!err) {
        progress_enter(progress, BACKFILL_PUBLISH, (int64_t)sw->filing_count);
        err = publish_backfill(
            db, sw->filings, sw->filing_count, by, now_ms, report_refused, &reporting, progress,
            &result, fail);
    }
    struct backfill_report report = {0};
    struct paper_run papers = {
        .db = db, .by = by, .now_ms = now_ms, .progress = progress, .report = &report};
    if (!err)
        report = (struct backfill_report){
            .filings_read = sw->filings_read,
            .filings_added = result.filings,
            .filings_unchanged = result.unchanged,
            .filings_refused = sw->filings_refused + reporting.filings,
            .filings_without_rows = sw->paper_count,
            .rows_read = sw->rows_read,
            .trades_added = result.trades,
            .rows_refused = sw->rows_refused + reporting.rows,
            .people = sw->people,
            .filers = sw->filers,
            .change_seq = result.change_seq,
        };
    if (!err)
        err = take_papers(&papers, sw, fail);
    if (!err)
        *ret = report;
    stock_watcher_destroy(sw);
    return err;
}
