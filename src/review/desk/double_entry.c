/* Two people type a paper filing; see double_entry.h. */
#include "review/desk/double_entry.h"

#include <stdlib.h>

#include "review/desk/desk_parts.h"
#include "review/standing.h"
#include "rule/draft.h"

/* Compares the second person's entry with the draft. */

const struct str double_field_row = STR_INIT("row"), double_field_rows = STR_INIT("rows");

struct double_judging {
    struct desk_act *a;
    struct draft_row_list live;
    struct entry_list entry;
    size_t missing; /* rows that are not typed */
    size_t open;    /* fields that differ */
};

/* --- what was typed, and what is stored */

static struct entry_item *double_item(const struct entry_list *entry, int row, struct str field)
{
    for (size_t i = 0; i < entry->count; i++)
        if (entry->items[i].row == row && str_eq(entry->items[i].field, field))
            return &entry->items[i];
    return NULL;
}

/* The second person has typed the row, or marked it as not on the page. */
static bool double_is_typed(const struct entry_list *entry, int row)
{
    const struct entry_item *item = double_item(entry, row, double_field_row);
    return item && !str_is_null(item->typed);
}

/* The typed row; blind_row_none if nothing was typed. */
static struct blind_row double_typed(const struct entry_list *entry, int row, struct arena *arena)
{
    struct blind_row typed = blind_row_none;
    for (size_t i = 0; i < entry->count; i++) {
        enum blind_field field;
        const struct entry_item *item = &entry->items[i];
        if (item->row != row || !blind_field_from_name(item->field, &field))
            continue;
        enum err err = blind_set(&typed, field, item->typed, arena, NULL);
        (void)err; /* it was read before it was stored */
    }
    return typed;
}

static struct blind_row double_stored(const struct draft_row_stored *row)
{
    return (struct blind_row){.values = row->values, .notified_date = row->notified_date};
}

static int by_place(const void *a, const void *b)
{
    const struct draft_row_stored *x = a, *y = b;
    if (x->page != y->page)
        return x->page < y->page ? -1 : 1;
    if (x->place.width && y->place.width && x->place.top != y->place.top)
        return x->place.top < y->place.top ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The rows that are not removed, in the order of the pages. */
static struct draft_row_list double_live_rows(
    const struct draft_row_list *rows, struct arena *arena)
{
    struct draft_row_list live = {
        .items = ARENA_ARRAY(arena, struct draft_row_stored, rows->count + 1)};
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->items[i].removed)
            live.items[live.count++] = rows->items[i];
    qsort(live.items, live.count, sizeof *live.items, by_place);
    return live;
}

/* Rows that the second person found on the page. */
static size_t double_rows_found(const struct draft_row_list *live, const struct entry_list *entry)
{
    size_t found = 0;
    for (size_t i = 0; i < live->count; i++) {
        const struct entry_item *item = double_item(entry, live->items[i].row, double_field_row);
        found += item && str_eq(item->typed, STR("yes"));
    }
    return found;
}

/* --- one field */

static bool is_decided(const struct entry_item *item)
{
    return item->outcome == ENTRY_FIRST || item->outcome == ENTRY_SECOND ||
           item->outcome == ENTRY_NEITHER;
}

/* The first person looked again and corrected the draft, or the second typed the row again. */
static void resolve(struct double_judging *j, struct entry_item *item, struct str draft)
{
    item->outcome = str_eq(draft, item->first)          ? ENTRY_FIRST
                    : str_eq(item->typed, item->second) ? ENTRY_SECOND
                                                        : ENTRY_NEITHER;
    item->settled = draft;
    item->decided_by = j->a->desk->by;
    item->decided_at = j->a->desk->now_ms;
}

/* A decision holds as long as the draft has what was decided. The texts of the first comparison
 * stay. */
