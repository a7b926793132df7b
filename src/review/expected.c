/* Changes of accepted drafts; see expected.h. */
#include "review/expected.h"

#include "base/json_in.h"
#include "store/desk/draft_row.h"
#include "store/public/trade.h"

struct expected_search {
    const struct draft *draft;
    struct arena *arena;
    struct expected_list *to;
    size_t room;
};

/* By filing date and id, as accepted drafts are published. */
static bool is_earlier(const struct draft *a, const struct draft *b)
{
    return a->is.filed_at != b->is.filed_at ? a->is.filed_at < b->is.filed_at
                                            : str_cmp(a->is.filing_id, b->is.filing_id) < 0;
}

static bool comes_first(const struct draft *d, const struct draft *than)
{
    bool same_report =
        d->is.report_day == than->is.report_day && d->is.amendment < than->is.amendment;
    return !str_eq(d->is.filing_id, than->is.filing_id) && is_earlier(d, than) &&
           (than->is.chamber != CHAMBER_SENATE || same_report);
}

static enum err note_accepted(void *ctx, const struct draft *d)
{
    struct expected_search *s = ctx;
    struct expected_list *to = s->to;
    if (!comes_first(d, s->draft))
        return OK;
    to->items = mem_grow(to->items, to->count, &s->room, sizeof *to->items);
    to->items[to->count++] = (struct expected_draft){
        .no = d->no,
        .filing_id = arena_str(s->arena, d->is.filing_id),
        .amends = arena_str(s->arena, d->is.amends),
        .amendment = d->is.amendment,
        .difference = arena_str(s->arena, d->difference),
    };
    return OK;
}

static struct str new_id(struct str filing_id, int row, struct arena *arena)
{
    char space[TRADE_ID_SIZE_MAX];
    return arena_str(arena, str_of(space, trade_id_make(filing_id, row, space)));
}

/* One item of difference_put. */
static void read_change(
    struct expected_draft *d, struct json_in *j, const json_t *item,
    const struct draft_row_list *rows, struct arena *arena)
{
    struct str does = json_in_str(j, item, "does");
    struct str trade_id = json_in_opt_str(j, item, "tradeId");
    const struct draft_row_stored *row = draft_row_at(rows, json_in_opt_i64(j, item, "row", 0));
    struct expected_change change = {.trade_id = arena_str(arena, trade_id)};
    if (row)
        change.values = row->values;
    if (row && str_eq(does, difference_kind_name(DIFFERENCE_ADDED))) {
        change.does = DIFFERENCE_ADDED;
        change.trade_id = new_id(d->filing_id, row->row, arena);
    } else if (row && str_eq(does, difference_kind_name(DIFFERENCE_CHANGED))) {
        change.does = DIFFERENCE_CHANGED;
    } else if (str_eq(does, difference_kind_name(DIFFERENCE_REMOVED))) {
        change.does = DIFFERENCE_REMOVED;
    } else {
        return;
    }
    d->changes[d->change_count++] = change;
}

static enum err load_changes(
    struct db *db, struct expected_draft *d, struct arena *arena, struct fail *fail)
{
    struct draft_row_list rows = {.count = 0};
    struct json_in j;
    enum err err = draft_row_load(db, d->no, arena, &rows, fail);
    if (err)
        return err;
    err = json_in_open(&j, d->filing_id, d->difference, fail);
    size_t count = err ? 0 : json_array_size(j.root);
    d->changes = ARENA_ARRAY(arena, struct expected_change, count + 1);
    for (size_t i = 0; i < count && !j.err; i++) {
        const json_t *item = json_in_element(&j, j.root, i, "a change");
        if (item)
            read_change(d, &j, item, &rows, arena);
    }
    if (!err)
        err = j.err;
    json_in_close(&j);
    return err;
}

enum err expected_load(
    struct db *db, const struct draft *draft, struct arena *arena, struct expected_list *ret,
    struct fail *fail)
{
    struct expected_list found = {.count = 0};
    struct expected_search s = {.draft = draft, .arena = arena, .to = &found};
    *ret = (struct expected_list){.count = 0};
    if (str_is_null(draft->is.politician_id) || draft->is.filed_at == INSTANT_NONE)
        return OK;
    enum err err = draft_each_accepted(
        db, draft->is.politician_id, draft->is.chamber, note_accepted, &s, fail);
    ret->items = ARENA_ARRAY(arena, struct expected_draft, found.count + 1);
    for (size_t i = 0; i < found.count && !err; i++) {
        ret->items[i] = found.items[i];
        err = load_changes(db, &ret->items[i], arena, fail);
    }
    ret->count = err ? 0 : found.count;
    mem_free(found.items);
    return err;
}
