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

const struct desk_do *desk_do_find(
    struct page_call *call, const struct desk_do *dos, size_t count, struct fail *fail)
{
    char space[256];
    struct buf names = buf_over(space, sizeof space);
    struct str what = form_value(call->form, "do");
    for (size_t i = 0; i < count; i++) {
        if (str_eq(dos[i].name, what))
            return &dos[i];
        buf_text(&names, i == 0 ? "" : i + 1 < count ? ", " : " or ");
        buf_str(&names, dos[i].name);
    }
    (void)!fail_set(fail, ERR_INVALID, "\"do\" must be %.*s", STR_ARG(buf_view(&names)));
    return NULL;
}

static enum err run_at_desk(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    job->desk.db = act->db;
    return job->run(act, job);
}

static enum err run_shown(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct draft draft;
    bool hidden = false;
    TRY(draft_find(act->db, job->filing_id, act->arena, &draft, act->fail));
    TRY(double_entry_hides(act->db, &draft, job->desk.by, &hidden, act->fail));
    if (hidden)
        return fail_set(
            act->fail, ERR_REFUSED,
            "another person is entering this filing: open the draft from the page of its second "
            "entry first");
    return run_at_desk(act, job);
}

enum err desk_write(struct desk_job *job, act_run *run, struct fail *fail)
{
    job->run = run;
    return page_write(job->call, job->desk.double_entry ? run_shown : run_at_desk, job, fail);
}

enum err desk_write_blind(struct desk_job *job, act_run *run, struct fail *fail)
{
    job->run = run;
    return page_write(job->call, run_at_desk, job, fail);
}

static enum err check_claim(
    const struct act *act, const struct desk_job *job, const struct draft *d)
{
    char space[64];
    struct buf until = buf_over(space, sizeof space);
    bool held = d->state == DRAFT_IN_REVIEW && d->claimed_until > job->desk.now_ms;
    if (!held || str_eq_nocase(d->claimed_by, job->desk.by))
        return OK;
    instant_put_new_york(&until, d->claimed_until); /* as the page says it */
    return fail_set(
        act->fail, ERR_REFUSED, "this draft is held by %.*s until %.*s", STR_ARG(d->claimed_by),
        STR_ARG(buf_view(&until)));
}

enum err desk_lock(const struct act *act, struct desk_job *job)
{
    struct draft draft;
    TRY(draft_lock(act->db, job->filing_id, act->arena, &draft, act->fail));
    return check_claim(act, job, &draft);
}

enum err desk_check_mark(const struct act *act, struct desk_job *job)
{
    char mark[DESK_MARK_SIZE];
    struct draft locked;
    struct desk_view *view = ARENA_NEW(act->arena, struct desk_view);
    TRY(draft_lock(act->db, job->filing_id, act->arena, &locked, act->fail));
    TRY(desk_show(act->db, job->filing_id, act->arena, view, act->fail));
    const struct draft_row_stored *row = job->row ? draft_row_at(&view->rows, job->row) : NULL;
    if (job->row && !row)
        return fail_set(act->fail, ERR_NOT_FOUND, "there is no row %d", job->row);
    TRY(check_claim(act, job, &view->draft));
    if (row)
        desk_mark_row(row, mark);
    else
        desk_mark(view, mark);
    if (str_eq(form_value(job->call->form, "mark"), str_of(mark, sizeof mark)))
        return OK;
    return fail_set(
        act->fail, ERR_REFUSED,
        "%s changed since you opened this page: look at what it says now, then decide again",
        row ? "this row" : "this draft");
}

enum err desk_take_symbols(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct suggested_taken ignored;
    TRY(desk_check_mark(act, job));
    return suggested_symbols_take(&job->desk, job->filing_id, job->row, &ignored, act->fail);
}