static enum err judge_field(
    struct double_judging *j, struct entry_item *item, struct str draft, enum blind_verdict verdict,
    struct fail *fail)
{
    bool agrees = verdict != BLIND_DIFFERS;
    if (is_decided(item) && (agrees || str_eq(item->settled, draft)))
        return OK;
    if (agrees && item->outcome == ENTRY_DIFFERS) {
        resolve(j, item, draft);
    } else {
        if (item->outcome != ENTRY_DIFFERS) {
            item->first = draft;
            item->second = item->typed;
        }
        item->outcome = verdict == BLIND_NOT_COMPARED ? ENTRY_NOT_COMPARED
                        : agrees                      ? ENTRY_AGREED
                                                      : ENTRY_DIFFERS;
        item->settled = item->decided_by = STR_NULL;
        item->decided_at = INSTANT_NONE;
        j->open += !agrees;
    }
    return second_entry_judge(j->a->desk->db, j->a->draft.no, item, fail);
}

/* --- rows */

/* If a decision says that the row is on the page after all, the second person types it. */
static enum err judge_absent(struct double_judging *j, struct entry_item *item, struct fail *fail)
{
    enum err err = judge_field(j, item, STR("yes"), BLIND_DIFFERS, fail);
    if (err || item->outcome != ENTRY_FIRST)
        return err;
    j->missing++;
    return second_entry_forget_row(j->a->desk->db, j->a->draft.no, item->row, fail);
}

static enum err judge_row(
    struct double_judging *j, const struct draft_row_stored *row, struct fail *fail)
{
    struct entry_item *there = double_item(&j->entry, row->row, double_field_row);
    if (str_eq(there->typed, STR("no")))
        return judge_absent(j, there, fail);
    struct blind_row typed = double_typed(&j->entry, row->row, &j->a->arena);
    struct blind_row stored = double_stored(row);
    TRY(judge_field(j, there, STR("yes"), BLIND_AGREES, fail));
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        char *space = arena_alloc(&j->a->arena, ROW_FIELD_TEXT_MAX);
        enum blind_field field = (enum blind_field)f;
        struct entry_item *item = double_item(&j->entry, row->row, blind_field_name(field));
        struct str text = blind_text(&stored, field, space);
        if (item)
            TRY(judge_field(j, item, text, blind_compare(&typed, &stored, field), fail));
    }
    return OK;
}

static enum err judge_count(struct double_judging *j, struct entry_item *count, struct fail *fail)
{
    struct str found = arena_fmt(&j->a->arena, "%zu", double_rows_found(&j->live, &j->entry));
    bool same = str_eq(found, count->typed);
    return judge_field(j, count, found, same ? BLIND_AGREES : BLIND_DIFFERS, fail);
}

enum err double_judge(struct desk_act *a, enum draft_entry *ret, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    struct double_judging j = {.a = a};
    *ret = DRAFT_ENTRY_SECOND;
    TRY(draft_row_load(a->desk->db, a->draft.no, &a->arena, &rows, fail));
    TRY(second_entry_load(a->desk->db, a->draft.no, &a->arena, &j.entry, fail));
    j.live = double_live_rows(&rows, &a->arena);
    struct entry_item *count = double_item(&j.entry, 0, double_field_rows);
    for (size_t i = 0; i < j.live.count; i++)
        if (!double_is_typed(&j.entry, j.live.items[i].row))
            return OK;
    if (!count || str_is_null(count->typed))
        return OK;
    for (size_t i = 0; i < j.live.count; i++)
        TRY(judge_row(&j, &j.live.items[i], fail));
    TRY(judge_count(&j, count, fail));
    if (!j.missing)
        *ret = j.open ? DRAFT_ENTRY_THIRD : DRAFT_ENTRY_TWICE;
    return OK;
}

/* --- what follows */

static void release(struct desk_act *a)
{
    a->draft.claimed_by = STR_NULL;
    a->draft.claimed_until = INSTANT_NONE;
}

