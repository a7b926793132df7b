/* /desk/sample/documents/{n}: a published document whose rows are counted without seeing how many
 * are known, and then compared (docs/adr/0036-sample.md). */
#include "site/frame/handlers.h"

#include "market/trade_words.h"
#include "review/desk/sample_desk.h"
#include "site/desk/desk_act.h"
#include "site/desk/desk_stored.h"

enum { PICTURES_MAX = 60, ROWS_MAX = 1000000 };

static int64_t document_number(const struct page_call *call)
{
    int64_t no = 0;
    return str_to_i64(call->segments[0], &no) && no > 0 ? no : 0;
}

/* Its pictures up to the last page that something was read from, or the text of the stored page. */
static enum err put_document(
    struct page_call *call, const struct sample_document *d, struct fail *fail)
{
    struct kept_document kept;
    struct desk_stored ignored;
    enum err err = kept_document_of_filing(call->db, d->filing_id, &kept, fail);
    struct view *pictures = view_list(call->view, "pictures");
    for (int64_t page = 1; !err && page <= d->pages && page <= PICTURES_MAX; page++) {
        struct view *picture = view_item(pictures);
        view_fmt(
            picture, "src", "/desk/%.*s/pages/%lld.png", STR_ARG(d->filing_id), (long long)page);
        view_count(picture, "page", page);
    }
    view_bool(call->view, "anyPicture", !err && d->pages > 0);
    if (err == ERR_NOT_FOUND)
        err = kept_document_of_draft(call->db, d->filing_id, &kept, fail);
    else
        return err;
    return err == ERR_NOT_FOUND ? OK : err ? err : desk_stored_put(call, &kept, 0, &ignored, fail);
}

static void put_result(struct page_call *call, const struct sample_document *d)
{
    struct view *view = call->view;
    bool more = d->counted > d->known || d->ended > d->known;
    view_count(view, "counted", d->ended >= 0 ? d->ended : d->counted);
    view_count(view, "known", d->known);
    view_count(view, "missing", d->ended > d->known ? d->ended - d->known : 0);
    view_bool(view, "more", more);
    view_bool(view, "isWrong", d->state == SAMPLE_WRONG);
    view_bool(view, "isRight", d->state == SAMPLE_RIGHT);
    view_bool(view, "isSkipped", d->state == SAMPLE_SKIPPED);
    view_bool(view, "isExpired", d->state == SAMPLE_EXPIRED);
    view_str(view, "by", d->by);
    view_str(view, "reason", d->reason);
}

enum err desk_sample_document_load(struct page_call *call, struct fail *fail)
{
    struct sample_document d;
    struct view *view = call->view;
    bool is_own = false;
    enum err err =
        sample_document_find(call->db, document_number(call), call->now_ms, call->arena, &d, fail);
    if (!err)
        err =
            sample_filing_is_own(call->db, d.filing_id, call->visitor.account.email, &is_own, fail);
    if (err)
        return err;
    bool waits = d.state == SAMPLE_OPEN || d.state == SAMPLE_DIFFERS;
    page_title(call, arena_fmt(call->arena, "Document %lld of the sample", (long long)d.no));
    view_count(view, "no", d.no);
    view_str(view, "filingId", d.filing_id);
    view_str(view, "url", d.url);
    view_str(view, "chamber", words_chamber(d.chamber));
    view_str(view, "kind", sample_kind_name(d.kind));
    view_ago(view, "drawnAt", d.drawn_at, call->now_ms);
    view_str(view, "path", arena_fmt(call->arena, "/desk/sample/documents/%lld", (long long)d.no));
    view_bool(view, "isOwn", is_own && waits);
    view_bool(view, "open", waits && !is_own);
    view_bool(view, "differs", d.state == SAMPLE_DIFFERS && !is_own);
    view_bool(view, "first", d.state == SAMPLE_OPEN);
    put_result(call, &d);
    form_show_faults(view, call->form);
    form_show(view, call->form, "rows", STR_NULL);
    form_show(view, call->form, "why", STR_NULL);
    return put_document(call, &d, fail);
}

struct count_job {
    struct desk_job base;
    int64_t rows;
};

static enum err run_count(const struct act *act, void *ctx)
{
    struct count_job *job = ctx;
    const struct page_call *call = job->base.call;
    enum sample_state ignored;
    return sample_count_rows(
        &job->base.desk, document_number(call), job->rows, form_value(call->form, "why"), &ignored,
        act->fail);
}

enum err desk_sample_document_act(struct page_call *call, struct fail *fail)
{
    struct count_job job = {.rows = -1};
    struct str rows = str_trim(form_value(call->form, "rows"));
    bool skips = str_eq(form_value(call->form, "do"), STR("skip"));
    if (!skips && (!str_to_i64(rows, &job.rows) || job.rows < 0 || job.rows > ROWS_MAX)) {
        form_fault_text(call->form, "rows", "Write how many rows the document has: a number.");
        return OK;
    }
    desk_job_init(call, &job.base);
    TRY(desk_write_blind(&job.base, run_count, fail));
    page_redirect(call, http_request(call->x)->path, FLASH_NONE);
    return OK;
}
