/* /desk/{filing}/entry and /desk/{filing}/entry/{row}: a second person types a paper filing, a
 * third decides about differences. /desk/agreement: how often two entries agreed. */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "review/desk/double_entry.h"
#include "site/desk/desk_act.h"
#include "site/desk/desk_blind.h"
#include "site/desk/desk_draft_view.h"
#include "site/desk/desk_entry_view.h"
#include "site/desk/desk_look.h"
#include "site/desk/desk_typed.h"
#include "site/frame/page_query.h"
#include "store/public/kept_document.h"

enum { ROWS_MAX = 9999 };

struct entry_job {
    struct desk_job base;
    struct blind_row typed;
    int next; /* the row that is typed next; 0: all are */
    int64_t count;
};

static struct str path_of(struct page_call *call)
{
    return arena_fmt(call->arena, "/desk/%.*s/entry", STR_ARG(call->segments[0]));
}

/* --- the page */

/* An open row is marked on its page. */
static enum err put_sheet(
    struct page_call *call, const struct draft *draft, const struct draft_row_stored *row, int page,
    struct fail *fail)
{
    struct str filing = call->segments[0], here = http_request(call->x)->path;
    struct kept_document kept;
    int last;
    if (kept_document_of_draft(call->db, filing, &kept, NULL))
        return OK;
    TRY(desk_scan_last_page(call, draft, &last, fail));
    struct view *sheet = view_object(call->view, "sheet");
    view_int(sheet, "page", page);
    bool marked = row && row->place.width && row->page == page;
    struct str of_row = marked ? arena_fmt(call->arena, "/rows/%d", row->row) : STR("");
    view_fmt(sheet, "src", "/desk/%.*s%.*s/pages/%d.png", STR_ARG(filing), STR_ARG(of_row), page);
    if (page > 1)
        view_fmt(sheet, "previous", "%.*s?page=%d", STR_ARG(here), page - 1);
    if (page < last)
        view_fmt(sheet, "next", "%.*s?page=%d", STR_ARG(here), page + 1);
    return OK;
}

/* The row in the path, if the draft has it; NULL: none is open. The set of rows reveals how many
 * the first person has entered. So no row is open before the second person has counted them,
 * whatever the path says. */
static enum err read_row(
    struct page_call *call, const struct double_view *view, const struct draft_row_stored **ret,
    struct fail *fail)
{
    int64_t row = 0;
    bool told = false;
    *ret = NULL;
    enum err err =
        call->segments[1].n ? desk_entry_tells_rows(call, call->segments[0], &told, fail) : OK;
    if (err || !told)
        return err;
    bool is_number = str_to_i64(call->segments[1], &row);
    for (size_t i = 0; is_number && i < view->rows.count; i++)
        if (view->rows.items[i].row == row) {
            *ret = &view->rows.items[i];
            return OK;
        }
    return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
}

enum err desk_entry_load(struct page_call *call, struct fail *fail)
{
    static const struct page_query_name names[] = {{"page", NULL}};
    struct double_view *view = ARENA_NEW(call->arena, struct double_view);
    const struct draft_row_stored *row = NULL;
    struct form *query = NULL;
    if (!call->form) {
        query = page_query_form(call, http_request(call->x)->path, names, 1);
        if (!query)
            return OK;
    }
    TRY(double_entry_show(call->db, call->segments[0], call->arena, view, fail));
    TRY(read_row(call, view, &row, fail));
    if (!row && call->segments[1].n && !call->form) {
        page_redirect(call, path_of(call), FLASH_NONE);
        return OK;
    }
    int page = row && row->page ? row->page : 1;
    if (query && !str_is_null(form_value(query, "page")))
        page = (int)form_number(query, "page", 1, DESK_PAGE_MAX);
    view_str(call->view, "path", path_of(call));
    TRY(put_sheet(call, &view->draft, row, page, fail));
    desk_look_note(call, 0, row ? row->row : 0);
    return desk_entry_put(call, view, row ? row->row : 0, fail);
}

/* --- what is done on it */

