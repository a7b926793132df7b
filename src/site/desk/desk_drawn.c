/* Drawn drafts on their own page; see desk_drawn.h. */
#include "site/desk/desk_drawn.h"

#include "review/desk/batch.h"

/* The next drawn draft after this one that nobody has looked at, from the first again; or the
 * batch. */
static enum err find_next(
    struct page_call *call, struct db *db, int64_t no, int64_t draft_no, struct str *ret,
    struct fail *fail)
{
    struct batch_draft_list drawn = {.count = 0};
    const struct batch_draft *first = NULL, *after = NULL;
    bool passed = false;
    enum err err = batch_drafts(db, no, BATCH_DRAWN, BATCH_SIZE_MAX, call->arena, &drawn, fail);
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
    return err;
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

static enum flash flash_of(enum batch_outcome outcome)
{
    return outcome == BATCH_DRAFT_FAULT  ? FLASH_BATCH_RETURNED
           : outcome == BATCH_DRAFT_LEFT ? FLASH_BATCH_REDRAWN
                                         : FLASH_BATCH_LOOKED;
}

enum err desk_drawn_look(struct desk_job *job, struct db *db, bool fault, struct fail *fail)
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
    job->desk.db = db;
    TRY(desk_check_mark(job, db, fail));
    TRY(draft_find(db, job->filing_id, call->arena, &draft, fail));
    TRY(batch_of_draft(db, draft.no, call->arena, &no, &item, fail));
    if (!no)
        return fail_set(fail, ERR_REFUSED, "this draft is in no open batch any more");
    TRY(batch_look(&job->desk, no, &finding, &outcome, fail));
    job->flash = flash_of(outcome);
    if (outcome != BATCH_DRAFT_FAULT)
        return find_next(call, db, no, draft.no, &job->next, fail);
    job->next = arena_fmt(call->arena, "/desk/batches/%lld", (long long)no);
    return OK;
}
