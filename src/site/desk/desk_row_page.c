/* /desk/{filing}/rows and /desk/{filing}/rows/{row}: the form of one row, posted. */
#include "site/frame/handlers.h"

#include "review/desk/blind.h"
#include "review/desk/suggested_symbol.h"
#include "site/desk/desk_act.h"
#include "site/desk/desk_blind.h"
#include "site/desk/desk_query.h"
#include "site/desk/desk_row_form.h"
#include "site/desk/desk_typed.h"
#include "store/desk/draft_look.h"
#include "store/desk/draft_row.h"

/* --- what to do with the row */

/* The radio button, or the id that was typed instead. */
static struct str chosen_trade(const struct form *form)
{
    struct str other = str_trim(form_value(form, "other"));
    return other.n ? other : form_value(form, "trade");
}

/* A date may be typed as it is on the page, 3/4/24; desk_set reads only 2024-03-04. */
static enum err read_typed(
    const char *name, struct str *value, char space[static ROW_FIELD_TEXT_MAX], struct arena *arena,
    struct fail *fail)
{
    struct blind_row typed = blind_row_none;
    enum blind_field field;
    bool date = blind_field_from_name(str_from(name), &field) &&
                (field == BLIND_TRADE_DATE || field == BLIND_NOTIFIED);
    if (!date || !str_trim(*value).n)
        return OK;
    TRY(blind_set(&typed, field, *value, arena, fail));
    *value = blind_text(&typed, field, space);
    return OK;
}

/* An empty trade date is an answer only if its box says so (review/obstacle.h). */
static bool states_none(const struct form *form, const char *name)
{
    return str_eq(str_from(name), row_field_name(ROW_TRADE_DATE)) &&
           form_checked(form, DESK_NO_DATE);
}

/* Sets what differs from the row, field by field; a fault is shown beside its field, and nothing is
 * saved. */
static enum err save_fields(
    struct desk_job *job, const struct draft_row_stored *row, struct fail *fail)
{
    struct form *form = job->call->form;
    struct str reason = form_value(form, "reason");
    enum err first = OK;
    for (size_t i = 0; i <= desk_field_count; i++) {
        char space[ROW_FIELD_TEXT_MAX], day[ROW_FIELD_TEXT_MAX];
        bool trade = i == desk_field_count;
        const char *name = trade ? "trade" : desk_fields[i].name;
        struct str value = trade ? chosen_trade(form) : form_value(form, name);
        struct str old = trade ? row->trade_id : desk_field_text(&desk_fields[i], row, space);
        struct fail why;
        bool none = states_none(form, name);
        enum err err = read_typed(name, &value, day, job->call->arena, &why);
        if (none && !err && str_trim(value).n)
            err = fail_set(
                &why, ERR_INVALID, "type the date, or say that the page states none: not both");
        if (!none && (str_is_null(value) || str_eq(value, str_is_null(old) ? STR("") : old)))
            continue;
        if (!err)
            err =
                desk_set(&job->desk, job->filing_id, row->row, str_from(name), value, reason, &why);
        if (err && err != ERR_INVALID) {
            *fail = why;
            return err;
        }
        if (err) {
            if (!trade)
                desk_fault_label(&why, str_from(name), str_from(desk_fields[i].label));
            form_fault(form, name, &why);
            *fail = why;
            first = err;
        }
    }
    return first;
}

static enum err load_rows(
    const struct act *act, const struct desk_job *job, struct draft_row_list *ret)
{
    struct draft draft;
    TRY(draft_find(act->db, job->filing_id, act->arena, &draft, act->fail));
    return draft_row_load(act->db, draft.no, act->arena, ret, act->fail);
}

static enum err save(const struct act *act, struct desk_job *job)
{
    struct draft_row_list rows = {.count = 0};
    TRY(load_rows(act, job, &rows));
    const struct draft_row_stored *row = draft_row_at(&rows, job->row);
    return row ? save_fields(job, row, act->fail)
               : fail_set(act->fail, ERR_NOT_FOUND, "there is no row %d", job->row);
}

static enum err run_save(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(desk_check_mark(act, job));
    TRY(save(act, job));
    return desk_typed_forget(act, job);
}

/* Saves the row, and goes on with the one below it on the page. */
static enum err run_save_next(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct draft_row_list rows = {.count = 0};
    int64_t number = 0;
    TRY(run_save(act, ctx));
    TRY(load_rows(act, job, &rows));
    bool known = str_to_i64(form_value(job->call->form, "next"), &number);
    const struct draft_row_stored *next = known ? draft_row_at(&rows, number) : NULL;
    job->to_draft = !next || next->removed;
    if (!job->to_draft)
        job->row = next->row;
    return OK;
}

/* Saves the row, and takes the symbol or company that its name suggests. */
static enum err run_take(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct suggested_taken ignored;
    TRY(run_save(act, ctx));
    return suggested_symbols_take(&job->desk, job->filing_id, job->row, &ignored, act->fail);
}

static enum err run_delete(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(desk_check_mark(act, job));
    TRY(desk_delete_row(
        &job->desk, job->filing_id, job->row, form_value(job->call->form, "reason"), act->fail));
    return desk_typed_forget(act, job);
}

