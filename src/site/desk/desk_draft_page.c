/* /desk/{filing}: one draft beside its document, and what a reviewer does with it. */
#include "site/frame/handlers.h"

#include "paper/cell/cells.h"
#include "people/filer.h"
#include "review/desk/suggested_symbol.h"
#include "review/desk/desk_mark.h"
#include "review/publish_chain.h"
#include "site/desk/desk_act.h"
#include "site/desk/desk_compare.h"
#include "site/desk/desk_draft_view.h"
#include "site/desk/desk_drawn.h"
#include "site/desk/desk_look.h"
#include "site/desk/desk_pick.h"
#include "site/desk/desk_query.h"
#include "site/desk/desk_row_form.h"
#include "site/desk/desk_stored.h"
#include "site/desk/desk_typed.h"
#include "site/frame/page_applied.h"
#include "site/frame/page_call_parts.h"
#include "store/public/kept_document.h"
#include "store/public/publication.h"

const char *const desk_lists[] = {"despite", NULL};

/* --- the page */

static struct str path_of(struct page_call *call)
{
    return arena_fmt(call->arena, "/desk/%.*s", STR_ARG(call->segments[0]));
}

/* The row whose form is open: the one in the path; 0: none. */
static int row_of_path(const struct page_call *call)
{
    int64_t row = 0;
    struct str segment = call->segments[1];
    bool is_number = str_to_i64(segment, &row) && segment.p[0] != '0';
    return is_number && row >= 1 && row <= DRAFT_ROW_MAX ? (int)row : 0;
}

/* The last page: of the scan, or with a row. */
static enum err find_last_page(
    struct page_call *call, const struct desk_view *view, int *ret, struct fail *fail)
{
    if (view->draft.is.manual)
        return desk_scan_last_page(call, &view->draft, ret, fail);
    *ret = 1;
    for (size_t i = 0; i < view->rows.count; i++)
        if (view->rows.items[i].page > *ret)
            *ret = view->rows.items[i].page;
    return OK;
}

/* Whether the row was read from a page that has a picture: of a PDF, or of a scan whose rows have
 * places. */
static bool stands_on_page(const struct desk_view *view, const struct draft_row_stored *row)
{
    bool pdf = !view->draft.is.manual && view->draft.is.chamber == CHAMBER_HOUSE;
    return row && (row->place.width || (pdf && !str_is_null(row->printed)));
}

/* An open row is marked on its page. The links to other pages keep it open. */
static enum err put_sheet(
    struct page_call *call, const struct desk_view *view, const struct desk_query *query,
    const struct draft_row_stored *row, int page, struct fail *fail)
{
    int last;
    struct str path = http_request(call->x)->path, reason = STR_NULL;
    TRY(find_last_page(call, view, &last, fail));
    if (view->draft.is.manual)
        TRY(desk_scan_page_reason(call, &view->draft, page, &reason, fail));
    struct view *sheet = view_object(call->view, "sheet");
    view_str(sheet, "notRead", reason);
    view_int(sheet, "page", page);
    if (last > 1 && last < DESK_PAGE_MAX)
        view_int(sheet, view->draft.is.manual ? "last" : "rowsTo", last);
    bool marked = stands_on_page(view, row) && row->page == page;
    struct str of_row = marked ? arena_fmt(call->arena, "/rows/%d", row->row) : STR("");
    view_fmt(sheet, "src", "%.*s%.*s/pages/%d.png", STR_ARG(path_of(call)), STR_ARG(of_row), page);
    struct link_param params[DESK_QUERY_NAMES + 1];
    for (size_t i = 0; i < query->given_count; i++)
        params[i + 1] = query->given[i];
    params[0] = (struct link_param){
        STR("page"), page > 1 ? arena_fmt(call->arena, "%d", page - 1) : STR_NULL};
    if (page > 1)
        view_str(sheet, "previous", link_make(call->arena, path, params, query->given_count + 1));
    params[0].value = arena_fmt(call->arena, "%d", page + 1);
    if (page < last)
        view_str(sheet, "next", link_make(call->arena, path, params, query->given_count + 1));
    return OK;
}

static void put_strip(
    struct page_call *call, const struct desk_view *view, const struct draft_row_stored *row)
{
    if (!stands_on_page(view, row))
        return;
    view_str(
        view_member(call->view, "form"), "strip",
        arena_fmt(call->arena, "%.*s/strips/%d.png", STR_ARG(path_of(call)), row->row));
}

static bool is_printed(struct str cell)
{
    return cell.n && !str_eq(cell, STR("--"));
}

