/* The form of a row; see desk_row_form.h. */
#include "site/desk/desk_row_form.h"

#include "noun/lists.h"
#include "paper/cell/cells.h"
#include "review/desk/desk_mark.h"
#include "review/review_words.h"
#include "review/desk/suggested_symbol.h"
#include "site/desk/desk_compare.h"
#include "site/frame/trade_words.h"

enum { DOUBTS_MAX = 32, OPTIONS_MAX = 32, COMPANY = 2 /* of desk_fields */ };

const struct desk_field desk_fields[] = {
    {"assetName", "Asset", ROW_ASSET_NAME, CELL_ASSET},
    {"ticker", "Symbol", ROW_TICKER, CELL_TICKER},
    {"company", "Company", ROW_FIELD_COUNT, CELL_ASSET},
    {"side", "Transaction", ROW_SIDE, CELL_TYPE},
    {"amountBucket", "Amount", ROW_AMOUNT, CELL_AMOUNT},
    {"tradeDate", "Trade date", ROW_TRADE_DATE, CELL_DATE},
    {"notifiedDate", "Notice date", ROW_FIELD_COUNT, CELL_NOTIFIED},
    {"ownerType", "Owner", ROW_OWNER, CELL_OWNER},
    {"assetType", "Type of asset", ROW_ASSET_TYPE, CELL_ASSET_TYPE},
    {"details", "Details", ROW_DETAILS, CELL_ASSET_DETAIL},
    {"capGainsOver200", "Gains > $200", ROW_FIELD_COUNT, CELL_CAP_GAINS},
    {"status", "Status", ROW_FIELD_COUNT, CELL_STATUS},
};
const size_t desk_field_count = sizeof desk_fields / sizeof *desk_fields;

/* The field that a doubt is about, by how its code begins; the others are about the row. */
static const struct {
    const char *begins;
    const char *field;
} doubt_fields[] = {
    {"owner_", "ownerType"},          {"ticker_", "ticker"},       {"asset_type_", "assetType"},
    {"date_", "tradeDate"},           {"traded_", "tradeDate"},    {"notified_", "notifiedDate"},
    {"exact_amount", "amountBucket"}, {"amount_", "amountBucket"}, {"type_", "side"},
    {"asset_reread", "assetName"},    {"status_", "status"},
};

static const char *field_of(struct str doubt)
{
    for (size_t i = 0; i < sizeof doubt_fields / sizeof *doubt_fields; i++)
        if (str_starts(doubt, str_from(doubt_fields[i].begins)))
            return doubt_fields[i].field;
    return "";
}

struct str desk_field_text(
    const struct desk_field *field, const struct draft_row_stored *row,
    char space[static ROW_FIELD_TEXT_MAX])
{
    if (field->field != ROW_FIELD_COUNT)
        return row_field_text(&row->values, field->field, space);
    if (field->cell == CELL_STATUS)
        return draft_row_status_name(row->status);
    if (field->cell == CELL_CAP_GAINS)
        return cap_gains_name(row->cap_gains);
    if (field->cell == CELL_ASSET)
        return row->company;
    if (row->notified_date == DAY_NONE)
        return STR_NULL;
    day_print(row->notified_date, space);
    return str_of(space, DAY_TEXT_SIZE);
}

/* --- the controls */

static const struct shape_list *choices(const struct desk_field *field)
{
    switch (field->field) {
    case ROW_SIDE:
        return &shape_sides;
    case ROW_AMOUNT:
        return &shape_brackets;
    case ROW_OWNER:
        return &shape_owners;
    case ROW_ASSET_TYPE:
        return &shape_asset_types;
    default:
        return NULL;
    }
}

static struct str choice_label(
    struct page_call *call, const struct desk_field *field, const struct shape_list *list,
    int value)
{
    return field->field == ROW_AMOUNT ? bracket_info((enum bracket)value)->label
                                      : words_choice(list, value, call->arena);
}

static void put_control(
    struct page_call *call, struct view *form, const struct desk_field *field, struct str value,
    const struct form *posted)
{
    const struct shape_list *list = choices(field);
    struct form_option options[OPTIONS_MAX] = {{STR(""), STR("–")}};
    size_t count = 1;
    if (field->cell == CELL_STATUS)
        for (int s = count = 0; s < DRAFT_ROW_STATUS_COUNT; s++) {
            struct str name = draft_row_status_name((enum draft_row_status)s);
            options[count++] = (struct form_option){name, name};
        }
    for (int v = 1; list && v < list->count && count < OPTIONS_MAX; v++)
        options[count++] =
            (struct form_option){list->name_of(v), choice_label(call, field, list, v)};
    if (field->cell == CELL_CAP_GAINS) {
        options[count++] = (struct form_option){STR("true"), STR("checked")};
        options[count++] = (struct form_option){STR("false"), STR("not checked")};
    }
    if (count > 1)
        form_show_choice(form, posted, field->name, value, options, count);
    else
        form_show(form, posted, field->name, value);
}

