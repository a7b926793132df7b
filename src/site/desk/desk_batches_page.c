/* /desk/batches: the batches of clean drafts, and the form that starts one. /desk/batches/{n}: one
 * batch with its drawn drafts, and what is done with it (review/desk/batch.h). */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "site/desk/desk_drawn.h"
#include "site/frame/page_call_parts.h"
#include "status/words.h"
#include "store/desk/draft_queue.h"

enum {
    LISTED_MAX = 50,
    SHOWN_MAX = 500,
    FILINGS_MAX = 500,
    SAMPLE_USUAL = 10,
    ACCEPTED_AT_ONCE = 100,
};

static const struct str PATH = STR_INIT("/desk/batches");

struct batch_job {
    struct desk_job base;
    const struct batch_choices *choices;
    const struct batch_draft *item;
    struct batch_finding finding;
    struct str why;
    int64_t sample, no;
    bool ready;
    enum batch_outcome outcome;
    struct batch batch;
};

static void put_batch(struct view *v, const struct batch *b, int64_t now_ms)
{
    static const char *const words[BATCH_STATE_COUNT] = {
        [BATCH_OPEN] = "open",
        [BATCH_ACCEPTING] = "being accepted",
        [BATCH_ACCEPTED] = "accepted",
        [BATCH_RETURNED] = "returned",
    };
    const int64_t *of = b->of_outcome;
    view_int(v, "batch", b->no);
    view_str(v, "state", batch_state_name(b->state));
    view_text(v, "stateWords", words[b->state]);
    view_bool(v, "isOpen", b->state == BATCH_OPEN);
    view_bool(v, "isAccepting", b->state == BATCH_ACCEPTING);
    view_bool(v, "isAccepted", b->state == BATCH_ACCEPTED);
    view_bool(v, "isReturned", b->state == BATCH_RETURNED);
    view_ago(v, "startedAt", b->started_at, now_ms);
    view_str(v, "startedBy", b->started_by);
    view_ago(v, "endedAt", b->ended_at, now_ms);
    view_str(v, "endedBy", b->ended_by);
    view_count(v, "size", b->size);
    view_bool(v, "several", b->size != 1);
    view_count(v, "sample", b->sample);
    view_count(v, "unseen", b->state == BATCH_OPEN ? b->unseen : 0);
    view_bool(v, "anyUnseen", b->state == BATCH_OPEN && b->unseen > 0);
    view_count(v, "faults", of[BATCH_DRAFT_FAULT]);
    view_count(v, "left", of[BATCH_DRAFT_LEFT]);
    view_count(v, "accepted", of[BATCH_DRAFT_ACCEPTED]);
    view_bool(v, "oneAccepted", of[BATCH_DRAFT_ACCEPTED] == 1);
    view_count(v, "waiting", of[BATCH_DRAFT_WAITING] + of[BATCH_DRAFT_RIGHT]);
    view_str(v, "reason", b->reason);
}

/* --- all batches */

enum err desk_batches_load(struct page_call *call, struct fail *fail)
{
    struct draft_queue_counts counts;
    struct batch_list batches = {.count = 0};
    form_show(call->view, call->form, "size", arena_fmt(call->arena, "%d", BATCH_SIZE_USUAL));
    form_show(call->view, call->form, "sample", arena_fmt(call->arena, "%d", SAMPLE_USUAL));
    form_show_faults(call->view, call->form);
    TRY(draft_queue_count(call->db, call->now_ms, &counts, fail));
    TRY(batch_newest(call->db, LISTED_MAX, call->arena, &batches, fail));
    view_bool(call->view, "isOn", call->config->batch_review);
    view_count(call->view, "clean", counts.clean);
    view_str(
        call->view, "cleanWords",
        words_count(call->arena, counts.clean, "clean draft waits", "clean drafts wait"));
    struct view *table = table_begin(
        call->view, "batches", "Batch|Started|#Filings|#Drawn|#Faults|#Left|#Accepted|State",
        "No batch was started.");
    for (size_t i = 0; i < batches.count; i++)
        put_batch(table_row(table), &batches.items[i], call->now_ms);
    return OK;
}

