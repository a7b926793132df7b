/* Documents and their versions; see document.h. */
#include "store/public/document.h"

#include <assert.h>

#include "base/closed_list.h"
#include "db/row_digest.h"
#include "store/row/list.h"
#include "store/row/name.h"

/* The bytes of documents. */

enum err document_bytes_add(struct db *db, int64_t version_no, struct str bytes, struct fail *fail)
{
    assert(db_in_transaction(db));
    if (bytes.n > DOCUMENT_BYTES_MAX)
        return OK;
    return query_run(
        db, fail,
        "INSERT INTO document_bytes (version_no, bytes) VALUES ($1, $2)"
        " ON CONFLICT (version_no) DO NOTHING",
        V(version_no), V_BLOB(bytes.p, bytes.n));
}

enum err document_bytes_read(struct db *db, int64_t version_no, struct buf *to, struct fail *fail)
{
    QUERY(q, db, "SELECT bytes FROM document_bytes WHERE version_no = $1", V(version_no));
    bool found = query_row(&q);
    if (found)
        buf_str(to, query_get_blob(&q, 0));
    enum err err = query_end(&q, fail);
    assert(!to->overflow);
    return err || found ? err : fail_set(fail, ERR_NOT_FOUND, "its bytes were not kept");
}

/* Pages of scans. */

static enum err forget(struct db *db, int64_t version_no, struct fail *fail)
{
    return query_run(db, fail, "DELETE FROM document_page WHERE version_no = $1", V(version_no));
}

static enum err add(
    struct db *db, int64_t version_no, const struct document_page *page, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO document_page (version_no, page, turn, skew, form, reason)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        V(version_no), V(page->page), V(page->turn), V(page->skew), V(page->form), V(page->reason));
}

enum err document_page_replace(
    struct db *db, int64_t version_no, const struct document_page_list *pages, struct fail *fail)
{
    TRY(forget(db, version_no, fail));
    for (size_t i = 0; i < pages->count; i++)
        TRY(add(db, version_no, &pages->items[i], fail));
    return OK;
}

enum err document_page_load(
    struct db *db, int64_t version_no, struct arena *arena, struct document_page_list *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT page, turn, skew, form, reason FROM document_page WHERE version_no = $1"
        " ORDER BY page",
        V(version_no));
    return list_read(
        &q, arena, ret, fail,
        (struct document_page){
            .page = (int)query_get_i64(&q, 0),
            .turn = (int)query_get_i64(&q, 1),
            .skew = (int)query_get_i64(&q, 2),
            .form = query_text(&q, 3, arena),
            .reason = query_text(&q, 4, arena),
        });
}

static const struct str state_names[DOCUMENT_STATE_COUNT] = {
    [DOCUMENT_INDEXED] = STR_INIT("indexed"),
    [DOCUMENT_AWAITING_DOCUMENT] = STR_INIT("awaiting_document"),
    [DOCUMENT_DRAFT] = STR_INIT("draft"),
    [DOCUMENT_NEEDS_MANUAL] = STR_INIT("needs_manual"),
    [DOCUMENT_REFUSED] = STR_INIT("refused"),
    [DOCUMENT_BULK] = STR_INIT("bulk"),
};

ENUM_NAME(document_state_name, document_state, state_names[value], DOCUMENT_STATE_COUNT)
ENUM_FIND(document_state_from_name, document_state, state_names[value], 0, DOCUMENT_STATE_COUNT)

/* Zeros if the column is NULL. */
static void copy_digest(uint8_t ret[SHA256_SIZE], struct str blob)
{
    if (blob.n == SHA256_SIZE)
        memcpy(ret, blob.p, SHA256_SIZE);
    else
        memset(ret, 0, SHA256_SIZE);
}

/* Entries */

#define ENTRY_COLUMNS                                                                              \
    "d.no, d.kind, d.source_id, d.name, d.url, d.chamber, d.state, d.reason, d.year, d.filed_day," \
    " d.filer, d.filer_state, d.filer_district, d.indexed_at, d.index_gone_at FROM document d"

static struct document_entry read_entry(const struct query *q, struct arena *arena)
{
    int state = name_find(state_names, DOCUMENT_STATE_COUNT, query_get_str(q, 6));
    assert(state >= 0); /* CHECK of the table */
    return (struct document_entry){
        .no = query_get_i64(q, 0),
        .kind = query_text(q, 1, arena),
        .source_id = query_text(q, 2, arena),
        .name = query_text(q, 3, arena),
        .url = query_text(q, 4, arena),
        .chamber = chamber_from_name(query_get_str(q, 5)),
        .state = (enum document_state)state,
        .reason = query_text(q, 7, arena),
        .year = (int)query_get_opt_i64(q, 8, 0),
        .filed_day = (int32_t)query_get_opt_i64(q, 9, DAY_NONE),
        .filer = query_text(q, 10, arena),
        .filer_state = query_text(q, 11, arena),
        .filer_district = (int)query_get_opt_i64(q, 12, DOCUMENT_DISTRICT_NONE),
        .indexed_at = query_get_opt_i64(q, 13, INSTANT_NONE),
        .index_gone_at = query_get_opt_i64(q, 14, INSTANT_NONE),
    };
}

