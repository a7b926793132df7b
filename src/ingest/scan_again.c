/* Reading kept scans; see scan_again.h. */
#include "ingest/scan_again.h"

#include "ingest/ingest_parts.h"
#include "ingest/ledger_parts.h"
#include "paper/content.h"
#include "paper/readers.h"
#include "store/desk/draft_history.h"
#include "store/public/document.h"

static enum err refuse(struct str filing_id, const char *why, struct fail *fail)
{
    return fail_set(fail, ERR_REFUSED, "%.*s is not a scan: %s", STR_ARG(filing_id), why);
}

static bool is_pdf(struct str bytes)
{
    return paper_sniff(str_slice(bytes, 0, PAPER_SNIFF_SIZE)) == PAPER_PDF;
}

static enum err read_kept(
    struct ingest *in, const struct draft *draft, struct arena *arena, struct reading *ret,
    struct fail *fail)
{
    BUF_SCOPED(bytes, DOCUMENT_BYTES_MAX);
    struct str id = draft->is.filing_id;
    if (!draft->is.document_version)
        return fail_set(fail, ERR_NOT_FOUND, "%.*s has no document", STR_ARG(id));
    TRY(document_bytes_read(in->ledger.db, draft->is.document_version, &bytes, fail));
    if (!is_pdf(buf_view(&bytes)))
        TRY(refuse(id, "its document is not a PDF", fail));
    TRY(ingest_read_scan(in, buf_view(&bytes), arena, ret, fail));
    if (!reading_is_scan(ret))
        TRY(refuse(id, "its document has text, which `reread` reads", fail));
    if (draft->is.chamber == CHAMBER_SENATE)
        ret->kind = READING_SENATE_SCAN;
    return OK;
}

/* --- in a write transaction */

static enum err keep_reading(struct ledger_report *r, int64_t no, struct fail *fail)
{
    struct document_version version = {.no = no};
    BUF_SCOPED(b, READING_SIZE_MAX);
    reading_put(&b, r->reading);
    content_digest(r->reading, version.content_sha256);
    version.reading = b.overflow ? STR_NULL : buf_view(&b);
    TRY(document_version_set_reading(r->ledger->db, &version, fail));
    return ledger_scan_pages(r, no, fail);
}

static enum err note(struct ledger_report *r, int64_t draft_no, size_t rows, struct fail *fail)
{
    const struct draft_event event = {
        .at = r->now_ms,
        .by = STR("stockact"),
        .action = STR("scan"),
        .reason = arena_fmt(
            r->arena, "%zu %s read from the pages", rows, rows == 1 ? "row was" : "rows were"),
    };
    return draft_history_add(r->ledger->db, draft_no, &event, fail);
}

static enum err find_entry(struct ledger_report *r, const struct draft *draft, struct fail *fail)
{
    return document_find(
        r->ledger->db, chamber_name(draft->is.chamber), draft->is.source_doc_id, r->arena,
        &r->entry, fail);
}

/* Rows that stay have their places on the pages as they were read before, so those stay too. */
static enum err keep_if_first(struct ledger_report *r, int64_t no, bool taken, struct fail *fail)
{
    struct document_page_list pages = {.count = 0};
    enum err err = taken ? OK : document_page_load(r->ledger->db, no, r->arena, &pages, fail);
    return err || pages.count ? err : keep_reading(r, no, fail);
}

/* The draft may have changed while its document was read. */
static enum err store(
    struct ledger_report *r, const struct draft *before, struct scan_again *ret, struct fail *fail)
{
    struct draft draft;
    int64_t no;
    TRY(document_lock(
        r->ledger->db, chamber_name(before->is.chamber), before->is.source_doc_id,
        before->is.chamber, r->now_ms, fail));
    TRY(draft_lock(r->ledger->db, before->is.filing_id, r->arena, &draft, fail));
    if (draft.is.document_version != before->is.document_version)
        return fail_set(
            fail, ERR_BUSY, "%.*s got another document while this one was read: try again",
            STR_ARG(draft.is.filing_id));
    r->draft.reason = ledger_scan_reason(r->reading, r->arena);
    TRY(ledger_scan_rows(r, &draft, &ret->taken, fail));
    TRY(keep_if_first(r, draft.is.document_version, ret->taken, fail));
    if (!ret->taken)
        return OK;
    TRY(note(r, draft.no, ret->rows, fail));
    TRY(find_entry(r, &draft, fail));
    r->entry.reason = r->draft.reason;
    return document_record(r->ledger->db, &r->entry, r->now_ms, &no, fail);
}

enum err scan_again(
    struct ingest *in, struct str filing_id, int64_t now_ms, struct arena *arena,
    struct scan_again *ret, struct fail *fail)
{
    struct draft draft;
    struct reading reading;
    struct ledger_report r = {
        .ledger = &in->ledger,
        .arena = arena,
        .reading = &reading,
        .now_ms = now_ms,
        .draft.filed_at = INSTANT_NONE,
    };
    TRY(draft_find(in->ledger.db, filing_id, arena, &draft, fail));
    TRY(read_kept(in, &draft, arena, &reading, fail));
    TRY(db_begin(in->ledger.db, fail));
    *ret = (struct scan_again){.pages = reading.page_count, .rows = reading.row_count};
    for (size_t i = 0; i < reading.page_count; i++)
        ret->unread += !str_is_null(reading.pages[i].reason);
    return db_end(in->ledger.db, store(&r, &draft, ret, fail), fail);
}