static enum err run_start(const struct act *act, void *ctx)
{
    struct batch_job *job = ctx;
    return batch_start(&job->base.desk, job->choices, job->sample, &job->no, act->fail);
}

/* A refusal stands above the form. */
static enum err settle(struct page_call *call, enum err err, const struct fail *fail)
{
    if (err != ERR_REFUSED && err != ERR_INVALID)
        return err;
    page_fault(call, NULL, fail->text);
    return OK;
}

enum err desk_batches_act(struct page_call *call, struct fail *fail)
{
    struct batch_job job = {.no = 0};
    struct batch_choices choices;
    int64_t size = form_number(call->form, "size", 1, FILINGS_MAX);
    job.sample = form_number(call->form, "sample", 1, BATCH_SAMPLE_MAX);
    job.choices = &choices;
    if (form_is_faulty(call->form))
        return OK;
    desk_job_init(call, &job.base);
    job.base.desk.db = call->db;
    enum err err = batch_choose(&job.base.desk, size, NULL, call->arena, &choices, fail);
    if (!err)
        err = desk_write_blind(&job.base, run_start, fail);
    if (!err)
        page_redirect(
            call, arena_fmt(call->arena, "%.*s/%lld", STR_ARG(PATH), (long long)job.no),
            FLASH_BATCH_STARTED);
    return settle(call, err, fail);
}

/* --- one batch */

static enum err read_number(struct page_call *call, int64_t *ret, struct fail *fail)
{
    return str_to_i64(call->segments[0], ret) && *ret > 0
               ? OK
               : fail_set(fail, ERR_NOT_FOUND, "there is no such batch");
}

static size_t put_drafts(
    struct page_call *call, const char *name, const struct batch_draft_list *drafts, bool drawn)
{
    size_t count = 0;
    struct view *table =
        table_begin(call->view, name, "Filing|Member|#Rows|Found", "No draft was drawn.");
    for (size_t i = 0; i < drafts->count; i++) {
        const struct batch_draft *d = &drafts->items[i];
        if (!drawn && d->drawn)
            continue;
        count++;
        struct view *row = table_row(table);
        view_str(row, "id", d->filing_id);
        view_str(row, "name", d->name);
        view_count(row, "rows", d->rows);
        view_str(row, "outcome", batch_outcome_name(d->outcome));
        view_bool(row, "waits", d->outcome == BATCH_DRAFT_WAITING);
        view_str(row, "by", d->by);
        view_str(row, "reason", d->reason);
    }
    return count;
}

enum err desk_batch_load(struct page_call *call, struct fail *fail)
{
    struct batch b;
    struct batch_draft_list drawn = {.count = 0}, left = {.count = 0};
    int64_t no = 0;
    form_show(call->view, call->form, "reason", STR_NULL);
    form_show_faults(call->view, call->form);
    TRY(read_number(call, &no, fail));
    TRY(batch_find(call->db, no, call->arena, &b, fail));
    TRY(batch_drafts(call->db, no, BATCH_DRAWN, SHOWN_MAX, call->arena, &drawn, fail));
    TRY(batch_drafts(call->db, no, BATCH_LEFT, SHOWN_MAX, call->arena, &left, fail));
    view_bool(call->view, "isOn", call->config->batch_review);
    put_batch(call->view, &b, call->now_ms);
    put_drafts(call, "drawn", &drawn, true);
    view_bool(call->view, "anyGone", put_drafts(call, "gone", &left, false) > 0);
    for (size_t i = 0; i < drawn.count && b.state == BATCH_OPEN; i++)
        if (drawn.items[i].outcome == BATCH_DRAFT_WAITING) {
            view_str(call->view, "next", drawn.items[i].filing_id);
            break;
        }
    return OK;
}

