/* Compares rows with public trades; see difference.h. */
#include "review/difference.h"

#include "base/closed_list.h"
#include "store/public/trade.h"

/* The fewest equal fields of a row and a similar trade. Details do not count: they change with the
 * asset type, and a single correction would count twice. */
enum { SIMILARITY_FIELDS = ROW_FIELD_COUNT - 1, SIMILARITY_MIN = SIMILARITY_FIELDS - 2 };

static const struct str kind_names[DIFFERENCE_KIND_COUNT] = {
    [DIFFERENCE_SAME] = STR_INIT("same"),           [DIFFERENCE_CHANGED] = STR_INIT("changed"),
    [DIFFERENCE_ADDED] = STR_INIT("added"),         [DIFFERENCE_REMOVED] = STR_INIT("removed"),
    [DIFFERENCE_HELD] = STR_INIT("held"),           [DIFFERENCE_OPEN] = STR_INIT("open"),
    [DIFFERENCE_OVERTAKEN] = STR_INIT("overtaken"), [DIFFERENCE_NOTHING] = STR_INIT("nothing"),
};

ENUM_NAME(difference_kind_name, difference_kind, kind_names[value], DIFFERENCE_KIND_COUNT)

struct matcher {
    const struct draft_row_list *rows;
    const struct difference_trade *trades;
    size_t trade_count;
    bool overtaken;
    bool is_repeated;                         /* overtaken: some row equals a public trade */
    const struct difference_trade **trade_of; /* by row; NULL: none yet */
    bool *open;                               /* by row */
    bool *used;                               /* by trade */
};

bool difference_equal(const struct row_values *a, const struct row_values *b)
{
    for (int f = 0; f < ROW_FIELD_COUNT; f++)
        if (!row_field_equal(a, b, (enum row_field)f))
            return false;
    return true;
}

static bool is_equal(const struct draft_row_stored *row, const struct difference_trade *trade)
{
    return difference_equal(&row->values, &trade->values);
}

/* The name without the symbol in brackets at its end, which older readers kept in the name. */
static struct str without_symbol(struct str name)
{
    size_t open = name.n;
    if (!str_ends(name, STR(")")))
        return name;
    while (open > 0 && name.p[open - 1] != '(')
        open--;
    return open > 1 ? str_trim(str_slice(name, 0, open - 1)) : name;
}

/* Older readers also kept the letter case of a file that its pages do not show. */
static bool is_same_asset(struct str a, struct str b)
{
    return str_eq_nocase(without_symbol(a), without_symbol(b));
}

/* The number of equal fields; 0 if both the asset name and the ticker differ. */
static int likeness(const struct row_values *a, const struct row_values *b)
{
    bool same_ticker = !str_is_null(a->ticker) && row_field_equal(a, b, ROW_TICKER);
    bool same_asset = is_same_asset(a->asset_name, b->asset_name);
    int equal = same_asset;
    if (!same_ticker && !same_asset)
        return 0;
    for (int f = 0; f < ROW_FIELD_COUNT; f++)
        if (f != ROW_ASSET_NAME && f != ROW_DETAILS)
            equal += row_field_equal(a, b, (enum row_field)f);
    return equal;
}

bool difference_similar(const struct row_values *a, const struct row_values *b)
{
    return likeness(a, b) >= SIMILARITY_MIN;
}

static int similarity(const struct draft_row_stored *row, const struct difference_trade *trade)
{
    return likeness(&row->values, &trade->values);
}

static void attach(struct matcher *m, size_t row, size_t trade)
{
    m->trade_of[row] = &m->trades[trade];
    m->used[trade] = true;
}

static bool is_named(const struct draft_row_stored *row)
{
    return !str_is_null(row->trade_id) && !str_eq(row->trade_id, DIFFERENCE_NEW);
}

/* Matches named trades, and the filing's own trades by number. Both are certain. */
static void match_named(struct matcher *m)
{
    for (size_t r = 0; r < m->rows->count; r++) {
        const struct draft_row_stored *row = &m->rows->items[r];
        for (size_t t = 0; t < m->trade_count && !m->trade_of[r]; t++) {
            const struct difference_trade *trade = &m->trades[t];
            bool named = is_named(row) ? str_eq(row->trade_id, trade->id) : trade->row == row->row;
            if (named && !m->used[t])
                attach(m, r, t);
        }
        m->open[r] = is_named(row) && !m->trade_of[r] && !row->removed;
    }
}

/* Reports whether the row may match a trade of another filing. */
static bool may_match(const struct matcher *m, size_t r, const struct difference_trade *trade)
{
    const struct draft_row_stored *row = &m->rows->items[r];
    bool marked = row->status != DRAFT_ROW_NEW;
    return !m->trade_of[r] && str_is_null(row->trade_id) && !row->removed && trade->row == 0 &&
           !trade->awaited && (trade->repeats || marked);
}

