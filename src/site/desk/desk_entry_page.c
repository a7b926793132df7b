/* /desk/{filing}/entry and /desk/{filing}/entry/{row}: a second person types a paper filing, a
 * third decides about differences. /desk/agreement: how often two entries agreed. */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "review/desk/double_agreement.h"
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

static struct entry_job *job_of(void *ctx)
{
    return ctx;
}

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
    enum err err = desk_scan_last_page(call, draft, &last, fail);
    struct view *sheet = view_object(call->view, "sheet");
    view_int(sheet, "page", page);
    bool marked = row && row->place.width && row->page == page;
    struct str of_row = marked ? arena_fmt(call->arena, "/rows/%d", row->row) : STR("");
    view_fmt(sheet, "src", "/desk/%.*s%.*s/pages/%d.png", STR_ARG(filing), STR_ARG(of_row), page);
    if (page > 1)
        view_fmt(sheet, "previous", "%.*s?page=%d", STR_ARG(here), page - 1);
    if (page < last)
        view_fmt(sheet, "next", "%.*s?page=%d", STR_ARG(here), page + 1);
    return err;
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

/* Another person may hold the draft. */
static enum err begin(struct entry_job *job, struct db *db, struct fail *fail)
{
    struct draft draft;
    job->base.desk.db = db;
    TRY(draft_lock(db, job->base.filing_id, job->base.call->arena, &draft, fail));
    return desk_check_claim(&job->base, &draft, fail);
}

static enum err find_next(struct entry_job *job, struct db *db, int row, struct fail *fail)
{
    struct double_view view;
    enum err err = double_entry_show(db, job->base.filing_id, job->base.call->arena, &view, fail);
    job->next = err || view.draft.entry != DRAFT_ENTRY_SECOND ? 0 : desk_entry_next(&view, row);
    return err;
}

/* As the page asks: an answer about a row says whether the draft has it. */
static enum err check_counted(struct entry_job *job, struct db *db, struct fail *fail)
{
    struct double_view view;
    TRY(double_entry_show(db, job->base.filing_id, job->base.call->arena, &view, fail));
    if (view.draft.entry == DRAFT_ENTRY_SECOND && str_is_null(view.counted))
        return fail_set(fail, ERR_REFUSED, "count the rows of all pages first");
    return OK;
}

static enum err store_row(
    struct entry_job *job, struct db *db, const struct blind_row *typed, struct fail *fail)
{
    enum draft_entry entry = DRAFT_ENTRY_NONE;
    enum err err = begin(job, db, fail);
    if (!err)
        err = check_counted(job, db, fail);
    if (!err)
        err = double_entry_type(
            &job->base.desk, job->base.filing_id, job->base.row, typed, &entry, fail);
    if (!err)
        err = desk_typed_forget(job->base.call, db, fail);
    if (!err && entry == DRAFT_ENTRY_TWICE)
        job->base.flash = FLASH_ENTRIES_AGREE;
    return err ? err : find_next(job, db, job->base.row, fail);
}

static enum err run_type(const struct act *act, void *ctx)
{
    return store_row(job_of(ctx), act->db, &job_of(ctx)->typed, act->fail);
}

static enum err run_absent(const struct act *act, void *ctx)
{
    return store_row(job_of(ctx), act->db, NULL, act->fail);
}

static enum err run_keep(const struct act *act, void *ctx)
{
    return desk_typed_keep_unsent(job_of(ctx)->base.call, act->db, act->fail);
}

static enum err run_discard(const struct act *act, void *ctx)
{
    return desk_typed_forget(job_of(ctx)->base.call, act->db, act->fail);
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
    enum draft_entry entry = DRAFT_ENTRY_NONE;
    TRY(begin(job, act->db, act->fail));
    TRY(double_entry_count(
        &job->base.desk, job->base.filing_id, (int)job->count, &entry, act->fail));
    job->base.flash = entry == DRAFT_ENTRY_SECOND ? FLASH_SAVED : flash_of(entry);
    return OK;
}

