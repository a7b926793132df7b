/* Batches of clean drafts; see batch.h. */
#include "review/desk/batch.h"

#include "review/desk/desk_mark.h"
#include "review/reason.h"
#include "store/desk/draft_history.h"

static enum err check_on(const struct desk *desk, struct fail *fail)
{
    return desk->batch_review
               ? OK
               : fail_set(
                     fail, ERR_REFUSED,
                     "batches are off: the operator turns them on with STOCKACT_BATCH_REVIEW=on");
}

/* --- the start */

/* So many drafts that only seem clean are passed over at one start. */
enum { CANDIDATES_MAX = 2 * BATCH_SIZE_MAX };

struct batch_choice {
    int64_t draft_no;
    enum draft_state state;
    char mark[DESK_MARK_SIZE];
};

/* Marks the draft as a reviewer would see it now; false: it is not clean any more. */
static enum err read_choice(
    const struct desk *desk, struct str filing_id, struct batch_choice *ret, bool *ret_clean,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct desk_view *view = ARENA_NEW(&arena, struct desk_view);
    enum err err = desk_show(desk->db, filing_id, &arena, view, fail);
    *ret_clean = !err && view->draft.clean && view->obstacles.count == 0;
    if (!err) {
        ret->draft_no = view->draft.no;
        ret->state = view->draft.state;
        desk_mark(view, ret->mark);
    }
    return err;
}

enum err batch_choose(
    const struct desk *desk, int64_t size, const struct progress_hook *progress,
    struct arena *arena, struct batch_choices *ret, struct fail *fail)
{
    struct batch_candidates ids = {.count = 0};
    *ret = (struct batch_choices){.count = 0};
    TRY(check_on(desk, fail));
    TRY(batch_find_candidates(desk->db, CANDIDATES_MAX, desk->now_ms, arena, &ids, fail));
    int64_t wanted = size < (int64_t)ids.count ? size : (int64_t)ids.count;
    ret->items = ARENA_ARRAY(arena, struct batch_choice, (size_t)wanted + 1);
    for (size_t i = 0; i < ids.count && (int64_t)ret->count < wanted; i++) {
        bool clean;
        progress_tell(progress, (int64_t)ret->count, wanted);
        TRY(read_choice(desk, ids.items[i], &ret->items[ret->count], &clean, fail));
        ret->count += clean;
    }
    return OK;
}

static enum err store_start(
    const struct desk *desk, int64_t sample, const struct batch_choices *choices, int64_t *ret_no,
    struct fail *fail)
{
    int64_t added = 0, drawn = 0;
    TRY(batch_insert(desk->db, sample, desk->by, desk->now_ms, ret_no, fail));
    for (size_t i = 0; i < choices->count; i++) {
        bool is_new = false;
        struct str mark = str_of(choices->items[i].mark, DESK_MARK_SIZE);
        TRY(batch_add(desk->db, *ret_no, choices->items[i].draft_no, mark, &is_new, fail));
        added += is_new;
    }
    if (added == 0)
        return fail_set(fail, ERR_REFUSED, "no clean draft is waiting outside an open batch");
    TRY(batch_draw_again(desk->db, *ret_no, fail));
    TRY(batch_draw(desk->db, *ret_no, sample, &drawn, fail));
    return batch_set_size(desk->db, *ret_no, added, fail);
}

enum err batch_start(
    const struct desk *desk, const struct batch_choices *choices, int64_t sample, int64_t *ret_no,
    struct fail *fail)
{
    bool own;
    TRY(check_on(desk, fail));
    TRY(db_join(desk->db, &own, fail));
    return db_leave(desk->db, own, store_start(desk, sample, choices, ret_no, fail), fail);
}

/* --- looking */

struct batch_act {
    const struct desk *desk;
    struct arena arena;
    struct batch batch;
    bool own;
};

static enum err begin(struct batch_act *a, const struct desk *desk, int64_t no, struct fail *fail)
{
    a->desk = desk;
    TRY(db_join(desk->db, &a->own, fail));
    return batch_lock(desk->db, no, &a->arena, &a->batch, fail);
}

