/* Drawn drafts on their own page; see desk_drawn.h. */
#include "site/desk/desk_drawn.h"

/* The next drawn draft after this one that nobody has looked at, from the first again; or the
 * batch. */
static enum err find_next(
    struct page_call *call, struct db *db, int64_t no, int64_t draft_no, struct str *ret,
    struct fail *fail)
{
    struct batch_draft_list drawn = {.count = 0};
    const struct batch_draft *first = NULL, *after = NULL;
    bool passed = false;
    TRY(batch_drafts(db, no, BATCH_DRAWN, BATCH_SIZE_MAX, call->arena, &drawn, fail));
    for (size_t i = 0; i < drawn.count; i++) {
        const struct batch_draft *d = &drawn.items[i];
        bool waits = d->outcome == BATCH_DRAFT_WAITING && d->draft_no != draft_no;
        passed |= d->draft_no == draft_no;
        if (waits && !first)
            first = d;
        if (waits && passed && !after)
            after = d;
    }
    const struct batch_draft *next = after ? after : first;
    *ret = next ? arena_fmt(call->arena, "/desk/%.*s", STR_ARG(next->filing_id))
                : arena_fmt(call->arena, "/desk/batches/%lld", (long long)no);
    return OK;
}

static enum err put(
    struct page_call *call, int64_t no, const struct batch_draft *item, struct fail *fail)
{
    struct batch batch;
    struct str next;
    struct view *v = view_object(call->view, "inBatch");
    TRY(batch_find(call->db, no, call->arena, &batch, fail));
    TRY(find_next(call, call->db, no, item->draft_no, &next, fail));
    view_int(v, "batch", no);
    view_bool(call->view, "toLook", item->drawn && item->outcome == BATCH_DRAFT_WAITING);
    view_str(v, "foundBy", item->outcome == BATCH_DRAFT_RIGHT ? item->by : STR_NULL);
    view_count(v, "unseen", batch.unseen);
    view_bool(v, "several", batch.unseen != 1);
    view_str(v, "nextDrawn", next);
    return OK;
}

enum err desk_drawn_put(struct page_call *call, const struct draft *draft, struct fail *fail)
{
    struct batch_draft item;
    int64_t no = 0;
    if (!call->config->batch_review)
        return OK;
    enum err err = batch_of_draft(call->db, draft->no, call->arena, &no, &item, fail);
    return err || !no ? err : put(call, no, &item, fail);
}

enum flash desk_batch_flash(enum batch_outcome outcome)
{
    return outcome == BATCH_DRAFT_FAULT  ? FLASH_BATCH_RETURNED
           : outcome == BATCH_DRAFT_LEFT ? FLASH_BATCH_REDRAWN
                                         : FLASH_BATCH_LOOKED;
}

static enum err look(const struct act *act, struct desk_job *job, bool fault)
{
    struct page_call *call = job->call;
    struct draft draft;
    struct batch_draft item;
    enum batch_outcome outcome = BATCH_DRAFT_WAITING;
    const struct batch_finding finding = {
        .filing_id = job->filing_id,
        .fault = fault,
        .reason = str_trim(form_value(call->form, "reason")),
    };
    int64_t no = 0;
    TRY(desk_check_mark(act, job));
    TRY(draft_find(act->db, job->filing_id, act->arena, &draft, act->fail));
    TRY(batch_of_draft(act->db, draft.no, act->arena, &no, &item, act->fail));
    if (!no)
        return fail_set(act->fail, ERR_REFUSED, "this draft is in no open batch any more");
    TRY(batch_look(&job->desk, no, &finding, &outcome, act->fail));
    job->flash = desk_batch_flash(outcome);
    if (outcome != BATCH_DRAFT_FAULT)
        return find_next(call, act->db, no, draft.no, &job->next, act->fail);
    job->next = arena_fmt(act->arena, "/desk/batches/%lld", (long long)no);
    return OK;
}

enum err desk_drawn_right(const struct act *act, void *job)
{
    return look(act, job, false);
}

enum err desk_drawn_fault(const struct act *act, void *job)
{
    return look(act, job, true);
}
