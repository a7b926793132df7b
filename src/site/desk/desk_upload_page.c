/* /desk/upload: takes documents, as `stockact ingest` does. With a script each file is a request of
 * its own; without one a form sends all of them, and the reply is this page with the results. */
#include "site/frame/handlers.h"

#include "base/hidden.h"
#include "site/desk/upload_import.h"
#include "site/desk/upload_permit.h"
#include "status/words.h"
#include "store/public/document_bytes.h"

enum { TEXT_MAX = 64 * 1024 };

/* How a status reads on the page. */
static const struct {
    const char *kind, *label; /* of the badge */
} looks[INGEST_STATUS_COUNT] = {
    [INGEST_DRAFT] = {"good", "draft"},    [INGEST_NEEDS_MANUAL] = {"wait", "to complete"},
    [INGEST_REFUSED] = {"bad", "refused"}, [INGEST_UNCHANGED] = {"off", "already here"},
    [INGEST_INDEXED] = {"good", "index"},  [INGEST_AWAITING_DOCUMENT] = {"off", "not fetched"},
    [INGEST_SKIPPED] = {"off", "skipped"},
};

static struct str shown(struct page_call *call, struct str text)
{
    BUF_SCOPED(b, TEXT_MAX);
    hidden_show(&b, text);
    return arena_str(call->arena, buf_view(&b));
}

/* The sentence beside the badge, without its reason. */
static struct str words_of(struct page_call *call, const struct upload_result *r)
{
    struct arena *arena = call->arena;
    struct str rows = words_count(arena, r->rows, "row", "rows");
    bool report = !str_is_null(r->filing_id);
    if (!r->imported)
        return STR("Not imported");
    switch (r->status) {
    case INGEST_DRAFT:
        return r->rows ? arena_fmt(arena, "%.*s to review", STR_ARG(rows)) : STR("Ready to review");
    case INGEST_NEEDS_MANUAL:
        return !report   ? STR("Kept without a draft")
               : r->rows ? arena_fmt(arena, "%.*s read; a person must complete it", STR_ARG(rows))
                         : STR("A person must complete it");
    case INGEST_REFUSED:
        return STR("Not a report that can be read");
    case INGEST_INDEXED:
        return arena_fmt(arena, "%.*s", STR_ARG(words_count(arena, r->rows, "filing", "filings")));
    default:
        return str_is_null(r->reason) ? STR("The same document was imported before")
                                      : STR("Imported before, with this result");
    }
}

static struct str awaiting_words(struct page_call *call, int64_t n)
{
    return arena_fmt(
        call->arena, "%.*s not imported yet",
        STR_ARG(words_count(call->arena, n, "report is", "reports are")));
}

static void put_form(struct page_call *call)
{
    upload_permit_put(call);
    view_int(call->view, "fileMax", DOCUMENT_BYTES_MAX);
    form_show_faults(call->view, call->form);
}

static void put_result(struct page_call *call, struct view *list, const struct upload_result *r)
{
    struct view *item = view_item(list);
    bool lost = !r->imported;
    view_str(item, "name", shown(call, r->name));
    view_str(item, "status", lost ? STR("not_imported") : ingest_status_name(r->status));
    view_text(item, "kind", lost ? "bad" : looks[r->status].kind);
    view_text(item, "label", lost ? "not imported" : looks[r->status].label);
    view_str(item, "words", words_of(call, r));
    view_str(item, "reason", str_is_null(r->reason) ? r->reason : shown(call, r->reason));
    view_str(item, "awaiting", r->awaiting ? awaiting_words(call, r->awaiting) : STR_NULL);
    view_str(item, "filingId", r->filing_id);
    view_int(item, "rows", r->rows);
    view_str(
        item, "href",
        r->has_draft ? arena_fmt(call->arena, "/desk/%.*s", STR_ARG(r->filing_id)) : STR_NULL);
}

enum err desk_upload_load(struct page_call *call, struct fail *fail)
{
    put_form(call);
    view_list(call->view, "results");
    view_bool(call->view, "anyResult", false);
    return OK;
}

enum err desk_upload_act(struct page_call *call, struct fail *fail)
{
    const struct form *form = call->form;
    if (form->file_count == 0) {
        page_fault(call, NULL, "Choose at least one file.");
        return OK;
    }
    struct upload_result *results =
        ARENA_ARRAY(call->arena, struct upload_result, form->file_count);
    enum err err = upload_import(call, form->files, form->file_count, results, fail);
    if (err)
        return err;
    struct view *list = view_list(call->view, "results");
    for (size_t i = 0; i < form->file_count; i++)
        put_result(call, list, &results[i]);
    view_bool(call->view, "anyResult", true);
    put_form(call);
    page_show(call, 200, STR("desk_upload"), STR("Upload documents"));
    return OK;
}