static enum err run_look(const struct act *act, void *ctx)
{
    struct batch_job *job = ctx;
    return batch_look(&job->base.desk, job->no, &job->finding, &job->outcome, act->fail);
}

static enum err run_return(const struct act *act, void *ctx)
{
    struct batch_job *job = ctx;
    return batch_return(&job->base.desk, job->no, job->finding.reason, act->fail);
}

static enum err run_begin(const struct act *act, void *ctx)
{
    struct batch_job *job = ctx;
    return batch_accept_begin(&job->base.desk, job->no, &job->ready, act->fail);
}

static enum err run_one(const struct act *act, void *ctx)
{
    struct batch_job *job = ctx;
    return batch_accept_one(&job->base.desk, job->no, job->item, act->fail);
}

static enum err run_leave(const struct act *act, void *ctx)
{
    struct batch_job *job = ctx;
    return batch_leave(&job->base.desk, job->no, job->item, job->why, act->fail);
}

static enum err run_finish(const struct act *act, void *ctx)
{
    struct batch_job *job = ctx;
    return batch_accept_finish(
        &job->base.desk, job->no, &job->batch, job->base.call->arena, act->fail);
}

/* The session or the role ended meanwhile. */
static bool is_unwritten(const struct page_call *call)
{
    return call->reply->no_write != PROBLEM_COUNT;
}

/* Each draft is a job of its own, so that one that cannot be accepted leaves the others as they
 * are. */
static enum err accept_some(struct batch_job *job, struct fail *fail)
{
    struct page_call *call = job->base.call;
    struct batch_draft_list items = {.count = 0};
    enum err err = desk_write_blind(&job->base, run_begin, fail);
    if (!err && job->ready)
        err = batch_drafts(
            call->db, job->no, BATCH_STILL, ACCEPTED_AT_ONCE, call->arena, &items, fail);
    for (size_t i = 0; i < items.count && !err; i++) {
        struct fail why = {0};
        job->item = items.items + i;
        err = desk_write_blind(&job->base, run_one, &why);
        job->why = str_from(why.text);
        if (is_unwritten(call))
            return err;
        if (batch_is_of_draft(err))
            err = desk_write_blind(&job->base, run_leave, fail);
        else if (err)
            err = fail_set(fail, err, "%s", why.text);
    }
    return err ? err : desk_write_blind(&job->base, run_finish, fail);
}

enum err desk_batch_act(struct page_call *call, struct fail *fail)
{
    struct batch_job job = {.no = 0};
    struct str action = form_value(call->form, "do");
    enum flash flash = FLASH_BATCH_LOOKED;
    TRY(read_number(call, &job.no, fail));
    enum err err = OK;
    desk_job_init(call, &job.base);
    job.finding = (struct batch_finding){
        .filing_id = form_value(call->form, "filing"),
        .fault = str_eq(action, STR("fault")),
        .reason = str_trim(form_value(call->form, "reason")),
    };
    if (str_eq(action, STR("right")) || job.finding.fault) {
        err = desk_write_blind(&job.base, run_look, fail);
        flash = desk_batch_flash(job.outcome);
    } else if (str_eq(action, STR("accept"))) {
        err = accept_some(&job, fail);
        flash = job.batch.state == BATCH_RETURNED ? FLASH_BATCH_RETURNED : FLASH_BATCH_ACCEPTED;
    } else if (str_eq(action, STR("return"))) {
        err = desk_write_blind(&job.base, run_return, fail);
        flash = FLASH_BATCH_RETURNED;
    } else {
        err = fail_set(fail, ERR_INVALID, "\"do\" must be right, fault, accept or return");
    }
    if (!err)
        page_redirect(
            call, arena_fmt(call->arena, "%.*s/%lld", STR_ARG(PATH), (long long)job.no), flash);
    return settle(call, err, fail);
}