/* The texts are those that the page showed. */
static enum err check_shown(
    struct entry_job *job, struct db *db, int row, struct str field, struct fail *fail)
{
    struct form *form = job->base.call->form;
    struct double_view view;
    enum err err = double_entry_show(db, job->base.filing_id, job->base.call->arena, &view, fail);
    for (size_t i = 0; !err && i < view.difference_count; i++) {
        char mark[DESK_ENTRY_MARK_SIZE];
        const struct double_difference *d = &view.differences[i];
        desk_entry_mark(d, mark);
        if (d->row == row && str_eq(d->field, field) &&
            str_eq(form_value(form, "mark"), str_of(mark, sizeof mark)))
            return OK;
    }
    return err ? err
               : fail_set(
                     fail, ERR_REFUSED,
                     "this difference changed after you opened the page: decide again");
}

static enum err run_decide(const struct act *act, void *ctx)
{
    struct entry_job *job = ctx;
    struct form *form = job->base.call->form;
    struct str other = str_trim(form_value(form, "other")), field = form_value(form, "field");
    struct str value = other.n ? other : form_value(form, "value");
    int row = (int)form_number(form, "row", 0, ROWS_MAX);
    enum draft_entry entry = DRAFT_ENTRY_NONE;
    if (str_is_null(value))
        return fail_set(
            act->fail, ERR_INVALID, "choose one of the two texts, or type what the page shows");
    enum err err = begin(job, act->db, act->fail);
    if (!err)
        err = check_shown(job, act->db, row, field, act->fail);
    if (!err)
        err = double_entry_decide(
            &job->base.desk, job->base.filing_id, row, field, value, &entry, act->fail);
    if (err)
        desk_blind_label(act->fail);
    if (!err)
        job->base.flash = entry == DRAFT_ENTRY_THIRD ? FLASH_DECIDED : flash_of(entry);
    return err;
}

static enum err run_take_over(const struct act *act, void *ctx)
{
    struct entry_job *job = ctx;
    enum err err = begin(job, act->db, act->fail);
    job->base.next = arena_fmt(job->base.call->arena, "/desk/%.*s", STR_ARG(job->base.filing_id));
    return err ? err : double_entry_take_over(&job->base.desk, job->base.filing_id, act->fail);
}

static const struct entry_do {
    struct str name; /* the field `do` */
    act_run *run;
    bool of_row; /* a form of the page of a row */
    bool stays;  /* the same page is shown again */
    enum flash flash;
} dos[] = {
    {STR_INIT("type"), run_type, true, false, FLASH_ROW_SAVED},
    {STR_INIT("absent"), run_absent, true, false, FLASH_ROW_SAVED},
    {STR_INIT("keep"), run_keep, true, true, FLASH_NONE},
    {STR_INIT("discard"), run_discard, true, true, FLASH_NONE},
    {STR_INIT("finish"), run_finish, false, false, FLASH_NONE},
    {STR_INIT("decide"), run_decide, false, false, FLASH_NONE},
    {STR_INIT("take-over"), run_take_over, false, false, FLASH_DRAFT_CLAIMED},
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
static bool read_form(struct page_call *call, const struct entry_do *what, struct entry_job *job)
{
    if (what->run == run_type)
        return desk_blind_read(call, call->form, &job->typed);
    if (what->run == run_finish)
        job->count = form_number(call->form, "rows", 0, ROWS_MAX);
    return !form_is_faulty(call->form);
}

static enum err act(struct page_call *call, int row, struct fail *fail)
{
    struct entry_job *job = ARENA_NEW(call->arena, struct entry_job);
    struct str what = form_value(call->form, "do");
    const struct entry_do *found = NULL;
    for (size_t i = 0; i < sizeof dos / sizeof *dos && !found; i++)
        if (dos[i].of_row == (row > 0) && str_eq(dos[i].name, what))
            found = &dos[i];
    if (!found)
        return fail_set(
            fail, ERR_INVALID, "\"do\" must be %s",
            row ? "type, absent, keep or discard" : "finish, decide or take-over");
    desk_job_init(call, &job->base);
    job->base.row = row;
    if (!read_form(call, found, job))
        return OK;
    enum err err = page_write(call, found->run, job, fail);
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
    static const struct table_column columns[] = {
        {"Field", false},        {"Agreed", true},     {"Differed", true}, {"As the first", true},
        {"As the second", true}, {"As neither", true}, {"Open", true}};
    struct double_agreement agreement;
    enum err err = double_entry_agreement(call->db, &agreement, fail);
    struct view *table = table_begin(
        call->view, "fields", columns, sizeof columns / sizeof *columns, "No field was compared.");
    for (size_t i = 0; !err && i < DOUBLE_FIELD_COUNT; i++) {
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
    return err;
}
