/* Documents behind published data; see kept_document.h. */
#include "store/public/kept_document.h"

#define FROM_VERSION                                                                               \
    " JOIN document d ON d.no = v.document_no JOIN document_bytes b ON b.version_no = v.no"        \
    " WHERE (d.kind = 'house'"                                                                     \
    " OR EXISTS (SELECT 1 FROM document_page g WHERE g.version_no = v.no)) AND "

enum { ROWS_MAX = 9999 };

static enum err find(
    struct db *db, const char *sql, struct str id, struct kept_document *ret, struct fail *fail)
{
    QUERY(q, db, sql, V(id));
    if (query_row(&q)) {
        struct str sha256 = query_get_blob(&q, 1);
        *ret = (struct kept_document){.version_no = query_get_i64(&q, 0)};
        if (sha256.n == sizeof ret->sha256)
            memcpy(ret->sha256, sha256.p, sha256.n);
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "no document of \"%.*s\" is stored", STR_ARG(id));
}

enum err kept_document_of_trade(
    struct db *db, struct str trade_id, struct kept_document *ret, struct fail *fail)
{
    return find(
        db,
        "SELECT v.no, v.sha256 FROM trade t"
        " JOIN document_version v ON v.no = t.document_version_no" FROM_VERSION "t.id = $1",
        trade_id, ret, fail);
}

enum err kept_document_of_filing(
    struct db *db, struct str filing_id, struct kept_document *ret, struct fail *fail)
{
    return find(
        db,
        "SELECT v.no, v.sha256 FROM filing f"
        " JOIN document_version v ON v.no = f.document_version_no" FROM_VERSION "f.id = $1",
        filing_id, ret, fail);
}

enum err kept_document_of_draft(
    struct db *db, struct str filing_id, struct kept_document *ret, struct fail *fail)
{
    return find(
        db,
        "SELECT v.no, v.sha256 FROM draft d"
        " JOIN document_version v ON v.no = d.document_version_no"
        " JOIN document_bytes b ON b.version_no = v.no"
        " WHERE d.filing_id = $1 ORDER BY d.revision DESC LIMIT 1",
        filing_id, ret, fail);
}

enum err kept_scan_page(
    struct db *db, const struct kept_document *document, int page, struct kept_scan *ret,
    struct fail *fail)
{
    QUERY(
        q, db, "SELECT turn, skew FROM document_page WHERE version_no = $1 AND page = $2",
        V(document->version_no), V(page));
    *ret = (struct kept_scan){.known = false};
    if (query_row(&q))
        *ret = (struct kept_scan){
            .known = true,
            .page = page,
            .turn = (int)query_get_i64(&q, 0),
            .skew = (int)query_get_i64(&q, 1),
        };
    return query_end(&q, fail);
}

enum err kept_scan_row(
    struct db *db, const struct kept_document *document, struct str filing_id, int row,
    struct kept_scan *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT p.page, p.turn, p.skew, r.place_left, r.place_top, r.place_width, r.place_height"
        " FROM draft d JOIN draft_row r ON r.draft_no = d.no"
        " JOIN document_page p ON p.version_no = d.document_version_no AND p.page = r.page"
        " WHERE d.filing_id = $1 AND d.document_version_no = $2 AND r.position = $3"
        " AND r.place_width IS NOT NULL ORDER BY d.revision DESC LIMIT 1",
        V(filing_id), V(document->version_no), V(row));
    *ret = (struct kept_scan){.known = false};
    if (query_row(&q))
        *ret = (struct kept_scan){
            .known = true,
            .page = (int)query_get_i64(&q, 0),
            .turn = (int)query_get_i64(&q, 1),
            .skew = (int)query_get_i64(&q, 2),
            .place =
                {
                    .left = (int)query_get_i64(&q, 3),
                    .top = (int)query_get_i64(&q, 4),
                    .width = (int)query_get_i64(&q, 5),
                    .height = (int)query_get_i64(&q, 6),
                },
        };
    return query_end(&q, fail);
}

enum err kept_document_rows(
    struct db *db, struct str filing_id, int64_t before_ms, struct arena *arena,
    struct kept_row **ret, size_t *ret_count, struct fail *fail)
{
    size_t room = 0, count = 0;
    struct kept_row *rows = NULL;
    QUERY(
        q, db,
        "SELECT t.position, t.page FROM filing f JOIN trade t ON t.id > f.id || '-'"
        " AND t.id < f.id || '.' WHERE f.id = $1 AND t.withdrawn_at IS NULL AND t.disclosed_at < $2"
        " ORDER BY t.position",
        V(filing_id), V(before_ms));
    while (count < ROWS_MAX && query_row(&q)) {
        rows = arena_grow(arena, rows, count, &room, sizeof *rows);
        rows[count++] = (struct kept_row){
            .row = (int)query_get_i64(&q, 0), .page = (int)query_get_opt_i64(&q, 1, 0)};
    }
    *ret = rows;
    *ret_count = count;
    return query_end(&q, fail);
}
