/* Withdrawing a trade or a filing, and taking that back; see withdraw.h. */
#include "review/withdraw.h"

#include "base/str_list.h"
#include "conflict/signal.h"
#include "event/transaction.h"
#include "review/reason.h"
#include "review/repeated.h"
#include "review/unread.h"
#include "store/public/correction.h"
#include "store/public/filing.h"
#include "store/public/trade.h"
#include "store/row/change.h"

struct withdrawing {
    struct db *db;
    struct arena *arena;
    struct str by;
    struct str reason;
    int64_t now_ms;
};

/* An entry without a trade is about the filing. */
static enum err log_change(
    struct withdrawing *w, enum correction_kind kind, struct str trade_id, struct str filing_id,
    struct fail *fail)
{
    const struct correction correction = {
        .kind = kind,
        .trade_id = trade_id,
        .filing_id = filing_id,
        .at = w->now_ms,
        .reason = w->reason,
        .by = w->by,
    };
    return correction_add(w->db, &correction, fail);
}

typedef enum err withdraw_change(
    struct withdrawing *w, struct str id, struct withdraw_result *ret, struct fail *fail);

static enum err change(
    const struct withdrawing *who, withdraw_change *run, struct str id, struct withdraw_result *ret,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    REVIEW_TRANSACTION(t);
    struct withdraw_result result = {0};
    struct withdrawing w = *who;
    w.arena = &arena;
    TRY(reason_check(w.reason, fail));
    TRY(review_begin(&t, w.db, w.now_ms, fail));
    TRY(run(&w, id, &result, fail));
    TRY(review_end(&t, fail));
    *ret = result;
    return OK;
}

/* --- withdrawing */

static enum err withdraw_trade(
    struct withdrawing *w, struct str id, bool with_filing, struct fail *fail)
{
    TRY(trade_withdraw(w->db, id, with_filing, w->now_ms, w->reason, fail));
    return log_change(w, CORRECTION_WITHDRAWN, id, STR_NULL, fail);
}

static enum err note_public(void *ctx, const struct trade_row *row)
{
    if (row->withdrawn_at == INSTANT_NONE)
        str_list_add(ctx, row->trade.id);
    return OK;
}

static enum err withdraw_filing(
    struct withdrawing *w, const struct filing_row *filing, struct withdraw_result *ret,
    struct fail *fail)
{
    STR_LIST_SCOPED(ids);
    struct str id = filing->filing.id;
    if (filing->state == FILING_WITHDRAWN)
        return fail_set(fail, ERR_EXISTS, "%.*s is already withdrawn", STR_ARG(id));
    TRY(trade_each_of_filing(w->db, filing->no, note_public, &ids, fail));
    for (size_t i = 0; i < ids.count; i++)
        TRY(withdraw_trade(w, ids.items[i], true, fail));
    ret->trades = ids.count;
    TRY(filing_withdraw(w->db, id, w->now_ms, w->reason, fail));
    TRY(log_change(w, CORRECTION_WITHDRAWN, STR_NULL, id, fail));
    return change_add(w->db, STR("filing"), id, &ret->change_seq, fail);
}

static enum err withdraw_any(
    struct withdrawing *w, struct str id, struct withdraw_result *ret, struct fail *fail)
{
    struct filing_row filing;
    enum err err = filing_find(w->db, id, w->arena, &filing, fail);
    if (!err)
        return withdraw_filing(w, &filing, ret, fail);
    if (err != ERR_NOT_FOUND)
        return err;
    err = withdraw_trade(w, id, false, fail);
    if (err == ERR_NOT_FOUND)
        return fail_set(fail, err, "no trade or filing has the id \"%.*s\"", STR_ARG(id));
    TRY(err);
    ret->trades = 1;
    return change_add(w->db, STR("trade"), id, &ret->change_seq, fail);
}

enum err withdraw(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct withdraw_result *ret, struct fail *fail)
{
    struct withdrawing w = {.db = db, .by = by, .reason = str_trim(reason), .now_ms = now_ms};
    return change(&w, withdraw_any, id, ret, fail);
}

enum err withdraw_within(
    struct db *db, struct str trade_id, struct str by, struct str reason, int64_t now_ms,
    int64_t *ret_change_seq, struct fail *fail)
{
    struct withdrawing w = {.db = db, .by = by, .reason = reason, .now_ms = now_ms};
    TRY(withdraw_trade(&w, trade_id, false, fail));
    return change_add(db, STR("trade"), trade_id, ret_change_seq, fail);
}

