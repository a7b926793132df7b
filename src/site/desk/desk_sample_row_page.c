/* /desk/sample/{row}: a published row that is typed again without seeing it, and then compared. */
#include "site/frame/handlers.h"

#include "market/trade_words.h"
#include "review/correct.h"
#include "site/desk/desk_blind.h"
#include "site/desk/desk_compare.h"
#include "site/desk/desk_sample.h"
#include "site/desk/desk_stored.h"
#include "site/desk/desk_typed.h"
#include "site/frame/pictures.h"
#include "site/frame/trade_source_view.h"

static const char *const verdict_words[SAMPLE_VERDICT_COUNT] = {
    [SAMPLE_UNDECIDED] = "not decided",
    [SAMPLE_PUBLISHED_WRONG] = "Published wrong",
    [SAMPLE_ENTRY_WRONG] = "Mistyped",
    [SAMPLE_NOT_READABLE] = "Cannot be read",
};

static int64_t row_number(const struct page_call *call)
{
    int64_t no = 0;
    return str_to_i64(call->segments[0], &no) && no > 0 ? no : 0;
}

static struct desk desk_of(const struct page_call *call, struct db *db)
{
    return (struct desk){.db = db, .by = call->visitor.account.email, .now_ms = call->now_ms};
}

static const char *verdict_field(struct page_call *call, enum blind_field field)
{
    return arena_fmt(call->arena, "verdict_%s", blind_field_name(field).p).p;
}

static const char *new_field(struct page_call *call, enum blind_field field)
{
    return arena_fmt(call->arena, "new_%s", blind_field_name(field).p).p;
}

static struct str fault_of(const struct form *form, const char *name)
{
    for (const struct form_complaint *c = form ? form->complaints : NULL; c; c = c->next)
        if (str_eq(c->name, str_from(name)))
            return c->text;
    return STR_NULL;
}

/* --- what the page shows */

static struct str words_of(const struct blind_row *row, enum blind_field field, struct arena *arena)
{
    char space[ROW_FIELD_TEXT_MAX];
    struct str words = field == BLIND_NOTIFIED
                           ? arena_str(arena, blind_text(row, field, space))
                           : desk_field_words(&row->values, blind_row_field(field), arena);
    return words.n ? words : STR("not stated");
}

static void put_verdict(struct page_call *call, struct view *row, enum blind_field field)
{
    static const struct form_option options[] = {
        {STR_INIT("published"), STR_INIT("What is published is wrong")},
        {STR_INIT("entry"), STR_INIT("What was typed is wrong")},
        {STR_INIT("unreadable"), STR_INIT("It cannot be read")}};
    const char *name = verdict_field(call, field);
    struct str chosen = call->form ? form_value(call->form, name) : STR_NULL;
    struct view *list = view_list(row, "options");
    view_text(row, "verdictName", name);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct view *option = view_item(list);
        view_text(option, "name", name);
        view_str(option, "value", options[i].value);
        view_str(option, "label", options[i].label);
        view_bool(option, "selected", str_eq(chosen, options[i].value));
    }
}

static void put_comparison(struct page_call *call, const struct sample_view *sample)
{
    struct view *list = view_list(call->view, "compared");
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        enum blind_field field = (enum blind_field)f;
        if (field == BLIND_NOTIFIED && sample->row.chamber != CHAMBER_HOUSE)
            continue;
        struct view *row = view_item(list);
        view_str(row, "label", blind_field_words((enum blind_field)f));
        view_str(row, "published", words_of(&sample->published, field, call->arena));
        view_str(row, "entered", words_of(&sample->entered, field, call->arena));
        view_bool(row, "differs", sample->differs[f]);
        view_bool(
            row, "uncompared",
            blind_compare(&sample->entered, &sample->published, field) == BLIND_NOT_COMPARED);
        if (sample->differs[f] && sample->row.state == SAMPLE_DIFFERS && !sample->is_own)
            put_verdict(call, row, field);
        else if (sample->differs[f])
            view_text(row, "verdict", verdict_words[sample->verdicts[f]]);
    }
}

