/* GET /api/v1/trades/{id}: a trade, its details, its source, and the evidence of its conflict
 * signal (decisions 29, 40, 48). Reviewers are identified only by number and time:
 * docs/adr/0014-source-of-a-trade.md. */
#include "api/context.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/source.h"
#include "noun/details.h"
#include "paper/cell/cells.h"
#include "paper/cell/printed.h"
#include "paper/cell/printed_symbol.h"
#include "store/public/correction.h"
#include "store/public/finding.h"
#include "store/public/provenance.h"
#include "store/public/trade_report.h"

/* Computed from the published dates, so that a correction takes its doubt away. */
static size_t find_doubts(
    const struct trade *trade, const struct trade_source *source, int64_t filed_at,
    const struct str cells[static CELL_COUNT], int ret[static DATE_DOUBT_PUBLIC_COUNT])
{
    enum date_doubt doubts[DATE_DOUBT_PUBLIC_COUNT];
    size_t count = printed_date_doubts(
        trade->values.trade_date, source->notified_date, instant_day_new_york(filed_at), cells,
        doubts);
    for (size_t i = 0; i < count; i++)
        ret[i] = (int)doubts[i];
    return count;
}

/* `finding` NULL: no signal. */
static void put_trade(
    struct api_call *call, const struct trade *trade, const struct trade_source *source,
    const struct provenance *p, int64_t corrections, const struct trade_report *report,
    const struct finding_shown *finding)
{
    struct arena *arena = http_arena(call->x);
    int doubts[DATE_DOUBT_PUBLIC_COUNT];
    struct str cells[CELL_COUNT] = {{NULL, 0}};
    cells_read(source->printed, arena, cells);
    BUF_SCOPED(details, SIZE_MAX);
    BUF_SCOPED(conflict, SIZE_MAX);
    shape_details_json(&details, trade->values.details, trade->cap_gains);
    if (finding)
        shape_conflict_json(
            &conflict,
            &(struct shape_conflict){finding->evidence, finding->rule_version, finding->since});
    const struct shape_confirmed_company company = {source->company, STR("reviewer")};
    bool confirmed = str_is_null(trade->values.ticker) && !str_is_null(source->company);
    const struct shape_trade_detail shown = {
        .trade = trade,
        .details = buf_view(&details),
        .source =
            {
                .from = source_of(p, source->document_sha256, corrections, arena),
                .filing_id = source->filing_id,
                .url = trade->filing_url,
                .page = source->page,
                .row = source->row,
                .printed = source->printed,
                .ticker_basis = printed_symbol_basis(trade->values.ticker, cells),
                .company = confirmed ? &company : NULL,
                .cap_gains = trade->cap_gains,
                .entry = p->entry,
                .doubts = doubts,
                .doubt_count = find_doubts(trade, source, p->filed_at, cells, doubts),
                .dates = shape_dates_of(trade->values.trade_date, report),
            },
        .conflict = finding ? buf_view(&conflict) : STR_NULL,
    };
    reply_object(call, &shape_trade_detail, &shown);
}

static enum err find_signal(
    struct api_call *call, struct db *db, bool *ret_found, struct finding_shown *ret,
    struct fail *fail)
{
    enum err err = finding_of_trade(db, call->segment, http_arena(call->x), ret_found, ret, fail);
    if (!err && *ret_found && ret->damaged)
        err = fail_set(
            fail, ERR_CORRUPT, "the signal of \"%.*s\" does not match its digest",
            STR_ARG(call->segment));
    if (!err && *ret_found &&
        !(str_starts(ret->evidence, STR("{")) && str_ends(ret->evidence, STR("}"))))
        err = fail_set(
            fail, ERR_CORRUPT, "the evidence of the signal of \"%.*s\" is not a JSON object",
            STR_ARG(call->segment));
    return err;
}

/* An unknown id is a reply, not a failure. */
static enum err answer_not_found(struct api_call *call)
{
    reply_error(
        call, ERROR_NOT_FOUND, STR("No published trade has this id. /api/v1/trades lists them."));
    return OK;
}

enum err trade_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    struct arena *arena = http_arena(call->x);
    struct trade_row row;
    struct trade_source source;
    struct provenance provenance;
    struct trade_report report;
    struct finding_shown finding;
    int64_t corrections = 0;
    bool signal = false;
    if (!cursor_id_is_valid(call->segment))
        return answer_not_found(call);
    enum err err = trade_find(db, call->segment, arena, &row, &source, fail);
    if (err == ERR_NOT_FOUND)
        return answer_not_found(call);
    if (!err && row.damaged)
        err = fail_set(
            fail, ERR_CORRUPT,
            "trade \"%.*s\", its source or its filing does not match its digest: run `stockact "
            "check`",
            STR_ARG(call->segment));
    if (!err)
        err = provenance_find(db, source.filing_id, INT64_MAX, arena, &provenance, fail);
    if (!err)
        err = trade_report_find(db, &row, provenance.filed_at, &report, fail);
    if (!err)
        err = correction_count(db, source.filing_id, row.trade.id, &corrections, fail);
    if (!err)
        err = find_signal(call, db, &signal, &finding, fail);
    if (err)
        return err;
    if (row.withdrawn_at == INSTANT_NONE)
        put_trade(
            call, &row.trade, &source, &provenance, corrections, &report, signal ? &finding : NULL);
    else
        reply_gone(call, row.withdrawn_at, source.withdrawn_reason);
    return OK;
}
