/* Fields that a second person typed; see second_entry.h. */
#include "store/desk/second_entry.h"

#include "base/closed_list.h"
#include "store/desk/same_person.h"
#include "store/row/list.h"

static const struct str outcomes[ENTRY_OUTCOME_COUNT] = {
    [ENTRY_AGREED] = STR_INIT("agreed"),   [ENTRY_DIFFERS] = STR_INIT("differs"),
    [ENTRY_FIRST] = STR_INIT("first"),     [ENTRY_SECOND] = STR_INIT("second"),
    [ENTRY_NEITHER] = STR_INIT("neither"),
};

static ENUM_FROM(
    outcome_from_name, entry_outcome, outcomes[value], ENTRY_AGREED, ENTRY_OUTCOME_COUNT,
    ENTRY_NOT_COMPARED)

    enum err second_entry_load(
        struct db *db, int64_t draft_no, struct arena *arena, struct entry_list *ret,
        struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT row_no, field, typed, typed_by, typed_at, first_text, second_text, outcome,"
        " settled, decided_by, decided_at FROM second_entry WHERE draft_no = $1"
        " ORDER BY row_no, field",
        V(draft_no));
    return list_read(
        &q, arena, ret, fail,
        (struct entry_item){
            .row = (int)query_get_i64(&q, 0),
            .field = query_text(&q, 1, arena),
            .typed = query_text(&q, 2, arena),
            .by = query_text(&q, 3, arena),
            .at = query_get_opt_i64(&q, 4, INSTANT_NONE),
            .first = query_text(&q, 5, arena),
            .second = query_text(&q, 6, arena),
            .outcome = outcome_from_name(query_get_str(&q, 7)),
            .settled = query_text(&q, 8, arena),
            .decided_by = query_text(&q, 9, arena),
            .decided_at = query_get_opt_i64(&q, 10, INSTANT_NONE),
        });
}

enum err second_entry_type(
    struct db *db, int64_t draft_no, const struct entry_item *item, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO second_entry (draft_no, row_no, field, typed, typed_by, typed_at)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (draft_no, row_no, field)"
        " DO UPDATE SET typed = excluded.typed, typed_by = excluded.typed_by,"
        " typed_at = excluded.typed_at",
        V(draft_no), V(item->row), V(item->field), V(item->typed), V(item->by), V(item->at));
}

enum err second_entry_judge(
    struct db *db, int64_t draft_no, const struct entry_item *item, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE second_entry SET first_text = $4, second_text = $5, outcome = $6, settled = $7,"
        " decided_by = $8, decided_at = $9 WHERE draft_no = $1 AND row_no = $2 AND field = $3",
        V(draft_no), V(item->row), V(item->field), V(item->first), V(item->second),
        V(outcomes[item->outcome]), V(item->settled), V(item->decided_by),
        V_OPT(item->decided_at, INSTANT_NONE));
}

enum err second_entry_forget_row(struct db *db, int64_t draft_no, int row, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE second_entry SET typed = NULL, typed_by = NULL, typed_at = NULL"
        " WHERE draft_no = $1 AND row_no = $2",
        V(draft_no), V(row));
}

enum err second_entry_forget_person(
    struct db *db, int64_t draft_no, struct str by, struct fail *fail)
{
    return query_run(
        db, fail,
        WITH_PERSON_1 "UPDATE second_entry SET typed = NULL, typed_by = NULL, typed_at = NULL"
                      " WHERE draft_no = $2 AND lower(typed_by)" IS_PERSON,
        V(by), V(draft_no));
}

enum err second_entry_forget_all(struct db *db, int64_t draft_no, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE second_entry SET typed = NULL, typed_by = NULL, typed_at = NULL"
        " WHERE draft_no = $1",
        V(draft_no));
}

enum err second_entry_count(struct db *db, entry_count_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT field, outcome, count(*) FROM second_entry WHERE outcome IS NOT NULL"
        " GROUP BY field, outcome");
    while (query_row(&q))
        visit(
            ctx, query_get_str(&q, 0), outcome_from_name(query_get_str(&q, 1)),
            query_get_i64(&q, 2));
    return query_end(&q, fail);
}