static void match_equal(struct matcher *m)
{
    for (size_t r = 0; r < m->rows->count; r++)
        for (size_t t = 0; t < m->trade_count; t++)
            if (!m->used[t] && !m->trades[t].withdrawn && may_match(m, r, &m->trades[t]) &&
                is_equal(&m->rows->items[r], &m->trades[t]))
                attach(m, r, t);
}

/* Reports whether the row equals a withdrawn trade; a person must decide whether to publish it
 * again. */
static bool was_withdrawn(const struct matcher *m, size_t r)
{
    for (size_t t = 0; t < m->trade_count; t++)
        if (m->trades[t].withdrawn && may_match(m, r, &m->trades[t]) &&
            is_equal(&m->rows->items[r], &m->trades[t]))
            return true;
    return false;
}

/* Reports whether the row may be the original that an earlier published row amends or deletes. */
static bool is_awaited(const struct matcher *m, size_t r)
{
    const struct draft_row_stored *row = &m->rows->items[r];
    if (!str_is_null(row->trade_id) || row->removed)
        return false;
    for (size_t t = 0; t < m->trade_count; t++)
        if (m->trades[t].awaited && similarity(row, &m->trades[t]) >= SIMILARITY_MIN)
            return true;
    return false;
}

/* The trade that is most similar to the row; -1: none, -2: several are equally similar. */
static ptrdiff_t most_similar(const struct matcher *m, size_t r)
{
    ptrdiff_t found = -1;
    int best = SIMILARITY_MIN - 1;
    for (size_t t = 0; t < m->trade_count; t++) {
        if (m->used[t] || m->trades[t].withdrawn || !may_match(m, r, &m->trades[t]))
            continue;
        int like = similarity(&m->rows->items[r], &m->trades[t]);
        if (like > best) {
            best = like;
            found = (ptrdiff_t)t;
        } else if (like == best && best >= SIMILARITY_MIN) {
            found = -2;
        }
    }
    return found;
}

/* Reports whether another row is at least as similar to the trade. */
static bool is_contested(const struct matcher *m, size_t r, size_t t)
{
    int like = similarity(&m->rows->items[r], &m->trades[t]);
    for (size_t other = 0; other < m->rows->count; other++)
        if (other != r && may_match(m, other, &m->trades[t]) &&
            similarity(&m->rows->items[other], &m->trades[t]) >= like)
            return true;
    return false;
}

static void match_similar(struct matcher *m)
{
    for (size_t r = 0; r < m->rows->count; r++) {
        const struct draft_row_stored *row = &m->rows->items[r];
        if (m->trade_of[r] || m->open[r])
            continue;
        bool marked = row->status != DRAFT_ROW_NEW && str_is_null(row->trade_id) && !row->removed;
        ptrdiff_t t = most_similar(m, r);
        if (t >= 0 && !is_contested(m, r, (size_t)t))
            attach(m, r, (size_t)t);
        else
            m->open[r] = t != -1 || marked || was_withdrawn(m, r) || is_awaited(m, r);
    }
}

/* Reports whether a public trade of the repeated report may be an earlier form of the row: all but
 * the asset is equal. */
static bool may_replace(const struct matcher *m, size_t r, size_t t)
{
    const struct row_values *a = &m->rows->items[r].values, *b = &m->trades[t].values;
    return !m->trade_of[r] && !m->open[r] && !m->used[t] && !m->trades[t].withdrawn &&
           m->trades[t].repeats && may_match(m, r, &m->trades[t]) &&
           row_field_equal(a, b, ROW_SIDE) && row_field_equal(a, b, ROW_AMOUNT) &&
           row_field_equal(a, b, ROW_TRADE_DATE) && row_field_equal(a, b, ROW_OWNER);
}

/* The only trade that the row may replace and that no other row may; -1: none. */
static ptrdiff_t only_replaced(const struct matcher *m, size_t r)
{
    ptrdiff_t found = -1;
    for (size_t t = 0; t < m->trade_count; t++) {
        if (!may_replace(m, r, t))
            continue;
        if (found >= 0)
            return -1;
        found = (ptrdiff_t)t;
    }
    for (size_t other = 0; other < m->rows->count && found >= 0; other++)
        if (other != r && may_replace(m, other, (size_t)found))
            return -1;
    return found;
}

/* An amendment that names another asset in a row corrects that row's trade. Rows keep their numbers
 * in most amendments, so the trade with the row's number goes first. Of several trades that are
 * equal but for the asset, none is chosen. */
