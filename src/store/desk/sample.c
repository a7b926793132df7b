/* Rows of the sample; see sample.h. */
#include "store/desk/sample.h"

#include <assert.h>

#include "base/closed_list.h"
#include "paper/cell/row_field.h"
#include "store/desk/same_person.h"
#include "store/public/trade.h"
#include "store/row/list.h"
#include "store/row/name.h"
#include "store/row/row_values.h"

static const struct str state_names[SAMPLE_STATE_COUNT] = {
    [SAMPLE_OPEN] = STR_INIT("open"),
    [SAMPLE_DIFFERS] = STR_INIT("differs"),
    [SAMPLE_RIGHT] = STR_INIT("right"),
    [SAMPLE_WRONG] = STR_INIT("wrong"),
    [SAMPLE_UNREADABLE] = STR_INIT("unreadable"),
    [SAMPLE_SKIPPED] = STR_INIT("skipped"),
    [SAMPLE_EXPIRED] = STR_INIT("expired"),
};

static const struct str verdict_names[SAMPLE_VERDICT_COUNT] = {
    [SAMPLE_UNDECIDED] = {NULL, 0},
    [SAMPLE_PUBLISHED_WRONG] = STR_INIT("published"),
    [SAMPLE_ENTRY_WRONG] = STR_INIT("entry"),
    [SAMPLE_NOT_READABLE] = STR_INIT("unreadable"),
};

ENUM_NAME(sample_state_name, sample_state, state_names[value], SAMPLE_STATE_COUNT)
ENUM_NAME(sample_verdict_name, sample_verdict, verdict_names[value], SAMPLE_VERDICT_COUNT)
ENUM_FIND(
    sample_verdict_from_name, sample_verdict, verdict_names[value], SAMPLE_UNDECIDED + 1,
    SAMPLE_VERDICT_COUNT)

/* --- contents */

static enum err add_content(
    struct db *db, int64_t no, bool entered, const struct sample_content *content,
    struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO sample_content (row_no, entered, ticker, asset_name, asset_type, side,"
        " amount_bucket, trade_day, owner_type, details, notified_day)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        V(no), V(entered));
    row_values_bind(&q, &content->values);
    query_opt_i64(&q, content->notified_date, DAY_NONE);
    return query_end(&q, fail);
}

enum err sample_content_find(
    struct db *db, int64_t no, bool entered, struct arena *arena, struct sample_content *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT c.notified_day, " ROW_VALUES_COLUMNS(
            c) " FROM sample_content c WHERE c.row_no = $1 AND c.entered = $2",
        V(no), V(entered));
    if (query_row(&q)) {
        struct row_values values = row_values_read(&q, 1);
        *ret = (struct sample_content){
            .values = row_values_copy(&values, arena),
            .notified_date = (int32_t)query_get_opt_i64(&q, 0, DAY_NONE),
        };
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "row %lld was not typed", (long long)no);
}

/* --- rows */

enum err sample_add(
    struct db *db, int64_t draw_no, struct str trade_id, int stratum, int64_t now_ms,
    const struct sample_content *published, struct fail *fail)
{
    int64_t no = 0;
    QUERY(
        q, db,
        "INSERT INTO sample_row (draw_no, trade_id, chamber, kind, drawn_at, state)"
        " VALUES ($1, $2, $3, $4, $5, 'open')"
        " ON CONFLICT (trade_id) WHERE ended_at IS NULL DO NOTHING RETURNING no",
        V(draw_no), V(trade_id), V(chamber_name(sample_stratum_chamber(stratum))),
        V(sample_kind_name(sample_stratum_kind(stratum))), V(now_ms));
    if (query_row(&q))
        no = query_get_i64(&q, 0);
    enum err err =
        query_end_or(&q, ERR_EXISTS, fail, "this trade is already waiting in the sample");
    return err ? err : add_content(db, no, false, published, fail);
}

enum err sample_waits(struct db *db, struct str trade_id, bool *ret, struct fail *fail)
{
    return query_any(
        db, ret, fail, "SELECT 1 FROM sample_row WHERE trade_id = $1 AND ended_at IS NULL",
        V(trade_id));
}

#define COLUMNS                                                                                    \
    "r.no, r.trade_id, r.chamber, r.kind, r.drawn_at, r.state, r.entered_by, r.entered_at,"        \
    " r.judged_by, r.ended_at, r.reason"

