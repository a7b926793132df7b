/* Writes a report into the ledger; see ledger.h. The entry holds the state of the document, a
 * version the content of its bytes, and a draft the rows to review. */
#include <string.h>

#include "ingest/ledger_parts.h"
#include "paper/content.h"
#include "store/public/document.h"
#include "store/public/known.h"

void ledger_emit_line(
    const struct ledger *l, struct str document, enum ingest_status status, struct str filing_id,
    size_t rows, struct str reason)
{
    const struct ingest_line line = {document, status, filing_id, rows, reason};
    l->line(l->ctx, &line);
}

static struct str reading_json(struct ledger_report *r)
{
    BUF_SCOPED(b, READING_SIZE_MAX);
    reading_put(&b, r->reading);
    return b.overflow ? STR_NULL : arena_str(r->arena, buf_view(&b));
}

static enum err find_entry(
    struct ledger_report *r, struct str kind, struct str source_id, struct fail *fail)
{
    struct db *db = r->ledger->db;
    enum chamber chamber = str_eq(kind, LEDGER_HOUSE) ? CHAMBER_HOUSE : CHAMBER_SENATE;
    TRY(document_lock(db, kind, source_id, chamber, r->now_ms, fail));
    return document_find(db, kind, source_id, r->arena, &r->entry, fail);
}

/* A reading of a scan can be wrong, so two scans are the same only if their bytes are. */
static bool is_same(
    const struct reading *reading, const struct document_version *a,
    const struct document_version *b)
{
    return !reading_is_scan(reading) &&
           memcmp(a->content_sha256, b->content_sha256, SHA256_SIZE) == 0;
}

/* *ret_same: an earlier version has this content, with the same bytes or others. After a failed
 * reading there is no content, and the same bytes may give some at the next attempt. */
static enum err note_version(
    struct ledger_report *r, const struct ledger_file *file, int64_t entry_no, int64_t *ret_version,
    bool *ret_same, struct fail *fail)
{
    struct db *db = r->ledger->db;
    struct document_version last,
        version = {.document_no = entry_no, .bytes = file->bytes, .reading = r->json};
    bool read = r->reading->kind != READING_UNREADABLE;
    memcpy(version.sha256, file->sha256, SHA256_SIZE);
    if (read)
        content_digest(r->reading, version.content_sha256);
    enum err err = document_version_find(db, entry_no, file->sha256, &last, fail);
    if (!err) {
        *ret_version = version.no = last.no;
        *ret_same = !read || ledger_was_read(&last);
        return *ret_same ? OK : document_version_set_reading(db, &version, fail);
    }
    if (err == ERR_NOT_FOUND)
        err = document_version_latest(db, entry_no, &last, fail);
    *ret_same = err == OK && read && is_same(r->reading, &last, &version);
    if (err && err != ERR_NOT_FOUND)
        return err;
    err = document_version_add(db, &version, r->now_ms, ret_version, fail);
    if (err || r->entry.state == DOCUMENT_REFUSED || str_is_null(file->content))
        return err;
    return document_bytes_add(db, *ret_version, file->content, fail);
}

static enum ingest_status status_of(enum document_state state)
{
    return state == DOCUMENT_DRAFT     ? INGEST_DRAFT
           : state == DOCUMENT_REFUSED ? INGEST_REFUSED
                                       : INGEST_NEEDS_MANUAL;
}

/* The index lists the document as another form; a scan itself does not show it. */
static enum err refuse_other_form(struct ledger_report *r, struct fail *fail)
{
    int64_t no;
    r->entry.state = DOCUMENT_REFUSED;
    r->entry.reason = LEDGER_OTHER_FORM;
    TRY(document_record(r->ledger->db, &r->entry, r->now_ms, &no, fail));
    ledger_emit_line(r->ledger, r->file_name, INGEST_REFUSED, STR_NULL, 0, r->entry.reason);
    return OK;
}

enum err ledger_report(
    const struct ledger *l, const struct ledger_file *file, struct str kind, struct str source_id,
    int64_t now_ms, struct arena *arena, struct fail *fail)
{
    struct reading reading = file->reading;
    struct ledger_report r = {
        .ledger = l,
        .arena = arena,
        .reading = &reading,
        .file_name = file->name,
        .now_ms = now_ms,
    };
    int64_t no = 0, version = 0;
    bool same = false;
    TRY(find_entry(&r, kind, source_id, fail));
    if (r.entry.state == DOCUMENT_INDEXED)
        return refuse_other_form(&r, fail);
    enum document_state before = r.entry.state;
    struct str reason_before = r.entry.reason;
    r.entry.name = file->name;
    r.json = reading_json(&r);
    enum err err = ledger_make_draft(&r, fail);
    if (!err)
        err = document_record(l->db, &r.entry, now_ms, &no, fail);
    if (!err)
        err = note_version(&r, file, no, &version, &same, fail);
    if (!err && same) { /* same content: keep the entry's state */
        r.entry.state = before;
        r.entry.reason = reason_before;
        err = document_record(l->db, &r.entry, now_ms, &no, fail);
    } else if (!err) {
        err = ledger_write_draft(&r, version, fail);
    }
    if (!err)
        ledger_emit_line(
            l, file->name, same ? INGEST_UNCHANGED : status_of(r.entry.state), r.draft.filing_id,
            reading.row_count, same ? STR_NULL : r.draft.reason);
    return err || same ? err : known_changed(l->db, r.draft.politician_id, fail);
}