static void match_replaced(struct matcher *m)
{
    for (size_t r = 0; r < m->rows->count; r++)
        for (size_t t = 0; t < m->trade_count; t++)
            if (trade_id_row(m->trades[t].id) == m->rows->items[r].row && may_replace(m, r, t))
                attach(m, r, t);
    for (size_t r = 0; r < m->rows->count; r++) {
        ptrdiff_t t = only_replaced(m, r);
        if (t >= 0)
            attach(m, r, (size_t)t);
    }
}

static bool differs(const struct draft_row_stored *row, const struct difference_trade *trade)
{
    return !is_equal(row, trade);
}

/* An overtaken report changes nothing, except for rows with a named trade. If no row is public, it
 * may be a different report of the same day. */
static enum difference_kind overtaken_kind(const struct matcher *m, size_t r)
{
    const struct difference_trade *trade = m->trade_of[r];
    if (m->rows->items[r].removed)
        return DIFFERENCE_NOTHING;
    if (trade && !trade->withdrawn && !differs(&m->rows->items[r], trade))
        return DIFFERENCE_SAME;
    return m->is_repeated ? DIFFERENCE_OVERTAKEN : DIFFERENCE_OPEN;
}

static enum difference_kind kind_of(const struct matcher *m, size_t r)
{
    const struct draft_row_stored *row = &m->rows->items[r];
    const struct difference_trade *trade = m->trade_of[r];
    struct row_values values = row->values;
    if (m->open[r])
        return DIFFERENCE_OPEN;
    if (m->overtaken && str_is_null(row->trade_id))
        return overtaken_kind(m, r);
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

/* Reports whether a row matches a trade of that report. */
static bool repeats_report(const struct matcher *m, int report)
{
    for (size_t r = 0; r < m->rows->count; r++)
        if (m->trade_of[r] && m->trade_of[r]->repeats == report)
            return true;
    return false;
}

static void match(struct matcher *m)
{
    match_named(m);
    match_equal(m);
    for (size_t r = 0; r < m->rows->count; r++)
        m->is_repeated |= m->trade_of[r] && !differs(&m->rows->items[r], m->trade_of[r]);
    if (!m->overtaken) {
        match_similar(m);
        match_replaced(m);
    }
}

/* Reports whether the trade has no matching row, for trades of this filing and of the report that
 * it repeats. */
static bool is_missing(const struct matcher *m, const struct difference_against *against, size_t t)
{
    const struct difference_trade *trade = &m->trades[t];
    if (m->used[t] || trade->withdrawn || m->overtaken)
        return false;
    if (trade->row)
        return true;
    return trade->repeats && (!against->uncertain || repeats_report(m, trade->repeats));
}

void difference_make(
    const struct draft_row_list *rows, const struct difference_against *against,
    struct arena *arena, struct difference *ret)
{
    struct matcher m = {
        .rows = rows,
        .trades = against->trades,
        .trade_count = against->count,
        .overtaken = !str_is_null(against->overtaken_by),
        .trade_of = ARENA_ARRAY(arena, const struct difference_trade *, rows->count + 1),
        .open = ARENA_ARRAY(arena, bool, rows->count + 1),
        .used = ARENA_ARRAY(arena, bool, against->count + 1),
    };
    *ret = (struct difference){
        .items = ARENA_ARRAY(arena, struct difference_item, rows->count + against->count + 1),
        .overtaken_by = against->overtaken_by,
        .against = *against,
    };
    match(&m);
    for (size_t r = 0; r < rows->count; r++)
        add_item(ret, kind_of(&m, r), &rows->items[r], m.trade_of[r]);
    for (size_t t = 0; t < against->count; t++)
        if (is_missing(&m, against, t))
            add_item(ret, DIFFERENCE_REMOVED, NULL, &m.trades[t]);
}

static bool is_match(
    const struct difference *d, const struct draft_row_stored *row,
    const struct difference_trade *trade)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].row == row)
            return d->items[i].trade == trade;
    return false;
}

size_t difference_candidates(
    const struct difference *d, const struct draft_row_stored *row,
    const struct difference_trade **ret, size_t max)
{
    size_t count = 0;
    for (size_t t = 0; t < d->against.count; t++) {
        const struct difference_trade *trade = &d->against.trades[t];
        int like = similarity(row, trade);
        if (trade->awaited || trade->row || (!like && !is_match(d, row, trade)))
            continue;
        size_t at = count < max ? count++ : max;
        for (; at > 0 && similarity(row, ret[at - 1]) < like; at--)
            if (at < max)
                ret[at] = ret[at - 1];
        if (at < max)
            ret[at] = trade;
    }
    return count;
}

static void put_fields(
    struct json_out *j, const struct row_values *old, const struct row_values *new)
{
    char space[ROW_FIELD_TEXT_MAX];
    JSON_KEY_ARRAY(j, "fields");
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
            struct row_values values = item->row->values;
            put_fields(&j, &item->trade->values, &values);
        }
        json_object_end(&j);
    }
    json_array_end(&j);
}