static enum err end(struct batch_act *a, struct fail *fail)
{
    bool own = a->own;
    a->own = false;
    return db_leave(a->desk->db, own, OK, fail);
}

static void drop(struct batch_act *a)
{
    if (a->own)
        db_rollback(a->desk->db);
    arena_finish(&a->arena);
}

/* Declares an action. What `end` does not end is undone where the block ends. */
#define BATCH_ACT(name) struct batch_act name __attribute__((cleanup(drop))) = {.own = false}

static enum err refuse_ended(const struct batch *b, struct fail *fail)
{
    return fail_set(
        fail, ERR_REFUSED, "batch %lld is %s", (long long)b->no,
        b->state == BATCH_RETURNED ? "returned: none of it was accepted"
        : b->state == BATCH_OPEN   ? "open"
                                   : "being accepted, or already accepted");
}

/* Locks the draft. *ret: it still is what it was when the batch was started. */
static enum err is_unchanged(
    struct batch_act *a, const struct batch_draft *item, bool *ret, enum draft_state *ret_state,
    struct fail *fail)
{
    struct draft locked;
    struct batch_choice now;
    bool clean = false;
    enum err err = draft_lock(a->desk->db, item->filing_id, &a->arena, &locked, fail);
    if (!err)
        err = read_choice(a->desk, item->filing_id, &now, &clean, fail);
    if (!err)
        *ret_state = now.state;
    *ret = !err && clean && now.draft_no == item->draft_no &&
           str_eq(item->mark, str_of(now.mark, DESK_MARK_SIZE));
    return err;
}

static enum err set_outcome(
    struct batch_act *a, const struct batch_draft *item, enum batch_outcome outcome,
    struct str reason, struct fail *fail)
{
    return batch_draft_set(
        a->desk->db, a->batch.no, item->draft_no, outcome, a->desk->by, a->desk->now_ms, reason,
        fail);
}

/* The draft waits with what was found, and is not clean any more. */
static enum err mark_fault(
    struct batch_act *a, const struct batch_draft *item, struct str reason, struct fail *fail)
{
    struct draft d;
    enum err err = draft_lock(a->desk->db, item->filing_id, &a->arena, &d, fail);
    if (err || d.no != item->draft_no)
        return err;
    d.is.reason = arena_fmt(&a->arena, "batch %lld: %.*s", (long long)a->batch.no, STR_ARG(reason));
    const struct draft_event event = {
        .at = a->desk->now_ms, .by = a->desk->by, .action = STR("fault"), .reason = d.is.reason};
    TRY(draft_update(a->desk->db, &d, fail));
    return draft_history_add(a->desk->db, d.no, &event, fail);
}

/* A fault in one draft returns them all. */
static enum err return_for(
    struct batch_act *a, const struct batch_draft *item, struct str reason, struct fail *fail)
{
    struct str why = arena_fmt(&a->arena, "%.*s: %.*s", STR_ARG(item->filing_id), STR_ARG(reason));
    TRY(set_outcome(a, item, BATCH_DRAFT_FAULT, reason, fail));
    TRY(mark_fault(a, item, reason, fail));
    TRY(batch_set_state(
        a->desk->db, a->batch.no, BATCH_RETURNED, a->desk->by, a->desk->now_ms, why, fail));
    a->batch.state = BATCH_RETURNED;
    return OK;
}

static const struct str CHANGED = STR_INIT("it changed after the batch was started");
static const struct str EDITED = STR_INIT("a reviewer changed it after it was drawn");

/* A drawn draft leaves, and another one is drawn for it. */
static enum err replace(struct batch_act *a, const struct batch_draft *item, struct fail *fail)
{
    int64_t drawn;
    TRY(set_outcome(a, item, BATCH_DRAFT_LEFT, CHANGED, fail));
    return batch_draw(a->desk->db, a->batch.no, 1, &drawn, fail);
}

