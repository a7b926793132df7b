/* Imports uploaded files; see upload_import.h. */
#include "site/desk/upload_import.h"

#include "ingest/ingest.h"
#include "site/desk/upload_name.h"
#include "site/frame/page_call_parts.h"
#include "store/desk/draft.h"
#include "store/desk/draft_history.h"
#include "store/public/document_bytes.h"
#include "store/run/last_run.h"

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
    err = note_draft(act->db, file, act->fail);
    return err ? err : note_action(act->db, file, act->fail);
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
enum err upload_import(
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
