/* Loads the public data for a draft; see standing.h. */
#include "review/standing.h"

#include "store/public/filing.h"
#include "store/public/trade.h"

struct expected_change {
    enum difference_kind does; /* added, changed or removed */
    struct str trade_id;
    struct row_values values;
};

struct expected_draft {
    int64_t no;
    struct str filing_id, amends; /* amends: null */
    int amendment;
    struct str difference;
    struct expected_change *changes;
    size_t change_count;
};

struct expected_list {
    struct expected_draft *items; /* in the order in which they are published */
    size_t count;
};

/* Changes of accepted drafts. */

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
    SCOPED(json_in_close) struct json_in j = {.root = NULL};
    TRY(draft_row_load(db, d->no, arena, &rows, fail));
    enum err err = json_in_open(&j, d->filing_id, d->difference, fail);
    size_t count = err ? 0 : json_array_size(j.root);
    d->changes = ARENA_ARRAY(arena, struct expected_change, count + 1);
    for (size_t i = 0; i < count && !j.err; i++) {
        const json_t *item = json_in_element(&j, j.root, i, "a change");
        if (item)
            read_change(d, &j, item, &rows, arena);
    }
    return err ? err : j.err;
}

/* The accepted drafts of the same member and chamber that are filed before `draft`; of the Senate,
 * only those of the same report with a lower number. In the arena. */
