/* The sequence of changes; see change_log.h. */
#include "store/public/change_log.h"

#include <assert.h>

#include "store/public/finding_digest.h"
#include "store/public/trade.h"
#include "store/row/credible.h"

/* The number before the first of the new entries. */
#define NEWEST "coalesce((SELECT max(seq) FROM change_log), 0)"

#define INSERT_ENTRIES                                                                             \
    "INSERT INTO change_log (seq, at, kind, filing_no, trade_no, correction_no, history_no) "

static enum err take_instant(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    struct change_place last;
    enum err err = change_log_last(db, &last, fail);
    *ret = last.at > now_ms ? last.at : now_ms;
    return err;
}

enum err change_log_instant(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    TRY(credible_check(db, now_ms, fail));
    return take_instant(db, now_ms, ret, fail);
}

/* A filing is published without trades if it had none in an earlier publication either. */
enum err change_log_published(
    struct db *db, int64_t publication_no, int64_t now_ms, struct fail *fail)
{
    int64_t at = 0;
    assert(db_in_transaction(db));
    TRY(take_instant(db, now_ms, &at, fail));
    return query_run(
        db, fail,
        INSERT_ENTRIES
        "SELECT " NEWEST " + row_number() OVER (ORDER BY e.trade_no, e.filing_no), $2,"
        " 'published', e.filing_no, nullif(e.trade_no, 0), NULL, NULL FROM"
        " (SELECT t.no AS trade_no, t.filing_no AS filing_no FROM publication p JOIN trade t"
        " ON t.publication_no = p.no AND t.disclosed_at BETWEEN p.range_start AND p.range_end"
        " WHERE p.no = $1"
        " UNION ALL SELECT 0, f.no FROM filing f WHERE f.publication_no = $1"
        " AND NOT EXISTS (SELECT 1 FROM trade t WHERE t.filing_no = f.no"
        " AND t.withdrawn_at IS NULL)) e",
        V(publication_no), V(at));
}

enum err change_log_corrected(
    struct db *db, enum change_kind kind, struct str trade_id, struct str filing_id,
    int64_t correction_no, int64_t at, struct fail *fail)
{
    bool of_trade = !str_is_null(trade_id);
    QUERY(
        q, db,
        of_trade ? INSERT_ENTRIES "SELECT " NEWEST " + 1, $2, $3, t.filing_no, t.no, $4, NULL"
                                  " FROM trade t WHERE t.id = $1"
                 : INSERT_ENTRIES "SELECT " NEWEST " + 1, $2, $3, f.no, NULL, $4, NULL"
                                  " FROM filing f WHERE f.id = $1",
        V(of_trade ? trade_id : filing_id), V(at), V(change_kind_name(kind)), V(correction_no));
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no %s \"%.*s\"", of_trade ? "trade" : "filing",
        STR_ARG(of_trade ? trade_id : filing_id));
}

enum err change_log_signals(
    struct db *db, int64_t first, int64_t last, int64_t now_ms, struct fail *fail)
{
    int64_t at = 0;
    assert(db_in_transaction(db));
    TRY(change_log_instant(db, now_ms, &at, fail));
    return query_run(
        db, fail,
        INSERT_ENTRIES "SELECT " NEWEST
                       " + row_number() OVER (ORDER BY h.no), $3, 'signal', t.filing_no, t.no,"
                       " NULL, h.no FROM finding_history h JOIN trade t ON t.no = h.trade_no"
                       " WHERE h.no BETWEEN $1 AND $2",
        V(first), V(last), V(at));
}

/* Reading */

enum err change_log_last(struct db *db, struct change_place *ret, struct fail *fail)
{
    *ret = (struct change_place){0, 0};
    QUERY(q, db, "SELECT seq, at FROM change_log ORDER BY seq DESC LIMIT 1");
    if (query_row(&q))
        *ret = (struct change_place){query_get_i64(&q, 0), query_get_i64(&q, 1)};
    return query_end(&q, fail);
}

enum err change_log_has(
    struct db *db, const struct change_place *place, bool *ret, struct fail *fail)
{
    *ret = place->seq == 0 && place->at == 0;
    if (*ret)
        return OK;
    return query_any(
        db, ret, fail, "SELECT 1 FROM change_log WHERE seq = $1 AND at = $2", V(place->seq),
        V(place->at));
}

enum {
    OWN_COLUMNS = 16,
    TRADE_AT = OWN_COLUMNS,
    TRADE_FILING_AT = TRADE_AT + TRADE_COLUMN_COUNT,
    FILING_AT = TRADE_FILING_AT + TRADE_FILING_COLUMN_COUNT,
    CORRECTION_AT = FILING_AT + ROW_DIGEST_FILING_COUNT + 1,
    FINDINGS_AT = CORRECTION_AT + ROW_DIGEST_CORRECTION_COUNT + 1,
    FINDING_COLUMNS = 3, /* of the old, the new and the trade's own finding */
};

