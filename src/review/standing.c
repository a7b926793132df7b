/* What a draft stands on; see standing.h. */
#include "review/standing.h"

#include "store/filing.h"
#include "store/trade.h"

enum { TEXT_SIZE_MAX = 32 * 1024 * 1024 };

struct loading {
    struct arena *arena;
    struct str own; /* the draft's filing */
    struct difference_trade *trades;
    size_t count, room;
    bool is_own, repeats; /* of the filing being read */
};

struct filing_ref {
    int64_t no;
    struct str id;
};

struct filing_refs {
    struct arena *arena;
    struct str own;
    struct filing_ref *items;
    size_t count, room;
};

static enum err note_filing(void *ctx, const struct filing_row *row)
{
    struct filing_refs *refs = ctx;
    if (str_eq(row->filing.id, refs->own))
        return OK;
    if (refs->count == refs->room) {
        refs->room = refs->room ? 2 * refs->room : 16;
        refs->items = mem_realloc(refs->items, refs->room * sizeof *refs->items);
    }
    refs->items[refs->count++] =
        (struct filing_ref){row->no, arena_str(refs->arena, row->filing.id)};
    return OK;
}

static enum err note_trade(void *ctx, const struct trade_row *row)
{
    struct loading *l = ctx;
    struct str id = row->trade.id;
    int64_t number = 0;
    bool withdrawn = row->withdrawn_at != INSTANT_NONE;
    if (withdrawn && !l->is_own)
        return OK;
    if (l->is_own && id.n > 4 && !str_to_i64(str_slice(id, id.n - 4, id.n), &number))
        return OK;
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->trades = mem_realloc(l->trades, l->room * sizeof *l->trades);
    }
    l->trades[l->count++] = (struct difference_trade){
        .id = arena_str(l->arena, id),
        .row = (int)number,
        .withdrawn = withdrawn,
        .repeats = l->repeats,
        .values =
            {
                .ticker = arena_str(l->arena, row->trade.ticker),
                .asset_name = arena_str(l->arena, row->trade.asset_name),
                .asset_type = row->trade.asset_type,
                .side = row->trade.side,
                .bracket = row->trade.bracket,
                .trade_date = row->trade.trade_date,
                .owner = row->trade.owner,
            },
    };
    return OK;
}

static enum err load_own(struct db *db, struct loading *l, struct fail *fail)
{
    struct filing_row filing;
    enum err err = filing_find(db, l->own, l->arena, &filing, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    l->is_own = true;
    return trade_each_of_filing(db, filing.no, note_trade, l, fail);
}

static enum err load_others(
    struct db *db, struct loading *l, const struct filing_refs *refs, bool repeats,
    struct fail *fail)
{
    enum err err = OK;
    l->is_own = false;
    l->repeats = repeats;
    for (size_t i = 0; i < refs->count && !err; i++)
        err = trade_each_of_filing(db, refs->items[i].no, note_trade, l, fail);
    return err;
}

static bool has_marked_rows(const struct draft_row_list *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].status != DRAFT_ROW_NEW)
            return true;
    return false;
}

enum err standing_load(
    struct db *db, const struct draft *draft, const struct draft_row_list *rows,
    struct arena *arena, struct standing *ret, struct fail *fail)
{
    struct loading l = {.arena = arena, .own = draft->is.filing_id};
    struct filing_refs refs = {.arena = arena, .own = draft->is.filing_id};
    bool repeats = draft->is.chamber == CHAMBER_SENATE && draft->is.amendment > 0 &&
                   draft->is.report_day != DAY_NONE;
    bool known = !str_is_null(draft->is.politician_id);
    enum err err = load_own(db, &l, fail);
    if (!err && known && (repeats || has_marked_rows(rows)))
        err = filing_each_of_member(
            db, draft->is.politician_id, draft->is.chamber,
            repeats ? draft->is.report_day : DAY_NONE, note_filing, &refs, fail);
    if (!err)
        err = load_others(db, &l, &refs, repeats, fail);
    *ret = (struct standing){.count = l.count};
    ret->trades = ARENA_ARRAY(arena, struct difference_trade, l.count + 1);
    for (size_t i = 0; i < l.count; i++)
        ret->trades[i] = l.trades[i];
    if (repeats && refs.count)
        ret->amends = refs.items[refs.count - 1].id;
    mem_free(l.trades);
    mem_free(refs.items);
    return err;
}

/* A House amendment names no report; the one that its first marked row changes is told. */
static struct str amended_filing(const struct difference *d, struct arena *arena)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct difference_item *item = &d->items[i];
        if (item->row && item->trade && item->row->status != DRAFT_ROW_NEW &&
            item->trade->row == 0 && item->trade->id.n > 5)
            return arena_str(arena, str_slice(item->trade->id, 0, item->trade->id.n - 5));
    }
    return STR_NULL;
}

enum err standing_compare(
    struct db *db, struct draft *draft, struct arena *arena, struct draft_row_list *ret_rows,
    struct difference *ret, struct fail *fail)
{
    struct standing standing;
    enum err err = draft_row_load(db, draft->no, arena, ret_rows, fail);
    if (!err)
        err = standing_load(db, draft, ret_rows, arena, &standing, fail);
    if (err)
        return err;
    difference_make(ret_rows, standing.trades, standing.count, arena, ret);
    draft->is.amends = str_is_null(standing.amends) ? amended_filing(ret, arena) : standing.amends;
    return OK;
}

struct str standing_text(const struct difference *difference, struct arena *arena)
{
    struct buf b;
    buf_init(&b, TEXT_SIZE_MAX);
    difference_put(&b, difference);
    struct str text = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return text;
}
