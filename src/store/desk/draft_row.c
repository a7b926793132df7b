/* Rows of drafts; see draft_row.h. */
#include "store/desk/draft_row.h"

#include <assert.h>

#include "base/closed_list.h"
#include "paper/cell/row_field.h"
#include "store/row/list.h"
#include "store/row/name.h"
#include "store/row/row_values.h"

static const struct str status_names[DRAFT_ROW_STATUS_COUNT] = {
    [DRAFT_ROW_NEW] = STR_INIT("new"),
    [DRAFT_ROW_AMENDED] = STR_INIT("amended"),
    [DRAFT_ROW_DELETED] = STR_INIT("deleted"),
};

ENUM_NAME(draft_row_status_name, draft_row_status, status_names[value], DRAFT_ROW_STATUS_COUNT)

const struct draft_row_stored *draft_row_at(const struct draft_row_list *rows, int64_t number)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].row == number)
            return &rows->items[i];
    return NULL;
}

/* The interpretation of the row: parameters $3 to $17. */
static void bind_meaning(struct query *q, const struct draft_row_stored *row)
{
    query_str(q, draft_row_status_name(row->status));
    row_values_bind(q, &row->values);
    query_opt_i64(q, row->notified_date, DAY_NONE);
    query_str(q, row->doubts);
    query_str(q, row->held);
    query_str(q, row->trade_id);
    cap_gains_bind(q, row->cap_gains);
    query_str(q, row->company);
}

static void bind_place(struct query *q, const struct draft_row_stored *row)
{
    const int place[] = {row->place.left, row->place.top, row->place.width, row->place.height};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        query_opt_i64(q, row->place.width ? place[i] : -1, -1);
    query_str(q, row->sources);
}

enum err draft_row_insert(
    struct db *db, int64_t draft_no, const struct draft_row_stored *row, struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO draft_row (draft_no, position, status, ticker, asset_name, asset_type, side,"
        " amount_bucket, trade_day, owner_type, details, notified_day, doubts, held, trade_id,"
        " cap_gains, company, page, printed, place_left, place_top, place_width, place_height,"
        " sources)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,"
        " $18, $19, $20, $21, $22, $23, $24)"
        " ON CONFLICT (draft_no, position) DO NOTHING",
        V(draft_no), V(row->row));
    bind_meaning(&q, row);
    query_opt_i64(&q, row->page, 0);
    query_str(&q, row->printed);
    bind_place(&q, row);
    return query_end_or(&q, ERR_EXISTS, fail, "row %d already exists", row->row);
}

enum err draft_row_update(
    struct db *db, int64_t draft_no, const struct draft_row_stored *row, int64_t now_ms,
    struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE draft_row SET status = $3, ticker = $4, asset_name = $5, asset_type = $6,"
        " side = $7, amount_bucket = $8, trade_day = $9, owner_type = $10, details = $11,"
        " notified_day = $12, doubts = $13, held = $14, trade_id = $15, cap_gains = $16,"
        " company = $17, removed_at = CASE WHEN CAST($18 AS BIGINT) = 0 THEN NULL"
        " ELSE coalesce(removed_at, $18) END, sources = $19"
        " WHERE draft_no = $1 AND position = $2",
        V(draft_no), V(row->row));
    bind_meaning(&q, row);
    query_i64(&q, row->removed ? now_ms : 0);
    query_str(&q, row->sources);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no row %d", row->row);
}

enum err draft_row_forget_scanned(struct db *db, int64_t draft_no, struct fail *fail)
{
    return query_run(
        db, fail, "DELETE FROM draft_row WHERE draft_no = $1 AND sources IS NOT NULL", V(draft_no));
}

enum err draft_row_forget_places(struct db *db, int64_t draft_no, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE draft_row SET place_left = NULL, place_top = NULL, place_width = NULL,"
        " place_height = NULL WHERE draft_no = $1",
        V(draft_no));
}

enum { PLACE_COLUMN = 9, GAINS_COLUMN = 14, COMPANY_COLUMN, VALUES_COLUMN }; /* of ROW_COLUMNS */

static struct draft_row_stored read_row(const struct query *q, struct arena *arena)
{
    struct row_values values = row_values_read(q, VALUES_COLUMN);
    int status = name_find(status_names, NAME_COUNT(status_names), query_get_str(q, 2));
    assert(status >= 0); /* CHECK of the table */
    return (struct draft_row_stored){
        .row = (int)query_get_i64(q, 0),
        .page = (int)query_get_opt_i64(q, 1, 0),
        .status = (enum draft_row_status)status,
        .values = row_values_copy(&values, arena),
        .notified_date = (int32_t)query_get_opt_i64(q, 3, DAY_NONE),
        .cap_gains = cap_gains_read(q, GAINS_COLUMN),
        .company = query_text(q, COMPANY_COLUMN, arena),
        .printed = query_text(q, 4, arena),
        .doubts = query_text(q, 5, arena),
        .held = query_text(q, 6, arena),
        .trade_id = query_text(q, 7, arena),
        .removed = !query_is_null(q, 8),
        .place =
            {
                .left = (int)query_get_opt_i64(q, PLACE_COLUMN, 0),
                .top = (int)query_get_opt_i64(q, PLACE_COLUMN + 1, 0),
                .width = (int)query_get_opt_i64(q, PLACE_COLUMN + 2, 0),
                .height = (int)query_get_opt_i64(q, PLACE_COLUMN + 3, 0),
            },
        .sources = query_text(q, PLACE_COLUMN + 4, arena),
    };
}

#define ROW_COLUMNS                                                                                \
    "r.position, r.page, r.status, r.notified_day, r.printed, r.doubts, r.held, r.trade_id,"       \
    " r.removed_at, r.place_left, r.place_top, r.place_width, r.place_height, "                    \
    "r.sources, r.cap_gains, r.company, " ROW_VALUES_COLUMNS(r) " FROM draft_row r"

static enum err load_rows(
    struct query *q, struct arena *arena, struct draft_row_list *ret, struct fail *fail)
{
    return list_read(q, arena, ret, fail, read_row(q, arena));
}

enum err draft_row_load(
    struct db *db, int64_t draft_no, struct arena *arena, struct draft_row_list *ret,
    struct fail *fail)
{
    QUERY(q, db, "SELECT " ROW_COLUMNS " WHERE r.draft_no = $1 ORDER BY r.position", V(draft_no));
    return load_rows(&q, arena, ret, fail);
}

enum err draft_row_load_unattached(
    struct db *db, struct str politician_id, struct str filing_id, int64_t filed_at,
    struct arena *arena, struct draft_row_list *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " ROW_COLUMNS " JOIN draft d ON d.no = r.draft_no"
        " JOIN member m ON m.no = d.member_no WHERE m.id = $1 AND d.chamber = 'house'"
        " AND d.filing_id <> $2 AND d.filed_at >= $3 AND d.state IN ('published', 'amended')"
        " AND d.revision = (SELECT max(n.revision) FROM draft n WHERE n.filing_id = d.filing_id)"
        " AND r.status <> 'new' AND r.trade_id = 'new' AND r.removed_at IS NULL"
        " ORDER BY d.no, r.position",
        V(politician_id), V(filing_id), V(filed_at));
    return load_rows(&q, arena, ret, fail);
}