/* What happens to a drawn draft without a fault. */
static enum err judge(
    struct batch_act *a, const struct batch_draft *item, enum batch_outcome *ret, struct fail *fail)
{
    enum draft_state state;
    bool same = false, edited = false;
    TRY(is_unchanged(a, item, &same, &state, fail));
    if (!same)
        TRY(batch_draft_edited(a->desk->db, a->batch.no, item->draft_no, &edited, fail));
    *ret = same ? BATCH_DRAFT_RIGHT : edited ? BATCH_DRAFT_FAULT : BATCH_DRAFT_LEFT;
    if (same)
        return set_outcome(a, item, BATCH_DRAFT_RIGHT, STR_NULL, fail);
    return edited ? return_for(a, item, EDITED, fail) : replace(a, item, fail);
}

static enum err look(
    struct batch_act *a, const struct batch_finding *finding, enum batch_outcome *ret,
    struct fail *fail)
{
    struct batch_draft item;
    if (a->batch.state != BATCH_OPEN)
        return refuse_ended(&a->batch, fail);
    enum err err =
        batch_draft_find(a->desk->db, a->batch.no, finding->filing_id, &a->arena, &item, fail);
    if (err)
        return err;
    if (!item.drawn || (item.outcome != BATCH_DRAFT_WAITING && item.outcome != BATCH_DRAFT_RIGHT))
        return fail_set(
            fail, ERR_REFUSED, "%.*s was not drawn from batch %lld", STR_ARG(finding->filing_id),
            (long long)a->batch.no);
    *ret = BATCH_DRAFT_FAULT;
    return finding->fault ? return_for(a, &item, finding->reason, fail)
                          : judge(a, &item, ret, fail);
}

enum err batch_look(
    const struct desk *desk, int64_t no, const struct batch_finding *finding,
    enum batch_outcome *ret, struct fail *fail)
{
    BATCH_ACT(a);
    TRY(check_on(desk, fail));
    if (finding->fault)
        TRY(reason_check(finding->reason, fail));
    TRY(begin(&a, desk, no, fail));
    TRY(look(&a, finding, ret, fail));
    return end(&a, fail);
}

enum err batch_return(const struct desk *desk, int64_t no, struct str reason, struct fail *fail)
{
    BATCH_ACT(a);
    TRY(reason_check(reason, fail));
    TRY(begin(&a, desk, no, fail));
    if (a.batch.state != BATCH_OPEN)
        TRY(refuse_ended(&a.batch, fail));
    TRY(batch_set_state(desk->db, no, BATCH_RETURNED, desk->by, desk->now_ms, reason, fail));
    return end(&a, fail);
}

/* --- accepting */

/* Drawn drafts that changed after somebody looked at them are judged again. */
static enum err judge_drawn(struct batch_act *a, struct fail *fail)
{
    struct batch_draft_list drawn = {.count = 0};
    enum err err = batch_drafts(
        a->desk->db, a->batch.no, BATCH_DRAWN, BATCH_SIZE_MAX, &a->arena, &drawn, fail);
    for (size_t i = 0; i < drawn.count && !err && a->batch.state == BATCH_OPEN; i++) {
        const struct batch_draft *item = &drawn.items[i];
        bool edited = false;
        if (item->outcome != BATCH_DRAFT_RIGHT && item->outcome != BATCH_DRAFT_WAITING)
            continue;
        err = batch_draft_edited(a->desk->db, a->batch.no, item->draft_no, &edited, fail);
        if (!err && edited)
            err = return_for(a, item, EDITED, fail);
    }
    return err;
}

/* A batch that is returned instead is a result to keep. */
enum err batch_accept_begin(const struct desk *desk, int64_t no, bool *ret_ready, struct fail *fail)
{
    BATCH_ACT(a);
    TRY(check_on(desk, fail));
    TRY(begin(&a, desk, no, fail));
    if (a.batch.state == BATCH_ACCEPTED)
        return refuse_ended(&a.batch, fail);
    if (a.batch.state == BATCH_OPEN)
        TRY(judge_drawn(&a, fail));
    if (a.batch.state == BATCH_OPEN) {
        if (a.batch.unseen)
            return fail_set(
                fail, ERR_REFUSED, "look at the drawn filings first: %lld are left",
                (long long)a.batch.unseen);
        TRY(batch_set_state(desk->db, no, BATCH_ACCEPTING, desk->by, desk->now_ms, STR_NULL, fail));
        a.batch.state = BATCH_ACCEPTING;
    }
    *ret_ready = a.batch.state == BATCH_ACCEPTING;
    return end(&a, fail);
}

