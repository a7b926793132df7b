/* The corrections log; see correction.h. */
#include "store/public/correction.h"

#include "noun/change.h"
#include "db/chain.h"
#include "db/row_digest.h"
#include "store/public/change_log.h"
#include "store/public/trade.h"

/* A backfill has none: its publication has one entry for each trade. */
static enum change_kind change_of(enum correction_kind kind)
{
    switch (kind) {
    case CORRECTION_FIELD:
        return CHANGE_CORRECTED;
    case CORRECTION_WITHDRAWN:
        return CHANGE_WITHDRAWN;
    case CORRECTION_REINSTATED:
        return CHANGE_REINSTATED;
    case CORRECTION_NONE:
    case CORRECTION_BACKFILL:
    case CORRECTION_KIND_COUNT:
        break;
    }
    return CHANGE_NONE;
}

enum err correction_add(struct db *db, const struct correction *c, struct fail *fail)
{
    bool bulk = c->kind == CORRECTION_BACKFILL;
    enum change_kind change = change_of(c->kind);
    int64_t no = 0, at;
    TRY(change_log_instant(db, c->at, &at, fail));
    enum err err = query_number(
        db, &no, fail,
        "INSERT INTO correction (kind, trade_id, filing_id, at, field, old_value, new_value,"
        " reason, by_email, range_start, range_end, entries)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING no",
        V(correction_kind_name(c->kind)), V(c->trade_id),
        V(str_is_null(c->filing_id) ? trade_id_filing(c->trade_id) : c->filing_id), V(at),
        V(c->field), V(c->old), V(c->new), V(c->reason), V(c->by),
        V_OPT(bulk ? c->range_start : INSTANT_NONE, INSTANT_NONE),
        V_OPT(bulk ? c->range_end : INSTANT_NONE, INSTANT_NONE),
        V_OPT(bulk ? c->count : INSTANT_NONE, INSTANT_NONE));
    if (!err)
        err = chain_add_correction(db, no, fail);
    return err || change == CHANGE_NONE
               ? err
               : change_log_corrected(db, change, c->trade_id, c->filing_id, no, at, fail);
}

enum err correction_count(
    struct db *db, struct str filing_id, struct str trade_id, int64_t *ret, struct fail *fail)
{
    QUERY(
        q, db,
        str_is_null(trade_id) ? "SELECT count(*) FROM correction WHERE filing_id = $1"
                              : "SELECT count(*) FROM correction WHERE trade_id = $1",
        V(str_is_null(trade_id) ? filing_id : trade_id));
    *ret = query_row(&q) ? query_get_i64(&q, 0) : 0;
    return query_end(&q, fail);
}

enum err correction_of_field(
    struct db *db, struct str trade_id, struct str field, struct str reason, bool *ret,
    struct fail *fail)
{
    return query_any(
        db, ret, fail,
        "SELECT 1 FROM correction WHERE filing_id = $1 AND trade_id = $2 AND field = $3"
        " AND substr(reason, 1, length($4)) <> $4 LIMIT 1",
        V(trade_id_filing(trade_id)), V(trade_id), V(field), V(reason));
}

/* The digest in the chain follows the columns that it covers. */
#define CORRECTION_SELECT                                                                          \
    "SELECT " ROW_DIGEST_CORRECTION_COLUMNS ", (SELECT l.digest FROM chain l"                      \
    " WHERE l.row_no = c.no AND l.noun = 'correction' ORDER BY l.no DESC LIMIT 1) FROM "           \
    "correction c"                                                                                 \
    " WHERE c.at >= $1 AND (c.at, c.no) < ($2, $3) AND c.kind = coalesce($4, c.kind)"              \
    " AND (c.at < $6 OR CASE WHEN c.trade_id IS NOT NULL"                                          \
    " THEN (SELECT t.disclosed_at FROM trade t WHERE t.id = c.trade_id) < $6"                      \
    " WHEN c.filing_id IS NOT NULL"                                                                \
    " THEN (SELECT f.published_at FROM filing f WHERE f.id = c.filing_id) < $6"                    \
    " ELSE 1 = 1 END)"                                                                             \
    " AND (coalesce($7, '') = '' OR (c.field = 'ticker' AND c.old_value = $7)"                     \
    " OR EXISTS (SELECT 1 FROM trade t WHERE t.id = c.trade_id AND t.ticker = $7))"
