/* Corrections; see correct.h. */
#include "review/correct.h"

#include "conflict/signal.h"
#include "review/reason.h"
#include "event/transaction.h"
#include "store/public/correction.h"
#include "store/public/trade.h"
#include "store/row/change.h"

enum err correct_values(
    struct db *db, struct str trade_id, const struct row_values *old, const struct row_values *new,
    struct str by, struct str reason, int64_t now_ms, struct correct_result *ret, struct fail *fail)
{
    char was[ROW_FIELD_TEXT_MAX], is[ROW_FIELD_TEXT_MAX];
    TRY(trade_correct(db, trade_id, new, fail));
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        enum row_field field = (enum row_field)f;
        const struct correction correction = {
            .kind = CORRECTION_FIELD,
            .trade_id = trade_id,
            .at = now_ms,
            .field = row_field_name(field),
            .old = row_field_text(old, field, was),
            .new = row_field_text(new, field, is),
            .reason = reason,
            .by = by,
        };
        if (row_field_equal(old, new, field))
            continue;
        TRY(correction_add(db, &correction, fail));
        ret->fields++;
    }
    TRY(signal_refresh(db, trade_id, now_ms, fail));
    return change_add(db, STR("trade"), trade_id, &ret->change_seq, fail);
}

static enum err correct_field(
    struct db *db, struct str trade_id, enum row_field field, struct str value, struct str by,
    struct str reason, int64_t now_ms, struct correct_result *ret, struct fail *fail)
{
    struct trade_row row;
    ARENA_SCOPED(arena);
    char space[ROW_FIELD_SPACE];
    TRY(trade_find(db, trade_id, &arena, &row, NULL, fail));
    if (row.withdrawn_at != INSTANT_NONE)
        return fail_set(fail, ERR_NOT_FOUND, "%.*s is withdrawn", STR_ARG(trade_id));
    struct row_values old = {0}, new = {0};
    old = new = row.trade.values;
    TRY(row_field_set(&new, field, value, space, fail));
    if (row_field_equal(&old, &new, field))
        return fail_set(
            fail, ERR_EXISTS, "%.*s of %.*s already has this value; nothing changed",
            STR_ARG(row_field_name(field)), STR_ARG(trade_id));
    return correct_values(db, trade_id, &old, &new, by, reason, now_ms, ret, fail);
}

enum err correct(
    struct db *db, struct str trade_id, struct str field, struct str value, struct str by,
    struct str reason, int64_t now_ms, struct correct_result *ret, struct fail *fail)
{
    struct correct_result result = {0};
    enum row_field which;
    reason = str_trim(reason);
    if (!row_field_from_name(field, &which))
        return fail_set(
            fail, ERR_INVALID,
            "\"%.*s\" cannot be corrected; accepted values: ticker, assetName, assetType, side, "
            "amountBucket, tradeDate, ownerType",
            STR_ARG(field));
    REVIEW_TRANSACTION(t);
    TRY(reason_check(reason, fail));
    TRY(review_begin(&t, db, now_ms, fail));
    TRY(correct_field(db, trade_id, which, value, by, reason, now_ms, &result, fail));
    TRY(review_end(&t, fail));
    *ret = result;
    return OK;
}
