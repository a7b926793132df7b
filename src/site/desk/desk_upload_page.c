/* /desk/upload: takes documents, as `stockact ingest` does. With a script each file is a request of
 * its own; without one a form sends all of them, and the reply is this page with the results. */
#include "site/desk/desk_upload_page.h"

#include "base/hidden.h"
#include "base/utf8.h"
#include "html/form.h"
#include "ingest/ingest.h"
#include "ingest/ingest_line.h"
#include "site/desk/upload_permit.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call.h"
#include "site/frame/page_call_parts.h"
#include "status/words.h"
#include "store/desk/draft.h"
#include "store/desk/draft_history.h"
#include "store/public/document.h"
#include "store/run/last_run.h"

/* The result of one file. */
struct upload_result {
    struct str name; /* upload_name */
    bool imported;   /* the members below are set; otherwise `reason` says why not */
    bool has_draft;  /* of filing_id: /desk/{filing} shows it */
    enum ingest_status status;
    struct str filing_id; /* null: none */
    int64_t rows;         /* of a report its rows, of an index its entries */
    int64_t awaiting;     /* of an index: reports that are not imported yet */
    struct str reason;    /* null: none */
};

/* Imports uploaded files. */

enum { MIB = 1024 * 1024 };

/* One file. */
struct file_import {
    struct page_call *call;
    struct upload_result *result;
    ingest_run *run; /* what the import does in a transaction */
    void *run_ctx;
};

/* On the worker, or on the writer thread while the worker waits for it. */
static void take_line(void *ctx, const struct ingest_line *line)
{
    struct file_import *file = ctx;
    struct upload_result *result = file->result;
    struct arena *arena = file->call->arena;
    if (line->status == INGEST_AWAITING_DOCUMENT) {
        result->awaiting += str_is_null(line->reason);
        return;
    }
    result->imported = true;
    result->status = line->status;
    result->rows = (int64_t)line->rows;
    result->filing_id = str_is_null(line->filing_id) ? STR_NULL : arena_str(arena, line->filing_id);
    result->reason = str_is_null(line->reason) ? STR_NULL : arena_str(arena, line->reason);
}

/* --- in the transaction of the file */

