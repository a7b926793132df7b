/* Counts of drafts; see draft_tally.h. Steps 23 and 30 of the schema count the same way, except for
 * the fields of scans. */
#include "store/desk/draft_tally.h"

#include <assert.h>

#include "rule/lateness.h"

/* Of the draft `draft.no`. */
#define ROWS " FROM draft_row r WHERE r.draft_no = draft.no AND r.removed_at IS NULL"

/* A date of the row that cannot be right (rule/date_doubt.h). From such dates nothing follows. */
#define DATE_DOUBTED                                                                               \
    "(r.doubts LIKE '%\"notified_before_traded%' OR r.doubts LIKE '%\"notified_after_filed%'"      \
    " OR r.doubts LIKE '%\"traded_after_filed%' OR r.doubts LIKE '%\"traded_long_before_filed%'"   \
    " OR r.doubts LIKE '%\"date_unreadable%' OR r.doubts LIKE '%\"notified_unreadable%')"

/* The fields of a row of a scan that are not sure, as unsure_fields of review/desk/row_look.h
 * counts them from the same JSON. Inside a text of JSON each quotation mark has a backslash before
 * it. */
#define UNSURE                                                                                     \
    "((length(r.sources) - length(replace(r.sources, '\"reason\":', ''))) / 9"                     \
    " + CASE WHEN r.sources LIKE '%\"date\":{%' THEN 0 ELSE 1 END)"

/* A row of a scan counts once for each such field; any row with a doubt or held at least once. */
#define DOUBTS                                                                                     \
    "(SELECT coalesce(sum(CASE WHEN r.sources IS NOT NULL AND " UNSURE " > 0 THEN " UNSURE         \
    " WHEN r.doubts <> '[]' OR r.held IS NOT NULL THEN 1 ELSE 0 END), 0)" ROWS ")"

/* The first day on which the report of one of the rows was due. */
static enum err find_due(struct db *db, int64_t draft_no, int32_t *ret, struct fail *fail)
{
    *ret = DAY_NONE;
    QUERY(
        q, db,
        "SELECT r.trade_day, r.notified_day, draft.filed_at FROM draft JOIN draft_row r"
        " ON r.draft_no = draft.no WHERE draft.no = $1 AND r.removed_at IS NULL"
        " AND NOT " DATE_DOUBTED,
        V(draft_no));
    while (query_row(&q)) {
        int64_t filed_at = query_get_opt_i64(&q, 2, INSTANT_NONE);
        struct trade_report report = {
            .first_filed = filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(filed_at),
            .notified = (int32_t)query_get_opt_i64(&q, 1, DAY_NONE)};
        int32_t traded = (int32_t)query_get_opt_i64(&q, 0, DAY_NONE);
        int32_t due = lateness_of(traded, &report).due;
        if (due != DAY_NONE && (*ret == DAY_NONE || due < *ret))
            *ret = due;
    }
    return query_end(&q, fail);
}

static enum err count(struct db *db, int64_t draft_no, struct fail *fail)
{
    int32_t due;
    TRY(find_due(db, draft_no, &due, fail));
    return query_run(
        db, fail,
        "UPDATE draft SET row_count = (SELECT count(*)" ROWS "),"
        " doubt_count = " DOUBTS ","
        " failed_count = (length(checks) - length(replace(checks, '\"passed\":false', ''))) / 14,"
        " due_day = $2 WHERE no = $1",
        V(draft_no), V_OPT(due, DAY_NONE));
}

static enum err judge(struct db *db, int64_t draft_no, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE draft SET clean = CASE WHEN manual = 0 AND row_count > 0 AND doubt_count = 0"
        " AND failed_count = 0 AND reason IS NULL AND amends IS NULL AND coalesce(amendment, 0) = 0"
        " AND member_no IS NOT NULL AND filed_at IS NOT NULL AND url IS NOT NULL"
        " AND (document_version_no IS NULL OR checks LIKE '%\"second_reading\"%')"
        " AND NOT EXISTS (SELECT 1 FROM draft_row r WHERE r.draft_no = $1"
        " AND (r.status <> 'new' OR r.removed_at IS NOT NULL)) THEN 1 ELSE 0 END WHERE no = $1",
        V(draft_no));
}

enum err draft_tally(struct db *db, int64_t draft_no, struct fail *fail)
{
    assert(db_in_transaction(db));
    TRY(count(db, draft_no, fail));
    return judge(db, draft_no, fail);
}

enum { LOOKS_MAX = 20 }; /* drafts that one call looks at */

/* The first of the next drafts of paper whose count is wrong, 0 if none is; *after is that one, or
 * the last that was looked at. */
static enum err find_wrong(
    struct db *db, int64_t *after, int64_t *ret, bool *ret_more, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT no, CASE WHEN doubt_count = " DOUBTS " THEN 0 ELSE 1 END FROM draft"
        " WHERE no > $1 AND manual = 1 AND state IN ('draft', 'in_review', 'accepted', 'rejected')"
        " ORDER BY no LIMIT $2",
        V(*after), V(LOOKS_MAX));
    *ret = 0;
    *ret_more = false;
    while (query_row(&q)) {
        *ret_more = true;
        if (*ret)
            continue;
        *after = query_get_i64(&q, 0);
        if (query_get_i64(&q, 1))
            *ret = *after;
    }
    return query_end(&q, fail);
}

enum err draft_tally_again(struct db *db, int64_t *after, bool *ret_more, struct fail *fail)
{
    int64_t no = 0;
    enum err err = find_wrong(db, after, &no, ret_more, fail);
    if (err || !no)
        return err;
    QUERY(q, db, "UPDATE draft SET state = state WHERE no = $1"); /* a lock */
    query_i64(&q, no);
    TRY(query_end(&q, fail));
    return draft_tally(db, no, fail);
}