/* A field that `correct` can set, and whose public value is still the wrong one. */
static bool is_correctable(const struct sample_view *sample, enum blind_field field)
{
    enum row_field of = blind_row_field(field);
    return sample->verdicts[field] == SAMPLE_PUBLISHED_WRONG && of != ROW_FIELD_COUNT &&
           row_field_equal(&sample->now, &sample->published.values, of);
}

/* The right value, as it was typed: the person may write it otherwise. */
static void put_correction(
    struct page_call *call, struct view *row, const struct sample_view *sample,
    enum blind_field field)
{
    char space[ROW_FIELD_TEXT_MAX];
    const char *name = new_field(call, field);
    struct str posted = call->form ? form_value(call->form, name) : STR_NULL;
    struct str typed = blind_text(&sample->entered, field, space);
    struct str value = arena_str(call->arena, str_is_null(posted) ? typed : posted);
    view_text(row, "name", name);
    view_str(row, "label", blind_field_words(field));
    view_str(row, "now", words_of(&sample->published, field, call->arena));
    view_bool(row, "anyOptions", desk_blind_options(call, row, field, value));
    view_typed(row, "value", value);
    view_str(row, "error", fault_of(call->form, name));
}

static void put_corrections(struct page_call *call, const struct sample_view *sample)
{
    struct view *list = view_list(call->view, "corrections");
    bool any = false;
    if (sample->row.state != SAMPLE_WRONG || sample->withdrawn)
        return;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        if (!is_correctable(sample, (enum blind_field)f))
            continue;
        put_correction(call, view_item(list), sample, (enum blind_field)f);
        any = true;
    }
    view_bool(call->view, "anyCorrection", any);
    if (any)
        form_show(
            call->view, call->form, "reason",
            STR("The daily sample found it: the document states otherwise."));
}

/* The picture of the row, or the text of the page where there is none. */
static enum err put_document(
    struct page_call *call, const struct sample_view *sample, struct fail *fail)
{
    struct kept_document document;
    struct desk_stored ignored;
    enum err err = kept_document_of_trade(call->db, sample->row.trade_id, &document, fail);
    if (!err) {
        view_str(
            call->view, "strip",
            arena_fmt(call->arena, "/desk/sample/%lld/row.png", (long long)sample->row.no));
        view_str(
            call->view, "wholePage",
            arena_fmt(
                call->arena, "/desk/%.*s/pages/%d.png", STR_ARG(sample->filing_id),
                sample->page ? sample->page : 1));
        return OK;
    }
    if (err == ERR_NOT_FOUND)
        err = kept_document_of_draft(call->db, sample->filing_id, &document, fail);
    if (!err)
        return desk_stored_put(call, &document, sample->number, &ignored, fail);
    if (err != ERR_NOT_FOUND)
        return err;
    trade_printed_put(call->view, sample->printed);
    view_bool(call->view, "noPicture", true);
    return OK;
}

static void put_facts(struct page_call *call, const struct sample_view *sample)
{
    const struct sample_row *row = &sample->row;
    struct view *view = call->view;
    bool ended = row->ended_at != INSTANT_NONE;
    view_count(view, "no", row->no);
    view_str(view, "filingId", sample->filing_id);
    view_str(view, "tradeId", row->trade_id);
    view_count(view, "number", sample->number);
    view_count(view, "page", sample->page);
    view_bool(view, "hasPage", sample->page > 0);
    view_str(view, "url", sample->url);
    view_str(view, "chamber", words_chamber(row->chamber));
    view_str(view, "kind", sample_kind_name(row->kind));
    view_ago(view, "drawnAt", row->drawn_at, call->now_ms);
    view_bool(view, "isOwn", sample->is_own);
    view_bool(view, "open", row->state == SAMPLE_OPEN && !sample->is_own);
    view_bool(view, "differs", row->state == SAMPLE_DIFFERS && !sample->is_own);
    view_bool(view, "typedOnce", row->entered_at != INSTANT_NONE && !(sample->is_own && !ended));
    view_bool(view, "ended", ended);
    view_bool(view, "isRight", row->state == SAMPLE_RIGHT);
    view_bool(view, "isWrong", row->state == SAMPLE_WRONG);
    view_bool(view, "isUnreadable", row->state == SAMPLE_UNREADABLE);
    view_bool(view, "isSkipped", row->state == SAMPLE_SKIPPED);
    view_bool(view, "isExpired", row->state == SAMPLE_EXPIRED);
    view_str(view, "why", row->reason);
    view_str(view, "enteredBy", row->entered_by);
    view_str(view, "judgedBy", row->judged_by);
    view_bool(view, "withdrawn", sample->withdrawn && row->entered_at != INSTANT_NONE);
    view_bool(view, "corrected", sample->corrected && row->entered_at != INSTANT_NONE);
    view_str(view, "mark", sample_state_name(row->state));
    view_str(view, "path", desk_sample_address(call, row->no));
}