static struct sample_row read_row(const struct query *q, struct arena *arena)
{
    bool paper = str_eq(query_get_str(q, 3), sample_kind_name(SAMPLE_PAPER));
    int state = name_find(state_names, NAME_COUNT(state_names), query_get_str(q, 5));
    assert(state >= 0); /* CHECK of the table */
    return (struct sample_row){
        .no = query_get_i64(q, 0),
        .trade_id = query_text(q, 1, arena),
        .chamber = chamber_from_name(query_get_str(q, 2)),
        .kind = paper ? SAMPLE_PAPER : SAMPLE_ELECTRONIC,
        .drawn_at = query_get_i64(q, 4),
        .state = (enum sample_state)state,
        .entered_by = query_text(q, 6, arena),
        .entered_at = query_get_opt_i64(q, 7, INSTANT_NONE),
        .judged_by = query_text(q, 8, arena),
        .ended_at = query_get_opt_i64(q, 9, INSTANT_NONE),
        .reason = query_text(q, 10, arena),
    };
}

enum err sample_find(
    struct db *db, int64_t no, struct arena *arena, struct sample_row *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT " COLUMNS " FROM sample_row r WHERE r.no = $1", V(no));
    if (query_row(&q))
        *ret = read_row(&q, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "the sample has no row %lld", (long long)no);
}

static enum err read_list(
    struct query *q, struct arena *arena, struct sample_list *ret, struct fail *fail)
{
    return list_read(q, arena, ret, fail, read_row(q, arena));
}

enum err sample_list(
    struct db *db, bool waiting, int64_t limit, struct arena *arena, struct sample_list *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        waiting ? "SELECT " COLUMNS " FROM sample_row r WHERE r.ended_at IS NULL"
                  " ORDER BY r.no LIMIT $1"
                : "SELECT " COLUMNS " FROM sample_row r WHERE r.ended_at IS NOT NULL"
                  " ORDER BY r.no DESC LIMIT $1",
        V(limit));
    return read_list(&q, arena, ret, fail);
}

/* The person of WITH_PERSON_1 worked on the filing with this id, or corrected the trade. */
#define IS_OWN(filing, trade)                                                                      \
    "(EXISTS (SELECT 1 FROM draft d WHERE d.filing_id = " filing                                   \
    " AND (lower(d.accepted_by)" IS_PERSON " OR lower(d.second_by)" IS_PERSON                      \
    " OR EXISTS (SELECT 1 FROM draft_history h WHERE h.draft_no = d.no"                            \
    " AND lower(h.by_email)" IS_PERSON ")"                                                         \
    " OR EXISTS (SELECT 1 FROM review_batch_draft b WHERE b.draft_no = d.no"                       \
    " AND lower(b.looked_by)" IS_PERSON ")"                                                        \
    " OR EXISTS (SELECT 1 FROM second_entry e WHERE e.draft_no = d.no"                             \
    " AND (lower(e.typed_by)" IS_PERSON " OR lower(e.decided_by)" IS_PERSON "))))"                 \
    " OR EXISTS (SELECT 1 FROM filing f WHERE f.id = " filing                                      \
    " AND lower(f.reviewed_by)" IS_PERSON ")"                                                      \
    " OR EXISTS (SELECT 1 FROM correction c WHERE c.trade_id = " trade                             \
    " AND lower(c.by_email)" IS_PERSON "))"

#define FROM_WAITING                                                                               \
    " FROM sample_row r JOIN trade t ON t.id = r.trade_id JOIN filing g ON g.no = t.filing_no"     \
    " WHERE r.ended_at IS NULL AND "

enum err sample_list_of(
    struct db *db, struct str email, int64_t limit, struct arena *arena, struct sample_list *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        WITH_PERSON_1 "SELECT " COLUMNS FROM_WAITING
                      "NOT " IS_OWN("g.id", "r.trade_id") " ORDER BY r.no LIMIT $2",
        V(email), V(limit));
    return read_list(&q, arena, ret, fail);
}

enum err sample_next_of(
    struct db *db, struct str email, int64_t after, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    return query_number(
        db, ret, fail,
        WITH_PERSON_1 "SELECT r.no" FROM_WAITING "NOT " IS_OWN(
            "g.id", "r.trade_id") " ORDER BY CASE WHEN r.no > $2 THEN 0 ELSE 1 END, r.no LIMIT 1",
        V(email), V(after));
}

enum err sample_count_own(struct db *db, struct str email, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    return query_number(
        db, ret, fail, WITH_PERSON_1 "SELECT count(*)" FROM_WAITING IS_OWN("g.id", "r.trade_id"),
        V(email));
}

