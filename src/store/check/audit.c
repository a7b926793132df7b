/* Statements of `stockact audit`; see audit.h. */
#include "store/check/audit.h"

#include "store/row/row_values.h"

/* --- trades and filings */

#define TRADE_SELECT                                                                               \
    "SELECT t.filing_no, t.no, t.id, t.position, f.filed_at, p.at, " ROW_VALUES_COLUMNS(           \
        t) " FROM trade t JOIN filing f ON f.no = t.filing_no"                                     \
           " JOIN publication p ON p.no = t.publication_no WHERE t.withdrawn_at IS NULL"

enum { TRADE_VALUES = 6 }; /* the first column of the values */

static enum err visit_trades(
    struct query *q, audit_trade_visit *visit, void *ctx, struct fail *fail)
{
    while (query_row(q)) {
        const struct audit_trade trade = {
            .place = {query_get_i64(q, 0), query_get_i64(q, 1)},
            .id = query_get_str(q, 2),
            .position = (int)query_get_i64(q, 3),
            .filed_at = query_get_i64(q, 4),
            .public_at = query_get_i64(q, 5),
            .values = row_values_read(q, TRADE_VALUES),
        };
        visit(ctx, &trade);
    }
    return query_end(q, fail);
}

enum err audit_trade_of(
    struct db *db, int64_t trade_no, struct arena *arena, struct audit_shown_trade *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT t.id, m.id, p.at FROM trade t JOIN publication p ON p.no = t.publication_no"
        " JOIN filing f ON f.no = t.filing_no JOIN member m ON m.no = f.member_no"
        " WHERE t.no = $1",
        V(trade_no));
    if (query_row(&q))
        *ret = (struct audit_shown_trade){
            query_text(&q, 0, arena), query_text(&q, 1, arena), query_get_i64(&q, 2)};
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no trade with number %lld", (long long)trade_no);
}

enum err audit_each_trade(
    struct db *db, struct audit_place after, int64_t limit, audit_trade_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        TRADE_SELECT " AND (t.filing_no, t.no) > ($1, $2) ORDER BY t.filing_no, t.no LIMIT $3",
        V(after.filing_no), V(after.no), V(limit));
    return visit_trades(&q, visit, ctx, fail);
}

enum err audit_each_trade_of(
    struct db *db, int64_t filing_no, int64_t version_no, audit_trade_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        TRADE_SELECT " AND t.filing_no = $1 AND t.document_version_no = $2 ORDER BY t.position",
        V(filing_no), V(version_no));
    return visit_trades(&q, visit, ctx, fail);
}

enum err audit_each_filing(
    struct db *db, int64_t after, int64_t limit, audit_filing_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT f.no, f.id, f.chamber, f.member_no, m.id, f.member_name, f.member_party,"
        " f.member_state, f.filed_at, p.at, b.version_no FROM filing f"
        " JOIN member m ON m.no = f.member_no JOIN publication p ON p.no = f.publication_no"
        " LEFT JOIN document_bytes b ON b.version_no = f.document_version_no"
        " WHERE f.no > $1 AND f.state IN ('published', 'amended') ORDER BY f.no LIMIT $2",
        V(after), V(limit));
    while (query_row(&q)) {
        const struct audit_filing filing = {
            .no = query_get_i64(&q, 0),
            .id = query_get_str(&q, 1),
            .chamber = chamber_from_name(query_get_str(&q, 2)),
            .member_no = query_get_i64(&q, 3),
            .politician_id = query_get_str(&q, 4),
            .name = query_get_str(&q, 5),
            .party = query_get_str(&q, 6),
            .state = query_get_str(&q, 7),
            .filed_at = query_get_i64(&q, 8),
            .public_at = query_get_i64(&q, 9),
            .version_no = query_get_i64(&q, 10),
        };
        visit(ctx, &filing);
    }
    return query_end(&q, fail);
}

enum err audit_count_filings(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(
        db, ret, fail, "SELECT count(*) FROM filing WHERE state IN ('published', 'amended')");
}

enum err audit_each_draft_row(
    struct db *db, struct str filing_id, audit_row_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT r.position FROM draft_row r JOIN draft d ON d.no = r.draft_no"
        " WHERE d.filing_id = $1 AND d.revision ="
        " (SELECT max(n.revision) FROM draft n WHERE n.filing_id = d.filing_id)"
        " ORDER BY r.position",
        V(filing_id));
    while (query_row(&q))
        visit(ctx, (int)query_get_i64(&q, 0));
    return query_end(&q, fail);
}

