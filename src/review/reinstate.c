/* Takes back the withdrawal of a trade or a filing; see reinstate.h. */
#include "review/reinstate.h"

#include "base/str_list.h"
#include "conflict/signal.h"
#include "review/reason.h"
#include "review/repeated.h"
#include "event/transaction.h"
#include "review/unread.h"
#include "store/public/correction.h"
#include "store/public/filing.h"
#include "store/public/trade.h"
#include "store/row/change.h"

struct reinstating {
    struct db *db;
    struct arena arena;
    struct str by;
    struct str reason;
    int64_t now_ms;
};

/* An entry without a trade is about the filing. */
static enum err log_reinstatement(
    struct reinstating *r, struct str trade_id, struct str filing_id, struct fail *fail)
{
    const struct correction correction = {
        .kind = CORRECTION_REINSTATED,
        .trade_id = trade_id,
        .filing_id = filing_id,
        .at = r->now_ms,
        .reason = r->reason,
        .by = r->by,
    };
    return correction_add(r->db, &correction, fail);
}

static enum err reinstate_trades(
    struct reinstating *r, const struct str *ids, size_t count, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < count && !err; i++) {
        err = trade_reinstate(r->db, ids[i], fail);
        if (!err)
            err = log_reinstatement(r, ids[i], STR_NULL, fail);
    }
    return err ? err : signal_refresh_all(r->db, ids, count, r->now_ms, fail);
}

/* --- a filing */

static void note_id(void *ctx, struct str id)
{
    str_list_add(ctx, id);
}

/* It comes back when its draft is published (review/unread.h). */
static enum err refuse_unread(
    struct reinstating *r, const struct filing_row *filing, struct fail *fail)
{
    bool is_unread = false;
    enum err err = unread_is(r->db, filing, &is_unread, fail);
    if (err || !is_unread)
        return err;
    return fail_set(
        fail, ERR_REFUSED,
        "%.*s is a paper filing without trades: enter its trades with `stockact review add-row` "
        "and "
        "publish its draft",
        STR_ARG(filing->filing.id));
}

static enum err reinstate_filing(
    struct reinstating *r, const struct filing_row *filing, struct reinstate_result *ret,
    struct fail *fail)
{
    struct str_list ids;
    struct str id = filing->filing.id;
    if (filing->state != FILING_WITHDRAWN)
        return fail_set(fail, ERR_EXISTS, "%.*s is not withdrawn", STR_ARG(id));
    enum err err = refuse_unread(r, filing, fail);
    str_list_init(&ids);
    if (!err)
        err = trade_each_withdrawn_with(r->db, filing->no, note_id, &ids, fail);
    const struct repeated_query repeated = {
        .filing = filing, .trades = ids.items, .count = ids.count, .whole = true};
    if (!err)
        err = repeated_check(r->db, &repeated, &r->arena, fail);
    if (!err)
        err = filing_reinstate(r->db, id, fail);
    if (!err)
        err = reinstate_trades(r, ids.items, ids.count, fail);
    if (!err)
        err = log_reinstatement(r, STR_NULL, id, fail);
    if (!err)
        err = change_add(r->db, STR("filing"), id, &ret->change_seq, fail);
    ret->trades = ids.count;
    str_list_finish(&ids);
    return err;
}

/* --- a trade */

static enum err check_trade(struct reinstating *r, struct str id, struct fail *fail)
{
    struct trade_row row;
    struct trade_source source;
    struct filing_row filing;
    enum err err = trade_find(r->db, id, &r->arena, &row, &source, fail);
    if (err == ERR_NOT_FOUND)
        return fail_set(fail, err, "no trade or filing has the id \"%.*s\"", STR_ARG(id));
    if (!err && row.withdrawn_at == INSTANT_NONE)
        return fail_set(fail, ERR_EXISTS, "%.*s is not withdrawn", STR_ARG(id));
    if (!err)
        err = filing_find(r->db, source.filing_id, &r->arena, &filing, fail);
    if (!err && filing.state == FILING_WITHDRAWN)
        return fail_set(
            fail, ERR_REFUSED,
            "the filing of %.*s is withdrawn: reinstate the filing with `stockact reinstate %.*s`",
            STR_ARG(id), STR_ARG(source.filing_id));
    const struct repeated_query repeated = {.filing = &filing, .trades = &id, .count = 1};
    return err ? err : repeated_check(r->db, &repeated, &r->arena, fail);
}

static enum err reinstate_any(
    struct reinstating *r, struct str id, struct reinstate_result *ret, struct fail *fail)
{
    struct filing_row filing;
    enum err err = filing_find(r->db, id, &r->arena, &filing, fail);
    if (!err)
        return reinstate_filing(r, &filing, ret, fail);
    if (err != ERR_NOT_FOUND)
        return err;
    err = check_trade(r, id, fail);
    if (!err)
        err = reinstate_trades(r, &id, 1, fail);
    if (!err)
        err = change_add(r->db, STR("trade"), id, &ret->change_seq, fail);
    ret->trades = 1;
    return err;
}

enum err reinstate(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct reinstate_result *ret, struct fail *fail)
{
    struct reinstating r = {.db = db, .by = by, .reason = str_trim(reason), .now_ms = now_ms};
    struct reinstate_result result = {0};
    struct review_transaction t;
    TRY(reason_check(reason, fail));
    TRY(review_begin(&t, db, now_ms, fail));
    arena_init(&r.arena);
    enum err err = reinstate_any(&r, id, &result, fail);
    err = review_end(&t, err, fail);
    arena_finish(&r.arena);
    if (!err)
        *ret = result;
    return err;
}