bool batch_is_of_draft(enum err err)
{
    return err == ERR_REFUSED || err == ERR_BUSY || err == ERR_NOT_FOUND || err == ERR_EXISTS;
}

/* Another press of the button may have accepted it, or put it out, since the list was read. */
static enum err is_still_in(
    struct batch_act *a, const struct batch_draft *item, bool *ret, struct fail *fail)
{
    struct batch_draft now;
    enum err err =
        batch_draft_find(a->desk->db, a->batch.no, item->filing_id, &a->arena, &now, fail);
    *ret = !err && a->batch.state == BATCH_ACCEPTING && now.draft_no == item->draft_no &&
           (now.outcome == BATCH_DRAFT_WAITING || now.outcome == BATCH_DRAFT_RIGHT);
    return err;
}

static enum err accept_unchanged(
    struct batch_act *a, const struct batch_draft *item, struct fail *fail)
{
    enum draft_state state, became;
    bool same = false;
    TRY(is_unchanged(a, item, &same, &state, fail));
    if (!same)
        return fail_set(fail, ERR_REFUSED, "%.*s", STR_ARG(CHANGED));
    if (state != DRAFT_WAITING && state != DRAFT_IN_REVIEW)
        return fail_set(fail, ERR_REFUSED, "a reviewer accepted it alone");
    TRY(desk_accept(a->desk, item->filing_id, STR_NULL, STR_NULL, &became, fail));
    return set_outcome(a, item, BATCH_DRAFT_ACCEPTED, STR_NULL, fail);
}

enum err batch_leave(
    const struct desk *desk, int64_t no, const struct batch_draft *item, struct str why,
    struct fail *fail)
{
    BATCH_ACT(a);
    TRY(begin(&a, desk, no, fail));
    TRY(set_outcome(&a, item, BATCH_DRAFT_LEFT, why, fail));
    return end(&a, fail);
}

enum err batch_accept_one(
    const struct desk *desk, int64_t no, const struct batch_draft *item, struct fail *fail)
{
    BATCH_ACT(a);
    bool still = false;
    TRY(begin(&a, desk, no, fail));
    TRY(is_still_in(&a, item, &still, fail));
    if (still)
        TRY(accept_unchanged(&a, item, fail));
    return end(&a, fail);
}

enum err batch_accept_finish(
    const struct desk *desk, int64_t no, struct batch *ret, struct arena *arena, struct fail *fail)
{
    BATCH_ACT(a);
    TRY(begin(&a, desk, no, fail));
    const int64_t *of = a.batch.of_outcome;
    if (a.batch.state == BATCH_ACCEPTING && of[BATCH_DRAFT_WAITING] + of[BATCH_DRAFT_RIGHT] == 0)
        TRY(batch_set_state(desk->db, no, BATCH_ACCEPTED, desk->by, desk->now_ms, STR_NULL, fail));
    TRY(batch_find(desk->db, no, arena, ret, fail));
    return end(&a, fail);
}

enum err batch_accept(
    const struct desk *desk, int64_t no, int64_t limit, const struct progress_hook *progress,
    struct batch *ret, struct arena *arena, struct fail *fail)
{
    struct batch_draft_list items = {.count = 0};
    bool ready = false;
    enum err err = batch_accept_begin(desk, no, &ready, fail);
    if (!err && ready)
        err = batch_drafts(desk->db, no, BATCH_STILL, limit, arena, &items, fail);
    for (size_t i = 0; i < items.count && !err; i++) {
        progress_tell(progress, (int64_t)i, (int64_t)items.count);
        struct fail why = {0};
        err = batch_accept_one(desk, no, &items.items[i], &why);
        if (batch_is_of_draft(err))
            err = batch_leave(desk, no, &items.items[i], str_from(why.text), fail);
        else if (err)
            err = fail_set(fail, err, "%s", why.text);
    }
    return err ? err : batch_accept_finish(desk, no, ret, arena, fail);
}