enum err audit_is_edited(
    struct db *db, struct str trade_id, struct str field, int position, bool *ret,
    struct fail *fail)
{
    return query_any(
        db, ret, fail,
        "SELECT 1 FROM correction WHERE trade_id = $1 AND field = $2 UNION ALL"
        " SELECT 1 FROM draft_history h JOIN draft d ON d.no = h.draft_no"
        " JOIN trade t ON t.id = $1 JOIN filing f ON f.no = t.filing_no AND f.id = d.filing_id"
        " WHERE h.position = $3 AND h.field = $2 LIMIT 1",
        V(trade_id), V(field), V(position));
}

/* --- statements that find disagreements by themselves: subject, is, other, since */

#define PUBLIC_DOCUMENT                                                                            \
    " FROM filing f JOIN document_version v ON v.no = f.document_version_no"                       \
    " JOIN document d ON d.no = v.document_no WHERE f.state IN ('published', 'amended')"

static const char *const line_statements[AUDIT_LINES_COUNT] = {
    [AUDIT_LINES_ANSWERS] =
        "SELECT a.name_folded, m.id, a.chamber || ' ' || a.state || CASE WHEN a.district < 0"
        " THEN '' ELSE CAST(a.district AS TEXT) END, a.at"
        " FROM filer_alias a JOIN member m ON m.no = a.member_no WHERE NOT EXISTS (SELECT 1"
        " FROM member_term t WHERE t.member_no = a.member_no AND t.chamber = a.chamber"
        " AND (a.state = '' OR t.state = a.state)"
        " AND (a.district < 0 OR a.chamber <> 'house' OR t.district = a.district))"
        " ORDER BY a.name_folded, a.state, a.district",
    /* An older correction was overtaken by the last one, and one of the politician's party by a
     * later change of the politician. Dates are left out: the log has them as text. */
    [AUDIT_LINES_CORRECTIONS] =
        "SELECT l.trade_id || ' ' || l.field, l.value, l.new_value, l.at FROM ("
        " SELECT c.trade_id, c.field, c.new_value, c.at, CASE c.field"
        " WHEN 'ticker' THEN t.ticker WHEN 'assetName' THEN t.asset_name"
        " WHEN 'assetType' THEN t.asset_type WHEN 'side' THEN t.side"
        " WHEN 'amountBucket' THEN t.amount_bucket WHEN 'ownerType' THEN t.owner_type"
        " WHEN 'politician.name' THEN f.member_name WHEN 'politician.party' THEN f.member_party"
        " WHEN 'politician.state' THEN f.member_state END AS value FROM correction c"
        " JOIN trade t ON t.id = c.trade_id JOIN filing f ON f.no = t.filing_no"
        " WHERE c.kind = 'field' AND c.field IN ('ticker', 'assetName', 'assetType', 'side',"
        " 'amountBucket', 'ownerType', 'politician.name', 'politician.party', 'politician.state')"
        " AND c.no = (SELECT max(d.no) FROM correction d WHERE d.trade_id = c.trade_id"
        " AND d.kind = 'field' AND (d.field = c.field"
        " OR (d.field = 'politician' AND c.field LIKE 'politician.%')))) l"
        " WHERE coalesce(l.value, '') <> coalesce(l.new_value, '') ORDER BY l.trade_id, l.field",
    [AUDIT_LINES_NEWER_DOCUMENTS] =
        "SELECT f.id, NULL, NULL, (SELECT min(n.seen_at) FROM document_version n"
        " WHERE n.document_no = v.document_no AND n.no > v.no)" PUBLIC_DOCUMENT
        " AND EXISTS (SELECT 1 FROM document_version n WHERE n.document_no = v.document_no"
        " AND n.no > v.no AND n.content_sha256 <> v.content_sha256) ORDER BY f.no",
    [AUDIT_LINES_GONE] = "SELECT f.id, NULL, NULL, d.index_gone_at" PUBLIC_DOCUMENT
                         " AND d.index_gone_at IS NOT NULL ORDER BY f.no",
};

enum err audit_each_line(
    struct db *db, enum audit_lines lines, audit_line_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(q, db, line_statements[lines]);
    while (query_row(&q)) {
        const struct audit_line line = {
            .subject = query_get_str(&q, 0),
            .is = query_get_str(&q, 1),
            .other = query_get_str(&q, 2),
            .since = query_get_i64(&q, 3),
        };
        visit(ctx, &line);
    }
    return query_end(&q, fail);
}
