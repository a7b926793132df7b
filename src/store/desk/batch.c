/* Batches; see batch.h. */
#include "store/desk/batch.h"

#include <assert.h>

#include "base/crypto.h"
#include "base/closed_list.h"
#include "store/row/list.h"
#include "store/row/name.h"

static const struct str states[BATCH_STATE_COUNT] = {
    [BATCH_OPEN] = STR_INIT("open"),
    [BATCH_ACCEPTING] = STR_INIT("accepting"),
    [BATCH_ACCEPTED] = STR_INIT("accepted"),
    [BATCH_RETURNED] = STR_INIT("returned"),
};

static const struct str outcomes[BATCH_OUTCOME_COUNT] = {
    [BATCH_DRAFT_WAITING] = STR_INIT("waiting"),   [BATCH_DRAFT_RIGHT] = STR_INIT("right"),
    [BATCH_DRAFT_FAULT] = STR_INIT("fault"),       [BATCH_DRAFT_LEFT] = STR_INIT("left"),
    [BATCH_DRAFT_ACCEPTED] = STR_INIT("accepted"), [BATCH_DRAFT_RETURNED] = STR_INIT("returned"),
};

ENUM_NAME(batch_state_name, batch_state, states[value], BATCH_STATE_COUNT)
ENUM_NAME(batch_outcome_name, batch_outcome, outcomes[value], BATCH_OUTCOME_COUNT)

/* --- writing */

enum err batch_insert(
    struct db *db, int64_t sample, struct str by, int64_t now_ms, int64_t *ret_no,
    struct fail *fail)
{
    return query_number(
        db, ret_no, fail,
        "INSERT INTO review_batch (state, started_at, started_by, size, sample)"
        " VALUES ('open', $1, $2, 0, $3) RETURNING no",
        V(now_ms), V(by), V(sample));
}

enum err batch_add(
    struct db *db, int64_t no, int64_t draft_no, struct str mark, bool *ret_added,
    struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO review_batch_draft (batch_no, draft_no, mark, outcome, history_no)"
        " VALUES ($1, $2, $3, 'waiting', (SELECT coalesce(max(h.no), 0) FROM draft_history h"
        " WHERE h.draft_no = $2)) ON CONFLICT DO NOTHING",
        V(no), V(draft_no), V(mark));
    enum err err = query_end(&q, fail);
    *ret_added = !err && query_changes(&q) == 1;
    return err;
}

enum err batch_set_size(struct db *db, int64_t no, int64_t size, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE review_batch SET size = $2, sample = (SELECT count(*) FROM review_batch_draft x"
        " WHERE x.batch_no = $1 AND x.drawn = 1) WHERE no = $1",
        V(no), V(size));
}

static enum err mark_drawn(struct db *db, int64_t no, int64_t draft_no, struct fail *fail)
{
    return query_run(
        db, fail, "UPDATE review_batch_draft SET drawn = 1 WHERE batch_no = $1 AND draft_no = $2",
        V(no), V(draft_no));
}

static size_t random_below(size_t bound)
{
    uint64_t number;
    random_bytes(&number, sizeof number);
    return (size_t)(number % bound);
}

enum err batch_draw(struct db *db, int64_t no, int64_t count, int64_t *ret_drawn, struct fail *fail)
{
    LIST_SCOPED(list, int64_t);
    QUERY(
        q, db,
        "SELECT draft_no FROM review_batch_draft WHERE batch_no = $1 AND outcome = 'waiting'"
        " AND drawn = 0 ORDER BY draft_no",
        V(no));
    while (query_row(&q))
        *(int64_t *)list_add(&list) = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    int64_t *drafts = (int64_t *)list.items;
    *ret_drawn = 0;
    for (size_t left = list.count; left && *ret_drawn < count && !err; left--) {
        size_t at = random_below(left);
        err = mark_drawn(db, no, drafts[at], fail);
        drafts[at] = drafts[left - 1];
        ++*ret_drawn;
    }
    return err;
}

enum err batch_draw_again(struct db *db, int64_t no, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE review_batch_draft SET drawn = 1 WHERE batch_no = $1 AND EXISTS (SELECT 1"
        " FROM review_batch_draft b WHERE b.draft_no = review_batch_draft.draft_no"
        " AND b.outcome = 'returned' AND b.drawn = 1 AND b.looked_by IS NULL AND NOT EXISTS ("
        "SELECT 1 FROM review_batch_draft l WHERE l.draft_no = b.draft_no"
        " AND l.batch_no > b.batch_no AND l.looked_by IS NOT NULL))",
        V(no));
}