static enum err one_entry(
    struct query *q, struct arena *arena, struct document_entry *ret, struct fail *fail)
{
    if (query_row(q))
        *ret = read_entry(q, arena);
    return query_end_or(q, ERR_NOT_FOUND, fail, "there is no such document");
}

enum err document_find(
    struct db *db, struct str kind, struct str source_id, struct arena *arena,
    struct document_entry *ret, struct fail *fail)
{
    QUERY(
        q, db, "SELECT " ENTRY_COLUMNS " WHERE d.kind = $1 AND d.source_id = $2", V(kind),
        V(source_id));
    return one_entry(&q, arena, ret, fail);
}

enum err document_find_bytes(
    struct db *db, const uint8_t sha256[SHA256_SIZE], struct arena *arena,
    struct document_entry *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " ENTRY_COLUMNS
        " JOIN document_version v ON v.document_no = d.no WHERE v.sha256 = $1 ORDER BY d.no"
        " LIMIT 1",
        V_BLOB(sha256, SHA256_SIZE));
    return one_entry(&q, arena, ret, fail);
}

enum err document_lock(
    struct db *db, struct str kind, struct str source_id, enum chamber chamber, int64_t now_ms,
    struct fail *fail)
{
    assert(db_in_transaction(db));
    return query_run(
        db, fail,
        "INSERT INTO document (kind, source_id, name, chamber, state, first_seen_at)"
        " VALUES ($1, $2, $2, $3, $4, $5)"
        " ON CONFLICT (kind, source_id) DO UPDATE SET kind = excluded.kind",
        V(kind), V(source_id), V(chamber_name(chamber)), V(state_names[DOCUMENT_AWAITING_DOCUMENT]),
        V(now_ms));
}

enum err document_record(
    struct db *db, const struct document_entry *d, int64_t now_ms, int64_t *ret_no,
    struct fail *fail)
{
    assert(db_in_transaction(db));
    return query_number(
        db, ret_no, fail,
        "INSERT INTO document (kind, source_id, name, url, chamber, state, reason, year, filed_day,"
        " filer, filer_state, filer_district, indexed_at, index_gone_at, first_seen_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
        " ON CONFLICT (kind, source_id) DO UPDATE SET name = excluded.name, url = excluded.url,"
        " chamber = excluded.chamber, state = excluded.state, reason = excluded.reason,"
        " year = excluded.year, filed_day = excluded.filed_day, filer = excluded.filer,"
        " filer_state = excluded.filer_state, filer_district = excluded.filer_district,"
        " indexed_at = excluded.indexed_at, index_gone_at = excluded.index_gone_at RETURNING no",
        V(d->kind), V(d->source_id), V(d->name), V(d->url), V(chamber_name(d->chamber)),
        V(state_names[d->state]), V(d->reason), V_OPT(d->year, 0), V_OPT(d->filed_day, DAY_NONE),
        V(d->filer), V(d->filer_state), V_OPT(d->filer_district, DOCUMENT_DISTRICT_NONE),
        V_OPT(d->indexed_at, INSTANT_NONE), V_OPT(d->index_gone_at, INSTANT_NONE), V(now_ms));
}

enum err document_mark_gone(
    struct db *db, enum chamber chamber, int year, int64_t now_ms, int64_t *ret_count,
    struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE document SET index_gone_at = $3 WHERE chamber = $1 AND year = $2"
        " AND indexed_at < $3 AND index_gone_at IS NULL",
        V(chamber_name(chamber)), V(year), V(now_ms));
    return query_end_count(&q, ret_count, fail);
}

static enum err remove_row(
    struct db *db, const char *sql, struct str kind, struct str source_id, struct fail *fail)
{
    return query_run(db, fail, sql, V(kind), V(source_id));
}

enum err document_forget(struct db *db, struct str kind, struct str source_id, struct fail *fail)
{
    TRY(remove_row(
        db,
        "DELETE FROM document_version WHERE content_sha256 IS NULL AND document_no ="
        " (SELECT no FROM document WHERE kind = $1 AND source_id = $2)",
        kind, source_id, fail));
    return remove_row(
        db,
        "DELETE FROM document WHERE kind = $1 AND source_id = $2 AND NOT EXISTS"
        " (SELECT 1 FROM document_version v WHERE v.document_no = document.no)",
        kind, source_id, fail);
}

static enum err list_entries(
    struct query *q, struct arena *arena, struct document_entry **ret, size_t *ret_count,
    struct fail *fail)
{
    return list_read_items(q, arena, ret, ret_count, fail, read_entry(q, arena));
}

