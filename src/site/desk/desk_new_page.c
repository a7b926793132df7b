/* /desk/new: begins the draft of a paper filing that has no file. */
#include "site/frame/handlers.h"

#include "paper/paper_id.h"
#include "review/desk/desk.h"
#include "site/desk/desk_act.h"
#include "site/desk/desk_pick.h"

struct new_job {
    struct desk_job base;
    enum chamber chamber;
    struct draft_new draft;
};

enum err desk_new_load(struct page_call *call, struct fail *fail)
{
    static const struct form_option chambers[] = {
        {STR_INIT("house"), STR_INIT("House")}, {STR_INIT("senate"), STR_INIT("Senate")}};
    static const char *const fields[] = {"document", "member", "filed", "url"};
    struct str chamber = call->form ? form_value(call->form, "chamber") : STR("house");
    form_show_choice(call->view, call->form, "chamber", STR("house"), chambers, 2);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        form_show(call->view, call->form, fields[i], STR_NULL);
    form_show_faults(call->view, call->form);
    return desk_pick_offer(call, chamber_from_name(chamber), fail);
}

/* Reads the form; its faults stand beside the fields. */
static void read_form(struct new_job *job)
{
    struct page_call *call = job->base.call;
    struct form *form = call->form;
    struct str typed = str_trim(form_value(form, "document"));
    struct str filed = str_trim(form_value(form, "filed"));
    struct str url = str_trim(form_value(form, "url"));
    int32_t day = DAY_NONE;
    job->chamber = chamber_from_name(form_value(form, "chamber"));
    if (job->chamber == CHAMBER_NONE)
        form_fault_text(form, "chamber", "Choose House or Senate.");
    struct str id = job->chamber == CHAMBER_SENATE ? paper_id_senate(typed, call->arena)
                                                   : paper_id_house(typed);
    if (str_is_null(id) || id.n != typed.n)
        form_fault_text(
            form, "document",
            job->chamber == CHAMBER_SENATE
                ? "The UUID that is in the address of the filing."
                : "The number of seven or eight digits in the address of the document.");
    if (filed.n && !day_parse(filed, &day))
        form_fault_text(form, "filed", "A date as yyyy-mm-dd, or leave it empty.");
    if (!form_is_faulty(form))
        job->draft = desk_paper(
            job->chamber, id, url.n ? url : STR_NULL,
            day == DAY_NONE ? INSTANT_NONE : instant_from_new_york(day, 0), call->arena);
}

static enum err run_new(const struct act *act, void *ctx)
{
    struct new_job *job = ctx;
    const struct desk *desk = &job->base.desk;
    struct desk_filer set;
    struct str member = STR_NULL;
    TRY(desk_pick_settle(job->base.call, act->db, job->chamber, &member, act->fail));
    TRY(desk_new(desk, &job->draft, member.n ? member : STR_NULL, act->fail));
    if (member.n)
        TRY(desk_set_filer(
            desk, job->draft.filing_id, member, STR_NULL, STR_NULL, &set, act->fail));
    return OK;
}

enum err desk_new_act(struct page_call *call, struct fail *fail)
{
    struct new_job job = {.chamber = CHAMBER_NONE};
    desk_job_init(call, &job.base);
    read_form(&job);
    if (form_is_faulty(call->form))
        return OK;
    enum err err = desk_write_blind(&job.base, run_new, fail);
    if (!err)
        page_redirect(
            call, arena_fmt(call->arena, "/desk/%.*s", STR_ARG(job.draft.filing_id)),
            FLASH_DRAFT_BEGUN);
    return form_is_faulty(call->form) ? OK : err;
}
