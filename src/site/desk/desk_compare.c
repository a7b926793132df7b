/* Three columns; see desk_compare.h. */
#include "site/desk/desk_compare.h"

#include "html/table.h"
#include "review/review_words.h"
#include "site/frame/trade_words.h"

enum { CANDIDATES_MAX = 12 };

struct str desk_field_words(
    const struct row_values *values, enum row_field field, struct arena *arena)
{
    char space[ROW_FIELD_TEXT_MAX];
    switch (field) {
    case ROW_SIDE:
        return values->side ? words_side(values->side) : STR_NULL;
    case ROW_AMOUNT:
        return values->bracket ? bracket_info(values->bracket)->label : STR_NULL;
    case ROW_OWNER:
        return words_owner(values->owner);
    case ROW_ASSET_TYPE:
        return values->asset_type ? words_asset_type(values->asset_type, arena) : STR_NULL;
    default:
        return arena_str(arena, row_field_text(values, field, space));
    }
}

static const struct {
    enum row_field field;
    const char *label;
} shown[] = {
    {ROW_TICKER, "Symbol"},    {ROW_ASSET_NAME, "Asset"},  {ROW_ASSET_TYPE, "Type of asset"},
    {ROW_SIDE, "Transaction"}, {ROW_TRADE_DATE, "Traded"}, {ROW_AMOUNT, "Amount"},
    {ROW_OWNER, "Owner"},      {ROW_DETAILS, "Details"},
};

enum { SHOWN_COUNT = sizeof shown / sizeof *shown };

/* "bought · 2025-01-02 · $1,001 – $15,000 · filer" */
static struct str summary(const struct row_values *values, struct arena *arena)
{
    static const enum row_field fields[] = {ROW_SIDE, ROW_TRADE_DATE, ROW_AMOUNT, ROW_OWNER};
    struct str text = STR("");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct str words = desk_field_words(values, fields[i], arena);
        if (words.n)
            text =
                arena_fmt(arena, "%.*s%s%.*s", STR_ARG(text), text.n ? " · " : "", STR_ARG(words));
    }
    return text;
}

static void put_trade(struct view *v, const struct difference_trade *trade)
{
    view_str(v, "tradeId", trade ? trade->id : STR_NULL);
    view_str(v, "after", trade ? trade->after : STR_NULL);
    view_bool(v, "isPublic", trade && str_is_null(trade->after));
}

/* --- three columns */

static void add_line(struct view *list, const char *label, struct str text)
{
    struct view *line = view_item(list);
    view_text(line, "label", label);
    view_str(line, "text", text.n ? text : STR("nothing"));
}

/* Of a correction only what differs: then the fields stand beside each other. */
static void put_changes(struct page_call *call, struct view *v, const struct difference_item *item)
{
    const struct row_values *was = &item->trade->values, *is = &item->row->values;
    struct view *lists[] = {
        view_list(v, "publicLines"), view_list(v, "reportLines"), view_list(v, "resultLines")};
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        if (row_field_equal(was, is, shown[i].field))
            continue;
        add_line(lists[0], shown[i].label, desk_field_words(was, shown[i].field, call->arena));
        for (int c = 1; c < 3; c++)
            add_line(lists[c], shown[i].label, desk_field_words(is, shown[i].field, call->arena));
    }
}

static void put_columns(struct page_call *call, struct view *v, const struct difference_item *item)
{
    bool stays = item->kind == DIFFERENCE_OVERTAKEN;
    struct str was = item->trade ? summary(&item->trade->values, call->arena) : STR_NULL;
    struct str is = STR_NULL, result = STR_NULL;
    if (item->row && !item->row->removed && item->row->status != DRAFT_ROW_DELETED)
        is = summary(&item->row->values, call->arena);
    if (item->kind == DIFFERENCE_ADDED)
        result = is;
    view_str(v, "public", was);
    view_str(v, "report", is);
    view_str(v, "result", stays ? was : result);
    view_bool(v, "deleted", item->row && str_is_null(is));
    view_bool(v, "noRow", !item->row);
}

