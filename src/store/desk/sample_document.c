/* Drawn documents; see sample_document.h. */
#include "store/desk/sample_document.h"

#include "store/public/draft_shown.h"
#include "store/row/list.h"

enum err sample_document_add(
    struct db *db, int64_t draw_no, int64_t filing_no, int stratum, int64_t now_ms, bool *ret_added,
    struct fail *fail)
{
    return query_any(
        db, ret_added, fail,
        "INSERT INTO sample_document (draw_no, filing_id, chamber, kind, drawn_at, known)"
        " SELECT $1, f.id, $3, $4, $5, CASE WHEN " DRAFT_PUBLISHED(
            "f") " IS NULL THEN (SELECT count(*) FROM trade t WHERE t.filing_no = f.no"
                 " AND t.withdrawn_at IS NULL) ELSE (SELECT count(*) FROM draft_row r"
                 " WHERE r.removed_at IS NULL AND r.draft_no = " DRAFT_PUBLISHED(
                     "f") ") END FROM filing f WHERE f.no = $2 AND NOT EXISTS (SELECT 1"
                          " FROM sample_document d WHERE d.filing_id = f.id AND d.drawn_at > $6"
                          " AND NOT EXISTS (SELECT 1 FROM sample_count c"
                          " WHERE c.document_no = d.no AND c.ends = 1)) RETURNING no",
        V(draw_no), V(filing_no), V(chamber_name(sample_stratum_chamber(stratum))),
        V(sample_kind_name(sample_stratum_kind(stratum))), V(now_ms),
        V(now_ms - (int64_t)SAMPLE_OPEN_DAYS * DAY_MS));
}

/* --- reading */

#define SELECT                                                                                     \
    "SELECT d.no, d.filing_id, f.url, d.chamber, d.kind, d.drawn_at, d.known, b.counted,"          \
    " e.counted, coalesce(e.by_email, b.by_email), e.reason, e.no,"                                \
    " (SELECT max(g.page) FROM document_page g WHERE g.version_no = f.document_version_no),"       \
    " (SELECT max(r.page) FROM draft_row r WHERE r.draft_no = " DRAFT_PUBLISHED(                   \
        "f") ")"                                                                                   \
             " FROM sample_document d JOIN filing f ON f.id = d.filing_id"                         \
             " LEFT JOIN sample_count b ON b.document_no = d.no AND b.ends = 0"                    \
             " LEFT JOIN sample_count e ON e.document_no = d.no AND e.ends = 1"

static enum sample_state state_of(const struct sample_document *d, bool has_end, int64_t now_ms)
{
    if (!has_end && d->counted >= 0)
        return SAMPLE_DIFFERS;
    if (!has_end)
        return d->drawn_at + (int64_t)SAMPLE_OPEN_DAYS * DAY_MS < now_ms ? SAMPLE_EXPIRED
                                                                         : SAMPLE_OPEN;
    if (d->ended < 0)
        return SAMPLE_SKIPPED;
    return d->ended > d->known ? SAMPLE_WRONG : SAMPLE_RIGHT;
}

static struct sample_document read_document(
    const struct query *q, int64_t now_ms, struct arena *arena)
{
    bool paper = str_eq(query_get_str(q, 4), sample_kind_name(SAMPLE_PAPER));
    int64_t scanned = query_get_opt_i64(q, 12, 0), read = query_get_opt_i64(q, 13, 0);
    struct sample_document d = {
        .no = query_get_i64(q, 0),
        .filing_id = query_text(q, 1, arena),
        .url = query_text(q, 2, arena),
        .chamber = chamber_from_name(query_get_str(q, 3)),
        .kind = paper ? SAMPLE_PAPER : SAMPLE_ELECTRONIC,
        .drawn_at = query_get_i64(q, 5),
        .known = query_get_i64(q, 6),
        .pages = scanned > read ? scanned : read,
        .counted = query_get_opt_i64(q, 7, -1),
        .ended = query_get_opt_i64(q, 8, -1),
        .by = query_text(q, 9, arena),
        .reason = query_text(q, 10, arena),
    };
    d.state = state_of(&d, !query_is_null(q, 11), now_ms);
    return d;
}