enum err batch_draft_set(
    struct db *db, int64_t no, int64_t draft_no, enum batch_outcome outcome, struct str by,
    int64_t now_ms, struct str reason, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE review_batch_draft SET outcome = $3, by_email = $4, at = $5, reason = $6,"
        " looked_by = CASE WHEN $3 = 'right' THEN $4 ELSE looked_by END"
        " WHERE batch_no = $1 AND draft_no = $2 AND outcome IN ('waiting', 'right')",
        V(no), V(draft_no), V(outcomes[outcome]), V(by), V(now_ms), V(reason));
}

static enum err return_drafts(
    struct db *db, int64_t no, struct str by, int64_t now_ms, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE review_batch_draft SET outcome = 'returned', by_email = $2, at = $3"
        " WHERE batch_no = $1 AND outcome IN ('waiting', 'right')",
        V(no), V(by), V(now_ms));
}

enum err batch_set_state(
    struct db *db, int64_t no, enum batch_state state, struct str by, int64_t now_ms,
    struct str reason, struct fail *fail)
{
    bool ends = state == BATCH_ACCEPTED || state == BATCH_RETURNED;
    enum err err = query_run(
        db, fail,
        "UPDATE review_batch SET state = $2, ended_by = $3, ended_at = $4, reason = $5"
        " WHERE no = $1",
        V(no), V(states[state]), V(ends ? by : STR_NULL),
        V_OPT(ends ? now_ms : INSTANT_NONE, INSTANT_NONE), V(reason));
    return err || state != BATCH_RETURNED ? err : return_drafts(db, no, by, now_ms, fail);
}

/* --- reading */

enum err batch_find_candidates(
    struct db *db, int64_t limit, int64_t now_ms, struct arena *arena, struct batch_candidates *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT d.filing_id FROM draft d WHERE d.clean = 1"
        " AND (d.state = 'draft' OR (d.state = 'in_review' AND d.claimed_until <= $1))"
        " AND d.revision = (SELECT max(n.revision) FROM draft n WHERE n.filing_id = d.filing_id)"
        " AND NOT EXISTS (SELECT 1 FROM review_batch_draft x WHERE x.draft_no = d.no"
        " AND x.outcome IN ('waiting', 'right'))"
        " ORDER BY coalesce(d.filed_at, 0), d.filing_id LIMIT $2",
        V(now_ms), V(limit));
    return list_read(&q, arena, ret, fail, query_text(&q, 0, arena));
}

#define BATCH_COLUMNS                                                                              \
    "SELECT b.no, b.state, b.started_at, b.started_by, b.size, b.sample, b.ended_at, b.ended_by,"  \
    " b.reason FROM review_batch b"

static struct batch read_batch(const struct query *q, struct arena *arena)
{
    return (struct batch){
        .no = query_get_i64(q, 0),
        .state = (enum batch_state)name_find(states, BATCH_STATE_COUNT, query_get_str(q, 1)),
        .started_at = query_get_i64(q, 2),
        .started_by = query_text(q, 3, arena),
        .size = query_get_i64(q, 4),
        .sample = query_get_i64(q, 5),
        .ended_at = query_get_opt_i64(q, 6, INSTANT_NONE),
        .ended_by = query_text(q, 7, arena),
        .reason = query_text(q, 8, arena),
    };
}

static enum err count_outcomes(struct db *db, struct batch *b, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT outcome, drawn, count(*) FROM review_batch_draft WHERE batch_no = $1"
        " GROUP BY outcome, drawn",
        V(b->no));
    while (query_row(&q)) {
        int outcome = name_find(outcomes, BATCH_OUTCOME_COUNT, query_get_str(&q, 0));
        assert(outcome >= 0); /* CHECK of the table */
        b->of_outcome[outcome] += query_get_i64(&q, 2);
        if (outcome == BATCH_DRAFT_WAITING && query_get_i64(&q, 1))
            b->unseen = query_get_i64(&q, 2);
    }
    return query_end(&q, fail);
}

enum err batch_find(
    struct db *db, int64_t no, struct arena *arena, struct batch *ret, struct fail *fail)
{
    QUERY(q, db, BATCH_COLUMNS " WHERE b.no = $1", V(no));
    if (query_row(&q))
        *ret = read_batch(&q, arena);
    TRY(query_end_or(&q, ERR_NOT_FOUND, fail, "there is no batch %lld", (long long)no));
    return count_outcomes(db, ret, fail);
}

enum err batch_lock(
    struct db *db, int64_t no, struct arena *arena, struct batch *ret, struct fail *fail)
{
    assert(db_in_transaction(db));
    enum err err =
        query_run(db, fail, "UPDATE review_batch SET state = state WHERE no = $1", V(no));
    return err ? err : batch_find(db, no, arena, ret, fail);
}

