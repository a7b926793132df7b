/* /desk/sample/{row}: a published row that is typed again without seeing it, and then compared. */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "market/trade_words.h"
#include "review/correct.h"
#include "site/desk/desk_blind.h"
#include "site/desk/desk_compare.h"
#include "site/desk/desk_sample.h"
#include "site/desk/desk_stored.h"
#include "site/desk/desk_typed.h"
#include "site/frame/page_call_parts.h"
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
    view_str(view, "path", arena_fmt(call->arena, "/desk/sample/%lld", (long long)row->no));
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
    enum err err = sample_show(&desk, no, call->arena, sample, fail);
    if (err)
        return err;
    page_title(call, arena_fmt(call->arena, "Row %lld of the sample", (long long)no));
    put_facts(call, sample);
    form_show_faults(call->view, call->form);
    bool open = sample->row.state == SAMPLE_OPEN;
    if (open && !sample->is_own) {
        if (!posted)
            err = desk_typed_load(call, sample_state_name(sample->row.state), &posted, fail);
        desk_blind_put(call, call->view, sample->row.chamber, posted);
        form_show(call->view, posted, "why", STR_NULL);
    } else if (
        sample->row.entered_at != INSTANT_NONE && !(sample->is_own && !sample->row.ended_at)) {
        put_comparison(call, sample);
        put_corrections(call, sample);
    }
    return err ? err : put_document(call, sample, fail);
}

enum err desk_sample_picture_load(struct page_call *call, struct fail *fail)
{
    struct sample_view *sample = ARENA_NEW(call->arena, struct sample_view);
    const struct desk desk = desk_of(call, call->db);
    struct picture picture = {.row = 0};
    int64_t no = row_number(call);
    if (!no)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    enum err err = sample_show(&desk, no, call->arena, sample, fail);
    if (!err)
        err = kept_document_of_trade(call->db, sample->row.trade_id, &picture.document, fail);
    picture.row = sample->number;
    picture.page = sample->page;
    if (!err)
        err = kept_scan_row(
            call->db, &picture.document, sample->filing_id, sample->number, &picture.scan, fail);
    return err ? err : pictures_answer(call, &picture, fail);
}

/* --- what a person does */

struct sample_page_job {
    struct page_call *call;
    int64_t no;
    struct blind_row typed;
    enum sample_verdict verdicts[BLIND_FIELD_COUNT];
    enum sample_state state; /* afterwards */
    struct str next;
};

static enum err go_on(struct sample_page_job *job, struct db *db, struct fail *fail)
{
    TRY(desk_typed_forget(job->call, db, fail));
    return desk_sample_next(job->call, db, job->no, &job->next, fail);
}

static enum err run_type(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    const struct desk desk = desk_of(job->call, act->db);
    TRY(sample_type(&desk, job->no, &job->typed, &job->state, act->fail));
    return go_on(job, act->db, act->fail);
}

/* Each field that differs needs a verdict. */
static enum err check_verdicts(
    struct sample_page_job *job, const struct desk *desk, struct fail *fail)
{
    struct page_call *call = job->call;
    struct sample_view *sample = ARENA_NEW(call->arena, struct sample_view);
    enum err err = sample_show(desk, job->no, call->arena, sample, fail);
    for (int f = 0; f < BLIND_FIELD_COUNT && !err; f++)
        if (sample->row.state == SAMPLE_DIFFERS && sample->differs[f] && !job->verdicts[f])
            form_fault_text(
                call->form, verdict_field(call, (enum blind_field)f),
                "%.*s: choose what is wrong, or that it cannot be read.",
                STR_ARG(blind_field_words((enum blind_field)f)));
    if (!err && form_is_faulty(call->form))
        err = fail_set(fail, ERR_INVALID, "a verdict is missing");
    return err;
}

static enum err run_decide(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    const struct desk desk = desk_of(job->call, act->db);
    TRY(check_verdicts(job, &desk, act->fail));
    TRY(sample_decide(&desk, job->no, job->verdicts, &job->state, act->fail));
    return go_on(job, act->db, act->fail);
}

static enum err run_skip(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    const struct desk desk = desk_of(job->call, act->db);
    enum err err = sample_pass(&desk, job->no, form_value(job->call->form, "why"), act->fail);
    job->state = SAMPLE_SKIPPED;
    return err ? err : go_on(job, act->db, act->fail);
}

static enum err run_keep(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    return desk_typed_keep_unsent(job->call, act->db, act->fail);
}