static enum err expected_load(
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

struct standing {
    struct difference_against against;
    struct str amends; /* the latest filing that the draft repeats; null: none */
    struct expected_list expected;
};

enum { TEXT_SIZE_MAX = 32 * 1024 * 1024 };

/* A public filing that may be related to the draft. */
struct related_filing {
    int64_t no; /* 0: an accepted draft, not public yet */
    struct str id;
    int amendment;
    struct str amends;
    int repeats; /* as in struct difference_trade */
};

struct loading {
    struct db *db;
    struct arena *arena;
    const struct draft *draft;
    struct related_filing *filings; /* filings of the report, by amendment number; then others */
    size_t filing_count, filing_room;
    struct expected_list expected;
    struct difference_trade *trades;
    size_t count, room;
    bool is_own; /* the filing being read */
    int repeats;
    struct standing *ret;
};

/* --- filings */

static struct related_filing *add_related(struct loading *l, int64_t no, struct str id)
{
    for (size_t i = 0; i < l->filing_count; i++)
        if (str_eq(l->filings[i].id, id))
            return NULL;
    l->filings = mem_grow(l->filings, l->filing_count, &l->filing_room, sizeof *l->filings);
    struct related_filing *added = &l->filings[l->filing_count++];
    *added = (struct related_filing){.no = no, .id = arena_str(l->arena, id)};
    return added;
}

static void note_of_report(void *ctx, const struct filing_of_report *filing)
{
    struct loading *l = ctx;
    if (str_eq(filing->id, l->draft->is.filing_id))
        return;
    struct related_filing *added = add_related(l, filing->no, filing->id);
    if (!added)
        return;
    added->amendment = filing->amendment;
    added->amends = arena_str(l->arena, filing->amends);
}

static enum err note_of_member(void *ctx, const struct filing_row *row)
{
    struct loading *l = ctx;
    if (!str_eq(row->filing.id, l->draft->is.filing_id))
        add_related(l, row->no, row->filing.id);
    return OK;
}

/* Accepted drafts of the same report, each behind the filings with its number or a lower one. */
static void add_expected(struct loading *l)
{
    for (size_t i = 0; i < l->expected.count; i++) {
        const struct expected_draft *e = &l->expected.items[i];
        struct related_filing *added = add_related(l, 0, e->filing_id);
        if (!added)
            continue;
        added->amendment = e->amendment;
        added->amends = e->amends;
        for (; added > l->filings && added[-1].amendment > added->amendment; added--) {
            struct related_filing moved = added[-1];
            added[-1] = added[0];
            added[0] = moved;
        }
    }
}

/* Reports whether the public amendment replaces this draft. An amendment of another filing does
 * not, although it prints the same day. */
static bool overtakes(const struct loading *l, const struct related_filing *later)
{
    const struct draft_new *is = &l->draft->is;
    return later->amendment > is->amendment && (is->amendment > 0 || str_is_null(later->amends) ||
                                                str_eq(later->amends, is->filing_id));
}

/* Chooses the filings of the report that the rows are compared with. */
static void choose_report(struct loading *l)
{
    int own = l->draft->is.amendment, number = 0;
    struct difference_against *against = &l->ret->against;
    for (size_t i = 0; i < l->filing_count && str_is_null(against->overtaken_by); i++)
        if (overtakes(l, &l->filings[i]))
            against->overtaken_by = l->filings[i].id;
    for (size_t i = 0; i < l->filing_count; i++) {
        struct related_filing *b = &l->filings[i];
        if (b->amendment >= own && str_is_null(against->overtaken_by))
            continue;
        b->repeats = ++number;
        against->uncertain |= i > 0 && b[-1].amendment == b->amendment;
        if (b->amendment < own)
            l->ret->amends = b->id;
    }
}

/* --- their trades */

static struct difference_trade *add_trade(struct loading *l)
{
    l->trades = mem_grow(l->trades, l->count, &l->room, sizeof *l->trades);
    return &l->trades[l->count++];
}

static enum err note_trade(void *ctx, const struct trade_row *row)
{
    struct loading *l = ctx;
    struct str id = row->trade.id;
    int64_t number = 0;
    if (l->is_own && id.n > 4 && !str_to_i64(str_slice(id, id.n - 4, id.n), &number))
        return OK;
    *add_trade(l) = (struct difference_trade){
        .id = arena_str(l->arena, id),
        .row = (int)number,
        .withdrawn = row->withdrawn_at != INSTANT_NONE,
        .repeats = l->repeats,
        .values = row_values_copy(&row->trade.values, l->arena),
    };
    return OK;
}

static enum err load_own(struct loading *l, struct fail *fail)
{
    struct filing_row filing;
    enum err err = filing_find(l->db, l->draft->is.filing_id, l->arena, &filing, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    l->is_own = true;
    l->repeats = 0;
    return trade_each_of_filing(l->db, filing.no, note_trade, l, fail);
}

static enum err load_others(struct loading *l, struct fail *fail)
{
    l->is_own = false;
    for (size_t i = 0; i < l->filing_count; i++) {
        l->repeats = l->filings[i].repeats;
        if (!l->filings[i].no)
            continue;
        TRY(trade_each_of_filing(l->db, l->filings[i].no, note_trade, l, fail));
    }
    return OK;
}

static int repeats_of(const struct loading *l, struct str filing_id)
{
    for (size_t i = 0; i < l->filing_count; i++)
        if (str_eq(l->filings[i].id, filing_id))
            return l->filings[i].repeats;
    return 0;
}

static struct difference_trade *find_trade(struct loading *l, struct str id)
{
    for (size_t i = 0; i < l->count; i++)
        if (str_eq(l->trades[i].id, id))
            return &l->trades[i];
    return NULL;
}

static void apply_change(
    struct loading *l, const struct expected_draft *e, const struct expected_change *change)
{
    bool adds = change->does == DIFFERENCE_ADDED;
    struct difference_trade *trade = adds ? add_trade(l) : find_trade(l, change->trade_id);
    if (!trade)
        return;
    if (adds)
        *trade = (struct difference_trade){
            .id = change->trade_id, .repeats = repeats_of(l, e->filing_id)};
    trade->after = e->filing_id;
    if (change->does == DIFFERENCE_REMOVED)
        trade->withdrawn = true;
    else
        trade->values = change->values;
}

/* Makes the trades what they will be once the earlier accepted drafts are published. */
static void apply_expected(struct loading *l)
{
    for (size_t i = 0; i < l->expected.count; i++)
        for (size_t c = 0; c < l->expected.items[i].change_count; c++)
            apply_change(l, &l->expected.items[i], &l->expected.items[i].changes[c]);
}

/* Loads House rows that were published as amended or deleted before their originals. */
static enum err load_awaited(struct loading *l, struct fail *fail)
{
    const struct draft_new *is = &l->draft->is;
    struct draft_row_list rows = {.count = 0};
    TRY(draft_row_load_unattached(
        l->db, is->politician_id, is->filing_id, is->filed_at, l->arena, &rows, fail));
    for (size_t i = 0; i < rows.count; i++)
        *add_trade(l) = (struct difference_trade){.awaited = true, .values = rows.items[i].values};
    return OK;
}

/* Reports whether a row may match any trade of the member. */
static bool needs_member_trades(const struct draft_row_list *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].status != DRAFT_ROW_NEW ||
            (!str_is_null(rows->items[i].trade_id) &&
             !str_eq(rows->items[i].trade_id, DIFFERENCE_NEW)))
            return true;
    return false;
}

