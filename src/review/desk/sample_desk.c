/* Reviewers' actions on the sample; see sample_desk.h. */
#include "review/desk/sample_desk.h"

#include "review/reason.h"
#include "store/public/trade.h"

static struct blind_row blind_of(const struct sample_content *content)
{
    return (struct blind_row){content->values, content->notified_date};
}

static void note_difference(void *ctx, const struct sample_difference *difference)
{
    struct sample_view *view = ctx;
    enum blind_field field;
    if (!blind_field_from_name(difference->field, &field))
        return;
    view->differs[field] = true;
    view->verdicts[field] = difference->verdict;
}

static enum err load_entered(
    const struct desk *desk, int64_t no, struct arena *arena, struct sample_view *view,
    struct fail *fail)
{
    struct sample_content entered;
    enum err err = sample_content_find(desk->db, no, true, arena, &entered, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    view->entered = blind_of(&entered);
    return sample_each_difference(desk->db, no, note_difference, view, fail);
}

/* The trade as it is now, and where it stands in its document. */
static enum err load_trade(
    const struct desk *desk, struct arena *arena, struct sample_view *view, struct fail *fail)
{
    struct trade_row trade;
    struct trade_source source;
    TRY(trade_find(desk->db, view->row.trade_id, arena, &trade, &source, fail));
    view->withdrawn = trade.withdrawn_at != INSTANT_NONE;
    view->now = trade.trade.values;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        enum row_field field = blind_row_field((enum blind_field)f);
        view->corrected |= field != ROW_FIELD_COUNT &&
                           !row_field_equal(&view->published.values, &view->now, field);
    }
    view->filing_id = source.filing_id;
    view->url = trade.trade.filing_url;
    view->number = source.row;
    view->page = source.page;
    view->printed = source.printed;
    return OK;
}

enum err sample_show(
    const struct desk *desk, int64_t no, struct arena *arena, struct sample_view *ret,
    struct fail *fail)
{
    struct sample_content published;
    *ret = (struct sample_view){.entered = blind_row_none};
    TRY(sample_find(desk->db, no, arena, &ret->row, fail));
    TRY(sample_content_find(desk->db, no, false, arena, &published, fail));
    ret->published = blind_of(&published);
    TRY(load_entered(desk, no, arena, ret, fail));
    TRY(load_trade(desk, arena, ret, fail));
    return sample_is_own(desk->db, ret->row.trade_id, desk->by, &ret->is_own, fail);
}

/* --- actions */

struct sample_act {
    const struct desk *desk;
    struct arena arena;
    struct sample_view view;
    bool own; /* the transaction */
};

static enum err check_state(
    const struct sample_act *act, enum sample_state needed, struct fail *fail)
{
    const struct sample_view *view = &act->view;
    if (view->row.state != needed)
        return fail_set(
            fail, ERR_EXISTS,
            "row %lld of the sample is now in the state \"%.*s\"; nothing changed",
            (long long)view->row.no, STR_ARG(sample_state_name(view->row.state)));
    if (view->is_own)
        return fail_set(
            fail, ERR_REFUSED, "%.*s worked on %.*s: another person must check this row",
            STR_ARG(act->desk->by), STR_ARG(view->filing_id));
    return OK;
}

static enum err begin(
    struct sample_act *act, const struct desk *desk, int64_t no, enum sample_state needed,
    struct fail *fail)
{
    act->desk = desk;
    TRY(db_join(desk->db, &act->own, fail));
    TRY(sample_show(desk, no, &act->arena, &act->view, fail));
    return check_state(act, needed, fail);
}

static enum err end(struct sample_act *act, struct fail *fail)
{
    bool own = act->own;
    act->own = false;
    return db_leave(act->desk->db, own, OK, fail);
}

static void drop(struct sample_act *act)
{
    if (act->own)
        db_rollback(act->desk->db);
    arena_finish(&act->arena);
}

/* Declares an action. What `end` does not end is undone where the block ends. */
#define SAMPLE_ACT(name) struct sample_act name __attribute__((cleanup(drop))) = {.own = false}

static struct sample_by by_of(const struct desk *desk)
{
    return (struct sample_by){desk->by, desk->now_ms};
}

static enum err type(
    struct sample_act *act, int64_t no, const struct blind_row *typed, enum sample_state *ret,
    struct fail *fail)
{
    const struct sample_by by = by_of(act->desk);
    const struct sample_content content = {typed->values, typed->notified_date};
    bool *differs = act->view.differs;
    enum sample_state next = SAMPLE_RIGHT;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        differs[f] =
            blind_compare(typed, &act->view.published, (enum blind_field)f) == BLIND_DIFFERS;
        if (differs[f])
            next = SAMPLE_DIFFERS;
    }
    TRY(sample_enter(act->desk->db, no, next, &content, &by, fail));
    for (int f = 0; f < BLIND_FIELD_COUNT; f++)
        if (differs[f])
            TRY(sample_set_verdict(
                act->desk->db, no, blind_field_name((enum blind_field)f), SAMPLE_UNDECIDED, fail));
    *ret = next;
    return OK;
}