/* The person who counted the rows has finished the second entry, and accepted it so. */
static enum err accept_twice(struct desk_act *a, struct fail *fail)
{
    struct draft_row_list rows;
    struct difference difference;
    struct entry_list entry = {.count = 0};
    a->draft.entry = DRAFT_ENTRY_TWICE;
    TRY(standing_compare(a->desk->db, &a->draft, &a->arena, &rows, &difference, fail));
    TRY(desk_check_obstacles(a, &difference, DESK_CHECKS_WAIVED, STR_NULL, fail));
    TRY(second_entry_load(a->desk->db, a->draft.no, &a->arena, &entry, fail));
    const struct entry_item *count = double_item(&entry, 0, double_field_rows);
    TRY(desk_step(a, DRAFT_ACCEPT, fail));
    a->draft.second_by = count->by;
    a->draft.second_at = a->desk->now_ms;
    a->draft.difference = standing_text(&difference, &a->arena);
    release(a);
    return desk_note_acceptance(a, &rows, count->by, DRAFT_ACCEPT, fail);
}

enum err double_settle(struct desk_act *a, enum draft_entry entry, struct fail *fail)
{
    enum draft_entry before = a->draft.entry;
    a->draft.entry = entry;
    if (entry == DRAFT_ENTRY_TWICE)
        return accept_twice(a, fail);
    if (entry == before)
        return OK;
    TRY(desk_step(a, DRAFT_ACCEPT_FIRST, fail));
    release(a);
    const struct draft_event event = {
        .action = entry == DRAFT_ENTRY_THIRD ? STR("entries_differ") : STR("entry_due")};
    return desk_note(a, event, fail);
}

static struct str yes = STR_INIT("yes"), no = STR_INIT("no");

/* --- reading */

static void add_difference(
    struct double_view *view, const struct entry_item *item, struct str draft)
{
    view->differences[view->difference_count++] = (struct double_difference){
        .row = item->row,
        .field = item->field,
        .draft = draft,
        .entered = item->typed,
    };
}

/* A row that was typed again as missing has no fields any more. */
static bool is_open(const struct entry_item *item)
{
    return item->outcome == ENTRY_DIFFERS && !str_is_null(item->by);
}

static void find_differences(struct double_view *view, struct arena *arena)
{
    view->differences = ARENA_ARRAY(arena, struct double_difference, view->entry.count + 1);
    for (size_t r = 0; r < view->rows.count; r++) {
        struct blind_row stored = double_stored(&view->rows.items[r]);
        for (size_t i = 0; i < view->entry.count; i++) {
            enum blind_field field;
            const struct entry_item *item = &view->entry.items[i];
            if (item->row != view->rows.items[r].row || !is_open(item))
                continue;
            bool typed = blind_field_from_name(item->field, &field);
            char *space = arena_alloc(arena, ROW_FIELD_TEXT_MAX);
            add_difference(view, item, typed ? blind_text(&stored, field, space) : yes);
        }
    }
    const struct entry_item *count = double_item(&view->entry, 0, double_field_rows);
    if (count && is_open(count))
        add_difference(
            view, count, arena_fmt(arena, "%zu", double_rows_found(&view->rows, &view->entry)));
}

enum err double_entry_show(
    struct db *db, struct str filing_id, struct arena *arena, struct double_view *ret,
    struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    *ret = (struct double_view){.typed = 0};
    TRY(draft_find(db, filing_id, arena, &ret->draft, fail));
    TRY(draft_row_load(db, ret->draft.no, arena, &rows, fail));
    TRY(second_entry_load(db, ret->draft.no, arena, &ret->entry, fail));
    ret->rows = double_live_rows(&rows, arena);
    const struct entry_item *count = double_item(&ret->entry, 0, double_field_rows);
    ret->counted = count ? count->typed : STR_NULL;
    for (size_t i = 0; i < ret->rows.count; i++)
        ret->typed += double_is_typed(&ret->entry, ret->rows.items[i].row);
    if (ret->draft.entry == DRAFT_ENTRY_THIRD)
        find_differences(ret, arena);
    return OK;
}

bool double_entry_is_typed(const struct double_view *view, int row)
{
    return double_is_typed(&view->entry, row);
}

/* A person who has seen the rows can neither type them blind nor decide about them. A person who
 * decided has seen both entries. */
