/* Reads the dump and publishes it; see backfill_senate.h. */
#include "cmd/backfill_senate.h"

#include "review/publish.h"
#include "store/meta.h"

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
        err = fail_set(
            fail, ERR_REFUSED,
            "the database has demonstration data, not real data: use another database");
    if (!err)
        err = member_load(db, arena, ret, fail);
    if (!err && ret->count == 0)
        err = fail_set(
            fail, ERR_REFUSED, "the database has no members: run `stockact members import` first");
    return err;
}

enum err backfill_senate(
    struct db *db, struct str name, struct str text, struct str by, int64_t now_ms,
    stock_watcher_refused_fn *refused, void *ctx, struct backfill_report *ret, struct fail *fail)
{
    struct arena arena;
    struct member_list members;
    struct stock_watcher *sw = NULL;
    struct publish_result result;
    struct reporting reporting = {.refused = refused, .ctx = ctx};
    arena_init(&arena);
    enum err err = load_members(db, &arena, &members, fail);
    if (!err)
        err = stock_watcher_read(name, text, &members, refused, ctx, &sw, fail);
    reporting.sw = sw;
    if (!err)
        err = publish_backfill(
            db, sw->filings, sw->filing_count, by, now_ms, report_refused, &reporting, &result,
            fail);
    if (!err)
        *ret = (struct backfill_report){
            .filings_read = sw->filings_read,
            .filings_added = result.filings,
            .filings_unchanged = result.unchanged,
            .filings_refused = sw->filings_refused + reporting.filings,
            .filings_without_rows = sw->filings_without_rows,
            .rows_read = sw->rows_read,
            .trades_added = result.trades,
            .rows_refused = sw->rows_refused + reporting.rows,
            .people = sw->people,
            .filers = sw->filers,
            .change_seq = result.change_seq,
        };
    stock_watcher_destroy(sw);
    arena_finish(&arena);
    return err;
}