static void put_item(struct page_call *call, struct view *v, const struct difference_item *item)
{
    const struct row_values *values = item->row ? &item->row->values : &item->trade->values;
    view_int(v, "row", item->row ? item->row->row : 0);
    view_bool(v, "hasRow", item->row != NULL);
    view_str(v, "ticker", values->ticker);
    view_str(v, "assetName", values->asset_name);
    view_str(v, "does", review_does_words(item->kind));
    put_trade(v, item->trade);
    view_bool(v, "changes", item->kind == DIFFERENCE_CHANGED);
    view_bool(v, "removes", item->kind == DIFFERENCE_REMOVED);
    view_bool(v, "open", item->kind == DIFFERENCE_OPEN);
    if (item->kind == DIFFERENCE_CHANGED)
        put_changes(call, v, item);
    else
        put_columns(call, v, item);
}

/* A first publication only adds trades, and has nothing to compare. */
static bool compares(const struct desk_view *view)
{
    const struct difference *d = &view->difference;
    return d->against.count > 0 || !str_is_null(d->overtaken_by) || d->of_kind[DIFFERENCE_OPEN];
}

void desk_compare_put(struct page_call *call, const struct desk_view *view)
{
    const struct difference *d = &view->difference;
    view_bool(call->view, "compares", compares(view));
    if (!compares(view))
        return;
    struct view *compare = view_object(call->view, "compare");
    struct view *table = table_begin(
        compare, "trades", "Trade|Public|This report|Result",
        "Publishing it changes no public trade.");
    view_count(compare, "same", (int64_t)d->of_kind[DIFFERENCE_SAME]);
    view_bool(compare, "anySame", d->of_kind[DIFFERENCE_SAME] > 0);
    view_bool(compare, "oneSame", d->of_kind[DIFFERENCE_SAME] == 1);
    view_str(compare, "overtakenBy", d->overtaken_by);
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].kind != DIFFERENCE_SAME && d->items[i].kind != DIFFERENCE_NOTHING &&
            d->items[i].kind != DIFFERENCE_HELD)
            put_item(call, table_row(table), &d->items[i]);
}

/* --- which trade a row refers to */

/* The other row that refers to the trade; 0: none does. */
static int taken_by(
    const struct difference *d, const struct difference_item *own,
    const struct difference_trade *trade)
{
    for (size_t i = 0; i < d->count; i++)
        if (&d->items[i] != own && d->items[i].row && d->items[i].trade == trade)
            return d->items[i].row->row;
    return 0;
}

static void put_candidate(
    struct page_call *call, struct view *v, const struct difference *d,
    const struct difference_item *item, const struct difference_trade *trade)
{
    int taken = taken_by(d, item, trade);
    put_trade(v, trade);
    view_str(v, "value", trade->id);
    view_str(v, "ticker", trade->values.ticker);
    view_str(v, "assetName", trade->values.asset_name);
    view_str(v, "summary", summary(&trade->values, call->arena));
    view_bool(v, "withdrawn", trade->withdrawn);
    view_int(v, "takenBy", taken);
    view_bool(v, "isTaken", taken > 0);
}

static void put_fixed(struct view *list, struct str value, const char *label, struct str chosen)
{
    struct view *v = view_item(list);
    view_str(v, "value", value);
    view_text(v, "label", label);
    view_bool(v, "selected", str_eq(value, chosen));
}

void desk_candidates_put(
    struct page_call *call, const struct desk_view *view, const struct difference_item *item,
    struct str chosen)
{
    const struct difference_trade *trades[CANDIDATES_MAX];
    const struct difference *d = &view->difference;
    struct view *form = view_member(call->view, "form");
    struct view *list = view_list(form, "candidates");
    struct str named = str_is_null(chosen) ? STR("") : chosen;
    size_t count = difference_candidates(d, item->row, trades, CANDIDATES_MAX);
    bool listed = !named.n || str_eq(named, DIFFERENCE_NEW);
    put_fixed(list, STR(""), "As the program matches it", named);
    for (size_t i = 0; i < count; i++) {
        struct view *v = view_item(list);
        put_candidate(call, v, d, item, trades[i]);
        view_bool(v, "selected", str_eq(trades[i]->id, named));
        listed |= str_eq(trades[i]->id, named);
    }
    put_fixed(list, DIFFERENCE_NEW, "A new trade, not public yet", named);
    if (!listed)
        put_fixed(list, named, "Another trade, by its id", named);
    view_bool(form, "anyCandidate", count > 0);
    view_bool(
        form, "chooses",
        count > 0 || !listed || named.n || item->kind == DIFFERENCE_OPEN ||
            item->row->status != DRAFT_ROW_NEW);
}