static enum double_role role_of(const struct draft *draft, const struct draft_part *part)
{
    bool second = draft->entry == DRAFT_ENTRY_SECOND;
    if (!second && draft->entry != DRAFT_ENTRY_THIRD)
        return DOUBLE_NO_ROLE;
    if (part->entered || (second && part->decided))
        return DOUBLE_FIRST;
    return second || part->typed ? DOUBLE_SECOND : DOUBLE_THIRD;
}

enum err double_entry_role(
    struct db *db, const struct draft *draft, struct str by, enum double_role *ret,
    struct fail *fail)
{
    struct draft_part part;
    enum err err = draft_history_part(db, draft->no, by, &part, fail);
    *ret = err ? DOUBLE_NO_ROLE : role_of(draft, &part);
    return err;
}

enum err double_entry_hides(
    struct db *db, const struct draft *draft, struct str by, bool *ret, struct fail *fail)
{
    struct draft_part part;
    /* A rejected one can be claimed again. */
    bool open = draft->state == DRAFT_WAITING || draft->state == DRAFT_IN_REVIEW ||
                draft->state == DRAFT_REJECTED;
    *ret = false;
    if (!draft->is.manual || !open)
        return OK;
    enum err err = draft_history_part(db, draft->no, by, &part, fail);
    *ret = !err && part.started && !part.entered;
    return err;
}

/* --- the second person */

static enum err check_role(
    struct desk_act *a, enum double_role needed, struct entry_list *ret, struct fail *fail)
{
    struct str id = a->draft.is.filing_id;
    enum double_role role = DOUBLE_NO_ROLE;
    enum err err = second_entry_load(a->desk->db, a->draft.no, &a->arena, ret, fail);
    if (!err)
        err = double_entry_role(a->desk->db, &a->draft, a->desk->by, &role, fail);
    if (err || role == needed)
        return err;
    if (role == DOUBLE_NO_ROLE)
        return fail_set(
            fail, ERR_REFUSED, "%.*s does not wait for a second or third person", STR_ARG(id));
    if (role == DOUBLE_FIRST)
        return fail_set(
            fail, ERR_REFUSED, "you have worked on the draft of %.*s: another person must do this",
            STR_ARG(id));
    if (a->draft.entry == DRAFT_ENTRY_SECOND)
        return fail_set(fail, ERR_REFUSED, "the second entry of %.*s is not finished", STR_ARG(id));
    return fail_set(
        fail, ERR_REFUSED,
        role == DOUBLE_SECOND ? "you typed %.*s: a person who did not must decide"
                              : "%.*s has already been typed: decide the differences",
        STR_ARG(id));
}

static enum err find_live(
    struct desk_act *a, int row, const struct draft_row_stored **ret, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    enum err err = draft_row_load(a->desk->db, a->draft.no, &a->arena, &rows, fail);
    const struct draft_row_stored *found = rows.items, *end = err ? found : found + rows.count;
    while (found < end && (found->row != row || found->removed))
        found++;
    if (err || found == end)
        return err ? err
                   : fail_set(
                         fail, ERR_NOT_FOUND, "%.*s has no row %d", STR_ARG(a->draft.is.filing_id),
                         row);
    *ret = found;
    return OK;
}

static enum err store_text(
    struct desk_act *a, int row, struct str field, struct str typed, struct fail *fail)
{
    const struct entry_item item = {
        .row = row,
        .field = field,
        .typed = typed,
        .by = a->desk->by,
        .at = a->desk->now_ms,
    };
    return second_entry_type(a->desk->db, a->draft.no, &item, fail);
}

/* A Senate form does not state the date of the notice. */
static enum err store_row(
    struct desk_act *a, int row, const struct blind_row *typed, struct fail *fail)
{
    TRY(second_entry_forget_row(a->desk->db, a->draft.no, row, fail));
    TRY(store_text(a, row, double_field_row, typed ? yes : no, fail));
    for (int f = 0; f < BLIND_FIELD_COUNT && typed; f++) {
        char space[ROW_FIELD_TEXT_MAX];
        enum blind_field field = (enum blind_field)f;
        if (field == BLIND_NOTIFIED && a->draft.is.chamber == CHAMBER_SENATE)
            continue;
        TRY(store_text(a, row, blind_field_name(field), blind_text(typed, field, space), fail));
    }
    return OK;
}

