/* `stockact withdraw` withdraws a published trade or filing, and `stockact reinstate` takes a
 * withdrawal back (decision 29). */
#include "review/withdraw.h"

#include "cmd/review/review_desk.h"

static enum err show(struct review *r, size_t trades)
{
    store_access_wait_servers(r->desk.db);
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "id", r->operands[0]);
    out_i64(r->out, "trades", (int64_t)trades);
    out_end(r->out);
    return OK;
}

enum err cmd_withdraw(struct review *r, struct fail *fail)
{
    const struct desk *desk = &r->desk;
    struct withdraw_result result = {0};
    TRY(review_overrule_clock(r, fail));
    TRY(withdraw(desk->db, r->operands[0], desk->by, r->reason, desk->now_ms, &result, fail));
    return show(r, result.trades);
}

enum err cmd_reinstate(struct review *r, struct fail *fail)
{
    const struct desk *desk = &r->desk;
    struct withdraw_result result = {0};
    TRY(review_overrule_clock(r, fail));
    TRY(reinstate(desk->db, r->operands[0], desk->by, r->reason, desk->now_ms, &result, fail));
    return show(r, result.trades);
}