/* --- reinstating */

static enum err reinstate_trades(
    struct withdrawing *w, const struct str *ids, size_t count, struct fail *fail)
{
    for (size_t i = 0; i < count; i++) {
        TRY(trade_reinstate(w->db, ids[i], fail));
        TRY(log_change(w, CORRECTION_REINSTATED, ids[i], STR_NULL, fail));
    }
    return signal_refresh_all(w->db, ids, count, w->now_ms, fail);
}

static void note_id(void *ctx, struct str id)
{
    str_list_add(ctx, id);
}

/* It comes back when its draft is published (review/unread.h). */
static enum err refuse_unread(
    struct withdrawing *w, const struct filing_row *filing, struct fail *fail)
{
    bool is_unread = false;
    enum err err = unread_is(w->db, filing, &is_unread, fail);
    if (err || !is_unread)
        return err;
    return fail_set(
        fail, ERR_REFUSED,
        "%.*s is a paper filing without trades: enter its trades with `stockact review add-row` "
        "and publish its draft",
        STR_ARG(filing->filing.id));
}

static enum err reinstate_filing(
    struct withdrawing *w, const struct filing_row *filing, struct withdraw_result *ret,
    struct fail *fail)
{
    STR_LIST_SCOPED(ids);
    struct str id = filing->filing.id;
    if (filing->state != FILING_WITHDRAWN)
        return fail_set(fail, ERR_EXISTS, "%.*s is not withdrawn", STR_ARG(id));
    TRY(refuse_unread(w, filing, fail));
    TRY(trade_each_withdrawn_with(w->db, filing->no, note_id, &ids, fail));
    const struct repeated_query repeated = {
        .filing = filing, .trades = ids.items, .count = ids.count, .whole = true};
    TRY(repeated_check(w->db, &repeated, w->arena, fail));
    TRY(filing_reinstate(w->db, id, fail));
    TRY(reinstate_trades(w, ids.items, ids.count, fail));
    ret->trades = ids.count;
    TRY(log_change(w, CORRECTION_REINSTATED, STR_NULL, id, fail));
    return change_add(w->db, STR("filing"), id, &ret->change_seq, fail);
}

static enum err check_trade(struct withdrawing *w, struct str id, struct fail *fail)
{
    struct trade_row row;
    struct trade_source source;
    struct filing_row filing;
    enum err err = trade_find(w->db, id, w->arena, &row, &source, fail);
    if (err == ERR_NOT_FOUND)
        return fail_set(fail, err, "no trade or filing has the id \"%.*s\"", STR_ARG(id));
    TRY(err);
    if (row.withdrawn_at == INSTANT_NONE)
        return fail_set(fail, ERR_EXISTS, "%.*s is not withdrawn", STR_ARG(id));
    TRY(filing_find(w->db, source.filing_id, w->arena, &filing, fail));
    if (filing.state == FILING_WITHDRAWN)
        return fail_set(
            fail, ERR_REFUSED,
            "the filing of %.*s is withdrawn: reinstate the filing with `stockact reinstate %.*s`",
            STR_ARG(id), STR_ARG(source.filing_id));
    const struct repeated_query repeated = {.filing = &filing, .trades = &id, .count = 1};
    return repeated_check(w->db, &repeated, w->arena, fail);
}

static enum err reinstate_any(
    struct withdrawing *w, struct str id, struct withdraw_result *ret, struct fail *fail)
{
    struct filing_row filing;
    enum err err = filing_find(w->db, id, w->arena, &filing, fail);
    if (!err)
        return reinstate_filing(w, &filing, ret, fail);
    if (err != ERR_NOT_FOUND)
        return err;
    TRY(check_trade(w, id, fail));
    TRY(reinstate_trades(w, &id, 1, fail));
    ret->trades = 1;
    return change_add(w->db, STR("trade"), id, &ret->change_seq, fail);
}

enum err reinstate(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct withdraw_result *ret, struct fail *fail)
{
    struct withdrawing w = {.db = db, .by = by, .reason = str_trim(reason), .now_ms = now_ms};
    return change(&w, reinstate_any, id, ret, fail);
}