static enum err settle(struct desk_act *a, enum draft_entry *ret, struct fail *fail)
{
    TRY(double_judge(a, ret, fail));
    return double_settle(a, *ret, fail);
}

static enum err type_row(
    struct desk_act *a, int row, const struct blind_row *typed, enum draft_entry *ret,
    struct fail *fail)
{
    struct entry_list entry;
    const struct draft_row_stored *there;
    TRY(check_role(a, DOUBLE_SECOND, &entry, fail));
    TRY(find_live(a, row, &there, fail));
    TRY(desk_hold(a, fail));
    TRY(store_row(a, row, typed, fail));
    TRY(desk_note(a, (struct draft_event){.action = STR("type_row"), .row = row}, fail));
    *ret = a->draft.entry;
    /* typed again after it differed */
    return *ret == DRAFT_ENTRY_THIRD ? settle(a, ret, fail) : OK;
}

enum err double_entry_type(
    const struct desk *desk, struct str filing_id, int row, const struct blind_row *typed,
    enum draft_entry *ret, struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(type_row(&a, row, typed, ret, fail));
    return desk_close(&a, fail);
}

static enum err all_are_typed(
    struct desk_act *a, const struct entry_list *entry, bool *ret, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    TRY(draft_row_load(a->desk->db, a->draft.no, &a->arena, &rows, fail));
    *ret = true;
    for (size_t i = 0; i < rows.count; i++)
        *ret &= rows.items[i].removed || double_is_typed(entry, rows.items[i].row);
    return OK;
}

static enum err count_rows(struct desk_act *a, int rows, enum draft_entry *ret, struct fail *fail)
{
    struct entry_list entry;
    bool all = false;
    TRY(check_role(a, DOUBLE_SECOND, &entry, fail));
    TRY(desk_hold(a, fail));
    TRY(all_are_typed(a, &entry, &all, fail));
    TRY(store_text(a, 0, double_field_rows, arena_fmt(&a->arena, "%d", rows), fail));
    const struct draft_event event = {
        .action = all ? STR("type_all") : STR("count_rows"),
        .new = arena_fmt(&a->arena, rows == 1 ? "%d row" : "%d rows", rows)};
    TRY(desk_note(a, event, fail));
    *ret = a->draft.entry;
    return all ? settle(a, ret, fail) : OK;
}

enum err double_entry_count(
    const struct desk *desk, struct str filing_id, int rows, enum draft_entry *ret,
    struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(count_rows(&a, rows, ret, fail));
    return desk_close(&a, fail);
}

/* --- the third person */

struct decision {
    struct entry_item *item;
    struct str value;
    struct str draft;   /* the draft's text */
    struct str settled; /* the draft's text afterwards */
    enum entry_outcome outcome;
};

static bool is_same(struct str a, struct str b)
{
    return a.n == b.n && str_eq(a, b);
}

/* A trade needs these fields. A row whose page does not state one is held. */
static const struct str needed[BLIND_FIELD_COUNT] = {
    [BLIND_ASSET] = STR_INIT("asset"),
    [BLIND_SIDE] = STR_INIT("transaction"),
    [BLIND_AMOUNT] = STR_INIT("amount"),
};

static enum err hold_row(
    struct desk_act *a, const struct draft_row_stored *row, enum blind_field field,
    struct fail *fail)
{
    struct draft_row_stored held = *row;
    struct blind_row values = double_stored(row);
    TRY(blind_set(&values, field, STR_NULL, &a->arena, fail));
    held.values = values.values;
    held.held = arena_fmt(&a->arena, "the page does not state the %.*s", STR_ARG(needed[field]));
    return draft_row_update(a->desk->db, a->draft.no, &held, a->desk->now_ms, fail);
}

