/* Actions of the desk; see desk_act.h. */
#include "site/desk/desk_act.h"

#include "review/desk/desk_mark.h"
#include "review/desk/double_entry.h"
#include "review/desk/suggested_symbol.h"

void desk_job_init(struct page_call *call, struct desk_job *ret)
{
    *ret = (struct desk_job){
        .call = call,
        .desk =
            {
                .by = call->visitor.account.email,
                .now_ms = call->now_ms,
                .way = call->form && form_value(call->form, "script").n ? ACCEPTANCE_SCRIPT
                                                                        : ACCEPTANCE_DESK,
                .second_reviewer = call->config->second_reviewer,
                .double_entry = call->config->double_entry,
                .batch_review = call->config->batch_review,
            },
        .filing_id = call->segments[0],
    };
}

enum err desk_hides(struct page_call *call, const struct draft *draft, bool *ret, struct fail *fail)
{
    *ret = false;
    return call->config->double_entry
               ? double_entry_hides(call->db, draft, call->visitor.account.email, ret, fail)
               : OK;
}

static enum err run_shown(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct draft draft;
    bool hidden = false;
    TRY(draft_find(act->db, job->filing_id, job->call->arena, &draft, act->fail));
    TRY(double_entry_hides(act->db, &draft, job->desk.by, &hidden, act->fail));
    return hidden ? fail_set(
                        act->fail, ERR_REFUSED,
                        "another person is entering this filing: open the draft from the "
                        "page of its second entry first")
                  : job->run(act, job);
}

enum err desk_write(struct desk_job *job, act_run *run, struct fail *fail)
{
    job->run = run;
    return page_write(job->call, job->desk.double_entry ? run_shown : run, job, fail);
}

enum err desk_check_claim(struct desk_job *job, const struct draft *d, struct fail *fail)
{
    char space[64];
    struct buf until = buf_over(space, sizeof space);
    bool held = d->state == DRAFT_IN_REVIEW && d->claimed_until > job->desk.now_ms;
    if (!held || str_eq_nocase(d->claimed_by, job->desk.by))
        return OK;
    instant_put_new_york(&until, d->claimed_until); /* as the page says it */
    return fail_set(
        fail, ERR_REFUSED, "this draft is held by %.*s until %.*s", STR_ARG(d->claimed_by),
        STR_ARG(buf_view(&until)));
}

enum err desk_check_mark(struct desk_job *job, struct db *db, struct fail *fail)
{
    char mark[DESK_MARK_SIZE];
    struct draft locked;
    struct desk_view *view = ARENA_NEW(job->call->arena, struct desk_view);
    enum err err = draft_lock(db, job->filing_id, job->call->arena, &locked, fail);
    if (!err)
        err = desk_show(db, job->filing_id, job->call->arena, view, fail);
    const struct draft_row_stored *row =
        err || !job->row ? NULL : draft_row_at(&view->rows, job->row);
    if (err)
        return err;
    if (job->row && !row)
        return fail_set(fail, ERR_NOT_FOUND, "there is no row %d", job->row);
    err = desk_check_claim(job, &view->draft, fail);
    if (err)
        return err;
    if (row)
        desk_mark_row(row, mark);
    else
        desk_mark(view, mark);
    if (str_eq(form_value(job->call->form, "mark"), str_of(mark, sizeof mark)))
        return OK;
    job->changed = true;
    return fail_set(
        fail, ERR_REFUSED,
        "%s changed since you opened this page: look at what it says now, then decide again",
        row ? "this row" : "this draft");
}

enum err desk_take_symbols(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct suggested_taken ignored;
    job->desk.db = act->db;
    TRY(desk_check_mark(job, act->db, act->fail));
    return suggested_symbols_take(&job->desk, job->filing_id, &ignored, act->fail);
}