#define CORRECTION_ORDER " ORDER BY c.at DESC, c.no DESC LIMIT $5"

/* $8 is a slug or an id. */
#define CORRECTION_OF_POLITICIAN                                                                   \
    " AND c.no IN (SELECT b.no FROM member m JOIN filing f ON f.member_no = m.no"                  \
    " JOIN correction b ON b.filing_id = f.id WHERE m.slug = $8 OR m.id = $8"                      \
    " UNION SELECT b.no FROM member m JOIN correction b ON b.old_value = m.id"                     \
    " AND b.field = 'politicianId' WHERE m.slug = $8 OR m.id = $8"                                 \
    " UNION SELECT b.no FROM member m JOIN correction b ON b.old_value = m.slug"                   \
    " AND b.field = 'politician.slug' WHERE m.slug = $8 OR m.id = $8)"

/* By whether the range is of a politician, and of all, a trade or a filing: each uses its index. */
enum { OF_ALL, OF_TRADE, OF_FILING };
static const char *const selects[2][3] = {
    {CORRECTION_SELECT CORRECTION_ORDER, CORRECTION_SELECT " AND c.trade_id = $8" CORRECTION_ORDER,
     CORRECTION_SELECT " AND c.filing_id = $8" CORRECTION_ORDER},
    {CORRECTION_SELECT CORRECTION_OF_POLITICIAN CORRECTION_ORDER,
     CORRECTION_SELECT CORRECTION_OF_POLITICIAN " AND c.trade_id = $9" CORRECTION_ORDER,
     CORRECTION_SELECT CORRECTION_OF_POLITICIAN " AND c.filing_id = $9" CORRECTION_ORDER},
};

enum err correction_each(
    struct db *db, const struct correction_range *range, int64_t limit, correction_visit *visit,
    void *ctx, struct fail *fail)
{
    bool of_politician = !str_is_null(range->politician), of_trade = !str_is_null(range->trade_id);
    bool of_filing = !str_is_null(range->filing_id);
    bool ends = range->until_ms != INSTANT_NONE && range->until_ms <= range->before_at;
    if (of_trade && of_filing && !str_eq(trade_id_filing(range->trade_id), range->filing_id))
        return OK;
    QUERY(
        q, db,
        selects[of_politician]
               [of_trade    ? OF_TRADE
                : of_filing ? OF_FILING
                            : OF_ALL],
        V(range->since_ms), V(ends ? range->until_ms : range->before_at),
        V(ends ? 0 : range->before_no), V(correction_kind_name(range->kind)), V(limit),
        V(range->seen_before_ms), V(range->ticker));
    if (of_politician)
        query_str(&q, range->politician);
    if (of_trade || of_filing)
        query_str(&q, of_trade ? range->trade_id : range->filing_id);
    while (query_row(&q)) {
        const struct correction c = {
            .no = query_get_i64(&q, 0),
            .kind = correction_kind_from_name(query_get_str(&q, 1)),
            .trade_id = query_get_str(&q, 2),
            .filing_id = query_get_str(&q, 3),
            .at = query_get_i64(&q, 4),
            .field = query_get_str(&q, 5),
            .old = query_get_str(&q, 6),
            .new = query_get_str(&q, 7),
            .reason = query_get_str(&q, 8),
            .by = query_get_str(&q, 9),
            .range_start = query_get_opt_i64(&q, 10, INSTANT_NONE),
            .range_end = query_get_opt_i64(&q, 11, INSTANT_NONE),
            .count = query_get_i64(&q, 12),
            .damaged = row_digest_differs(&q, 0, ROW_DIGEST_CORRECTION),
        };
        visit(ctx, &c);
    }
    return query_end(&q, fail);
}

void correction_json(struct buf *b, const struct correction *c)
{
    const struct shape_backfill backfill = {c->at, c->range_start, c->range_end, c->count};
    const struct shape_correction shown = {
        .no = c->no,
        .trade_id = c->trade_id,
        .filing_id = c->filing_id,
        .at = c->at,
        .kind = c->kind,
        .field = c->field,
        .old = c->old,
        .new = c->new,
        .reason = c->reason,
        .backfill = c->kind == CORRECTION_BACKFILL ? &backfill : NULL,
    };
    shape_object_json(b, &shape_correction, &shown);
}
