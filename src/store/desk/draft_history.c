/* The history of drafts; see draft_history.h. */
#include "store/desk/draft_history.h"

#include "store/desk/same_person.h"

enum err draft_history_add(
    struct db *db, int64_t draft_no, const struct draft_event *event, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO draft_history (draft_no, at, by_email, action, position, field, old_value,"
        " new_value, reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        V(draft_no), V(event->at), V(event->by), V(event->action), V_OPT(event->row, 0),
        V(event->field), V(event->old), V(event->new), V(event->reason));
}

/* A person who did one of these has seen the rows of the draft. "new" makes a draft with none. */
#define ENTERED                                                                                    \
    "action IN ('set', 'add_row', 'split_row', 'delete_row', 'restore_row', 'accept_first',"       \
    " 'take_over')"
#define MINE "lower(by_email)" IS_PERSON

enum err draft_history_part(
    struct db *db, int64_t draft_no, struct str by, struct draft_part *ret, struct fail *fail)
{
    QUERY(
        q, db,
        WITH_PERSON_1 "SELECT count(CASE WHEN " ENTERED " THEN 1 END),"
                      " count(CASE WHEN " ENTERED " AND " MINE " THEN 1 END),"
                      " count(CASE WHEN action IN ('type_row', 'count_rows', 'type_all') AND " MINE
                      " THEN 1 END),"
                      " count(CASE WHEN action = 'decide' AND " MINE " THEN 1 END)"
                      " FROM draft_history WHERE draft_no = $2",
        V(by), V(draft_no));
    *ret = (struct draft_part){false};
    if (query_row(&q))
        *ret = (struct draft_part){
            .started = query_get_i64(&q, 0) > 0,
            .entered = query_get_i64(&q, 1) > 0,
            .typed = query_get_i64(&q, 2) > 0,
            .decided = query_get_i64(&q, 3) > 0,
        };
    return query_end(&q, fail);
}

enum err draft_history_rows_set(
    struct db *db, int64_t draft_no, struct str field, bool ret[static DRAFT_ROW_MAX + 1],
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT DISTINCT position FROM draft_history WHERE draft_no = $1 AND field = $2"
        " AND action IN ('set', 'decide') AND position IS NOT NULL",
        V(draft_no), V(field));
    while (query_row(&q)) {
        int64_t row = query_get_i64(&q, 0);
        if (row >= 0 && row <= DRAFT_ROW_MAX)
            ret[row] = true;
    }
    return query_end(&q, fail);
}

#define LINE "h.at, h.by_email, h.action, h.position, h.field, h.old_value, h.new_value, h.reason"

static enum err visit_all(struct query *q, draft_history_visit *visit, void *ctx, struct fail *fail)
{
    while (query_row(q)) {
        const struct draft_event event = {
            .at = query_get_i64(q, 0),
            .by = query_get_str(q, 1),
            .action = query_get_str(q, 2),
            .row = (int)query_get_opt_i64(q, 3, 0),
            .field = query_get_str(q, 4),
            .old = query_get_str(q, 5),
            .new = query_get_str(q, 6),
            .reason = query_get_str(q, 7),
        };
        visit(ctx, &event);
    }
    return query_end(q, fail);
}

enum err draft_history_each(
    struct db *db, int64_t draft_no, draft_history_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db, "SELECT " LINE " FROM draft_history h WHERE h.draft_no = $1 ORDER BY h.no",
        V(draft_no));
    return visit_all(&q, visit, ctx, fail);
}

enum err draft_history_each_action(
    struct db *db, struct str filing_id, struct str action, draft_history_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " LINE " FROM draft d JOIN draft_history h ON h.draft_no = d.no"
        " WHERE d.filing_id = $1 AND h.action = $2 ORDER BY h.no",
        V(filing_id), V(action));
    return visit_all(&q, visit, ctx, fail);
}
