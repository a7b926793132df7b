/* Daily draws; see sample_draw.h. */
#include "store/desk/sample_draw.h"

/* A filing is paper if its document is a scan, if a person entered its rows, or if the Senate says
 * so in its address. */
enum err sample_each_filing(struct db *db, sample_filing_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT f.no, f.chamber, coalesce(c.trades, 0),"
        " CASE WHEN EXISTS (SELECT 1 FROM document_bytes b"
        " WHERE b.version_no = f.document_version_no) THEN 1 ELSE 0 END,"
        " CASE WHEN f.url LIKE '%/view/paper/%'"
        " OR EXISTS (SELECT 1 FROM document_page g WHERE g.version_no = f.document_version_no)"
        " OR EXISTS (SELECT 1 FROM draft d WHERE d.filing_id = f.id AND d.manual = 1)"
        " THEN 1 ELSE 0 END"
        " FROM filing f LEFT JOIN (SELECT filing_no, count(*) AS trades FROM trade"
        " WHERE withdrawn_at IS NULL GROUP BY filing_no) AS c ON c.filing_no = f.no"
        " WHERE c.trades > 0 OR f.state IN ('published', 'amended') ORDER BY f.no");
    while (query_row(&q)) {
        const struct sample_filing filing = {
            .filing_no = query_get_i64(&q, 0),
            .trades = query_get_i64(&q, 2),
            .stored = query_get_i64(&q, 3) != 0,
            .stratum = sample_stratum(
                chamber_from_name(query_get_str(&q, 1)),
                query_get_i64(&q, 4) ? SAMPLE_PAPER : SAMPLE_ELECTRONIC),
        };
        visit(ctx, &filing);
    }
    return query_end(&q, fail);
}

enum err sample_trade_at(
    struct db *db, int64_t filing_no, int64_t at, struct arena *arena, struct str *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT id FROM trade WHERE no = (SELECT no FROM trade WHERE filing_no = $1"
        " AND withdrawn_at IS NULL ORDER BY no LIMIT 1 OFFSET $2)",
        V(filing_no), V(at));
    if (query_row(&q))
        *ret = query_text(&q, 0, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "the filing has fewer public trades");
}

static enum err add_stratum(
    struct db *db, int64_t draw_no, int stratum, const struct sample_stratum_count *count,
    struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO sample_stratum (draw_no, chamber, kind, trades, unstored, drawn, documents)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        V(draw_no), V(chamber_name(sample_stratum_chamber(stratum))),
        V(sample_kind_name(sample_stratum_kind(stratum))), V(count->trades), V(count->unstored),
        V(count->drawn), V(count->documents));
}

enum err sample_draw_add(
    struct db *db, const struct sample_draw *draw, int64_t *ret_no, struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO sample_draw (day, drawn_at, seed) VALUES ($1, $2, $3)"
        " ON CONFLICT (day) DO NOTHING RETURNING no",
        V(draw->day), V(draw->drawn_at), V_BLOB(draw->seed, sizeof draw->seed));
    if (query_row(&q))
        *ret_no = query_get_i64(&q, 0);
    TRY(query_end_or(&q, ERR_EXISTS, fail, "the sample of this day was drawn already"));
    for (int i = 0; i < SAMPLE_STRATA; i++)
        TRY(add_stratum(db, *ret_no, i, &draw->strata[i], fail));
    return OK;
}

enum err sample_is_drawn(struct db *db, int32_t day, bool *ret, struct fail *fail)
{
    return query_any(db, ret, fail, "SELECT 1 FROM sample_draw WHERE day = $1", V(day));
}

enum err sample_draw_newest(struct db *db, struct sample_draw *ret, struct fail *fail)
{
    bool any = false;
    *ret = (struct sample_draw){.day = DAY_NONE, .drawn_at = INSTANT_NONE};
    QUERY(
        q, db,
        "SELECT d.day, d.drawn_at, d.seed, s.chamber, s.kind, s.trades, s.unstored, s.drawn,"
        " coalesce(s.documents, 0)"
        " FROM sample_draw d JOIN sample_stratum s ON s.draw_no = d.no"
        " WHERE d.no = (SELECT max(no) FROM sample_draw)");
    while (query_row(&q)) {
        struct str seed = query_get_blob(&q, 2);
        bool paper = str_eq(query_get_str(&q, 4), sample_kind_name(SAMPLE_PAPER));
        int stratum = sample_stratum(
            chamber_from_name(query_get_str(&q, 3)), paper ? SAMPLE_PAPER : SAMPLE_ELECTRONIC);
        any = true;
        ret->day = (int32_t)query_get_i64(&q, 0);
        ret->drawn_at = query_get_i64(&q, 1);
        if (seed.n == sizeof ret->seed)
            memcpy(ret->seed, seed.p, seed.n);
        ret->strata[stratum] = (struct sample_stratum_count){
            query_get_i64(&q, 5), query_get_i64(&q, 6), query_get_i64(&q, 7), query_get_i64(&q, 8)};
    }
    enum err err = query_end(&q, fail);
    return err || any ? err : fail_set(fail, ERR_NOT_FOUND, "no sample was drawn yet");
}