static enum err show(const struct act *act, const struct entry_job *job, struct double_view *ret)
{
    return double_entry_show(act->db, job->base.filing_id, act->arena, ret, act->fail);
}

/* An answer about a row says whether the draft has it: so the second person counts the rows first,
 * as the page asks. */
static enum err store_row(
    const struct act *act, struct entry_job *job, const struct blind_row *typed)
{
    struct desk_job *base = &job->base;
    enum draft_entry entry = DRAFT_ENTRY_NONE;
    struct double_view view;
    TRY(desk_lock(act, base));
    TRY(show(act, job, &view));
    if (view.draft.entry == DRAFT_ENTRY_SECOND && str_is_null(view.counted))
        return fail_set(act->fail, ERR_REFUSED, "count the rows of all pages first");
    TRY(double_entry_type(&base->desk, base->filing_id, base->row, typed, &entry, act->fail));
    TRY(desk_typed_forget(act, base));
    if (entry == DRAFT_ENTRY_TWICE)
        base->flash = FLASH_ENTRIES_AGREE;
    TRY(show(act, job, &view));
    job->next = view.draft.entry == DRAFT_ENTRY_SECOND ? desk_entry_next(&view, base->row) : 0;
    return OK;
}

static enum err run_type(const struct act *act, void *ctx)
{
    struct entry_job *job = ctx;
    return store_row(act, job, &job->typed);
}

static enum err run_absent(const struct act *act, void *job)
{
    return store_row(act, job, NULL);
}

static enum flash flash_of(enum draft_entry entry)
{
    static const enum flash flashes[DRAFT_ENTRY_COUNT] = {
        [DRAFT_ENTRY_NONE] = FLASH_ENTRY_RETURNED,
        [DRAFT_ENTRY_SECOND] = FLASH_DECIDED,
        [DRAFT_ENTRY_THIRD] = FLASH_ENTRIES_DIFFER,
        [DRAFT_ENTRY_TWICE] = FLASH_ENTRIES_AGREE,
    };
    return flashes[entry];
}

static enum err run_finish(const struct act *act, void *ctx)
{
    struct entry_job *job = ctx;
    struct desk_job *base = &job->base;
    enum draft_entry entry = DRAFT_ENTRY_NONE;
    TRY(desk_lock(act, base));
    TRY(double_entry_count(&base->desk, base->filing_id, (int)job->count, &entry, act->fail));
    base->flash = entry == DRAFT_ENTRY_SECOND ? FLASH_SAVED : flash_of(entry);
    return OK;
}

/* The texts are those that the page showed. */
static enum err check_shown(const struct act *act, struct entry_job *job, int row, struct str field)
{
    struct double_view view;
    TRY(show(act, job, &view));
    for (size_t i = 0; i < view.difference_count; i++) {
        char mark[DESK_ENTRY_MARK_SIZE];
        const struct double_difference *d = &view.differences[i];
        desk_entry_mark(d, mark);
        if (d->row == row && str_eq(d->field, field) &&
            str_eq(form_value(job->base.call->form, "mark"), str_of(mark, sizeof mark)))
            return OK;
    }
    return fail_set(
        act->fail, ERR_REFUSED, "this difference changed after you opened the page: decide again");
}

static enum err decide(
    const struct act *act, struct entry_job *job, struct str field, struct str value)
{
    struct desk_job *base = &job->base;
    int row = (int)form_number(base->call->form, "row", 0, ROWS_MAX);
    enum draft_entry entry = DRAFT_ENTRY_NONE;
    TRY(desk_lock(act, base));
    TRY(check_shown(act, job, row, field));
    TRY(double_entry_decide(&base->desk, base->filing_id, row, field, value, &entry, act->fail));
    base->flash = entry == DRAFT_ENTRY_THIRD ? FLASH_DECIDED : flash_of(entry);
    return OK;
}

static enum err run_decide(const struct act *act, void *ctx)
{
    struct entry_job *job = ctx;
    struct form *form = job->base.call->form;
    struct str other = str_trim(form_value(form, "other"));
    struct str value = other.n ? other : form_value(form, "value");
    if (str_is_null(value))
        return fail_set(
            act->fail, ERR_INVALID, "choose one of the two texts, or type what the page shows");
    enum err err = decide(act, job, form_value(form, "field"), value);
    if (err)
        desk_blind_label(act->fail);
    return err;
}