enum err document_of_index(
    struct db *db, struct str other_form, bool all, struct arena *arena,
    struct document_entry **ret, size_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " ENTRY_COLUMNS " WHERE d.indexed_at IS NOT NULL AND d.kind IN ('house', 'senate')"
        " AND d.state <> 'indexed' AND NOT (d.state = 'refused' AND d.reason = $1)"
        " AND ($2 = 1 OR NOT EXISTS (SELECT 1 FROM document_filer b WHERE b.document_no = d.no))"
        " AND NOT EXISTS (SELECT 1 FROM draft r WHERE r.filing_id = d.chamber || '-' || d.source_id"
        " AND r.member_no IS NOT NULL) ORDER BY d.no",
        V(other_form), V(all));
    return list_entries(&q, arena, ret, ret_count, fail);
}

enum err document_awaiting(
    struct db *db, enum chamber chamber, int first_year, int last_year, struct arena *arena,
    struct document_entry **ret, size_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " ENTRY_COLUMNS
        " WHERE d.chamber = $1 AND d.year BETWEEN $2 AND $3 AND d.state = 'awaiting_document'"
        " AND d.index_gone_at IS NULL ORDER BY d.filed_day DESC, d.source_id",
        V(chamber_name(chamber)), V(first_year), V(last_year));
    return list_entries(&q, arena, ret, ret_count, fail);
}

/* Versions */

static enum err one_version(struct query *q, struct document_version *ret, struct fail *fail)
{
    if (query_row(q)) {
        *ret = (struct document_version){
            .no = query_get_i64(q, 0),
            .document_no = query_get_i64(q, 1),
            .bytes = query_get_i64(q, 2),
        };
        copy_digest(ret->sha256, query_get_blob(q, 3));
        copy_digest(ret->content_sha256, query_get_blob(q, 4));
    }
    return query_end_or(q, ERR_NOT_FOUND, fail, "there is no such version");
}

#define VERSION_COLUMNS "no, document_no, bytes, sha256, content_sha256 FROM document_version"

enum err document_version_find(
    struct db *db, int64_t document_no, const uint8_t sha256[SHA256_SIZE],
    struct document_version *ret, struct fail *fail)
{
    QUERY(
        q, db, "SELECT " VERSION_COLUMNS " WHERE document_no = $1 AND sha256 = $2", V(document_no),
        V_BLOB(sha256, SHA256_SIZE));
    return one_version(&q, ret, fail);
}

enum err document_version_latest(
    struct db *db, int64_t document_no, struct document_version *ret, struct fail *fail)
{
    QUERY(
        q, db, "SELECT " VERSION_COLUMNS " WHERE document_no = $1 ORDER BY no DESC LIMIT 1",
        V(document_no));
    return one_version(&q, ret, fail);
}

static enum err seal_version(struct db *db, int64_t no, struct fail *fail)
{
    return row_seal(
        db, fail, DOCUMENT_VERSION, "document_version", "document_version.no = $1", V(no));
}

enum err document_version_add(
    struct db *db, const struct document_version *v, int64_t now_ms, int64_t *ret_no,
    struct fail *fail)
{
    static const uint8_t nothing[SHA256_SIZE];
    bool read = memcmp(v->content_sha256, nothing, SHA256_SIZE) != 0;
    TRY(query_number(
        db, ret_no, fail,
        "INSERT INTO document_version (document_no, sha256, bytes, seen_at, reading,"
        " content_sha256) VALUES ($1, $2, $3, $4, $5, $6) RETURNING no",
        V(v->document_no), V_BLOB(v->sha256, SHA256_SIZE), V(v->bytes), V(now_ms), V(v->reading),
        V_BLOB(read ? v->content_sha256 : NULL, SHA256_SIZE)));
    return seal_version(db, *ret_no, fail);
}

enum err document_version_set_reading(
    struct db *db, const struct document_version *v, struct fail *fail)
{
    TRY(query_run(
        db, fail, "UPDATE document_version SET reading = $2, content_sha256 = $3 WHERE no = $1",
        V(v->no), V(v->reading), V_BLOB(v->content_sha256, SHA256_SIZE)));
    return seal_version(db, v->no, fail);
}

enum err document_version_reading(
    struct db *db, int64_t version_no, struct arena *arena, struct str *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT reading FROM document_version WHERE no = $1", V(version_no));
    if (query_row(&q))
        *ret = query_text(&q, 0, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no such version");
}

/* A data file in one call */

enum err document_put(
    struct db *db, const struct document *d, int64_t now_ms, int64_t *ret_version,
    struct fail *fail)
{
    const struct document_entry entry = {
        .kind = d->kind,
        .source_id = d->source_id,
        .url = d->url,
        .chamber = d->chamber,
        .state = d->state,
        .reason = d->reason,
        .filed_day = DAY_NONE,
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = INSTANT_NONE,
        .index_gone_at = INSTANT_NONE,
    };
    struct document_version known, version = {.bytes = d->bytes};
    memcpy(version.sha256, d->sha256, SHA256_SIZE);
    enum err err = document_record(db, &entry, now_ms, &version.document_no, fail);
    if (!err)
        err = document_version_find(db, version.document_no, d->sha256, &known, fail);
    if (!err)
        *ret_version = known.no;
    return err == ERR_NOT_FOUND ? document_version_add(db, &version, now_ms, ret_version, fail)
                                : err;
}