static enum err decide_field(
    struct desk_act *a, struct decision *d, enum blind_field field, const struct entry_list *entry,
    struct fail *fail)
{
    const struct draft_row_stored *row = NULL;
    struct blind_row decided = blind_row_none;
    TRY(find_live(a, d->item->row, &row, fail));
    TRY(blind_set(&decided, field, d->value, &a->arena, fail));
    struct blind_row stored = double_stored(row);
    struct blind_row typed = double_typed(entry, d->item->row, &a->arena);
    struct str text = blind_text(&decided, field, arena_alloc(&a->arena, ROW_FIELD_TEXT_MAX));
    d->draft = blind_text(&stored, field, arena_alloc(&a->arena, ROW_FIELD_TEXT_MAX));
    bool first = is_same(text, d->draft), second = !first && is_same(text, d->item->typed);
    if (!first && !second) { /* typed with another spelling */
        first = blind_compare(&decided, &stored, field) == BLIND_AGREES;
        second = !first && blind_compare(&decided, &typed, field) == BLIND_AGREES;
    }
    d->outcome = first ? ENTRY_FIRST : second ? ENTRY_SECOND : ENTRY_NEITHER;
    d->settled = d->outcome == ENTRY_FIRST    ? d->draft
                 : d->outcome == ENTRY_SECOND ? d->item->typed
                                              : text;
    if (d->outcome != ENTRY_FIRST && needed[field].n && !d->settled.n)
        return hold_row(a, row, field, fail);
    return d->outcome == ENTRY_FIRST
               ? OK
               : desk_edit_row(a, d->item->row, d->item->field, d->settled, fail);
}

static enum err decide_row(struct desk_act *a, struct decision *d, struct fail *fail)
{
    bool there = str_eq(d->value, yes);
    if (!there && !str_eq(d->value, no))
        return fail_set(
            fail, ERR_INVALID, "row: \"%.*s\" is invalid: use yes or no", STR_ARG(d->value));
    d->draft = yes;
    d->settled = d->value;
    d->outcome = there ? ENTRY_FIRST : ENTRY_SECOND;
    return there ? OK : desk_remove_row(a, d->item->row, fail);
}

/* A row that the draft does not have is entered by the first person, and typed by the second. */
static enum err decide_count(
    struct desk_act *a, struct decision *d, const struct entry_list *entry, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    int64_t number;
    TRY(draft_row_load(a->desk->db, a->draft.no, &a->arena, &rows, fail));
    if (!str_to_i64(d->value, &number) || number < 0 || number > DRAFT_ROW_MAX)
        return fail_set(
            fail, ERR_INVALID, "rows: \"%.*s\" is not a number from 0 to %d", STR_ARG(d->value),
            DRAFT_ROW_MAX);
    struct draft_row_list live = double_live_rows(&rows, &a->arena);
    d->settled = arena_fmt(&a->arena, "%d", (int)number);
    d->draft = arena_fmt(&a->arena, "%zu", double_rows_found(&live, entry));
    d->outcome = str_eq(d->settled, d->draft)         ? ENTRY_FIRST
                 : str_eq(d->settled, d->item->typed) ? ENTRY_SECOND
                                                      : ENTRY_NEITHER;
    return OK;
}

static enum err store_decision(struct desk_act *a, struct decision *d, struct fail *fail)
{
    const struct draft_event event = {
        .action = STR("decide"),
        .row = d->item->row,
        .field = d->item->field,
        .old = d->draft,
        .new = d->settled,
    };
    d->item->outcome = d->outcome;
    d->item->settled = d->settled;
    d->item->decided_by = a->desk->by;
    d->item->decided_at = a->desk->now_ms;
    TRY(second_entry_judge(a->desk->db, a->draft.no, d->item, fail));
    return desk_note(a, event, fail);
}

/* Back to the first person, with the reason. */
static enum err send_back(struct desk_act *a, const struct decision *d, struct fail *fail)
{
    a->draft.entry = DRAFT_ENTRY_NONE;
    a->draft.accepted_by = a->draft.difference = a->draft.claimed_by = STR_NULL;
    a->draft.accepted_at = a->draft.claimed_until = INSTANT_NONE;
    a->draft.is.reason = arena_fmt(
        &a->arena, "the pages have %.*s rows, and the draft %.*s: correct it, and accept it again",
        STR_ARG(d->settled), STR_ARG(d->draft));
    return desk_step(a, DRAFT_ACCEPT_FIRST, fail);
}