/* The cells of a report whose document is not stored; columns without any text are left out. */
static void put_printed(struct page_call *call, const struct desk_view *view, int open_row)
{
    static const struct {
        enum cell cell;
        const char *label;
    } shown[] = {
        {CELL_DATE, "Date"},
        {CELL_OWNER, "Owner"},
        {CELL_TICKER, "Symbol"},
        {CELL_ASSET, "Asset"},
        {CELL_ASSET_DETAIL, "Details"},
        {CELL_ASSET_TYPE, "Type of asset"},
        {CELL_TYPE, "Transaction"},
        {CELL_AMOUNT, "Amount"},
        {CELL_COMMENT, "Comment"},
    };
    struct view *list = view_list(call->view, "printedRows");
    bool used[CELL_COUNT] = {false};
    for (size_t i = 0; i < view->rows.count; i++) {
        struct str cells[CELL_COUNT];
        bool read = cells_read(view->rows.items[i].printed, call->arena, cells);
        for (int c = 0; read && c < CELL_COUNT; c++)
            used[c] |= is_printed(cells[c]);
    }
    for (size_t i = 0; i < view->rows.count; i++) {
        struct str cells[CELL_COUNT];
        if (!cells_read(view->rows.items[i].printed, call->arena, cells))
            continue;
        struct view *row = view_item(list);
        view_int(row, "row", view->rows.items[i].row);
        view_bool(row, "isOpen", view->rows.items[i].row == open_row);
        struct view *texts = view_list(row, "cells");
        for (size_t c = 0; c < sizeof shown / sizeof *shown; c++) {
            struct str text = cells[shown[c].cell];
            if (!used[shown[c].cell])
                continue;
            struct view *cell = view_item(texts);
            view_text(cell, "label", shown[c].label);
            view_str(cell, "text", is_printed(text) ? text : STR("–"));
        }
    }
}

/* The forms of the page: what was posted to this address, or the draft's own values. */
static enum err put_forms(struct page_call *call, const struct desk_view *view, struct fail *fail)
{
    const struct draft *d = &view->draft;
    const struct form *posted =
        call->form && str_eq(form_value(call->form, "do"), STR("filing")) ? call->form : NULL;
    bool known = d->is.filed_at != INSTANT_NONE;
    form_show(call->view, posted, "member", d->slug);
    form_show(
        call->view, posted, "filed",
        known ? day_str(call->arena, instant_day_new_york(d->is.filed_at)) : STR_NULL);
    form_show(call->view, posted, "url", d->is.url);
    view_str(call->view, "proposedUrl", obstacle_proposed_url(d, call->arena));
    form_show(call->view, call->form, "reason", STR_NULL);
    form_show_faults(call->view, call->form);
    return desk_pick_offer(call, d->is.chamber, fail);
}

/* Reads the query of a GET; of a POST the hidden fields of the form. */
static bool read_query(struct page_call *call, struct desk_query *ret, int64_t *ret_page)
{
    struct page_query_name names[DESK_QUERY_NAMES + 1];
    struct form *form = call->form;
    if (!form) {
        for (size_t i = 0; i < DESK_QUERY_NAMES; i++)
            names[i] = desk_query_names[i];
        names[DESK_QUERY_NAMES] = (struct page_query_name){"page", NULL};
        form = page_query_form(call, http_request(call->x)->path, names, DESK_QUERY_NAMES + 1);
        if (!form)
            return false;
        if (!str_is_null(form_value(form, "page")))
            *ret_page = form_number(form, "page", 1, DESK_PAGE_MAX);
    }
    desk_query_read(call, form, ret);
    return true;
}

/* The form has what was posted, or else what was typed and not saved, or the row's values. */
static enum err put_row_form(
    struct page_call *call, const struct desk_view *view, const struct difference_item *item,
    int page, struct fail *fail)
{
    char mark[DESK_MARK_SIZE];
    const struct form *posted = call->form;
    if (item)
        desk_mark_row(item->row, mark);
    if (!posted)
        TRY(desk_typed_load(call, item ? str_of(mark, sizeof mark) : STR_NULL, &posted, fail));
    desk_row_form_put(call, view, item, page, posted);
    return OK;
}

/* Instead of a hidden draft; what was posted to the draft was refused. */
static void show_entry(struct page_call *call)
{
    if (call->form)
        page_problem(call, PROBLEM_INVALID, call->form->complaints->text);
    else
        page_redirect(
            call, arena_fmt(call->arena, "%.*s/entry", STR_ARG(path_of(call))), FLASH_NONE);
}