static enum err load_all(struct loading *l, const struct draft_row_list *rows, struct fail *fail)
{
    const struct draft_new *is = &l->draft->is;
    bool known = !str_is_null(is->politician_id);
    bool of_report = known && is->chamber == CHAMBER_SENATE && is->report_day != DAY_NONE;
    enum err err = load_own(l, fail);
    if (!err && (of_report || (is->chamber == CHAMBER_HOUSE && needs_member_trades(rows))))
        err = expected_load(l->db, l->draft, l->arena, &l->expected, fail);
    if (!err && of_report) {
        err = filing_each_of_report(
            l->db, is->politician_id, is->report_day, note_of_report, l, fail);
        add_expected(l);
        choose_report(l);
    }
    if (!err && known && needs_member_trades(rows))
        err = filing_each_of_member(l->db, is->politician_id, is->chamber, note_of_member, l, fail);
    if (!err && known && is->chamber == CHAMBER_HOUSE && is->filed_at != INSTANT_NONE)
        err = load_awaited(l, fail);
    if (!err)
        err = load_others(l, fail);
    apply_expected(l);
    return err;
}

static enum err standing_load(
    struct db *db, const struct draft *draft, const struct draft_row_list *rows,
    struct arena *arena, struct standing *ret, struct fail *fail)
{
    struct loading l = {.db = db, .arena = arena, .draft = draft, .ret = ret};
    *ret = (struct standing){.against = {.count = 0}};
    enum err err = load_all(&l, rows, fail);
    struct difference_trade *trades = ARENA_ARRAY(arena, struct difference_trade, l.count + 1);
    for (size_t i = 0; i < l.count; i++)
        trades[i] = l.trades[i];
    ret->against.trades = trades;
    ret->against.count = l.count;
    ret->expected = l.expected;
    mem_free(l.trades);
    mem_free(l.filings);
    return err;
}

static bool builds_on(const struct difference *d, struct str filing_id)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].trade && str_eq(d->items[i].trade->after, filing_id))
            return true;
    return false;
}

/* A Senate amendment repeats the whole report; a House one may refer to other filings only. */
static void note_after(
    const struct draft *draft, const struct expected_list *expected, struct arena *arena,
    struct difference *ret)
{
    struct str *ids = ARENA_ARRAY(arena, struct str, expected->count + 1);
    ret->after = ids;
    for (size_t i = 0; i < expected->count; i++)
        if (draft->is.chamber == CHAMBER_SENATE || builds_on(ret, expected->items[i].filing_id))
            ids[ret->after_count++] = expected->items[i].filing_id;
}

/* The amended filing. A House amendment names no report, so this is the filing of the trade that
 * its first marked row matches. If two Senate reports of a day are possible, it is the report that
 * the first matching row repeats. */
static struct str amended_filing(const struct difference *d, bool uncertain, struct arena *arena)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct difference_item *item = &d->items[i];
        if (item->row && item->trade && item->trade->row == 0 && item->trade->id.n > 5 &&
            (item->row->status != DRAFT_ROW_NEW || (uncertain && item->trade->repeats)))
            return arena_str(arena, str_slice(item->trade->id, 0, item->trade->id.n - 5));
    }
    return STR_NULL;
}

enum err standing_compare(
    struct db *db, struct draft *draft, struct arena *arena, struct draft_row_list *ret_rows,
    struct difference *ret, struct fail *fail)
{
    struct standing standing;
    TRY(draft_row_load(db, draft->no, arena, ret_rows, fail));
    TRY(standing_load(db, draft, ret_rows, arena, &standing, fail));
    bool uncertain = standing.against.uncertain;
    difference_make(ret_rows, &standing.against, arena, ret);
    note_after(draft, &standing.expected, arena, ret);
    draft->is.amends = uncertain || str_is_null(standing.amends)
                           ? amended_filing(ret, uncertain, arena)
                           : standing.amends;
    return OK;
}

struct str standing_text(const struct difference *difference, struct arena *arena)
{
    BUF_SCOPED(b, TEXT_SIZE_MAX);
    difference_put(&b, difference);
    return arena_str(arena, buf_view(&b));
}
