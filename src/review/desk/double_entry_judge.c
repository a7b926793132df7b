/* The comparison of two entries; see double_entry_judge.h. */
#include "review/desk/double_entry_judge.h"

#include <stdlib.h>

#include "review/desk/desk_parts.h"
#include "review/standing.h"

const struct str double_field_row = STR_INIT("row"), double_field_rows = STR_INIT("rows");

struct double_judging {
    struct desk_act *a;
    struct draft_row_list live;
    struct entry_list entry;
    size_t missing; /* rows that are not typed */
    size_t open;    /* fields that differ */
};

/* --- what was typed, and what is stored */

struct entry_item *double_item(const struct entry_list *entry, int row, struct str field)
{
    for (size_t i = 0; i < entry->count; i++)
        if (entry->items[i].row == row && str_eq(entry->items[i].field, field))
            return &entry->items[i];
    return NULL;
}

bool double_is_typed(const struct entry_list *entry, int row)
{
    const struct entry_item *item = double_item(entry, row, double_field_row);
    return item && !str_is_null(item->typed);
}

struct blind_row double_typed(const struct entry_list *entry, int row, struct arena *arena)
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

struct blind_row double_stored(const struct draft_row_stored *row)
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

struct draft_row_list double_live_rows(const struct draft_row_list *rows, struct arena *arena)
{
    struct draft_row_list live = {
        .items = ARENA_ARRAY(arena, struct draft_row_stored, rows->count + 1)};
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->items[i].removed)
            live.items[live.count++] = rows->items[i];
    qsort(live.items, live.count, sizeof *live.items, by_place);
    return live;
}

size_t double_rows_found(const struct draft_row_list *live, const struct entry_list *entry)
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
    enum err err = standing_compare(a->desk->db, &a->draft, &a->arena, &rows, &difference, fail);
    if (!err)
        err = desk_check_obstacles(a, &difference, DESK_CHECKS_WAIVED, STR_NULL, fail);
    if (!err)
        err = second_entry_load(a->desk->db, a->draft.no, &a->arena, &entry, fail);
    const struct entry_item *count = err ? NULL : double_item(&entry, 0, double_field_rows);
    if (!err)
        err = desk_step(a, DRAFT_ACCEPT, fail);
    if (err)
        return err;
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