enum err desk_draft_load(struct page_call *call, struct fail *fail)
{
    struct desk_query query;
    struct desk_view *view = ARENA_NEW(call->arena, struct desk_view);
    struct kept_document kept;
    int64_t page = 0;
    struct desk_stored stored = {false};
    bool hidden = false;
    int row = row_of_path(call);
    if (!row && call->segments[1].n)
        return fail_set(fail, ERR_NOT_FOUND, "there is no such row");
    if (!read_query(call, &query, &page))
        return OK;
    TRY(desk_show(call->db, call->segments[0], call->arena, view, fail));
    enum err err = desk_hides(call, &view->draft, &hidden, fail);
    if (err || hidden) {
        if (!err)
            show_entry(call);
        return err;
    }
    const struct difference_item *item = row ? desk_item(view, row) : NULL;
    if (row && !item)
        return fail_set(fail, ERR_NOT_FOUND, "there is no row %d", row);
    bool adds = call->page->nav == NAV_DESK && str_ends(str_from(call->page->path), STR("/rows"));
    const struct draft_row_stored *at = item   ? item->row
                                        : adds ? desk_row_above(&view->rows, 0)
                                               : NULL;
    if (!page)
        page = at && at->page ? at->page : 1;
    bool is_kept = kept_document_of_draft(call->db, call->segments[0], &kept, NULL) == OK;
    bool pdf = is_kept && view->draft.is.chamber == CHAMBER_HOUSE;
    if (is_kept && !pdf && !view->draft.is.manual)
        err = desk_stored_put(call, &kept, row, &stored, fail);
    if (!err)
        err = suggested_companies(
            call->db, &view->draft, &view->rows, call->arena, &view->companies, fail);
    if (err)
        return err;
    desk_draft_put(call, view, row, stored.descends);
    desk_compare_put(call, view);
    bool sheet = pdf || (is_kept && view->draft.is.manual);
    view_bool(call->view, "hasSheet", sheet);
    if (sheet && !err)
        err = put_sheet(call, view, &query, item ? item->row : NULL, (int)page, fail);
    if (!pdf && (!is_kept || view->draft.is.manual))
        put_printed(call, view, row);
    if (!err)
        err = put_forms(call, view, fail);
    if (!err && (item || adds))
        err = put_row_form(call, view, item, sheet ? (int)page : 0, fail);
    if (err)
        return err;
    put_strip(call, view, item && is_kept ? item->row : NULL);
    view_bool(call->view, "adds", adds);
    desk_query_carry(call, &query);
    view_str(call->view, "path", path_of(call));
    view_str(call->view, "queue", desk_link(call, STR_NULL, &query));
    view_str(call->view, "inList", link_make(call->arena, STR(""), query.given, query.given_count));
    struct str next;
    err = desk_next(call, call->db, &query, call->segments[0], &next, fail);
    view_str(call->view, "nextDraft", next);
    if (!err)
        err = desk_drawn_put(call, &view->draft, fail);
    if (!err)
        err = desk_typed_put(call, fail);
    struct str title = call->segments[0];
    if (row || adds)
        title = arena_fmt(call->arena, row ? "%.*s, row %d" : "%.*s, new row", STR_ARG(title), row);
    page_title(call, title);
    if (!err)
        desk_look_note(call, stored.is_whole ? 1 : 0, row);
    return err ? err : desk_history_put(call, view->draft.no, fail);
}

/* --- actions */

static enum err run_claim(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(desk_lock(act, job));
    return desk_claim(&job->desk, job->filing_id, act->fail);
}

/* Where the reviewer goes on. */
static enum err find_next(const struct act *act, struct desk_job *job)
{
    struct desk_query query;
    desk_query_read(job->call, job->call->form, &query);
    return desk_next(job->call, act->db, &query, job->filing_id, &job->next, act->fail);
}

/* The failed checks whose boxes are ticked, separated by commas. */
static struct str waived(struct page_call *call)
{
    struct str names = STR_NULL, name;
    size_t at = 0;
    while (!str_is_null(name = form_next(call->form, "despite", &at)))
        names = arena_fmt(
            call->arena, "%.*s%s%.*s", STR_ARG(names), str_is_null(names) ? "" : ",",
            STR_ARG(name));
    return names;
}

static enum err publish(const struct act *act, struct desk_job *job)
{
    struct publish_chain published;
    job->published = true;
    return publish_chain(
        act->db, job->filing_id, job->desk.by, job->desk.now_ms, act->arena, &published, act->fail);
}

static enum err accept_draft(const struct act *act, struct desk_job *job)
{
    enum draft_state state = DRAFT_WAITING;
    TRY(desk_check_mark(act, job));
    TRY(desk_accept(
        &job->desk, job->filing_id, waived(job->call), form_value(job->call->form, "reason"),
        &state, act->fail));
    job->flash = state == DRAFT_ACCEPTED  ? FLASH_DRAFT_ACCEPTED
                 : job->desk.double_entry ? FLASH_DRAFT_ENTERED
                                          : FLASH_DRAFT_ACCEPTED_FIRST;
    return OK;
}

