/* Comparing rows with trades; see difference.h. */
#include "review/difference.h"

#include <assert.h>

#include "base/json_out.h"

/* How many fields of two rows may differ while one can still stand for the other. */
enum { LIKE_MIN = ROW_FIELD_COUNT - 2 };

static const struct str kind_names[DIFFERENCE_KIND_COUNT] = {
    [DIFFERENCE_SAME] = STR_INIT("same"),       [DIFFERENCE_CHANGED] = STR_INIT("changed"),
    [DIFFERENCE_ADDED] = STR_INIT("added"),     [DIFFERENCE_REMOVED] = STR_INIT("removed"),
    [DIFFERENCE_HELD] = STR_INIT("held"),       [DIFFERENCE_OPEN] = STR_INIT("open"),
    [DIFFERENCE_NOTHING] = STR_INIT("nothing"),
};

struct str difference_kind_name(enum difference_kind kind)
{
    assert(kind < DIFFERENCE_KIND_COUNT);
    return kind_names[kind];
}

struct row_values difference_values(const struct draft_row_stored *row)
{
    return (struct row_values){
        .ticker = row->ticker,
        .asset_name = row->asset_name,
        .asset_type = row->asset_type,
        .side = row->side,
        .bracket = row->bracket,
        .trade_date = row->trade_date,
        .owner = row->owner,
    };
}

struct matcher {
    const struct draft_row_list *rows;
    const struct difference_trade *trades;
    size_t trade_count;
    const struct difference_trade **trade_of; /* by row; NULL: none yet */
    bool *open;                               /* by row */
    bool *used;                               /* by trade */
};

/* How many fields are equal; none count when it is another asset by name and by ticker. */
static int likeness(const struct draft_row_stored *row, const struct difference_trade *trade)
{
    struct row_values values = difference_values(row);
    bool same_ticker =
        !str_is_null(values.ticker) && row_field_equal(&values, &trade->values, ROW_TICKER);
    int equal = 0;
    if (!same_ticker && !row_field_equal(&values, &trade->values, ROW_ASSET_NAME))
        return 0;
    for (int f = 0; f < ROW_FIELD_COUNT; f++)
        equal += row_field_equal(&values, &trade->values, (enum row_field)f);
    return equal;
}

static void stand_for(struct matcher *m, size_t row, size_t trade)
{
    m->trade_of[row] = &m->trades[trade];
    m->used[trade] = true;
}

/* What people said, and the numbers of the filing's own trades: sure. */
static void match_named(struct matcher *m)
{
    for (size_t r = 0; r < m->rows->count; r++) {
        const struct draft_row_stored *row = &m->rows->items[r];
        for (size_t t = 0; t < m->trade_count && !m->trade_of[r]; t++) {
            const struct difference_trade *trade = &m->trades[t];
            bool named = str_is_null(row->trade_id) ? trade->row == row->row
                                                    : str_eq(row->trade_id, trade->id);
            if (named && !m->used[t])
                stand_for(m, r, t);
        }
    }
}

/* Whether the row may look for its trade among those of other filings. */
static bool may_stand(const struct matcher *m, size_t r, const struct difference_trade *trade)
{
    const struct draft_row_stored *row = &m->rows->items[r];
    bool marked = row->status != DRAFT_ROW_NEW;
    return !m->trade_of[r] && str_is_null(row->trade_id) && !row->removed && trade->row == 0 &&
           !trade->withdrawn && (trade->repeats || marked);
}

static void match_equal(struct matcher *m)
{
    for (size_t r = 0; r < m->rows->count; r++)
        for (size_t t = 0; t < m->trade_count; t++)
            if (!m->used[t] && may_stand(m, r, &m->trades[t]) &&
                likeness(&m->rows->items[r], &m->trades[t]) == ROW_FIELD_COUNT)
                stand_for(m, r, t);
}

/* The trade that is most like the row, if it is alone in that; -1: none, -2: several. */
static ptrdiff_t most_like(const struct matcher *m, size_t r)
{
    ptrdiff_t found = -1;
    int best = LIKE_MIN - 1;
    for (size_t t = 0; t < m->trade_count; t++) {
        if (m->used[t] || !may_stand(m, r, &m->trades[t]))
            continue;
        int like = likeness(&m->rows->items[r], &m->trades[t]);
        if (like > best) {
            best = like;
            found = (ptrdiff_t)t;
        } else if (like == best && best >= LIKE_MIN) {
            found = -2;
        }
    }
    return found;
}

