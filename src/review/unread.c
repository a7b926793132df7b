/* Unread paper filings of bulk history; see unread.h. */
#include "review/unread.h"

#include "store/public/correction.h"
#include "store/public/trade.h"
#include "store/row/change.h"

static const struct str withdrawn =
    STR_INIT("the trades of this paper filing have not been entered yet");
static const struct str read_now = STR_INIT("the trades of this paper filing have been entered");

static enum err note_any(void *ctx, const struct trade_row *row)
{
    *(bool *)ctx = false;
    return OK;
}

enum err unread_is(struct db *db, const struct filing_row *filing, bool *ret, struct fail *fail)
{
    *ret = filing->review == FILING_REVIEW_BULK;
    return *ret ? trade_each_of_filing(db, filing->no, note_any, ret, fail) : OK;
}

static enum err log_change(
    struct db *db, enum correction_kind kind, struct str filing_id, struct str by,
    struct str reason, int64_t now_ms, struct fail *fail)
{
    const struct correction correction = {
        .kind = kind, .filing_id = filing_id, .at = now_ms, .reason = reason, .by = by};
    return correction_add(db, &correction, fail);
}

enum err unread_withdraw(
    struct db *db, const struct filing_row *filing, struct str by, int64_t now_ms,
    int64_t *ret_change_seq, struct fail *fail)
{
    struct str id = filing->filing.id;
    TRY(filing_withdraw(db, id, now_ms, withdrawn, fail));
    TRY(log_change(db, CORRECTION_WITHDRAWN, id, by, withdrawn, now_ms, fail));
    return change_add(db, STR("filing"), id, ret_change_seq, fail);
}

enum err unread_reinstate(
    struct db *db, const struct filing_row *filing, struct str by, int64_t now_ms,
    struct fail *fail)
{
    struct str id = filing->filing.id;
    bool is_unread = false;
    TRY(unread_is(db, filing, &is_unread, fail));
    if (!is_unread)
        return fail_set(fail, ERR_REFUSED, "%.*s is withdrawn", STR_ARG(id));
    TRY(filing_reinstate(db, id, fail));
    return log_change(db, CORRECTION_REINSTATED, id, by, read_now, now_ms, fail);
}