enum err batch_newest(
    struct db *db, int64_t limit, struct arena *arena, struct batch_list *ret, struct fail *fail)
{
    QUERY(q, db, BATCH_COLUMNS " ORDER BY b.no DESC LIMIT $1", V(limit));
    TRY(list_read(&q, arena, ret, fail, read_batch(&q, arena)));
    for (size_t i = 0; i < ret->count; i++)
        TRY(count_outcomes(db, &ret->items[i], fail));
    return OK;
}

#define DRAFTS                                                                                     \
    "SELECT x.draft_no, d.filing_id, m.name, d.filed_at, d.row_count, x.drawn, x.outcome, x.mark," \
    " x.at, CASE WHEN x.outcome IN ('accepted', 'returned') THEN coalesce(x.looked_by, "           \
    "x.by_email)"                                                                                  \
    " ELSE x.by_email END, x.reason, x.batch_no FROM review_batch_draft x"                         \
    " JOIN draft d ON d.no = x.draft_no LEFT JOIN member m ON m.no = d.member_no"
#define DRAFTS_OF_BATCH DRAFTS " WHERE x.batch_no = $1"

static struct batch_draft read_draft(const struct query *q, struct arena *arena)
{
    return (struct batch_draft){
        .draft_no = query_get_i64(q, 0),
        .filing_id = query_text(q, 1, arena),
        .name = query_text(q, 2, arena),
        .filed_at = query_get_opt_i64(q, 3, INSTANT_NONE),
        .rows = query_get_i64(q, 4),
        .drawn = query_get_i64(q, 5) != 0,
        .outcome =
            (enum batch_outcome)name_find(outcomes, BATCH_OUTCOME_COUNT, query_get_str(q, 6)),
        .mark = query_text(q, 7, arena),
        .at = query_get_opt_i64(q, 8, INSTANT_NONE),
        .by = query_text(q, 9, arena),
        .reason = query_text(q, 10, arena),
    };
}

enum err batch_drafts(
    struct db *db, int64_t no, enum batch_which which, int64_t limit, struct arena *arena,
    struct batch_draft_list *ret, struct fail *fail)
{
    static const char *const sql[] = {
        [BATCH_DRAWN] = DRAFTS_OF_BATCH " AND x.drawn = 1 ORDER BY d.filed_at, x.draft_no LIMIT $2",
        [BATCH_LEFT] = DRAFTS_OF_BATCH
        " AND x.outcome IN ('left', 'fault') ORDER BY d.filed_at, x.draft_no LIMIT $2",
        [BATCH_STILL] = DRAFTS_OF_BATCH
        " AND x.outcome IN ('waiting', 'right') ORDER BY d.filed_at, x.draft_no LIMIT $2",
    };
    QUERY(q, db, sql[which], V(no), V(limit));
    return list_read(&q, arena, ret, fail, read_draft(&q, arena));
}

enum err batch_of_draft(
    struct db *db, int64_t draft_no, struct arena *arena, int64_t *ret_no, struct batch_draft *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        DRAFTS " JOIN review_batch b ON b.no = x.batch_no AND b.state = 'open'"
               " WHERE x.draft_no = $1 AND x.outcome IN ('waiting', 'right')",
        V(draft_no));
    *ret_no = 0;
    if (query_row(&q)) {
        *ret = read_draft(&q, arena);
        *ret_no = query_get_i64(&q, 11);
    }
    return query_end(&q, fail);
}

enum err batch_draft_find(
    struct db *db, int64_t no, struct str filing_id, struct arena *arena, struct batch_draft *ret,
    struct fail *fail)
{
    QUERY(
        q, db, DRAFTS_OF_BATCH " AND d.filing_id = $2 ORDER BY x.draft_no DESC LIMIT 1", V(no),
        V(filing_id));
    if (query_row(&q))
        *ret = read_draft(&q, arena);
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "%.*s is not in batch %lld", STR_ARG(filing_id), (long long)no);
}

enum err batch_draft_edited(
    struct db *db, int64_t no, int64_t draft_no, bool *ret, struct fail *fail)
{
    return query_any(
        db, ret, fail,
        "SELECT 1 FROM draft_history h JOIN review_batch_draft x ON x.draft_no = h.draft_no"
        " WHERE x.batch_no = $1 AND x.draft_no = $2 AND h.no > x.history_no"
        " AND h.by_email <> 'stockact'"
        " AND h.action NOT IN ('claim', 'accept', 'accept_first', 'publish') LIMIT 1",
        V(no), V(draft_no));
}
