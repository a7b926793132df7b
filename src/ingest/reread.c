/* Reading kept documents again; see reread.h. */
#include "ingest/reread.h"

#include "ingest/ingest_parts.h"
#include "ingest/ledger_parts.h"
#include "paper/content.h"
#include "paper/reading.h"
#include "store/public/document.h"

static struct str reading_json(const struct reading *reading, struct arena *arena)
{
    BUF_SCOPED(b, READING_SIZE_MAX);
    reading_put(&b, reading);
    return b.overflow ? STR_NULL : arena_str(arena, buf_view(&b));
}

static enum err read_kept(
    struct ingest *in, int64_t version, struct arena *arena, struct reading *ret, struct fail *fail)
{
    BUF_SCOPED(bytes, DOCUMENT_BYTES_MAX);
    TRY(document_bytes_read(in->ledger.db, version, &bytes, fail));
    return ingest_read(in, buf_view(&bytes), arena, ret, fail);
}

static enum err compare(
    struct ingest *in, const struct reading *now, struct ingest_reread *r, struct arena *arena,
    struct fail *fail)
{
    struct str before = STR_NULL;
    enum err err = document_version_reading(in->ledger.db, r->version, arena, &before, fail);
    content_digest(now, r->content_sha256);
    r->reading = reading_json(now, arena);
    r->changed = !err && !str_eq(before, r->reading);
    return err;
}

/* Why a person must look at it; null: no reason. */
static struct str reason_of(const struct reading *now, enum chamber chamber, struct arena *arena)
{
    struct reading judged = *now;
    if (now->row_count == 0 && !str_is_null(now->reason))
        return now->reason;
    ledger_complete_checks(&judged, chamber);
    reading_hidden_check(&judged, STR_NULL, arena);
    return ledger_failed_checks(&judged, arena);
}

enum err ingest_reread(
    struct ingest *in, struct str filing_id, struct arena *arena, struct ingest_reread *ret,
    struct fail *fail)
{
    struct draft draft;
    struct reading now;
    TRY(draft_find(in->ledger.db, filing_id, arena, &draft, fail));
    if (!draft.is.document_version || draft.is.manual)
        return fail_set(fail, ERR_NOT_FOUND, "%.*s was entered by hand", STR_ARG(filing_id));
    TRY(read_kept(in, draft.is.document_version, arena, &now, fail));
    *ret = (struct ingest_reread){
        .filing_id = filing_id,
        .version = draft.is.document_version,
        .reason = reason_of(&now, draft.is.chamber, arena),
        .row_count = now.row_count,
    };
    ret->rows = ledger_rows(&in->ledger, &now, draft.is.filed_at, arena);
    return compare(in, &now, ret, arena, fail);
}

enum err ingest_reread_keep(
    struct ingest *in, const struct ingest_reread *reread, int64_t now_ms, struct arena *arena,
    bool *ret_rebuilt, struct fail *fail)
{
    struct document_version version = {.no = reread->version, .reading = reread->reading};
    *ret_rebuilt = false;
    if (!reread->changed || str_is_null(reread->reading))
        return OK;
    memcpy(version.content_sha256, reread->content_sha256, SHA256_SIZE);
    TRY(document_version_set_reading(in->ledger.db, &version, fail));
    return ledger_rebuild(&in->ledger, reread->filing_id, now_ms, arena, ret_rebuilt, fail);
}