static enum err run_restore(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(desk_check_mark(act, job));
    return desk_restore_row(&job->desk, job->filing_id, job->row, act->fail);
}

/* Saves the row, and goes on with its copy. */
static enum err run_split(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    int copy = 0;
    TRY(run_save(act, ctx));
    TRY(desk_split_row(&job->desk, job->filing_id, job->row, &copy, act->fail));
    job->row = copy;
    return OK;
}

static void set_pair(struct form *form, struct str name, struct str value)
{
    for (size_t i = 0; i < form->count; i++)
        if (str_eq(form->pairs[i].name, name))
            form->pairs[i].value = value;
}

/* Copies a field of the row above into what was typed; nothing is saved. */
static enum err run_above(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct form *form = job->call->form;
    struct draft_row_list rows = {.count = 0};
    char space[ROW_FIELD_TEXT_MAX];
    const struct desk_field *field = desk_field_find(form_value(form, "above"));
    if (!field) {
        form_fault_text(form, "above", "Choose a field of the row above.");
        return fail_set(act->fail, ERR_INVALID, "choose a field of the row above");
    }
    TRY(load_rows(act, job, &rows));
    const struct draft_row_stored *above = desk_row_above(&rows, job->row);
    struct str text = above ? desk_field_text(field, above, space) : STR_NULL;
    if (text.n)
        set_pair(form, str_from(field->name), arena_str(act->arena, text));
    return desk_typed_keep(act, job);
}

static enum err run_add(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct form *form = job->call->form;
    int64_t page = 0;
    if (form_value(form, "page").n) {
        page = form_number(form, "page", 1, 9999);
        if (form_is_faulty(form))
            return fail_set(
                act->fail, ERR_INVALID, "page: accepted values: a number from 1 to 9999");
    }
    TRY(desk_lock(act, job));
    TRY(desk_add_row(&job->desk, job->filing_id, (int)page, &job->row, act->fail));
    TRY(save(act, job));
    /* Who typed the row has opened it. */
    const struct draft_look_event typed = {
        .by = job->desk.by, .row = job->row, .at = job->desk.now_ms};
    TRY(draft_look_add(act->db, job->filing_id, &typed, act->fail));
    return desk_typed_forget(act, job);
}

/* --- the handlers */

/* To the draft, or to the form again. */
static struct str go_on(struct page_call *call, const struct desk_job *job, bool open, bool is_new)
{
    struct desk_query query;
    desk_query_read(call, call->form, &query);
    struct str id = call->segments[0];
    if (open && is_new)
        id = arena_fmt(call->arena, "%.*s/rows", STR_ARG(id));
    else if (open)
        id = arena_fmt(call->arena, "%.*s/rows/%d", STR_ARG(id), job->row);
    struct str link = desk_link(call, id, &query);
    return open ? arena_fmt(call->arena, "%.*s#row", STR_ARG(link)) : link;
}

/* Of a row, and of a new one. */
static const struct desk_do row_dos[] = {
    {STR_INIT("save"), run_save, FLASH_ROW_SAVED, false},
    {STR_INIT("save-next"), run_save_next, FLASH_ROW_SAVED, true},
    {STR_INIT("take"), run_take, FLASH_ROW_SAVED, true},
    {STR_INIT("delete"), run_delete, FLASH_ROW_DELETED, false},
    {STR_INIT("restore"), run_restore, FLASH_ROW_RESTORED, false},
    {STR_INIT("split"), run_split, FLASH_ROW_SPLIT, true},
    {STR_INIT("above"), run_above, FLASH_NONE, true},
    {STR_INIT("keep"), desk_typed_keep_unsent, FLASH_NONE, true},
    {STR_INIT("discard"), desk_typed_forget, FLASH_NONE, true},
};
static const struct desk_do new_dos[] = {
    {STR_INIT("add"), run_add, FLASH_ROW_ADDED, false},
    {STR_INIT("add-next"), run_add, FLASH_ROW_ADDED, true},
    {STR_INIT("above"), run_above, FLASH_NONE, true},
    {STR_INIT("keep"), desk_typed_keep_unsent, FLASH_NONE, true},
    {STR_INIT("discard"), desk_typed_forget, FLASH_NONE, true},
};

static enum err act(struct page_call *call, int row, struct fail *fail)
{
    struct desk_job job;
    const struct desk_do *found = row ? DESK_DO(call, row_dos, fail) : DESK_DO(call, new_dos, fail);
    if (!found)
        return ERR_INVALID;
    desk_job_init(call, &job);
    job.row = row;
    enum err err = desk_write(&job, found->run, fail);
    if (!err)
        page_redirect(call, go_on(call, &job, found->stays && !job.to_draft, !row), found->flash);
    return form_is_faulty(call->form) ? OK : err;
}

enum err desk_row_act(struct page_call *call, struct fail *fail)
{
    int64_t row = 0;
    if (!str_to_i64(call->segments[1], &row) || row < 1 || row > 9999)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    return act(call, (int)row, fail);
}

enum err desk_rows_act(struct page_call *call, struct fail *fail)
{
    return act(call, 0, fail);
}
