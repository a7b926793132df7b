/* The corrections log; see correction.h. */
#include "store/correction.h"

#include "store/change_log.h"
#include "store/db/chain.h"
#include "store/db/row_digest.h"
#include "store/trade.h"

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
    struct query q;
    enum err err = change_log_instant(db, c->at, &at, fail);
    if (err)
        return err;
    query_start(
        &q, db,
        "INSERT INTO correction (kind, trade_id, filing_id, at, field, old_value, new_value,"
        " reason, by_email, range_start, range_end, entries)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING no");
    query_str(&q, correction_kind_name(c->kind));
    query_str(&q, c->trade_id);
    query_str(&q, str_is_null(c->filing_id) ? trade_id_filing(c->trade_id) : c->filing_id);
    query_i64(&q, at);
    query_str(&q, c->field);
    query_str(&q, c->old);
    query_str(&q, c->new);
    query_str(&q, c->reason);
    query_str(&q, c->by);
    query_opt_i64(&q, bulk ? c->range_start : INSTANT_NONE, INSTANT_NONE);
    query_opt_i64(&q, bulk ? c->range_end : INSTANT_NONE, INSTANT_NONE);
    query_opt_i64(&q, bulk ? c->count : INSTANT_NONE, INSTANT_NONE);
    if (query_row(&q))
        no = query_get_i64(&q, 0);
    err = query_end(&q, fail);
    if (!err)
        err = chain_add_correction(db, no, fail);
    return err || change == CHANGE_NONE
               ? err
               : change_log_corrected(db, change, c->trade_id, c->filing_id, no, at, fail);
}

enum err correction_of_field(
    struct db *db, struct str trade_id, struct str field, struct str reason, bool *ret,
    struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "SELECT 1 FROM correction WHERE filing_id = $1 AND trade_id = $2 AND field = $3"
        " AND substr(reason, 1, length($4)) <> $4 LIMIT 1");
    query_str(&q, trade_id_filing(trade_id));
    query_str(&q, trade_id);
    query_str(&q, field);
    query_str(&q, reason);
    *ret = query_row(&q);
    return query_end(&q, fail);
}

/* The digest in the chain follows the columns that it covers. */
#define CORRECTION_SELECT                                                                          \
    "SELECT " ROW_DIGEST_CORRECTION_COLUMNS ", (SELECT l.digest FROM chain l"                      \
    " WHERE l.row_no = c.no AND l.noun = 'correction' LIMIT 1) FROM correction c"                  \
    " WHERE c.at >= $1 AND (c.at, c.no) < ($2, $3) AND c.kind = coalesce($4, c.kind)"
#define CORRECTION_ORDER " ORDER BY c.at DESC, c.no DESC LIMIT $5"

/* $6 is a slug or an id. */
#define CORRECTION_OF_POLITICIAN                                                                   \
    " AND c.no IN (SELECT b.no FROM member m JOIN filing f ON f.member_no = m.no"                  \
    " JOIN correction b ON b.filing_id = f.id WHERE m.slug = $6 OR m.id = $6"                      \
    " UNION SELECT b.no FROM member m JOIN correction b ON b.old_value = m.id"                     \
    " AND b.field = 'politicianId' WHERE m.slug = $6 OR m.id = $6"                                 \
    " UNION SELECT b.no FROM member m JOIN correction b ON b.old_value = m.slug"                   \
    " AND b.field = 'politician.slug' WHERE m.slug = $6 OR m.id = $6)"

enum err correction_each(
    struct db *db, const struct correction_range *range, int64_t limit, correction_visit *visit,
    void *ctx, struct fail *fail)
{
    bool of_politician = !str_is_null(range->politician);
    struct query q;
    query_start(
        &q, db,
        of_politician ? CORRECTION_SELECT CORRECTION_OF_POLITICIAN CORRECTION_ORDER
                      : CORRECTION_SELECT CORRECTION_ORDER);
    query_i64(&q, range->since_ms);
    query_i64(&q, range->before_at);
    query_i64(&q, range->before_no);
    query_str(&q, range->backfills_only ? correction_kind_name(CORRECTION_BACKFILL) : STR_NULL);
    query_i64(&q, limit);
    if (of_politician)
        query_str(&q, range->politician);
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