static enum err run_discard(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    return desk_typed_forget(job->call, act->db, act->fail);
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

static enum err correct_field(
    struct sample_page_job *job, const struct desk *desk, const struct sample_view *sample,
    const struct blind_row *right, enum blind_field field, struct correct_result *result,
    struct fail *fail)
{
    char space[ROW_FIELD_TEXT_MAX];
    struct str value = blind_text(right, field, space);
    enum err err = correct(
        desk->db, sample->row.trade_id, blind_field_name(field),
        str_is_null(value) ? STR("") : value, desk->by, form_value(job->call->form, "reason"),
        desk->now_ms, result, fail);
    if (err)
        desk_blind_label(fail);
    return err;
}

static enum err run_correct(const struct act *act, void *ctx)
{
    struct sample_page_job *job = ctx;
    struct page_call *call = job->call;
    struct sample_view *sample = ARENA_NEW(call->arena, struct sample_view);
    struct blind_row right;
    const struct desk desk = desk_of(call, act->db);
    struct correct_result result = {0};
    enum err err = sample_show(&desk, job->no, call->arena, sample, act->fail);
    if (err)
        return err;
    read_corrections(call, sample, &right);
    if (form_is_faulty(call->form))
        return fail_set(act->fail, ERR_INVALID, "a correction is not valid");
    for (int f = 0; f < BLIND_FIELD_COUNT && !err; f++)
        if (sample->row.state == SAMPLE_WRONG && is_correctable(sample, (enum blind_field)f))
            err =
                correct_field(job, &desk, sample, &right, (enum blind_field)f, &result, act->fail);
    if (!err && !result.fields)
        err = fail_set(act->fail, ERR_REFUSED, "there is nothing to correct any more");
    return err;
}

static bool read_verdicts(struct sample_page_job *job)
{
    struct form *form = job->call->form;
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        const char *name = verdict_field(job->call, (enum blind_field)f);
        struct str value = form_value(form, name);
        if (value.n && !sample_verdict_from_name(value, &job->verdicts[f]))
            form_fault_text(form, name, "Choose what is wrong, or that it cannot be read.");
    }
    return !form_is_faulty(form);
}

static const struct sample_do {
    struct str name; /* the field `do` */
    act_run *run;
} dos[] = {
    {STR_INIT("type"), run_type},       {STR_INIT("decide"), run_decide},
    {STR_INIT("skip"), run_skip},       {STR_INIT("keep"), run_keep},
    {STR_INIT("discard"), run_discard}, {STR_INIT("correct"), run_correct},
};

static enum flash flash_of(enum sample_state state)
{
    return state == SAMPLE_RIGHT        ? FLASH_SAMPLE_RIGHT
           : state == SAMPLE_UNREADABLE ? FLASH_SAMPLE_UNREADABLE
           : state == SAMPLE_SKIPPED    ? FLASH_SAMPLE_SKIPPED
                                        : FLASH_NONE;
}

/* A row that differs or is wrong stays open in the browser: there is more to do. */
static void answer(struct sample_page_job *job, act_run *run)
{
    struct page_call *call = job->call;
    struct str here = arena_fmt(call->arena, "/desk/sample/%lld", (long long)job->no);
    bool stays = run == run_keep || run == run_discard || run == run_correct ||
                 job->state == SAMPLE_DIFFERS || job->state == SAMPLE_WRONG;
    page_redirect(
        call, stays ? here : job->next,
        run == run_correct                      ? FLASH_SAMPLE_CORRECTED
        : run == run_keep || run == run_discard ? FLASH_NONE
                                                : flash_of(job->state));
}

enum err desk_sample_row_act(struct page_call *call, struct fail *fail)
{
    struct sample_page_job job = {.call = call, .no = row_number(call)};
    struct str what = form_value(call->form, "do");
    act_run *run = NULL;
    if (!job.no)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    for (size_t i = 0; i < sizeof dos / sizeof *dos && !run; i++)
        if (str_eq(dos[i].name, what))
            run = dos[i].run;
    if (!run)
        return fail_set(
            fail, ERR_INVALID, "\"do\" must be type, decide, skip, correct, keep or discard");
    if ((run == run_type && !desk_blind_read(call, call->form, &job.typed)) ||
        (run == run_decide && !read_verdicts(&job)))
        return OK;
    enum err err = page_write(call, run, &job, fail);
    if (!err)
        answer(&job, run);
    return err == ERR_INVALID && form_is_faulty(call->form) ? OK : err;
}