/* Nothing of the published row is in the view of a row that is open, or that the person may not
 * type. */
enum err desk_sample_row_load(struct page_call *call, struct fail *fail)
{
    struct sample_view *sample = ARENA_NEW(call->arena, struct sample_view);
    const struct desk desk = desk_of(call, call->db);
    const struct form *posted = call->form;
    int64_t no = row_number(call);
    if (!no)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    TRY(sample_show(&desk, no, call->arena, sample, fail));
    page_title(call, arena_fmt(call->arena, "Row %lld of the sample", (long long)no));
    put_facts(call, sample);
    form_show_faults(call->view, call->form);
    bool open = sample->row.state == SAMPLE_OPEN;
    if (open && !sample->is_own) {
        if (!posted)
            TRY(desk_typed_load(call, sample_state_name(sample->row.state), &posted, fail));
        desk_blind_put(call, call->view, sample->row.chamber, posted);
        form_show(call->view, posted, "why", STR_NULL);
    } else if (
        sample->row.entered_at != INSTANT_NONE && !(sample->is_own && !sample->row.ended_at)) {
        put_comparison(call, sample);
        put_corrections(call, sample);
    }
    return put_document(call, sample, fail);
}

enum err desk_sample_picture_load(struct page_call *call, struct fail *fail)
{
    struct sample_view *sample = ARENA_NEW(call->arena, struct sample_view);
    const struct desk desk = desk_of(call, call->db);
    struct picture picture = {.row = 0};
    int64_t no = row_number(call);
    if (!no)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    TRY(sample_show(&desk, no, call->arena, sample, fail));
    TRY(kept_document_of_trade(call->db, sample->row.trade_id, &picture.document, fail));
    picture.row = sample->number;
    picture.page = sample->page;
    TRY(kept_scan_row(
        call->db, &picture.document, sample->filing_id, sample->number, &picture.scan, fail));
    return pictures_answer(call, &picture, fail);
}

/* --- what a person does */

struct sample_page_job {
    struct desk_job base;
    int64_t no;
    struct blind_row typed;
    enum sample_verdict verdicts[BLIND_FIELD_COUNT];
    enum sample_state state; /* afterwards */
};

static enum err go_on(const struct act *act, struct sample_page_job *job)
{
    TRY(desk_typed_forget(act, &job->base));
    return desk_sample_next(job->base.call, act->db, job->no, &job->base.next, act->fail);
}

static enum err run_type(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    TRY(sample_type(&job->base.desk, job->no, &job->typed, &job->state, act->fail));
    return go_on(act, job);
}

static enum err show(const struct act *act, struct sample_page_job *job, struct sample_view **ret)
{
    *ret = ARENA_NEW(act->arena, struct sample_view);
    return sample_show(&job->base.desk, job->no, act->arena, *ret, act->fail);
}

/* Each field that differs needs a verdict. */
static enum err check_verdicts(const struct act *act, struct sample_page_job *job)
{
    struct page_call *call = job->base.call;
    struct sample_view *sample;
    TRY(show(act, job, &sample));
    for (int f = 0; f < BLIND_FIELD_COUNT; f++)
        if (sample->row.state == SAMPLE_DIFFERS && sample->differs[f] && !job->verdicts[f])
            form_fault_text(
                call->form, verdict_field(call, (enum blind_field)f),
                "%.*s: choose what is wrong, or that it cannot be read.",
                STR_ARG(blind_field_words((enum blind_field)f)));
    return form_is_faulty(call->form) ? fail_set(act->fail, ERR_INVALID, "a verdict is missing")
                                      : OK;
}

static enum err run_decide(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    TRY(check_verdicts(act, job));
    TRY(sample_decide(&job->base.desk, job->no, job->verdicts, &job->state, act->fail));
    return go_on(act, job);
}