enum err sample_type(
    const struct desk *desk, int64_t no, const struct blind_row *typed, enum sample_state *ret,
    struct fail *fail)
{
    SAMPLE_ACT(act);
    TRY(begin(&act, desk, no, SAMPLE_OPEN, fail));
    if (blind_is_empty(typed))
        return fail_set(fail, ERR_INVALID, "type what the page shows, or skip the row");
    TRY(type(&act, no, typed, ret, fail));
    return end(&act, fail);
}

static enum sample_state outcome(
    const struct sample_view *view, const enum sample_verdict verdicts[BLIND_FIELD_COUNT])
{
    enum sample_state state = SAMPLE_RIGHT;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        if (!view->differs[f])
            continue;
        if (verdicts[f] == SAMPLE_PUBLISHED_WRONG)
            return SAMPLE_WRONG;
        if (verdicts[f] == SAMPLE_NOT_READABLE)
            state = SAMPLE_UNREADABLE;
    }
    return state;
}

static enum err decide(
    struct sample_act *act, int64_t no, const enum sample_verdict verdicts[BLIND_FIELD_COUNT],
    enum sample_state *ret, struct fail *fail)
{
    const struct sample_by by = by_of(act->desk);
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        struct str name = blind_field_name((enum blind_field)f);
        if (act->view.differs[f] && !verdicts[f])
            return fail_set(
                fail, ERR_INVALID,
                "%.*s differs: say which value is wrong (published, entry), or unreadable",
                STR_ARG(name));
        else if (act->view.differs[f])
            TRY(sample_set_verdict(act->desk->db, no, name, verdicts[f], fail));
        else if (verdicts[f])
            return fail_set(fail, ERR_INVALID, "%.*s does not differ", STR_ARG(name));
    }
    *ret = outcome(&act->view, verdicts);
    return sample_judge(act->desk->db, no, *ret, &by, fail);
}

enum err sample_decide(
    const struct desk *desk, int64_t no, const enum sample_verdict verdicts[BLIND_FIELD_COUNT],
    enum sample_state *ret, struct fail *fail)
{
    SAMPLE_ACT(act);
    TRY(begin(&act, desk, no, SAMPLE_DIFFERS, fail));
    TRY(decide(&act, no, verdicts, ret, fail));
    return end(&act, fail);
}

enum err sample_pass(const struct desk *desk, int64_t no, struct str reason, struct fail *fail)
{
    SAMPLE_ACT(act);
    const struct sample_by by = by_of(desk);
    TRY(begin(&act, desk, no, SAMPLE_OPEN, fail));
    TRY(reason_check(reason, fail));
    TRY(sample_skip(desk->db, no, reason, &by, fail));
    return end(&act, fail);
}

static enum err count_rows(
    const struct desk *desk, const struct sample_document *d, int64_t counted, struct str reason,
    enum sample_state *ret, struct fail *fail)
{
    const struct sample_by by = by_of(desk);
    bool is_own = false, first = d->state == SAMPLE_OPEN;
    enum err err = sample_filing_is_own(desk->db, d->filing_id, desk->by, &is_own, fail);
    if (!err && is_own)
        err = fail_set(
            fail, ERR_REFUSED, "%.*s worked on %.*s: another person must count its rows",
            STR_ARG(desk->by), STR_ARG(d->filing_id));
    if (!err && !first && d->state != SAMPLE_DIFFERS)
        err = fail_set(
            fail, ERR_EXISTS,
            "document %lld of the sample is now in the state \"%.*s\"; nothing changed",
            (long long)d->no, STR_ARG(sample_state_name(d->state)));
    if (!err && counted < 0)
        err = reason_check(reason, fail);
    *ret = counted < 0           ? SAMPLE_SKIPPED
           : counted == d->known ? SAMPLE_RIGHT
           : first               ? SAMPLE_DIFFERS
           : counted > d->known  ? SAMPLE_WRONG
                                 : SAMPLE_RIGHT;
    return err ? err
               : sample_document_count(
                     desk->db, d->no, counted, *ret != SAMPLE_DIFFERS,
                     counted < 0 ? reason : STR_NULL, &by, fail);
}

enum err sample_count_rows(
    const struct desk *desk, int64_t no, int64_t counted, struct str reason, enum sample_state *ret,
    struct fail *fail)
{
    struct sample_document d;
    ARENA_SCOPED(arena);
    bool own = false;
    enum err err = db_join(desk->db, &own, fail);
    if (!err)
        err = sample_document_find(desk->db, no, desk->now_ms, &arena, &d, fail);
    if (!err)
        err = count_rows(desk, &d, counted, reason, ret, fail);
    err = db_leave(desk->db, own, err, fail);
    return err;
}