enum err sample_document_list(
    struct db *db, int64_t no, int64_t limit, int64_t now_ms, struct arena *arena,
    struct sample_document_list *ret, struct fail *fail)
{
    QUERY(
        q, db, SELECT " WHERE d.no BETWEEN $1 AND $2 ORDER BY d.no DESC LIMIT $3", V(no),
        V(no ? no : INT64_MAX), V(limit));
    return list_read(&q, arena, ret, fail, read_document(&q, now_ms, arena));
}

enum err sample_document_find(
    struct db *db, int64_t no, int64_t now_ms, struct arena *arena, struct sample_document *ret,
    struct fail *fail)
{
    struct sample_document_list list = {.count = 0};
    TRY(sample_document_list(db, no, 1, now_ms, arena, &list, fail));
    if (!no || !list.count)
        return fail_set(fail, ERR_NOT_FOUND, "the sample has no document %lld", (long long)no);
    *ret = list.items[0];
    return OK;
}

enum err sample_document_count(
    struct db *db, int64_t no, int64_t counted, bool ends, struct str reason,
    const struct sample_by *by, struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO sample_count (document_no, ends, at, by_email, counted, month, reason)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (document_no, ends) DO NOTHING"
        " RETURNING no",
        V(no), V(ends), V(by->now_ms), V(by->email), V_OPT(counted, -1),
        V_OPT(ends ? instant_month_utc(by->now_ms) : -1, -1), V(reason));
    (void)query_row(&q);
    return query_end_or(
        &q, ERR_EXISTS, fail, "document %lld of the sample was counted meanwhile; nothing changed",
        (long long)no);
}

/* --- the report */

static enum err count_waiting(
    struct db *db, int64_t now_ms, struct sample_document_report *r, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT count(b.no), sum(CASE WHEN b.no IS NULL AND d.drawn_at >= $1 THEN 1 ELSE 0 END),"
        " sum(CASE WHEN b.no IS NULL AND d.drawn_at < $1 THEN 1 ELSE 0 END)"
        " FROM sample_document d LEFT JOIN sample_count b ON b.document_no = d.no AND b.ends = 0"
        " WHERE NOT EXISTS (SELECT 1 FROM sample_count e WHERE e.document_no = d.no"
        " AND e.ends = 1)",
        V(now_ms - (int64_t)SAMPLE_OPEN_DAYS * DAY_MS));
    if (query_row(&q)) {
        r->undecided = query_get_i64(&q, 0);
        r->waiting = query_get_opt_i64(&q, 1, 0);
        r->expired = query_get_opt_i64(&q, 2, 0);
    }
    return query_end(&q, fail);
}

enum err sample_document_report(
    struct db *db, int64_t now_ms, int32_t first_month, struct sample_document_report *ret,
    struct fail *fail)
{
    *ret = (struct sample_document_report){.waiting = 0};
    QUERY(
        q, db,
        "SELECT d.chamber, d.kind, count(e.counted), CAST(coalesce(sum(e.counted), 0) AS BIGINT),"
        " CAST(sum(CASE WHEN e.counted > d.known THEN e.counted - d.known ELSE 0 END) AS BIGINT),"
        " CAST(coalesce(sum(e.counted * e.counted), 0) AS BIGINT), count(*)"
        " FROM sample_count e JOIN sample_document d ON d.no = e.document_no"
        " WHERE e.month >= $1 GROUP BY d.chamber, d.kind",
        V(first_month));
    while (query_row(&q)) {
        bool paper = str_eq(query_get_str(&q, 1), sample_kind_name(SAMPLE_PAPER));
        struct sample_document_sum *sum = &ret->strata[sample_stratum(
            chamber_from_name(query_get_str(&q, 0)), paper ? SAMPLE_PAPER : SAMPLE_ELECTRONIC)];
        *sum = (struct sample_document_sum){
            query_get_i64(&q, 2), query_get_i64(&q, 3), query_get_i64(&q, 4), query_get_i64(&q, 5)};
        ret->all.documents += sum->documents;
        ret->all.rows += sum->rows;
        ret->all.missing += sum->missing;
        ret->skipped += query_get_i64(&q, 6) - sum->documents;
    }
    TRY(query_end(&q, fail));
    return count_waiting(db, now_ms, ret, fail);
}