/* Looks up the finding in a subquery: with a join PostgreSQL reads all findings for each page. */
#define ENTRY_SELECT                                                                               \
    "SELECT l.seq, l.at, l.kind, l.trade_no, f.id, f.state, f.source_doc_id, f.filed_at, m.id,"    \
    " c.field, coalesce(c.old_value, o.reason), coalesce(c.new_value, w.reason), c.reason,"        \
    " n.reason, t.withdrawn_at, l.filing_no, " TRADE_COLUMNS ", " TRADE_FILING_COLUMNS             \
    ", " ROW_DIGEST_FILING_COLUMNS ", f.digest, " ROW_DIGEST_CORRECTION_COLUMNS                    \
    ", (SELECT k.digest FROM chain k WHERE k.row_no = c.no AND k.noun = 'correction'"              \
    " ORDER BY k.no DESC LIMIT 1),"                                                                \
    " o.reason, o.evidence, o.sha256, w.reason, w.evidence, w.sha256,"                             \
    " n.reason, n.evidence, n.sha256"                                                              \
    " FROM change_log l JOIN filing f ON f.no = l.filing_no"                                       \
    " LEFT JOIN member m ON m.no = f.member_no"                                                    \
    " LEFT JOIN trade t ON t.no = l.trade_no LEFT JOIN correction c ON c.no = l.correction_no"     \
    " LEFT JOIN finding_history h ON h.no = l.history_no LEFT JOIN finding o ON o.no = h.old_no"   \
    " LEFT JOIN finding w ON w.no = h.new_no LEFT JOIN finding n"                                  \
    " ON n.no = (SELECT s.finding_no FROM trade_finding s WHERE s.trade_no = l.trade_no)"

static struct change_entry read_entry(const struct query *q)
{
    struct change_entry e = {
        .seq = query_get_i64(q, 0),
        .at = query_get_i64(q, 1),
        .kind = change_kind_from_name(query_get_str(q, 2)),
        .filing_id = query_get_str(q, 4),
        .filing_no = query_get_i64(q, 15),
        .filing_is_public = !str_eq(query_get_str(q, 5), STR("withdrawn")),
        .field = query_get_str(q, 9),
        .old = query_get_str(q, 10),
        .new = query_get_str(q, 11),
        .reason = query_get_str(q, 12),
    };
    bool filing_damaged = row_digest_differs(q, FILING_AT, ROW_DIGEST_FILING);
    e.filing_is_public = e.filing_is_public && !filing_damaged;
    e.damaged = filing_damaged;
    if ((!query_is_null(q, CORRECTION_AT) &&
         row_digest_differs(q, CORRECTION_AT, ROW_DIGEST_CORRECTION)) ||
        finding_columns_damaged(q, FINDINGS_AT) ||
        finding_columns_damaged(q, FINDINGS_AT + FINDING_COLUMNS)) {
        e.field = e.old = e.new = e.reason = STR_NULL;
        e.damaged = true;
    }
    if (e.kind == CHANGE_SIGNAL)
        e.field = STR("conflictReason");
    trade_columns_read_filing(q, TRADE_FILING_AT, &e.trade);
    e.politician = e.trade.politician;
    e.filing = (struct filing){
        .id = e.filing_id,
        .chamber = e.politician.chamber,
        .source_doc_id = query_get_str(q, 6),
        .url = e.trade.filing_url,
        .politician_id = query_get_str(q, 8),
        .filed_at = query_get_i64(q, 7),
    };
    if (query_is_null(q, 3))
        return e;
    struct trade_others others;
    trade_columns_read(q, TRADE_AT, &e.trade, &others);
    e.trade.conflict_reason = query_get_str(q, 13);
    e.trade_id = e.trade.id;
    e.damaged = e.damaged || others.damaged;
    e.trade_is_public = others.withdrawn_at == INSTANT_NONE && !others.damaged && !filing_damaged;
    return e;
}

enum err change_log_each(
    struct db *db, int64_t after, int64_t limit, change_log_visit *visit, void *ctx,
    struct fail *fail)
{
    enum err stop = OK;
    QUERY(
        q, db, ENTRY_SELECT " WHERE l.seq > $1 AND l.seq <= $2 ORDER BY l.seq", V(after),
        V(limit < INT64_MAX - after ? after + limit : INT64_MAX));
    while (!stop && query_row(&q)) {
        const struct change_entry entry = read_entry(&q);
        stop = visit(ctx, &entry);
    }
    TRY(query_end(&q, fail));
    return stop;
}
