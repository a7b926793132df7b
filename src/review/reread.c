/* Corrects trades whose document is read otherwise now; see reread.h. */
#include "review/reread.h"

#include <assert.h>

#include "review/correct.h"
#include "store/desk/draft.h"
#include "store/desk/draft_history.h"
#include "store/desk/draft_row.h"
#include "store/public/correction.h"
#include "store/public/filing.h"
#include "store/public/publication.h"
#include "store/public/trade.h"

#define REASON_CASE STR("the document was read again: its letter case was read wrong")
#define REASON STR("the document was read again")

struct reread_run {
    struct db *db;
    struct arena arena;
    const struct reread_choice *choice;
    reread_visit *visit;
    void *ctx;
    struct reread_result *ret;
    struct draft draft;
    struct draft_row_list stored;
    struct trade_row *trade_of[DRAFT_ROW_MAX + 1];   /* by row; NULL: no public trade */
    bool edited[DRAFT_ROW_MAX + 1][ROW_FIELD_COUNT]; /* a reviewer has set the field */
    int64_t document_version;
};

struct str reread_does_name(enum reread_does does)
{
    static const struct str names[REREAD_DOES_COUNT] = {
        [REREAD_PROPOSED] = STR_INIT("proposed"),
        [REREAD_CORRECTED] = STR_INIT("corrected"),
        [REREAD_KEPT] = STR_INIT("kept"),
    };
    assert(does < REREAD_DOES_COUNT);
    return names[does];
}

/* --- what is public, and what people have set */

static enum err note_trade(void *ctx, const struct trade_row *row)
{
    struct reread_run *r = ctx;
    struct str id = row->trade.id;
    int64_t number;
    if (row->withdrawn_at != INSTANT_NONE || id.n <= 4 ||
        !str_to_i64(str_slice(id, id.n - 4, id.n), &number) || number < 1)
        return OK;
    struct trade_row *kept = ARENA_NEW(&r->arena, struct trade_row);
    *kept = *row;
    kept->trade.id = arena_str(&r->arena, id);
    kept->trade.values = row_values_copy(&row->trade.values, &r->arena);
    r->trade_of[number] = kept;
    return OK;
}

static void note_event(void *ctx, const struct draft_event *event)
{
    struct reread_run *r = ctx;
    enum row_field field;
    if (str_eq(event->action, STR("set")) && event->row >= 1 && event->row <= DRAFT_ROW_MAX &&
        row_field_from_name(event->field, &field))
        r->edited[event->row][field] = true;
}

static enum err load(
    struct reread_run *r, struct str filing_id, bool *ret_public, struct fail *fail)
{
    struct filing_row filing;
    TRY(publication_lock(r->db, fail));
    TRY(draft_lock(r->db, filing_id, &r->arena, &r->draft, fail));
    enum err err = filing_find(r->db, filing_id, &r->arena, &filing, fail);
    *ret_public = !err && (filing.state == FILING_PUBLISHED || filing.state == FILING_AMENDED);
    if (err || !*ret_public)
        return err == ERR_NOT_FOUND ? OK : err;
    TRY(draft_row_load(r->db, r->draft.no, &r->arena, &r->stored, fail));
    TRY(draft_history_each(r->db, r->draft.no, note_event, r, fail));
    return trade_each_of_filing(r->db, filing.no, note_trade, r, fail);
}

/* Rows are matched by number, so there must be as many as before. */
static enum err check_draft(const struct reread_run *r, size_t count, struct fail *fail)
{
    size_t before = 0;
    for (size_t i = 0; i < r->stored.count; i++)
        before += !str_is_null(r->stored.items[i].printed);
    if (r->draft.state != DRAFT_PUBLISHED && r->draft.state != DRAFT_AMENDED)
        return fail_set(
            fail, ERR_REFUSED, "its draft is %.*s: finish or reject that review first",
            STR_ARG(draft_state_name(r->draft.state)));
    return before == count
               ? OK
               : fail_set(
                     fail, ERR_REFUSED, "%zu rows are read now, %zu before: review it by hand",
                     count, before);
}

/* --- one row */

static struct draft_row_stored *stored_row(struct reread_run *r, int row)
{
    for (size_t i = 0; i < r->stored.count; i++)
        if (r->stored.items[i].row == row)
            return &r->stored.items[i];
    return NULL;
}

static void take_field(struct row_values *to, const struct row_values *from, enum row_field field)
{
    switch (field) {
    case ROW_TICKER:
        to->ticker = from->ticker;
        break;
    case ROW_ASSET_NAME:
        to->asset_name = from->asset_name;
        break;
    case ROW_ASSET_TYPE:
        to->asset_type = from->asset_type;
        break;
    case ROW_SIDE:
        to->side = from->side;
        break;
    case ROW_AMOUNT:
        to->bracket = from->bracket;
        break;
    case ROW_TRADE_DATE:
        to->trade_date = from->trade_date;
        break;
    case ROW_OWNER:
        to->owner = from->owner;
        break;
    case ROW_DETAILS:
        to->details = from->details;
        break;
    case ROW_FIELD_COUNT:
        break;
    }
}

