/* Counts of drafts; see draft_tally.h. Steps 23 and 30 of the schema count the same
 * way. */
#include "store/draft_tally.h"

#include <assert.h>

#define ROWS " FROM draft_row r WHERE r.draft_no = $1 AND r.removed_at IS NULL"

/* As due_day of core/due.h. */
#define DUE                                                                                        \
    "min(CASE WHEN r.trade_day IS NULL THEN r.notified_day + 30"                                   \
    " WHEN r.notified_day IS NULL OR r.notified_day < r.trade_day"                                 \
    " OR r.notified_day + 30 > r.trade_day + 45 THEN r.trade_day + 45"                             \
    " ELSE r.notified_day + 30 END)"

static enum err count(struct db *db, int64_t draft_no, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE draft SET row_count = (SELECT count(*)" ROWS "),"
        " doubt_count = (SELECT count(*)" ROWS " AND (r.doubts <> '[]' OR r.held IS NOT NULL)),"
        " failed_count = (length(checks) - length(replace(checks, '\"passed\":false', ''))) / 14,"
        " due_day = (SELECT " DUE ROWS ") WHERE no = $1");
    query_i64(&q, draft_no);
    return query_end(&q, fail);
}

static enum err judge(struct db *db, int64_t draft_no, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE draft SET clean = CASE WHEN manual = 0 AND row_count > 0 AND doubt_count = 0"
        " AND failed_count = 0 AND reason IS NULL AND amends IS NULL AND coalesce(amendment, 0) = 0"
        " AND member_no IS NOT NULL AND filed_at IS NOT NULL AND url IS NOT NULL"
        " AND (document_version_no IS NULL OR checks LIKE '%\"second_reading\"%')"
        " AND NOT EXISTS (SELECT 1 FROM draft_row r WHERE r.draft_no = $1"
        " AND (r.status <> 'new' OR r.removed_at IS NOT NULL)) THEN 1 ELSE 0 END WHERE no = $1");
    query_i64(&q, draft_no);
    return query_end(&q, fail);
}

enum err draft_tally(struct db *db, int64_t draft_no, struct fail *fail)
{
    assert(db_in_transaction(db));
    enum err err = count(db, draft_no, fail);
    return err ? err : judge(db, draft_no, fail);
}