static enum err run_take_over(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(desk_lock(act, job));
    job->next = arena_fmt(act->arena, "/desk/%.*s", STR_ARG(job->filing_id));
    return double_entry_take_over(&job->desk, job->filing_id, act->fail);
}

/* On the page of a row, and of the filing. */
static const struct desk_do row_dos[] = {
    {STR_INIT("type"), run_type, FLASH_ROW_SAVED, false},
    {STR_INIT("absent"), run_absent, FLASH_ROW_SAVED, false},
    {STR_INIT("keep"), desk_typed_keep_unsent, FLASH_NONE, true},
    {STR_INIT("discard"), desk_typed_forget, FLASH_NONE, true},
};
static const struct desk_do filing_dos[] = {
    {STR_INIT("finish"), run_finish},
    {STR_INIT("decide"), run_decide},
    {STR_INIT("take-over"), run_take_over, FLASH_DRAFT_CLAIMED},
};

static struct str go_on(struct page_call *call, const struct entry_job *job, bool stays)
{
    if (!str_is_null(job->base.next))
        return job->base.next;
    if (stays)
        return http_request(call->x)->path;
    struct str path = path_of(call);
    return job->next ? arena_fmt(call->arena, "%.*s/%d#row", STR_ARG(path), job->next) : path;
}

/* What the action reads of the form; false: it has a fault. */
static bool read_form(struct page_call *call, act_run *run, struct entry_job *job)
{
    if (run == run_type)
        return desk_blind_read(call, call->form, &job->typed);
    if (run == run_finish)
        job->count = form_number(call->form, "rows", 0, ROWS_MAX);
    return !form_is_faulty(call->form);
}

static enum err act(struct page_call *call, int row, struct fail *fail)
{
    struct entry_job *job = ARENA_NEW(call->arena, struct entry_job);
    const struct desk_do *found =
        row ? DESK_DO(call, row_dos, fail) : DESK_DO(call, filing_dos, fail);
    if (!found)
        return ERR_INVALID;
    desk_job_init(call, &job->base);
    job->base.row = row;
    if (!read_form(call, found->run, job))
        return OK;
    enum err err = desk_write_blind(&job->base, found->run, fail);
    if (!err)
        page_redirect(
            call, go_on(call, job, found->stays), job->base.flash ? job->base.flash : found->flash);
    return form_is_faulty(call->form) ? OK : err;
}

enum err desk_entry_act(struct page_call *call, struct fail *fail)
{
    return act(call, 0, fail);
}

enum err desk_entry_row_act(struct page_call *call, struct fail *fail)
{
    int64_t row = 0;
    if (!str_to_i64(call->segments[1], &row) || row < 1 || row > ROWS_MAX)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    return act(call, (int)row, fail);
}

/* --- agreement */

enum err desk_agreement_load(struct page_call *call, struct fail *fail)
{
    struct double_agreement agreement;
    TRY(double_entry_agreement(call->db, &agreement, fail));
    struct view *table = table_begin(
        call->view, "fields",
        "Field|#Agreed|#Differed|#As the first|#As the second|#As neither|#Open",
        "No field was compared.");
    for (size_t i = 0; i < DOUBLE_FIELD_COUNT; i++) {
        const int64_t *of = agreement.of[i];
        struct view *row = table_row(table);
        view_str(row, "field", double_entry_field_name(i));
        view_str(row, "words", double_entry_field_words(double_entry_field_name(i)));
        view_count(row, "agreed", of[ENTRY_AGREED]);
        view_count(row, "differed", double_entry_differed(of));
        view_count(row, "asFirst", of[ENTRY_FIRST]);
        view_count(row, "asSecond", of[ENTRY_SECOND]);
        view_count(row, "asNeither", of[ENTRY_NEITHER]);
        view_count(row, "open", of[ENTRY_DIFFERS]);
    }
    view_bool(call->view, "isOn", call->config->double_entry);
    return OK;
}
