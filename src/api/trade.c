/* GET /api/v1/trades/{id}: a trade, its details, its source, and the evidence of its conflict
 * signal (decisions 29, 40, 48). Reviewers are identified only by number and time:
 * docs/adr/0014-source-of-a-trade.md. */
#include "api/context.h"
#include "api/reply.h"
#include "api/resources.h"
#include "api/source.h"
#include "base/hidden.h"
#include "base/json_out.h"
#include "noun/dates.h"
#include "noun/details.h"
#include "noun/trade.h"
#include "paper/cell/cells.h"
#include "paper/cell/printed.h"
#include "store/public/correction.h"
#include "store/public/finding.h"
#include "store/public/provenance.h"
#include "store/public/trade_report.h"

/* Computed from the published dates, so that a correction takes its doubt away. */
static void put_doubts(
    struct json_out *j, const struct trade *trade, const struct trade_source *source,
    const struct provenance *p, struct arena *arena)
{
    struct str cells[CELL_COUNT] = {{NULL, 0}};
    enum date_doubt doubts[DATE_DOUBT_PUBLIC_COUNT];
    cells_read(source->printed, arena, cells);
    size_t count = printed_date_doubts(
        trade->values.trade_date, source->notified_date, instant_day_new_york(p->filed_at), cells,
        doubts);
    json_key(j, STR("doubts"));
    json_array_begin(j);
    for (size_t i = 0; i < count; i++)
        json_str(j, date_doubt_name(doubts[i]));
    json_array_end(j);
}

static void put_source(
    struct json_out *j, const struct trade *trade, const struct trade_source *source,
    const struct provenance *p, int64_t corrections, const struct trade_report *report,
    struct arena *arena)
{
    const struct shape_dates dates = shape_dates_of(trade->values.trade_date, report);
    json_object_begin(j);
    JSON_KEY_STR(j, "filingId", source->filing_id);
    JSON_KEY_STR(j, "url", trade->filing_url);
    source_put_digest(j, source->document_sha256);
    json_key(j, STR("page"));
    if (source->page)
        json_i64(j, source->page);
    else
        json_no_value(j);
    JSON_KEY_I64(j, "row", source->row);
    json_key(j, STR("printed"));
    if (str_is_null(source->printed))
        json_no_value(j);
    else
        json_raw(j, source->printed);
    json_key(j, STR("capGainsOver200"));
    json_raw(j, trade->cap_gains ? cap_gains_name(trade->cap_gains) : STR("null"));
    source_put_review(j, p);
    JSON_KEY_STR(j, "entry", filing_entry_name(p->entry));
    source_put_reviewers(j, p);
    JSON_KEY_STR(j, "amends", p->amends);
    JSON_KEY_STR(j, "amendedBy", p->amended_by);
    JSON_KEY_I64(j, "corrections", corrections);
    put_doubts(j, trade, source, p, arena);
    buf_char(j->buf, ',');
    shape_members_json(j->buf, &shape_dates, 0, shape_dates.count, &dates);
    json_object_end(j);
}

/* The stored evidence is a JSON object. Appends the members that are specific to this trade. */
static void put_conflict(struct buf *b, const struct finding_shown *finding)
{
    struct json_out j;
    hidden_json(b, str_slice(finding->evidence, 0, finding->evidence.n - 1));
    buf_str(b, STR(",\"ruleVersion\":"));
    json_init(&j, b);
    json_str(&j, finding->rule_version);
    buf_str(b, STR(",\"since\":"));
    json_init(&j, b);
    json_instant(&j, finding->since);
    buf_char(b, '}');
}

/* `finding` NULL: no signal. */
static void put_trade(
    struct buf *b, const struct trade *trade, const struct trade_source *source,
    const struct provenance *p, int64_t corrections, const struct trade_report *report,
    const struct finding_shown *finding, struct arena *arena)
{
    struct json_out j;
    buf_str(b, STR("{\"data\":{\"trade\":"));
    shape_trade_json(b, trade);
    buf_str(b, STR(",\"details\":"));
    shape_details_json(b, trade->values.details, trade->cap_gains);
    buf_str(b, STR(",\"source\":"));
    json_init(&j, b);
    put_source(&j, trade, source, p, corrections, report, arena);
    buf_str(b, STR(",\"conflict\":"));
    if (finding)
        put_conflict(b, finding);
    else
        buf_str(b, STR("null"));
    buf_str(b, STR("}}"));
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
            http_body(call->x), &row.trade, &source, &provenance, corrections, &report,
            signal ? &finding : NULL, arena);
    else
        reply_gone(call, row.withdrawn_at, source.withdrawn_reason);
    return OK;
}