static enum err note_draft(struct db *db, const struct file_import *file, struct fail *fail)
{
    const struct page_call *call = file->call;
    const struct upload_result *result = file->result;
    const struct draft_event event = {
        .at = call->now_ms,
        .by = call->visitor.account.email,
        .action = STR("upload"),
        .reason = result->name,
    };
    struct draft draft;
    bool changed = result->status == INGEST_DRAFT || result->status == INGEST_NEEDS_MANUAL;
    if (!changed || str_is_null(result->filing_id))
        return OK;
    enum err err = draft_find(db, result->filing_id, call->arena, &draft, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    return draft_history_add(db, draft.no, &event, fail);
}

static enum err note_action(struct db *db, const struct file_import *file, struct fail *fail)
{
    const struct page_call *call = file->call;
    const struct upload_result *result = file->result;
    bool report = !str_is_null(result->filing_id);
    return action_log_add(
        &(struct act){.db = db, .actor = &call->actor, .now_ms = call->now_ms, .fail = fail},
        ACTION_DOCUMENT_UPLOAD, call->actor.account_id, report ? STR("filing") : STR_NULL,
        result->filing_id, ingest_status_name(result->status));
}

static enum err run_file(const struct act *act, void *ctx)
{
    struct file_import *file = ctx;
    file->result->awaiting = 0;
    enum err err = ingest_prepare(act->db, act->fail);
    if (!err)
        err = file->run(act->db, file->run_ctx, act->fail);
    if (!err)
        err = last_run_note(act->db, LAST_INGEST, file->call->now_ms, act->fail);
    if (err || !file->result->imported)
        return err;
    TRY(note_draft(act->db, file, act->fail));
    return note_action(act->db, file, act->fail);
}

static enum err write_file(void *ctx, ingest_run *run, void *run_ctx, struct fail *fail)
{
    struct file_import *file = ctx;
    file->run = run;
    file->run_ctx = run_ctx;
    return page_write(file->call, run_file, file, fail);
}

/* --- files */

static void refuse(struct upload_result *result, struct str reason)
{
    result->imported = false;
    result->reason = reason;
}

static enum err import_one(struct file_import *file, struct str bytes, struct fail *fail)
{
    struct page_call *call = file->call;
    struct upload_result *result = file->result;
    struct ingest *in = NULL;
    struct draft draft;
    if (bytes.n > DOCUMENT_BYTES_MAX) {
        refuse(
            result, arena_fmt(call->arena, "it is larger than %d MiB", DOCUMENT_BYTES_MAX / MIB));
        return OK;
    }
    enum err err = ingest_open(call->db, "/proc/self/exe", take_line, file, &in, fail);
    if (err)
        return err == ERR_NOT_FOUND ? ERR_UNAVAILABLE : err; /* poppler is missing: `fail` says */
    ingest_serve(in, write_file, file, &call->reply->site->stopping);
    err = ingest_bytes(in, result->name, bytes, call->now_ms, fail);
    ingest_close(in);
    if (!err && !str_is_null(result->filing_id))
        result->has_draft =
            draft_find(call->db, result->filing_id, call->arena, &draft, fail) == OK;
    return err;
}

/* Reading takes long: no snapshot of the store is held meanwhile. */
static enum err upload_import(
    struct page_call *call, const struct form_file *files, size_t count, struct upload_result *ret,
    struct fail *fail)
{
    enum err err = OK;
    struct fail unread;
    bool any = false;
    db_rollback(call->db);
    for (size_t i = 0; i < count; i++) {
        struct file_import file = {.call = call, .result = &ret[i]};
        ret[i] = (struct upload_result){.name = upload_name(files[i].name, call->arena)};
        if (!err)
            err = import_one(&file, files[i].bytes, fail);
        if (err)
            refuse(&ret[i], STR("the server could not store it now: send it again"));
        any |= ret[i].imported;
    }
    enum err begun = db_begin_read(call->db, &unread);
    bool over = call->reply->no_write != PROBLEM_COUNT;
    if (err && (over || !any))
        return err;
    return begun ? fail_set(fail, begun, "%s", unread.text) : OK;
}

/* Names of uploaded files. */

enum { SENT_MAX = 64 * 1024, END_KEPT = 60 };

static struct str last_part(struct str name)
{
    for (size_t i = name.n; i-- > 0;)
        if (name.p[i] == '/' || name.p[i] == '\\')
            return str_slice(name, i + 1, name.n);
    return name;
}

/* Appends one character, and returns its bytes in `s`. */
static size_t put_character(struct buf *b, struct str s)
{
    size_t n = utf8_length((const unsigned char *)s.p, s.n);
    unsigned char c = (unsigned char)s.p[0];
    if (str_starts(s, STR("%22"))) {
        buf_char(b, '"');
        return 3;
    }
    if (n)
        buf_put(b, s.p, n);
    else if (c < 0x20 || c == 0x7f)
        buf_char(b, '_');
    else if (c < 0x80)
        buf_char(b, (char)c);
    else
        buf_text(b, "\xef\xbf\xbd"); /* U+FFFD: no UTF-8 */
    return n ? n : 1;
}

static bool is_inside(struct str s, size_t at)
{
    return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

static struct str cut(struct str name, struct arena *arena)
{
    static const struct str gap = STR_INIT("\xe2\x80\xa6");
    size_t head = UPLOAD_NAME_MAX - END_KEPT - gap.n, tail = name.n - END_KEPT;
    while (is_inside(name, head))
        head--;
    while (is_inside(name, tail))
        tail++;
    return arena_fmt(
        arena, "%.*s%.*s%.*s", (int)head, name.p, STR_ARG(gap), (int)(name.n - tail),
        name.p + tail);
}

struct str upload_name(struct str sent, struct arena *arena)
{
    BUF_SCOPED(b, SENT_MAX);
    struct str part = last_part(sent);
    for (size_t i = 0; i < part.n;)
        i += put_character(&b, str_slice(part, i, part.n));
    struct str name = str_trim(buf_view(&b));
    if (name.n == 0)
        name = STR("document");
    name = name.n > UPLOAD_NAME_MAX ? cut(name, arena) : arena_str(arena, name);
    return name;
}

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
    TRY(upload_import(call, form->files, form->file_count, results, fail));
    struct view *list = view_list(call->view, "results");
    for (size_t i = 0; i < form->file_count; i++)
        put_result(call, list, &results[i]);
    view_bool(call->view, "anyResult", true);
    put_form(call);
    page_show(call, 200, STR("desk_upload"), STR("Upload documents"));
    return OK;
}