/* --- what is printed, public or doubted, beside each field */

static bool put_doubts(
    struct page_call *call, struct view *to, const struct str *doubts, size_t count,
    const char *field)
{
    struct view *list = view_list(to, "doubts");
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(field_of(doubts[i]), field)) {
            view_item_str(list, review_doubt_words(doubts[i], call->arena));
            any = true;
        }
    view_bool(to, "doubted", any);
    return any;
}

static void put_printed(
    struct view *at, const struct desk_field *field, const struct str cells[static CELL_COUNT])
{
    struct str printed = cells[field->cell];
    if (field->field == ROW_DETAILS && !printed.n) /* the House has no cell for it alone */
        printed = cells[CELL_DESCRIPTION];
    view_str(at, "printed", str_eq(printed, STR("--")) ? STR_NULL : printed);
}

/* The first of three columns, of a row that refers to a public trade. */
static void put_public(
    struct page_call *call, struct view *at, const struct desk_field *field,
    const struct difference_item *item)
{
    const struct row_values *was = item && item->trade ? &item->trade->values : NULL;
    if (!was || field->field == ROW_FIELD_COUNT)
        return;
    struct str words = desk_field_words(was, field->field, call->arena);
    view_str(at, "public", words.n ? words : STR("nothing"));
    view_bool(at, "differs", !row_field_equal(&item->row->values, was, field->field));
}

/* --- the row above, whose fields can be copied */

const struct draft_row_stored *desk_row_above(const struct draft_row_list *rows, int row)
{
    const struct draft_row_stored *above = NULL;
    for (size_t i = 0; i < rows->count && (!row || rows->items[i].row < row); i++)
        if (!rows->items[i].removed)
            above = &rows->items[i];
    return above;
}

const struct desk_field *desk_field_find(struct str name)
{
    for (size_t i = 0; i < desk_field_count; i++)
        if (str_eq(name, str_from(desk_fields[i].name)))
            return &desk_fields[i];
    return NULL;
}

static void put_above(
    struct page_call *call, struct view *form, const struct draft_row_stored *above)
{
    struct view *list = view_list(form, "aboveFields");
    bool any = false;
    for (size_t i = 0; above && i < desk_field_count; i++) {
        char space[ROW_FIELD_TEXT_MAX];
        const struct desk_field *field = &desk_fields[i];
        struct str text = desk_field_text(field, above, space);
        if (!text.n || field->cell == CELL_STATUS)
            continue;
        struct view *item = view_item(list);
        view_text(item, "name", field->name);
        view_text(item, "label", field->label);
        view_str(
            item, "words",
            field->field == ROW_FIELD_COUNT
                ? text
                : desk_field_words(&above->values, field->field, call->arena));
        view_str(view_member(view_member(form, "fields"), field->name), "above", text);
        any = true;
    }
    view_bool(form, "anyAbove", any);
    view_int(form, "aboveRow", above ? above->row : 0);
}

/* What the row says now, if somebody changed it since the form was filled in. */
static bool put_now(
    struct page_call *call, struct view *at, const struct desk_field *field,
    const struct draft_row_stored *row, struct str value, const struct form *posted)
{
    struct str typed = form_value(posted, field->name), words = value;
    if (str_is_null(typed) || str_eq(str_trim(typed), value) || (!typed.n && !value.n))
        return false;
    if (field->field != ROW_FIELD_COUNT)
        words = desk_field_words(&row->values, field->field, call->arena);
    view_str(at, "now", words.n ? words : STR("nothing"));
    return true;
}

/* How the field of a row of a scan was read. A symbol and a kind of asset are part of its name. */
static void put_source(
    struct page_call *call, struct view *at, const struct desk_field *field, struct str value,
    const struct cell_source *sources)
{
    const struct cell_source *source = sources ? &sources[field->cell] : NULL;
    bool of_asset =
        field->field == ROW_TICKER || field->field == ROW_ASSET_TYPE || field->field == ROW_DETAILS;
    bool silent = !source || field->cell == CELL_STATUS || field == &desk_fields[COMPANY] ||
                  (of_asset && source->how == CELL_NOT_READ && str_is_null(source->reason));
    view_str(at, "source", silent ? STR_NULL : review_source_words(source, value, call->arena));
}

