/* GET /api/v1/filings/{id}: a filing with its source and its newest trades. */
#include "api/context.h"
#include "api/list.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/source.h"
#include "noun/details.h"
#include "noun/extra.h"
#include "noun/trade.h"
#include "store/public/correction.h"
#include "store/public/known.h"
#include "store/public/trade_report.h"

/* The trades that are written. The query asks for one more, to see whether there are others. */
struct trades_of_filing {
    struct buf *body;
    int64_t fields; /* optional members of each */
    const struct filing_row *filing;
    struct trade_reports reports;
    int64_t count;
    struct cursor last;
    bool damaged;
};

static void put_shown(struct trades_of_filing *trades, const struct trade_row *row)
{
    int64_t filed_at = trades->filing->filing.filed_at;
    const struct trade_report report =
        trade_report_of(&trades->reports, row, filed_at, instant_day_new_york(filed_at));
    BUF_SCOPED(details, SIZE_MAX);
    if (!str_is_null(row->trade.values.details))
        shape_details_json(&details, row->trade.values.details, row->trade.cap_gains);
    shape_trade_head(trades->body, &row->trade);
    shape_extra_json(
        trades->body, &(struct shape_extra){
                          trades->fields, buf_view(&details), row->trade.cap_gains,
                          row->trade.values.trade_date, &report});
    shape_trade_tail(trades->body, row->trade.conflict_reason);
}

static enum err put_trade(void *ctx, const struct trade_row *row)
{
    struct trades_of_filing *trades = ctx;
    trades->damaged |= row->damaged;
    if (trades->count++ == FEED_PAGE_MAX)
        return OK;
    if (trades->count > 1)
        buf_char(trades->body, ',');
    put_shown(trades, row);
    trades->last = cursor_at(CURSOR_TRADES, row->trade.disclosed_at, row->trade.id);
    return OK;
}

static enum err put_filing(
    struct api_call *call, struct db *db, const struct filing_row *row, struct fail *fail)
{
    struct buf *body = http_body(call->x);
    struct provenance provenance;
    struct trades_of_filing trades = {
        .body = body, .fields = list_fields(&call->params), .filing = row};
    struct list_end end;
    int64_t corrections = 0;
    enum err err =
        provenance_find(db, row->filing.id, INT64_MAX, http_arena(call->x), &provenance, fail);
    if (!err)
        err = correction_count(db, row->filing.id, STR_NULL, &corrections, fail);
    if (err)
        return err;
    trade_reports_init(&trades.reports);
    struct shape_filing_detail shown = {
        .filing = &row->filing,
        .politician = &row->politician,
        .source =
            source_of(&provenance, provenance.document_sha256, corrections, http_arena(call->x)),
    };
    buf_str(body, STR("{\"data\":"));
    shape_before_json(body, &shape_filing_detail, &shown);
    err = trade_reports_add(db, row->no, &trades.reports, fail);
    if (!err)
        err = trade_each_shown(db, row->no, FEED_PAGE_MAX + 1, put_trade, &trades, fail);
    trade_reports_finish(&trades.reports);
    if (!err && trades.damaged)
        err = fail_set(
            fail, ERR_CORRUPT,
            "a trade of \"%.*s\" does not match its digest: run `stockact check`",
            STR_ARG(row->filing.id));
    list_end(trades.count > FEED_PAGE_MAX ? &trades.last : NULL, &end);
    shown.next_cursor = end.next;
    shape_after_json(body, &shape_filing_detail, &shown);
    buf_char(body, '}');
    return err;
}

/* An unknown id is a reply, not a failure. A report that is known and not published is no filing
 * (decision M). */
static enum err answer_not_found(struct api_call *call, struct db *db, struct fail *fail)
{
    struct known_report report;
    enum err err = ERR_NOT_FOUND;
    if (cursor_id_is_valid(call->segment))
        err = known_find(db, call->segment, http_arena(call->x), &report, fail);
    if (err == ERR_NOT_FOUND)
        reply_error(
            call, ERROR_NOT_FOUND,
            STR("No report that is known has this id. /api/v1/filings lists those published."));
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    reply_object(
        call, &shape_known_report,
        &(struct shape_known_report){report.state, report.filer, report.filed_day, report.url});
    return OK;
}

enum err filing_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    struct filing_row row;
    enum err err = ERR_NOT_FOUND;
    if (cursor_id_is_valid(call->segment))
        err = filing_find(db, call->segment, http_arena(call->x), &row, fail);
    if (err == ERR_NOT_FOUND || (!err && !row.damaged && row.publication_no == 0))
        return answer_not_found(call, db, fail);
    if (!err && row.damaged)
        err = fail_set(
            fail, ERR_CORRUPT, "filing \"%.*s\" does not match its digest: run `stockact check`",
            STR_ARG(call->segment));
    if (err)
        return err;
    if (row.withdrawn_at == INSTANT_NONE)
        return put_filing(call, db, &row, fail);
    reply_gone(call, row.withdrawn_at, row.withdrawn_reason);
    return OK;
}
