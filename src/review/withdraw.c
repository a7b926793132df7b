/* Withdrawing a trade or a filing, and taking that back; see withdraw.h. */
#include "review/withdraw.h"

#include "base/str_list.h"
#include "conflict/signal.h"
#include "event/transaction.h"
#include "review/difference.h"
#include "review/reason.h"
#include "review/unread.h"
#include "store/desk/draft.h"
#include "store/public/correction.h"
#include "store/public/filing.h"
#include "store/public/trade.h"
#include "store/row/change.h"

/*
 * Checks whether withdrawn trades are already public in another filing: reinstating them would show
 * each trade twice. While a Senate report is withdrawn, its amendment counts as a new report, and
 * so does a report whose amendment is withdrawn. House amendments name no report, so this finds
 * nothing for the House.
 */

struct repeated_query {
    const struct filing_row *filing;
    const struct str *trades; /* ids of withdrawn trades of this filing */
    size_t count;
    bool whole; /* the whole filing is reinstated, not a single trade */
};

struct repeated_trade {
    struct str id;
    int64_t withdrawn_at;
    struct row_values values;
};

struct repeated_filing {
    int64_t no;
    struct str id;
    bool by_similar; /* a similar trade repeats one, too */
};

struct repeated_pair {
    const struct repeated_trade *trade;
    struct str other; /* a public trade */
};

struct repeated_search {
    const struct repeated_query *query;
    struct arena *arena;
    int amendment; /* of the filing itself */
    struct repeated_trade *trades;
    size_t trade_count, trade_room;
    struct repeated_filing *filings;
    size_t filing_count, filing_room;
    struct repeated_pair *pairs; /* with the trades of one of the filings, one for each */
    size_t pair_count, pair_room;
    bool by_similar; /* of this filing */
};

static enum err note_own(void *ctx, const struct trade_row *row)
{
    struct repeated_search *s = ctx;
    bool asked = false;
    for (size_t i = 0; i < s->query->count && !asked; i++)
        asked = str_eq(s->query->trades[i], row->trade.id);
    if (!asked || row->withdrawn_at == INSTANT_NONE)
        return OK;
    s->trades = mem_grow(s->trades, s->trade_count, &s->trade_room, sizeof *s->trades);
    s->trades[s->trade_count++] = (struct repeated_trade){
        .id = arena_str(s->arena, row->trade.id),
        .withdrawn_at = row->withdrawn_at,
        .values = row_values_copy(&row->trade.values, s->arena),
    };
    return OK;
}

/* Two filings with the same number are two reports of one day. One that amends a third filing is a
 * version of that report: its similar trades are other trades. */
static void note_filing(void *ctx, const struct filing_of_report *other)
{
    struct repeated_search *s = ctx;
    const struct filing_row *own = s->query->filing;
    struct str later = other->amendment > s->amendment ? other->amends : own->amends;
    struct str earlier = other->amendment > s->amendment ? own->filing.id : other->id;
    bool related = str_is_null(later) || str_eq(later, earlier);
    if (other->no == own->no || other->amendment == s->amendment)
        return;
    s->filings = mem_grow(s->filings, s->filing_count, &s->filing_room, sizeof *s->filings);
    s->filings[s->filing_count++] = (struct repeated_filing){
        .no = other->no,
        .id = arena_str(s->arena, other->id),
        .by_similar = s->query->whole && related,
    };
}

static enum err find_filings(struct repeated_search *s, struct db *db, struct fail *fail)
{
    const struct filing *own = &s->query->filing->filing;
    int32_t day = instant_day_new_york(own->filed_at);
    struct draft draft;
    enum err err = draft_find(db, own->id, s->arena, &draft, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    if (!err) { /* bulk history has no draft */
        s->amendment = draft.is.amendment;
        if (draft.is.report_day != DAY_NONE)
            day = draft.is.report_day;
    }
    return filing_each_of_report(db, own->politician_id, day, note_filing, s, fail);
}

/* Of several trades that match the other one, keeps that which was withdrawn first: if it was
 * withdrawn after the other one became public, so were all. */
static enum err note_pair(void *ctx, const struct trade_row *row)
{
    struct repeated_search *s = ctx;
    const struct repeated_trade *first = NULL;
    for (size_t i = 0; i < s->trade_count && row->withdrawn_at == INSTANT_NONE; i++) {
        const struct repeated_trade *own = &s->trades[i];
        if ((!first || own->withdrawn_at < first->withdrawn_at) &&
            (s->by_similar ? difference_similar(&own->values, &row->trade.values)
                           : difference_equal(&own->values, &row->trade.values)))
            first = own;
    }
    if (!first)
        return OK;
    s->pairs = mem_grow(s->pairs, s->pair_count, &s->pair_room, sizeof *s->pairs);
    s->pairs[s->pair_count++] =
        (struct repeated_pair){.trade = first, .other = arena_str(s->arena, row->trade.id)};
    return OK;
}

/* Both were public once if the other one was so before the withdrawal: then they are two trades. */
static enum err judge_pair(
    struct repeated_search *s, struct db *db, const struct repeated_filing *filing,
    const struct repeated_pair *pair, struct fail *fail)
{
    int64_t since = 0;
    enum err err = trade_public_since(db, pair->other, &since, fail);
    if (err || since < pair->trade->withdrawn_at)
        return err;
    struct str first = s->query->whole ? filing->id : pair->other;
    return fail_set(
        fail, ERR_REFUSED,
        "%.*s repeats %.*s as %.*s, so that this trade would be public twice: withdraw %.*s first, "
        "or leave %.*s withdrawn",
        STR_ARG(filing->id), STR_ARG(pair->trade->id), STR_ARG(pair->other), STR_ARG(first),
        STR_ARG(s->query->whole ? s->query->filing->filing.id : pair->trade->id));
}

static enum err check_filing(
    struct repeated_search *s, struct db *db, const struct repeated_filing *filing,
    struct fail *fail)
{
    s->by_similar = filing->by_similar;
    s->pair_count = 0;
    TRY(trade_each_of_filing(db, filing->no, note_pair, s, fail));
    for (size_t i = 0; i < s->pair_count; i++)
        TRY(judge_pair(s, db, filing, &s->pairs[i], fail));
    return OK;
}

/* ERR_REFUSED: since the withdrawal, another filing of the same report has published one of the
 * trades; the message names both. For a whole filing a similar trade is enough, because an
 * amendment may state a trade differently. */
static enum err repeated_check(
    struct db *db, const struct repeated_query *query, struct arena *arena, struct fail *fail)
{
    struct repeated_search s = {.query = query, .arena = arena};
    if (query->filing->filing.chamber != CHAMBER_SENATE)
        return OK;
    enum err err = trade_each_of_filing(db, query->filing->no, note_own, &s, fail);
    if (!err)
        err = find_filings(&s, db, fail);
    for (size_t i = 0; i < s.filing_count && !err; i++)
        err = check_filing(&s, db, &s.filings[i], fail);
    mem_free(s.trades);
    mem_free(s.filings);
    mem_free(s.pairs);
    return err;
}

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