static enum err decide(
    struct desk_act *a, int row, struct str field, struct str value, enum draft_entry *ret,
    struct fail *fail)
{
    struct entry_list entry;
    enum blind_field typed;
    TRY(check_role(a, DOUBLE_THIRD, &entry, fail));
    struct decision d = {.item = double_item(&entry, row, field), .value = str_trim(value)};
    if (!d.item || !is_open(d.item))
        return fail_set(
            fail, ERR_NOT_FOUND, "%.*s of row %d has no difference", STR_ARG(field), row);
    TRY(desk_hold(a, fail));
    if (blind_field_from_name(field, &typed))
        TRY(decide_field(a, &d, typed, &entry, fail));
    else if (row)
        TRY(decide_row(a, &d, fail));
    else
        TRY(decide_count(a, &d, &entry, fail));
    TRY(store_decision(a, &d, fail));
    *ret = DRAFT_ENTRY_NONE;
    return !row && d.outcome != ENTRY_FIRST ? send_back(a, &d, fail) : settle(a, ret, fail);
}

enum err double_entry_decide(
    const struct desk *desk, struct str filing_id, int row, struct str field, struct str value,
    enum draft_entry *ret, struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(decide(&a, row, field, value, ret, fail));
    return desk_close(&a, fail);
}

enum err double_entry_take_over(const struct desk *desk, struct str filing_id, struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_begin_edit(&a, fail));
    TRY(second_entry_forget_person(desk->db, a.draft.no, desk->by, fail));
    TRY(desk_note(&a, (struct draft_event){.action = STR("take_over")}, fail));
    return desk_close(&a, fail);
}

/* --- agreement of two entries */

/* In the order in which the table lists them; "row" and "rows" follow. */
static const enum blind_field order[BLIND_FIELD_COUNT] = {
    BLIND_OWNER,      BLIND_ASSET,    BLIND_TICKER, BLIND_SIDE,
    BLIND_TRADE_DATE, BLIND_NOTIFIED, BLIND_AMOUNT,
};

static const struct {
    struct str name;
    struct str words;
} others[DOUBLE_FIELD_COUNT - BLIND_FIELD_COUNT] = {
    {STR_INIT("row"), STR_INIT("Row is on the page")},
    {STR_INIT("rows"), STR_INIT("Number of rows")},
};

struct str double_entry_field_name(size_t field)
{
    return field < BLIND_FIELD_COUNT ? blind_field_name(order[field])
                                     : others[field - BLIND_FIELD_COUNT].name;
}

static size_t index_of(struct str name)
{
    size_t i = 0;
    while (i < DOUBLE_FIELD_COUNT && !str_eq(double_entry_field_name(i), name))
        i++;
    return i;
}

struct str double_entry_field_words(struct str field)
{
    size_t i = index_of(field);
    return i < BLIND_FIELD_COUNT    ? blind_field_words(order[i])
           : i < DOUBLE_FIELD_COUNT ? others[i - BLIND_FIELD_COUNT].words
                                    : field;
}

int64_t double_entry_differed(const int64_t of[static ENTRY_OUTCOME_COUNT])
{
    return of[ENTRY_DIFFERS] + of[ENTRY_FIRST] + of[ENTRY_SECOND] + of[ENTRY_NEITHER];
}

static void note(void *ctx, struct str field, enum entry_outcome outcome, int64_t count)
{
    struct double_agreement *agreement = ctx;
    size_t i = index_of(field);
    if (i < DOUBLE_FIELD_COUNT)
        agreement->of[i][outcome] += count;
}

enum err double_entry_agreement(struct db *db, struct double_agreement *ret, struct fail *fail)
{
    *ret = (struct double_agreement){0};
    return second_entry_count(db, note, ret, fail);
}
