/* Documents and their versions; see document.h. */
#include "store/document.h"

static const struct str state_names[DOCUMENT_STATE_COUNT] = {
    [DOCUMENT_INDEXED] = STR_INIT("indexed"),
    [DOCUMENT_AWAITING_DOCUMENT] = STR_INIT("awaiting_document"),
    [DOCUMENT_DRAFT] = STR_INIT("draft"),
    [DOCUMENT_NEEDS_MANUAL] = STR_INIT("needs_manual"),
    [DOCUMENT_REFUSED] = STR_INIT("refused"),
    [DOCUMENT_BULK] = STR_INIT("bulk"),
};

static enum err put_document(
    struct db *db, const struct document *d, int64_t now_ms, int64_t *ret_no, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO document (kind, source_id, url, chamber, state, reason, first_seen_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (kind, source_id) DO UPDATE"
        " SET url = coalesce(excluded.url, document.url), state = excluded.state,"
        " reason = excluded.reason RETURNING no");
    query_str(&q, d->kind);
    query_str(&q, d->source_id);
    query_str(&q, d->url);
    query_str(&q, chamber_name(d->chamber));
    query_str(&q, state_names[d->state]);
    query_str(&q, d->reason);
    query_i64(&q, now_ms);
    if (query_row(&q))
        *ret_no = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err document_put(
    struct db *db, const struct document *document, int64_t now_ms, int64_t *ret_version,
    struct fail *fail)
{
    int64_t no = 0;
    enum err err = put_document(db, document, now_ms, &no, fail);
    if (err)
        return err;
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO document_version (document_no, sha256, bytes, seen_at)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT (document_no, sha256)"
        " DO UPDATE SET bytes = excluded.bytes RETURNING no");
    query_i64(&q, no);
    query_blob(&q, document->sha256, SHA256_SIZE);
    query_i64(&q, document->bytes);
    query_i64(&q, now_ms);
    if (query_row(&q))
        *ret_version = query_get_i64(&q, 0);
    return query_end(&q, fail);
}