/* Whether another row is as like the trade. */
static bool is_wanted(const struct matcher *m, size_t r, size_t t)
{
    int like = likeness(&m->rows->items[r], &m->trades[t]);
    for (size_t other = 0; other < m->rows->count; other++)
        if (other != r && may_stand(m, other, &m->trades[t]) &&
            likeness(&m->rows->items[other], &m->trades[t]) >= like)
            return true;
    return false;
}

static void match_like(struct matcher *m)
{
    for (size_t r = 0; r < m->rows->count; r++) {
        const struct draft_row_stored *row = &m->rows->items[r];
        if (m->trade_of[r])
            continue;
        ptrdiff_t t = most_like(m, r);
        if (t >= 0 && !is_wanted(m, r, (size_t)t))
            stand_for(m, r, (size_t)t);
        else
            m->open[r] = t != -1 || (row->status != DRAFT_ROW_NEW && str_is_null(row->trade_id) &&
                                     !row->removed);
    }
}

static bool differs(const struct draft_row_stored *row, const struct difference_trade *trade)
{
    return likeness(row, trade) != ROW_FIELD_COUNT;
}

static enum difference_kind kind_of(const struct matcher *m, size_t r)
{
    const struct draft_row_stored *row = &m->rows->items[r];
    const struct difference_trade *trade = m->trade_of[r];
    struct row_values values = difference_values(row);
    if (m->open[r])
        return DIFFERENCE_OPEN;
    if (trade && trade->withdrawn)
        return DIFFERENCE_NOTHING;
    if (row->removed || row->status == DRAFT_ROW_DELETED)
        return trade ? DIFFERENCE_REMOVED : DIFFERENCE_NOTHING;
    if (!str_is_null(row->held) || !row_values_are_whole(&values))
        return DIFFERENCE_HELD;
    if (!trade)
        return DIFFERENCE_ADDED;
    return differs(row, trade) ? DIFFERENCE_CHANGED : DIFFERENCE_SAME;
}

static void add_item(
    struct difference *d, enum difference_kind kind, const struct draft_row_stored *row,
    const struct difference_trade *trade)
{
    d->items[d->count++] = (struct difference_item){kind, row, trade};
    d->of_kind[kind]++;
}

void difference_make(
    const struct draft_row_list *rows, const struct difference_trade *trades, size_t trade_count,
    struct arena *arena, struct difference *ret)
{
    struct matcher m = {
        .rows = rows,
        .trades = trades,
        .trade_count = trade_count,
        .trade_of = ARENA_ARRAY(arena, const struct difference_trade *, rows->count + 1),
        .open = ARENA_ARRAY(arena, bool, rows->count + 1),
        .used = ARENA_ARRAY(arena, bool, trade_count + 1),
    };
    *ret = (struct difference){
        .items = ARENA_ARRAY(arena, struct difference_item, rows->count + trade_count + 1)};
    match_named(&m);
    match_equal(&m);
    match_like(&m);
    for (size_t r = 0; r < rows->count; r++)
        add_item(ret, kind_of(&m, r), &rows->items[r], m.trade_of[r]);
    for (size_t t = 0; t < trade_count; t++)
        if (!m.used[t] && !trades[t].withdrawn && (trades[t].repeats || trades[t].row))
            add_item(ret, DIFFERENCE_REMOVED, NULL, &trades[t]);
}

static void put_fields(
    struct json_out *j, const struct row_values *old, const struct row_values *new)
{
    char space[ROW_FIELD_TEXT_MAX];
    json_key(j, STR("fields"));
    json_array_begin(j);
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        if (row_field_equal(old, new, (enum row_field)f))
            continue;
        json_object_begin(j);
        JSON_KEY_STR(j, "field", row_field_name((enum row_field)f));
        JSON_KEY_STR(j, "old", row_field_text(old, (enum row_field)f, space));
        JSON_KEY_STR(j, "new", row_field_text(new, (enum row_field)f, space));
        json_object_end(j);
    }
    json_array_end(j);
}

void difference_put(struct buf *b, const struct difference *d)
{
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    for (size_t i = 0; i < d->count; i++) {
        const struct difference_item *item = &d->items[i];
        json_object_begin(&j);
        json_key(&j, STR("row"));
        if (item->row)
            json_i64(&j, item->row->row);
        else
            json_no_value(&j);
        JSON_KEY_STR(&j, "does", kind_names[item->kind]);
        JSON_KEY_STR(&j, "tradeId", item->trade ? item->trade->id : STR_NULL);
        if (item->kind == DIFFERENCE_CHANGED) {
            struct row_values values = difference_values(item->row);
            put_fields(&j, &item->trade->values, &values);
        }
        json_object_end(&j);
    }
    json_array_end(&j);
}
