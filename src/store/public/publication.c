/* Publications; see publication.h. */
#include "store/public/publication.h"

#include <assert.h>
#include <stdio.h>

#include "db/chain.h"
#include "store/public/change_log.h"
#include "store/public/correction.h"
#include "store/public/reseal.h"
#include "store/row/change.h"
#include "store/row/credible.h"

static const struct str kind_names[] = {
    [PUBLICATION_LIVE] = STR_INIT("live"),
    [PUBLICATION_BACKFILL] = STR_INIT("backfill"),
};

/* The first statement of a publication: the lock on this row, held until the commit, orders
 * publications. */
static enum err take_number(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(
        db, ret, fail,
        "UPDATE counter SET value = value + 1 WHERE name = 'publication' RETURNING value");
}

enum err publication_lock(struct db *db, struct fail *fail)
{
    assert(db_in_transaction(db));
    return query_run(db, fail, "UPDATE counter SET value = value WHERE name = 'publication'");
}

/* decision 1: now, or a millisecond after the last one if the clock has not passed it; decision A:
 * not by a clock that is ahead */
static enum err take_instant(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    TRY(credible_check(db, now_ms, fail));
    return query_number(
        db, ret, fail,
        "UPDATE counter SET value = CASE WHEN value < $1 THEN $1 ELSE value + 1 END"
        " WHERE name = 'published_at' RETURNING value",
        V(now_ms));
}

static enum err find_first_live(struct db *db, int64_t *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT min(at) FROM publication WHERE kind = 'live'");
    if (query_row(&q))
        *ret = query_get_opt_i64(&q, 0, INSTANT_NONE);
    return query_end(&q, fail);
}

static enum err insert(struct db *db, const struct publication *p, struct str by, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO publication (no, kind, at, by_email, filings, trades)"
        " VALUES ($1, $2, $3, $4, 0, 0)",
        V(p->no), V(kind_names[p->kind]), V(p->at), V(by));
}

enum err publication_begin(
    struct db *db, enum publication_kind kind, struct str by, int64_t now_ms,
    struct publication *ret, struct fail *fail)
{
    assert(db_in_transaction(db));
    struct publication p = {
        .kind = kind,
        .by = by,
        .at = now_ms,
        .first_live = INSTANT_NONE,
        .range_start = INSTANT_NONE,
        .range_end = INSTANT_NONE,
    };
    TRY(take_number(db, &p.no, fail));
    TRY(find_first_live(db, &p.first_live, fail));
    if (kind == PUBLICATION_LIVE)
        TRY(take_instant(db, now_ms, &p.at, fail));
    if (kind == PUBLICATION_BACKFILL) /* the same as that of its entry in the log */
        TRY(change_log_instant(db, now_ms, &p.at, fail));
    TRY(insert(db, &p, by, fail));
    *ret = p;
    return OK;
}

bool publication_takes(const struct publication *publication, int64_t filed_at)
{
    if (publication->kind == PUBLICATION_LIVE)
        return true;
    bool before_live =
        publication->first_live == INSTANT_NONE || filed_at < publication->first_live;
    return before_live && filed_at <= publication->at;
}

static enum err amend(struct db *db, int64_t filing_no, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_filing_begin_no(db, filing_no, &seal, fail));
    TRY(query_run(
        db, fail, "UPDATE filing SET state = 'amended' WHERE no = $1 AND state = 'published'",
        V(filing_no)));
    return reseal_filing_end(db, &seal, fail);
}

/* Moves an accepted filing to published, and the filing it amends to amended. *ret_moved is false
 * if it was not accepted. */
static enum err publish(
    struct db *db, const struct publication *p, int64_t filing_no, int64_t published_at,
    bool *ret_moved, struct fail *fail)
{
    int64_t amends = 0;
    QUERY(
        q, db,
        "UPDATE filing SET state = 'published', publication_no = $2, published_at = $3"
        " WHERE no = $1 AND state = 'accepted' RETURNING amends_no",
        V(filing_no), V(p->no), V(published_at));
    *ret_moved = query_row(&q);
    if (*ret_moved)
        amends = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    return err || !amends ? err : amend(db, amends, fail);
}

static enum err check_published(struct db *db, int64_t filing_no, struct fail *fail)
{
    QUERY(
        q, db, "SELECT 1 FROM filing WHERE no = $1 AND state IN ('published', 'amended')",
        V(filing_no));
    (void)query_row(&q);
    return query_end_or(&q, ERR_REFUSED, fail, "the filing is neither accepted nor published");
}