static enum err note_in_history(
    struct reread_run *r, int row, const struct reread_change *change, struct fail *fail)
{
    const struct draft_event event = {
        .at = r->choice->now_ms,
        .by = r->choice->by,
        .action = STR("reread"),
        .row = row,
        .field = row_field_name(change->field),
        .old = change->old,
        .new = change->new,
        .reason = change->letter_case ? REASON_CASE : REASON,
    };
    return draft_history_add(r->db, r->draft.no, &event, fail);
}

/* One row that is public and read again. */
struct reread_row {
    const struct draft_row *now;
    const struct trade_row *trade;
    struct draft_row_stored *stored;
    struct row_values values; /* with the fields to be corrected */
    size_t corrected;
    bool only_case; /* they differ in nothing else */
};

/* Decides about one field that differs. */
static enum err decide(
    struct reread_run *r, struct reread_row *row, enum row_field field, struct fail *fail)
{
    char was[ROW_FIELD_TEXT_MAX], is[ROW_FIELD_TEXT_MAX];
    bool set = r->edited[row->now->row][field];
    const struct row_values *public = &row->trade->trade.values;
    struct reread_change change = {
        .trade_id = row->trade->trade.id,
        .field = field,
        .old = row_field_text(public, field, was),
        .new = row_field_text(&row->now->values, field, is),
    };
    change.letter_case = field == ROW_ASSET_NAME && str_eq_nocase(change.old, change.new);
    enum err err = set ? OK
                       : correction_of_field(
                             r->db, change.trade_id, row_field_name(field), REASON, &set, fail);
    if (err)
        return err;
    bool wanted = !str_is_null(r->choice->by) && (change.letter_case || r->choice->fields[field]);
    change.does = set ? REREAD_KEPT : wanted ? REREAD_CORRECTED : REREAD_PROPOSED;
    if (change.does == REREAD_CORRECTED) {
        take_field(&row->values, &row->now->values, field);
        row->only_case &= change.letter_case;
        row->corrected++;
        err = note_in_history(r, row->now->row, &change, fail);
    }
    r->visit(r->ctx, &change);
    return err;
}

/* Corrects the trade, and the row of the draft, which a later review compares with it. */
static enum err write_values(struct reread_run *r, struct reread_row *row, struct fail *fail)
{
    struct correct_result corrected = {0};
    TRY(correct_values(
        r->db, row->trade->trade.id, &row->trade->trade.values, &row->values, r->choice->by,
        row->only_case ? REASON_CASE : REASON, r->choice->now_ms, &corrected, fail));
    r->ret->change_seq = corrected.change_seq;
    r->ret->corrected += row->corrected;
    row->stored->values = row->values;
    return draft_row_update(r->db, r->draft.no, row->stored, r->choice->now_ms, fail);
}

static enum err compare_row(struct reread_run *r, const struct draft_row *now, struct fail *fail)
{
    struct reread_row row = {
        .now = now,
        .trade = r->trade_of[now->row],
        .stored = stored_row(r, now->row),
        .only_case = true,
    };
    enum err err = OK;
    if (!row.trade || !row.stored || !str_is_null(row.stored->trade_id))
        return OK;
    row.values = row.trade->trade.values;
    for (int f = 0; f < ROW_FIELD_COUNT && !err; f++)
        if (!row_field_equal(&row.trade->trade.values, &now->values, (enum row_field)f))
            err = decide(r, &row, (enum row_field)f, fail);
    if (!err && row.corrected)
        err = write_values(r, &row, fail);
    if (err || str_is_null(r->choice->by))
        return err;
    return trade_set_source(
        r->db, row.trade->trade.id, now->page, row.stored->notified_date,
        row.stored->cap_gains ? row.stored->cap_gains : now->cap_gains, now->printed,
        r->document_version, fail);
}

static enum err compare_rows(
    struct reread_run *r, struct str filing_id, const struct draft_row *rows, size_t count,
    struct fail *fail)
{
    bool is_public = false;
    enum err err = load(r, filing_id, &is_public, fail);
    if (err || !is_public)
        return err;
    TRY(check_draft(r, count, fail));
    for (size_t i = 0; i < count; i++)
        TRY(compare_row(r, &rows[i], fail));
    return OK;
}

enum err reread_filing(
    struct db *db, struct str filing_id, const struct draft_row *rows, size_t count,
    int64_t document_version, const struct reread_choice *choice, reread_visit *visit, void *ctx,
    struct reread_result *ret, struct fail *fail)
{
    MEM_FREED struct reread_run *r = MEM_NEW(struct reread_run);
    *ret = (struct reread_result){0};
    r->db = db;
    r->choice = choice;
    r->visit = visit;
    r->ctx = ctx;
    r->ret = ret;
    r->document_version = document_version;
    arena_init(&r->arena);
    enum err err = compare_rows(r, filing_id, rows, count, fail);
    arena_finish(&r->arena);
    return err;
}