/* Whether the form has the box that says that the page states no trade date: of paper whose row has
 * none, until a person has said so. */
static bool asks_for_date(
    struct page_call *call, const struct desk_view *view, const struct draft_row_stored *row)
{
    bool open = !row || !str_is_null(row->sources) || row->held.n;
    if (!view->draft.is.manual || (row && row->values.trade_date != DAY_NONE))
        return false;
    for (size_t i = 0; row && i < view->obstacles.count; i++)
        open |= view->obstacles.items[i].kind == OBSTACLE_NO_DATE &&
                view->obstacles.items[i].row == row->row;
    return open && !(row && row_date_is_entered(row, call->arena));
}

/* The company that the row's name suggests; the form has a button that takes it. */
static bool put_suggestion(
    struct page_call *call, struct view *at, const struct desk_view *view, int row)
{
    const struct suggested_company *is = suggested_company_of(view, row);
    view_str(at, "suggestion", is ? suggested_company_words(is, call->arena) : STR_NULL);
    view_bool(at, "canTake", is && !is->several);
    return is != NULL;
}

void desk_row_form_put(
    struct page_call *call, const struct desk_view *view, const struct difference_item *item,
    int page, const struct form *posted)
{
    char mark[DESK_MARK_SIZE];
    struct str cells[CELL_COUNT] = {{NULL, 0}}, doubts[DOUBTS_MAX];
    const struct draft_row_stored *row = item ? item->row : NULL;
    struct cell_source sources[CELL_COUNT];
    struct view *form = view_object(call->view, "form");
    size_t doubt_count = 0;
    bool scanned = row && cell_sources_read(row->sources, call->arena, sources), stale = false;
    if (row) {
        if (!cells_read(row->printed, call->arena, cells))
            memset(cells, 0, sizeof cells);
        doubt_count = review_texts(row->doubts, call->arena, doubts, DOUBTS_MAX);
        desk_mark_row(row, mark);
        view_int(form, "row", row->row);
        view_str(form, "mark", str_of(mark, sizeof mark));
        stale = posted && !str_eq(form_value(posted, "mark"), str_of(mark, sizeof mark));
        view_str(form, "held", row->held);
        view_bool(form, "removed", row->removed);
        view_bool(form, "open", item->kind == DIFFERENCE_OPEN);
    }
    view_bool(form, "isNew", !row);
    view_bool(form, "ofHouse", view->draft.is.chamber == CHAMBER_HOUSE);
    view_bool(form, "comparing", item && item->trade);
    view_str(form, "tradeId", item && item->trade ? item->trade->id : STR_NULL);
    view_bool(form, "isPublic", item && item->trade && str_is_null(item->trade->after));
    view_bool(form, "scanned", scanned);
    view_bool(form, "byHand", !scanned && (!row || str_is_null(row->printed)));
    put_doubts(call, form, doubts, doubt_count, "");
    for (size_t i = 0; i < desk_field_count; i++) {
        char space[ROW_FIELD_TEXT_MAX];
        const struct desk_field *field = &desk_fields[i];
        struct str value = row ? desk_field_text(field, row, space) : STR_NULL;
        put_control(call, form, field, value, posted);
        struct view *at = view_member(view_member(form, "fields"), field->name);
        bool doubted = put_doubts(call, at, doubts, doubt_count, field->name);
        put_source(call, at, field, value, scanned ? sources : NULL);
        put_printed(at, field, cells);
        put_public(call, at, field, item);
        bool moved = stale && put_now(call, at, field, row, value, posted);
        if (i == COMPANY && row)
            doubted |= put_suggestion(call, at, view, row->row);
        view_bool(at, "said", doubted || moved);
    }
    view_bool(form, "asksForDate", asks_for_date(call, view, row));
    form_show_check(form, posted, DESK_NO_DATE, false);
    put_above(call, form, desk_row_above(&view->rows, row ? row->row : 0));
    form_show(form, posted, "trade", row ? row->trade_id : STR_NULL);
    form_show(form, posted, "other", STR_NULL);
    struct str chosen = posted ? form_value(posted, "trade") : STR_NULL;
    if (item)
        desk_candidates_put(call, view, item, str_is_null(chosen) ? row->trade_id : chosen);
    form_show(form, posted, "page", page ? arena_fmt(call->arena, "%d", page) : STR_NULL);
    form_show(form, posted, "reason", STR_NULL);
}