static enum err instant_for(
    const struct publication *p, int64_t filed_at, int64_t *ret, struct fail *fail)
{
    if (!publication_takes(p, filed_at))
        return fail_set(
            fail, ERR_REFUSED,
            filed_at > p->at ? "it was filed in the future"
                             : "it was filed after live publication began");
    *ret = p->kind == PUBLICATION_LIVE ? p->at : filed_at;
    return OK;
}

static void count(struct publication *p, int64_t at)
{
    if (p->range_start == INSTANT_NONE || at < p->range_start)
        p->range_start = at;
    if (p->range_end == INSTANT_NONE || at > p->range_end)
        p->range_end = at;
    p->filings++;
}

enum err publication_add_filing(
    struct db *db, struct publication *publication, int64_t filing_no, int64_t filed_at,
    int64_t *ret_disclosed_at, struct fail *fail)
{
    bool moved = false;
    TRY(instant_for(publication, filed_at, ret_disclosed_at, fail));
    TRY(publish(db, publication, filing_no, *ret_disclosed_at, &moved, fail));
    if (!moved)
        TRY(check_published(db, filing_no, fail));
    count(publication, *ret_disclosed_at);
    return OK;
}

enum err publication_admit(
    struct publication *publication, int64_t filed_at, int64_t *ret_at, struct fail *fail)
{
    TRY(instant_for(publication, filed_at, ret_at, fail));
    count(publication, *ret_at);
    return OK;
}

/* Its digest comes with the others when the publication ends, and the chain needs no entry about
 * it. *ret: its number; 0: it is not of this publication. */
static enum err amend_own(
    struct db *db, const struct publication *p, struct str filing_id, int64_t *ret,
    struct fail *fail)
{
    *ret = 0;
    return query_number(
        db, ret, fail,
        "UPDATE filing SET state = 'amended', digest = NULL"
        " WHERE id = $1 AND publication_no = $2 RETURNING no",
        V(filing_id), V(p->no));
}

enum err publication_amend(
    struct db *db, const struct publication *publication, struct str filing_id, int64_t *ret_no,
    struct fail *fail)
{
    enum err err = amend_own(db, publication, filing_id, ret_no, fail);
    if (err || *ret_no)
        return err;
    QUERY(q, db, "SELECT no FROM filing WHERE id = $1", V(filing_id));
    if (query_row(&q))
        *ret_no = query_get_i64(&q, 0);
    TRY(query_end_or(&q, ERR_NOT_FOUND, fail, "there is no filing \"%.*s\"", STR_ARG(filing_id)));
    return amend(db, *ret_no, fail);
}

static enum err update_counts(
    struct db *db, const struct publication *p, int64_t trades, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE publication SET range_start = $2, range_end = $3, filings = $4, trades = $5"
        " WHERE no = $1",
        V(p->no), V_OPT(p->range_start, INSTANT_NONE), V_OPT(p->range_end, INSTANT_NONE),
        V(p->filings), V(trades));
}

/* decision 1: one entry; later live instants are above the imported ones */
static enum err finish_backfill(
    struct db *db, const struct publication *p, int64_t trades, struct fail *fail)
{
    if (p->range_end != INSTANT_NONE) {
        TRY(query_run(
            db, fail, "UPDATE counter SET value = $1 WHERE name = 'published_at' AND value < $1",
            V(p->range_end)));
    }
    const struct correction entry = {
        .kind = CORRECTION_BACKFILL,
        .at = p->at,
        .by = p->by,
        .range_start = p->range_start,
        .range_end = p->range_end,
        .count = trades,
    };
    return correction_add(db, &entry, fail);
}

enum err publication_finish(
    struct db *db, const struct publication *publication, int64_t trades, int64_t *ret_seq,
    struct fail *fail)
{
    bool live = publication->kind == PUBLICATION_LIVE;
    char key[24];
    int n = snprintf(key, sizeof key, "%lld", (long long)publication->no);
    TRY(update_counts(db, publication, trades, fail));
    TRY(chain_add_publication(db, publication->no, fail));
    TRY(change_log_published(db, publication->no, publication->at, fail));
    if (!live)
        TRY(finish_backfill(db, publication, trades, fail));
    return live ? change_add(db, STR("trades"), str_of(key, (size_t)n), ret_seq, fail)
                : change_add(db, STR("feed"), STR(""), ret_seq, fail);
}

enum err publication_trades(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(
        db, ret, fail, "SELECT CAST(coalesce(sum(trades), 0) AS BIGINT) FROM publication");
}
