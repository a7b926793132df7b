/* Withdrawing a trade or a filing; see withdraw.h. */
#include "review/withdraw.h"

#include "base/str_list.h"
#include "review/reason.h"
#include "event/transaction.h"
#include "store/public/correction.h"
#include "store/public/filing.h"
#include "store/public/trade.h"
#include "store/row/change.h"

struct withdrawing {
    struct db *db;
    struct arena arena;
    struct str by;
    struct str reason;
    int64_t now_ms;
};

/* An entry without a trade is about the filing. */
static enum err log_withdrawal(
    struct withdrawing *w, struct str trade_id, struct str filing_id, struct fail *fail)
{
    const struct correction correction = {
        .kind = CORRECTION_WITHDRAWN,
        .trade_id = trade_id,
        .filing_id = filing_id,
        .at = w->now_ms,
        .reason = w->reason,
        .by = w->by,
    };
    return correction_add(w->db, &correction, fail);
}

static enum err withdraw_trade(
    struct withdrawing *w, struct str id, bool with_filing, struct fail *fail)
{
    TRY(trade_withdraw(w->db, id, with_filing, w->now_ms, w->reason, fail));
    return log_withdrawal(w, id, STR_NULL, fail);
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
    struct str_list ids;
    if (filing->state == FILING_WITHDRAWN)
        return fail_set(fail, ERR_EXISTS, "%.*s is already withdrawn", STR_ARG(filing->filing.id));
    str_list_init(&ids);
    enum err err = trade_each_of_filing(w->db, filing->no, note_public, &ids, fail);
    for (size_t i = 0; i < ids.count && !err; i++)
        err = withdraw_trade(w, ids.items[i], true, fail);
    if (!err)
        err = filing_withdraw(w->db, filing->filing.id, w->now_ms, w->reason, fail);
    if (!err)
        err = log_withdrawal(w, STR_NULL, filing->filing.id, fail);
    if (!err)
        err = change_add(w->db, STR("filing"), filing->filing.id, &ret->change_seq, fail);
    ret->trades = ids.count;
    str_list_finish(&ids);
    return err;
}

static enum err withdraw_any(
    struct withdrawing *w, struct str id, struct withdraw_result *ret, struct fail *fail)
{
    struct filing_row filing;
    enum err err = filing_find(w->db, id, &w->arena, &filing, fail);
    if (!err)
        return withdraw_filing(w, &filing, ret, fail);
    if (err != ERR_NOT_FOUND)
        return err;
    err = withdraw_trade(w, id, false, fail);
    if (err == ERR_NOT_FOUND)
        return fail_set(fail, err, "no trade or filing has the id \"%.*s\"", STR_ARG(id));
    if (!err)
        err = change_add(w->db, STR("trade"), id, &ret->change_seq, fail);
    ret->trades = 1;
    return err;
}

enum err withdraw(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct withdraw_result *ret, struct fail *fail)
{
    struct withdrawing w = {.db = db, .by = by, .reason = str_trim(reason), .now_ms = now_ms};
    struct withdraw_result result = {0};
    struct review_transaction t;
    TRY(reason_check(reason, fail));
    TRY(review_begin(&t, db, now_ms, fail));
    arena_init(&w.arena);
    enum err err = withdraw_any(&w, id, &result, fail);
    err = review_end(&t, err, fail);
    arena_finish(&w.arena);
    if (!err)
        *ret = result;
    return err;
}

enum err withdraw_within(
    struct db *db, struct str trade_id, struct str by, struct str reason, int64_t now_ms,
    int64_t *ret_change_seq, struct fail *fail)
{
    struct withdrawing w = {.db = db, .by = by, .reason = reason, .now_ms = now_ms};
    TRY(withdraw_trade(&w, trade_id, false, fail));
    return change_add(db, STR("trade"), trade_id, ret_change_seq, fail);
}
