/* Gives a filing to another member; see reassign.h. */
#include "review/reassign.h"

#include "conflict/signal.h"
#include "review/office.h"
#include "store/change.h"
#include "store/correction.h"
#include "store/trade.h"

struct reassigned_trade {
    struct str id;
    bool is_public;
};

struct reassigning {
    struct db *db;
    struct arena arena;
    const struct filing_row *filing;
    const struct member *to;
    struct office office;
    struct str by, reason;
    int64_t now_ms;
    struct reassigned_trade *trades;
    size_t count, room;
};

/* An entry without a trade is about the filing. */
static enum err log_change(
    struct reassigning *r, struct str trade_id, struct str field, struct str old, struct str new,
    struct fail *fail)
{
    const struct correction correction = {
        .kind = CORRECTION_FIELD,
        .trade_id = trade_id,
        .filing_id = r->filing->filing.id,
        .at = r->now_ms,
        .field = field,
        .old = old,
        .new = new,
        .reason = r->reason,
        .by = r->by,
    };
    return str_eq(old, new) ? OK : correction_add(r->db, &correction, fail);
}

/* The members of `politician` of a trade. */
static enum err log_trade(struct reassigning *r, struct str id, struct fail *fail)
{
    const struct politician_ref *old = &r->filing->politician;
    enum err err = log_change(r, id, STR("politician.state"), old->state, r->office.state, fail);
    if (!err)
        err = log_change(r, id, STR("politician.party"), old->party, r->office.party, fail);
    if (!err)
        err = log_change(r, id, STR("politician.name"), old->name, r->to->name, fail);
    return err ? err : log_change(r, id, CORRECTION_POLITICIAN_SLUG, old->slug, r->to->slug, fail);
}

/* Withdrawn trades are logged too: their withdrawal can be taken back. */
static enum err note_trade(void *ctx, const struct trade_row *row)
{
    struct reassigning *r = ctx;
    struct reassigned_trade trade = {
        .id = arena_str(&r->arena, row->trade.id),
        .is_public = row->withdrawn_at == INSTANT_NONE,
    };
    r->trades = mem_grow(r->trades, r->count, &r->room, sizeof *r->trades);
    r->trades[r->count++] = trade;
    return OK;
}

static enum err judge_public(struct reassigning *r, size_t *ret_count, struct fail *fail)
{
    struct str *ids = ARENA_ARRAY(&r->arena, struct str, r->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->trades[i].is_public)
            ids[n++] = r->trades[i].id;
    *ret_count = n;
    return signal_refresh_all(r->db, ids, n, r->now_ms, fail);
}

static enum err change_member(
    struct reassigning *r, struct str printed_state, size_t *ret_trades, struct fail *fail)
{
    const struct filing *is = &r->filing->filing;
    enum err err = office_at(
        r->db, r->to->id, is->chamber, is->filed_at, printed_state, &r->arena, &r->office, fail);
    if (!err)
        err = filing_set_member(r->db, is->id, r->to->id, r->office.party, r->office.state, fail);
    if (!err)
        err = trade_each_of_filing(r->db, r->filing->no, note_trade, r, fail);
    for (size_t i = 0; i < r->count && !err; i++)
        err = log_trade(r, r->trades[i].id, fail);
    if (!err)
        err = log_change(r, STR_NULL, CORRECTION_POLITICIAN_ID, is->politician_id, r->to->id, fail);
    return err ? err : judge_public(r, ret_trades, fail);
}

enum err reassign(
    struct db *db, const struct filing_row *filing, const struct member *to,
    struct str printed_state, struct str by, struct str reason, int64_t now_ms,
    struct reassign_result *ret, struct fail *fail)
{
    struct reassigning r = {
        .db = db, .filing = filing, .to = to, .by = by, .reason = reason, .now_ms = now_ms};
    struct str id = filing->filing.id;
    if (filing->state != FILING_PUBLISHED && filing->state != FILING_AMENDED)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is %.*s: only a public filing can be given to another member",
            STR_ARG(id), STR_ARG(filing_state_name(filing->state)));
    if (str_eq(filing->filing.politician_id, to->id))
        return fail_set(
            fail, ERR_EXISTS, "%.*s is already a filing of %.*s; nothing changed", STR_ARG(id),
            STR_ARG(to->slug));
    arena_init(&r.arena);
    enum err err = change_member(&r, printed_state, &ret->trades, fail);
    if (!err)
        err = change_add(db, STR("filing"), id, &ret->change_seq, fail);
    mem_free(r.trades);
    arena_finish(&r.arena);
    return err;
}