static enum err is_own(
    struct db *db, struct str filing_id, struct str trade_id, struct str email, bool *ret,
    struct fail *fail)
{
    QUERY(
        q, db, WITH_PERSON_1 "SELECT CASE WHEN " IS_OWN("$2", "$3") " THEN 1 ELSE 0 END", V(email),
        V(filing_id), V(trade_id));
    *ret = query_row(&q) && query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err sample_is_own(
    struct db *db, struct str trade_id, struct str email, bool *ret, struct fail *fail)
{
    return is_own(db, trade_id_filing(trade_id), trade_id, email, ret, fail);
}

enum err sample_filing_is_own(
    struct db *db, struct str filing_id, struct str email, bool *ret, struct fail *fail)
{
    return is_own(db, filing_id, STR(""), email, ret, fail);
}

/* --- changes of the state */

static enum err end_step(struct query *q, int64_t no, struct fail *fail)
{
    return query_end_or(
        q, ERR_EXISTS, fail, "row %lld of the sample was changed meanwhile; nothing changed",
        (long long)no);
}

enum err sample_enter(
    struct db *db, int64_t no, enum sample_state next, const struct sample_content *entered,
    const struct sample_by *by, struct fail *fail)
{
    assert(next == SAMPLE_DIFFERS || next == SAMPLE_RIGHT);
    bool ends = next == SAMPLE_RIGHT;
    QUERY(
        q, db,
        "UPDATE sample_row SET state = $2, entered_by = $3, entered_at = $4, ended_at = $5,"
        " month = $6 WHERE no = $1 AND state = 'open'",
        V(no), V(sample_state_name(next)), V(by->email), V(by->now_ms),
        V_OPT(ends ? by->now_ms : INSTANT_NONE, INSTANT_NONE),
        V_OPT(ends ? instant_month_utc(by->now_ms) : -1, -1));
    TRY(end_step(&q, no, fail));
    return add_content(db, no, true, entered, fail);
}

enum err sample_set_verdict(
    struct db *db, int64_t no, struct str field, enum sample_verdict verdict, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO sample_difference (row_no, field, verdict) VALUES ($1, $2, $3)"
        " ON CONFLICT (row_no, field) DO UPDATE SET verdict = excluded.verdict",
        V(no), V(field), V(sample_verdict_name(verdict)));
}

static enum err end_row(
    struct db *db, const char *sql, int64_t no, enum sample_state end, struct str reason,
    const struct sample_by *by, struct fail *fail)
{
    QUERY(
        q, db, sql, V(no), V(sample_state_name(end)), V(by->email), V(by->now_ms),
        V(instant_month_utc(by->now_ms)), V(reason));
    return end_step(&q, no, fail);
}

enum err sample_judge(
    struct db *db, int64_t no, enum sample_state end, const struct sample_by *by, struct fail *fail)
{
    assert(end == SAMPLE_RIGHT || end == SAMPLE_WRONG || end == SAMPLE_UNREADABLE);
    return end_row(
        db,
        "UPDATE sample_row SET state = $2, judged_by = $3, ended_at = $4, month = $5, reason = $6"
        " WHERE no = $1 AND state = 'differs'",
        no, end, STR_NULL, by, fail);
}

enum err sample_skip(
    struct db *db, int64_t no, struct str reason, const struct sample_by *by, struct fail *fail)
{
    return end_row(
        db,
        "UPDATE sample_row SET state = $2, judged_by = $3, ended_at = $4, month = $5, reason = $6"
        " WHERE no = $1 AND state = 'open'",
        no, SAMPLE_SKIPPED, reason, by, fail);
}

enum err sample_expire(
    struct db *db, int64_t before, int64_t now_ms, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE sample_row SET state = 'expired', ended_at = $2, month = $3"
        " WHERE ended_at IS NULL AND state = 'open' AND drawn_at < $1",
        V(before), V(now_ms), V(instant_month_utc(now_ms)));
    return query_end_count(&q, ret_count, fail);
}

enum err sample_each_difference(
    struct db *db, int64_t no, sample_difference_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db, "SELECT field, verdict FROM sample_difference WHERE row_no = $1 ORDER BY field",
        V(no));
    while (query_row(&q)) {
        struct sample_difference difference = {.field = query_get_str(&q, 0)};
        sample_verdict_from_name(query_get_str(&q, 1), &difference.verdict);
        visit(ctx, &difference);
    }
    return query_end(&q, fail);
}