static enum err run_skip(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    struct str why = form_value(job->base.call->form, "why");
    job->state = SAMPLE_SKIPPED;
    TRY(sample_pass(&job->base.desk, job->no, why, act->fail));
    return go_on(act, job);
}

/* Reads the fields that the page offers: those that are not sent are as they were typed. */
static void read_corrections(
    struct page_call *call, const struct sample_view *sample, struct blind_row *ret)
{
    struct form *form = call->form;
    *ret = sample->entered;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        enum blind_field field = (enum blind_field)f;
        const char *name = new_field(call, field);
        struct str value = form_value(form, name);
        struct fail why;
        if (str_is_null(value) || !is_correctable(sample, field) ||
            !blind_set(ret, field, value, call->arena, &why))
            continue;
        desk_blind_label(&why);
        form_fault(form, name, &why);
    }
}

static enum err run_correct(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    struct page_call *call = job->base.call;
    const struct desk *desk = &job->base.desk;
    struct sample_view *sample;
    struct blind_row right;
    struct correct_result result = {0};
    TRY(show(act, job, &sample));
    read_corrections(call, sample, &right);
    if (form_is_faulty(call->form))
        return fail_set(act->fail, ERR_INVALID, "a correction is not valid");
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        char space[ROW_FIELD_TEXT_MAX];
        enum blind_field field = (enum blind_field)f;
        struct str value = blind_text(&right, field, space);
        if (sample->row.state != SAMPLE_WRONG || !is_correctable(sample, field))
            continue;
        enum err err = correct(
            act->db, sample->row.trade_id, blind_field_name(field),
            str_is_null(value) ? STR("") : value, desk->by, form_value(call->form, "reason"),
            desk->now_ms, &result, act->fail);
        if (err) {
            desk_blind_label(act->fail);
            return err;
        }
    }
    return result.fields ? OK
                         : fail_set(act->fail, ERR_REFUSED, "there is nothing to correct any more");
}

static bool read_verdicts(struct sample_page_job *job)
{
    struct page_call *call = job->base.call;
    struct form *form = call->form;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        const char *name = verdict_field(call, (enum blind_field)f);
        struct str value = form_value(form, name);
        if (value.n && !sample_verdict_from_name(value, &job->verdicts[f]))
            form_fault_text(form, name, "Choose what is wrong, or that it cannot be read.");
    }
    return !form_is_faulty(form);
}

static const struct desk_do dos[] = {
    {STR_INIT("type"), run_type},
    {STR_INIT("decide"), run_decide},
    {STR_INIT("skip"), run_skip},
    {STR_INIT("correct"), run_correct, FLASH_SAMPLE_CORRECTED, true},
    {STR_INIT("keep"), desk_typed_keep_unsent, FLASH_NONE, true},
    {STR_INIT("discard"), desk_typed_forget, FLASH_NONE, true},
};

static enum flash flash_of(enum sample_state state)
{
    return state == SAMPLE_RIGHT        ? FLASH_SAMPLE_RIGHT
           : state == SAMPLE_UNREADABLE ? FLASH_SAMPLE_UNREADABLE
           : state == SAMPLE_SKIPPED    ? FLASH_SAMPLE_SKIPPED
                                        : FLASH_NONE;
}

enum err desk_sample_row_act(struct page_call *call, struct fail *fail)
{
    struct sample_page_job job = {.no = row_number(call)};
    if (!job.no)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    const struct desk_do *found = DESK_DO(call, dos, fail);
    if (!found)
        return ERR_INVALID;
    desk_job_init(call, &job.base);
    if ((found->run == run_type && !desk_blind_read(call, call->form, &job.typed)) ||
        (found->run == run_decide && !read_verdicts(&job)))
        return OK;
    enum err err = desk_write_blind(&job.base, found->run, fail);
    if (err)
        return err == ERR_INVALID && form_is_faulty(call->form) ? OK : err;
    /* A row that differs or is wrong stays open in the browser: there is more to do. */
    bool stays = found->stays || job.state == SAMPLE_DIFFERS || job.state == SAMPLE_WRONG;
    page_redirect(
        call, stays ? desk_sample_address(call, job.no) : job.base.next,
        found->stays ? found->flash : flash_of(job.state));
    return OK;
}