static enum err run_accept(const struct act *act, void *job)
{
    TRY(accept_draft(act, job));
    return find_next(act, job);
}

static enum err run_accept_publish(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(publication_lock(act->db, act->fail)); /* before any draft */
    TRY(accept_draft(act, job));
    if (job->flash == FLASH_DRAFT_ACCEPTED) {
        job->flash = FLASH_DRAFT_PUBLISHED;
        TRY(publish(act, job));
    }
    return find_next(act, job);
}

static enum err run_publish(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(publication_lock(act->db, act->fail));
    TRY(desk_check_mark(act, job));
    TRY(publish(act, job));
    return find_next(act, job);
}

static enum err run_reject(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(desk_check_mark(act, job));
    TRY(desk_reject(&job->desk, job->filing_id, form_value(job->call->form, "reason"), act->fail));
    return find_next(act, job);
}

static enum err run_nothing(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    TRY(desk_check_mark(act, job));
    TRY(desk_report_nothing(&job->desk, job->filing_id, act->fail));
    return find_next(act, job);
}

/* The member, under the printed name of the filer; the filing date; the address. Only what differs
 * from the draft is set. */
static enum err set_filing(struct desk_job *job, const struct draft *d, struct fail *fail)
{
    static const char *const fields[] = {"filed", "url"};
    struct form *form = job->call->form;
    struct str member, reason = form_value(form, "reason");
    struct desk_filer filer;
    enum err err = desk_pick_settle(job->call, job->desk.db, d->is.chamber, &member, fail);
    if (!err && member.n && !str_eq(member, d->slug) && !str_eq(member, d->is.politician_id))
        err = desk_set_filer(
            &job->desk, job->filing_id, member,
            d->is.filer.n ? filer_folded(d->is.filer, job->call->arena) : STR_NULL, reason, &filer,
            fail);
    if (err) {
        form_fault(form, "member", fail);
        return err;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields && !err; i++) {
        struct str value = str_trim(form_value(form, fields[i])), old = d->is.url;
        if (i == 1 && !value.n)
            value = form_value(form, "proposed");
        if (i == 0)
            old = d->is.filed_at == INSTANT_NONE
                      ? STR_NULL
                      : day_str(job->call->arena, instant_day_new_york(d->is.filed_at));
        if (!value.n || str_eq(value, old))
            continue;
        err = desk_set(&job->desk, job->filing_id, 0, str_from(fields[i]), value, reason, fail);
        if (err)
            form_fault(form, fields[i], fail);
    }
    return err;
}

static enum err run_filing(const struct act *act, void *ctx)
{
    struct desk_job *job = ctx;
    struct draft draft;
    TRY(desk_check_mark(act, job));
    TRY(draft_find(act->db, job->filing_id, act->arena, &draft, act->fail));
    return set_filing(job, &draft, act->fail);
}

static const struct desk_do dos[] = {
    {STR_INIT("claim"), run_claim, FLASH_DRAFT_CLAIMED},
    {STR_INIT("accept"), run_accept},
    {STR_INIT("accept-publish"), run_accept_publish},
    {STR_INIT("publish"), run_publish, FLASH_DRAFT_PUBLISHED},
    {STR_INIT("reject"), run_reject, FLASH_DRAFT_REJECTED},
    {STR_INIT("nothing"), run_nothing, FLASH_DRAFT_NOTHING},
    {STR_INIT("symbols"), desk_take_symbols, FLASH_SAVED},
    {STR_INIT("filing"), run_filing, FLASH_SAVED},
    {STR_INIT("right"), desk_drawn_right},
    {STR_INIT("fault"), desk_drawn_fault},
};

/* Back to the draft, in the same list. */
static struct str back(struct page_call *call)
{
    struct desk_query query;
    desk_query_read(call, call->form, &query);
    return desk_link(call, call->segments[0], &query);
}

enum err desk_draft_act(struct page_call *call, struct fail *fail)
{
    struct desk_job job;
    const struct desk_do *found = DESK_DO(call, dos, fail);
    if (!found)
        return ERR_INVALID;
    desk_job_init(call, &job);
    enum err err = desk_write(&job, found->run, fail);
    if (err)
        return form_is_faulty(call->form) ? OK : err;
    if (job.published)
        page_wait_applied(call);
    page_redirect(
        call, str_is_null(job.next) ? back(call) : job.next, job.flash ? job.flash : found->flash);
    if (!str_is_null(job.next))
        page_redirect_about(call, job.filing_id);
    return OK;
}
