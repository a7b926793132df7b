/* The rows of a draft on its page, and the effect of publishing them; see review_page.h. */
#include "cmd/layout.h"
#include "cmd/review_page_parts.h"
#include "review/review_words.h"
#include "review/row_look.h"
#include "core/cells.h"

/* The order on the page. */
static const enum row_field shown[] = {
    ROW_ASSET_NAME, ROW_TICKER,     ROW_ASSET_TYPE, ROW_SIDE,
    ROW_AMOUNT,     ROW_TRADE_DATE, ROW_OWNER,      ROW_DETAILS,
};
enum { SHOWN_COUNT = sizeof shown / sizeof *shown };

/* Cells with no value of their own. */
static const struct {
    enum cell cell;
    const char *label;
} further[] = {
    {CELL_ID, "number"},
    {CELL_TICKER_TWO, "second symbol"},
    {CELL_ASSET_STORED, "in the file"},
    {CELL_STATUS, "status"},
    {CELL_SUBHOLDING, "held in"},
    {CELL_LOCATION, "location"},
    {CELL_DESCRIPTION, "description"},
    {CELL_COMMENT, "comment"},
};

static bool cell_is_empty(struct str cell)
{
    return !cell.n || str_eq(cell, STR("--"));
}

/* Of the printed cells, and of the values: close enough to be compared. */
static size_t half_columns(const struct review_page *p)
{
    size_t start = 2 * MARGIN + LABEL;
    size_t half = p->columns > start + 2 * LABEL ? (p->columns - start - GAP) / 2 : LABEL;
    return half < HALF_MAX ? half : HALF_MAX;
}

/* One field: its name, what is printed, what was read. */
static void put_pair(
    struct review_page *p, struct str label, struct str printed, struct str read, enum paint how)
{
    size_t half = half_columns(p);
    struct str left = cell_is_empty(printed) ? STR_NULL : review_page_text(p, printed);
    struct str right = read.n ? review_page_text(p, read) : STR_NULL, line;
    bool first = true;
    if (str_is_null(left) && str_is_null(right))
        return;
    while (!str_is_null(left) || !str_is_null(right)) {
        size_t used = 0;
        layout_spaces(&p->to, 2 * MARGIN);
        if (first)
            review_page_paint(p, PAINT_FAINT, label);
        review_page_pad(p, first ? layout_columns(label) : 0, LABEL);
        first = false;
        if (layout_next_line(&left, half, &line)) {
            buf_str(&p->to, line);
            used = layout_columns(line);
        }
        if (layout_next_line(&right, half, &line)) {
            review_page_pad(p, used, half + GAP);
            if (used >= half + GAP)
                layout_spaces(&p->to, 1);
            review_page_paint(p, how, line);
        }
        buf_char(&p->to, '\n');
    }
}

/* The row's own number, a new row marked as new, a description that stands beside the details. */
static bool says_nothing(
    const struct draft_row_stored *row, enum cell cell, const struct str cells[static CELL_COUNT])
{
    int64_t number;
    if (cell == CELL_ID)
        return str_to_i64(cells[cell], &number) && number == row->row;
    if (cell == CELL_STATUS)
        return row->status == DRAFT_ROW_NEW && str_eq_nocase(cells[cell], STR("New"));
    return cell == CELL_DESCRIPTION && !cells[CELL_ASSET_DETAIL].n;
}

/* --- a row of a scan: how each field was read stands beside its value */

/* A symbol and a type are part of the asset on paper: only a person enters them. */
static bool is_part_of_asset(enum row_field field)
{
    return field == ROW_TICKER || field == ROW_ASSET_TYPE || field == ROW_DETAILS;
}

/* Also shows a cell that was read but is no value, such as "Sale" on a form that does not say
 * whether it was full or partial. */
static void put_scanned(
    struct review_page *p, struct str label, const struct cell_source *source, struct str cell,
    struct str value)
{
    struct str how = review_source_words(source, value, &p->arena);
    if (cell.n && !value.n)
        how = arena_fmt(&p->arena, "%.*s: %.*s", STR_ARG(how), STR_ARG(cell));
    put_pair(
        p, label, how, value,
        source->how == CELL_NOT_READ && !value.n ? PAINT_DOUBT : PAINT_STRONG);
}

/* The asset's text, where a symbol and a type were taken out of it. */
static void put_text(struct review_page *p, struct str cell, struct str name)
{
    if (cell.n && !str_eq(cell, name))
        put_pair(p, STR("its text"), cell, STR_NULL, PAINT_NONE);
}

static void put_scanned_field(
    struct review_page *p, const struct draft_row_stored *row, enum row_field field,
    const struct cell_source sources[static CELL_COUNT], const struct str cells[static CELL_COUNT])
{
    char space[ROW_FIELD_TEXT_MAX];
    const struct cell_source *source = &sources[row_field_cell(field)];
    struct str value = row_field_text(&row->values, field, space);
    if (source->how != CELL_NOT_READ || !is_part_of_asset(field))
        put_scanned(p, row_field_name(field), source, cells[row_field_cell(field)], value);
    else if (value.n)
        put_pair(p, row_field_name(field), STR("from the asset's text"), value, PAINT_STRONG);
}

/* Only of rows that have the box. */
static void put_cap_gains(
    struct review_page *p, const struct draft_row_stored *row,
    const struct str cells[static CELL_COUNT])
{
    struct str value = cap_gains_name(row->cap_gains);
    if (cells[CELL_CAP_GAINS].n || value.n)
        put_pair(p, STR("capGainsOver200"), cells[CELL_CAP_GAINS], value, PAINT_STRONG);
}

static void put_scanned_values(
    struct review_page *p, const struct draft_row_stored *row,
    const struct str cells[static CELL_COUNT])
{
    struct cell_source sources[CELL_COUNT];
    char day[DAY_TEXT_SIZE];
    bool notified = row->notified_date != DAY_NONE;
    if (notified)
        day_print(row->notified_date, day);
    cell_sources_read(row->sources, &p->arena, sources);
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        put_scanned_field(p, row, shown[i], sources, cells);
        if (shown[i] == ROW_ASSET_NAME)
            put_text(p, cells[CELL_ASSET], row->values.asset_name);
        if (shown[i] == ROW_TRADE_DATE && p->view->draft.is.chamber == CHAMBER_HOUSE)
            put_scanned(
                p, STR("notifiedDate"), &sources[CELL_NOTIFIED], cells[CELL_NOTIFIED],
                notified ? str_of(day, sizeof day) : STR_NULL);
    }
    put_cap_gains(p, row, cells);
}

/* What was read; of a correction also what is public now. */
static void put_values(
    struct review_page *p, const struct difference_item *item,
    const struct str cells[static CELL_COUNT])
{
    char space[ROW_FIELD_TEXT_MAX], public_space[ROW_FIELD_TEXT_MAX];
    const struct row_values *values = &item->row->values;
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        enum row_field f = shown[i];
        struct str text = row_field_text(values, f, space);
        bool differs = item->kind == DIFFERENCE_CHANGED && item->trade &&
                       !row_field_equal(values, &item->trade->values, f);
        if (differs) {
            struct str now = row_field_text(&item->trade->values, f, public_space);
            text = arena_fmt(
                &p->arena, "%.*s (public now: %.*s)", STR_ARG(text.n ? text : STR("nothing")),
                STR_ARG(now.n ? now : STR("nothing")));
        }
        struct str printed = cells[row_field_cell(f)];
        if (f == ROW_DETAILS && !printed.n) /* the House has no cell for it alone */
            printed = cells[CELL_DESCRIPTION];
        put_pair(p, row_field_name(f), printed, text, differs ? PAINT_DOUBT : PAINT_STRONG);
        if (f == ROW_TRADE_DATE) {
            char day[DAY_TEXT_SIZE];
            bool known = item->row->notified_date != DAY_NONE;
            if (known)
                day_print(item->row->notified_date, day);
            put_pair(
                p, STR("notifiedDate"), cells[CELL_NOTIFIED],
                known ? str_of(day, sizeof day) : STR_NULL, PAINT_STRONG);
        }
    }
    put_cap_gains(p, item->row, cells);
    for (size_t i = 0; i < sizeof further / sizeof *further; i++)
        if (!says_nothing(item->row, further[i].cell, cells))
            put_pair(p, str_from(further[i].label), cells[further[i].cell], STR_NULL, PAINT_NONE);
}

static void put_row_doubts(struct review_page *p, const struct draft_row_stored *row)
{
    struct str doubts[DOUBTS_MAX];
    size_t count = review_texts(row->doubts, &p->arena, doubts, DOUBTS_MAX);
    for (size_t i = 0; i < count; i++) {
        review_page_mark(p, GLYPH_DOUBT, PAINT_DOUBT, 2 * MARGIN);
        review_page_wrap(
            p, PAINT_DOUBT, review_page_text(p, review_doubt_words(doubts[i], &p->arena)),
            2 * MARGIN + review_page_mark_columns(p));
    }
    if (row->held.n) {
        review_page_mark(p, GLYPH_CROSS, PAINT_BAD, 2 * MARGIN);
        review_page_wrap(
            p, PAINT_BAD,
            review_page_text(
                p, arena_fmt(&p->arena, "not published yet: %.*s", STR_ARG(row->held))),
            2 * MARGIN + review_page_mark_columns(p));
    }
}

static enum paint paint_of_kind(enum difference_kind kind)
{
    switch (kind) {
    case DIFFERENCE_ADDED:
        return PAINT_GOOD;
    case DIFFERENCE_SAME:
    case DIFFERENCE_NOTHING:
    case DIFFERENCE_OVERTAKEN:
        return PAINT_FAINT;
    case DIFFERENCE_CHANGED:
    case DIFFERENCE_HELD:
        return PAINT_DOUBT;
    default:
        return PAINT_BAD;
    }
}

static bool is_doubtful(struct review_page *p, const struct difference_item *item)
{
    return row_needs_look(item, &p->view->obstacles, &p->arena);
}

static void put_row_title(struct review_page *p, const struct difference_item *item)
{
    const struct draft_row_stored *row = item->row;
    struct buf title;
    buf_char(&p->to, '\n');
    layout_spaces(&p->to, MARGIN);
    if (is_doubtful(p, item))
        review_page_mark(p, GLYPH_DOUBT, PAINT_DOUBT, 0);
    buf_init(&title, PAGE_MAX);
    if (row)
        buf_fmt(&title, "Row %d", row->row);
    else
        buf_text(&title, "No row");
    review_page_paint(p, PAINT_STRONG, buf_view(&title));
    buf_finish(&title);
    if (row && row->page)
        buf_fmt(&p->to, ", page %d", row->page);
    if (row && row->status != DRAFT_ROW_NEW)
        buf_fmt(&p->to, ", %.*s", STR_ARG(draft_row_status_name(row->status)));
    if (row && row->removed)
        buf_text(&p->to, ", deleted");
    buf_fmt(&p->to, " %s ", terminal_glyph(p->terminal, GLYPH_DOT));
    review_page_paint(p, paint_of_kind(item->kind), review_does_words(item->kind));
    if (item->trade)
        buf_fmt(&p->to, ": %.*s", STR_ARG(item->trade->id));
    buf_char(&p->to, '\n');
}

static void put_row(struct review_page *p, const struct difference_item *item)
{
    struct str cells[CELL_COUNT];
    put_row_title(p, item);
    if (!item->row)
        return;
    if (!cells_read(item->row->printed, &p->arena, cells))
        for (int i = 0; i < CELL_COUNT; i++)
            cells[i] = STR_NULL;
    if (str_is_null(item->row->sources))
        put_values(p, item, cells);
    else
        put_scanned_values(p, item->row, cells);
    put_row_doubts(p, item->row);
}

static void put_doubtful_rows(struct review_page *p)
{
    const struct difference *d = &p->view->difference;
    struct buf text;
    buf_init(&text, PAGE_MAX);
    for (size_t i = 0; i < d->count; i++) {
        const struct draft_row_stored *row = d->items[i].row;
        if (is_doubtful(p, &d->items[i]))
            buf_fmt(&text, "%s%d", text.n ? ", " : "", row->row);
    }
    review_page_fact(p, "doubtful rows", buf_view(&text), PAINT_DOUBT);
    buf_finish(&text);
}

/* "130 rows: 128 add a trade, ..." */
void review_page_effect(struct review_page *p)
{
    const struct difference *d = &p->view->difference;
    static const char *const many[DIFFERENCE_KIND_COUNT] = {
        [DIFFERENCE_SAME] = "are already public",
        [DIFFERENCE_CHANGED] = "correct a trade",
        [DIFFERENCE_ADDED] = "add a trade",
        [DIFFERENCE_REMOVED] = "withdraw a trade",
        [DIFFERENCE_HELD] = "are held back",
        [DIFFERENCE_OPEN] = "need you to choose the trade",
        [DIFFERENCE_OVERTAKEN] = "are overtaken by a later amendment",
        [DIFFERENCE_NOTHING] = "do nothing",
    };
    struct buf text;
    buf_init(&text, PAGE_MAX);
    for (int k = 0; k < DIFFERENCE_KIND_COUNT; k++)
        if (d->of_kind[k])
            buf_fmt(
                &text, "%s%zu %s%.*s", text.n ? ", " : "", d->of_kind[k],
                text.n               ? ""
                : d->of_kind[k] == 1 ? "row "
                                     : "rows ",
                STR_ARG(
                    d->of_kind[k] == 1 ? review_does_words((enum difference_kind)k)
                                       : str_from(many[k])));
    review_page_fact(
        p, "publishing", text.n ? buf_view(&text) : STR("does nothing: there are no rows"),
        PAINT_NONE);
    buf_finish(&text);
    put_doubtful_rows(p);
}

void review_page_rows(struct review_page *p)
{
    const struct difference *d = &p->view->difference;
    if (d->count == 0)
        return;
    review_page_heading(p, "Rows");
    size_t start = 2 * MARGIN + LABEL;
    size_t half = half_columns(p);
    layout_spaces(&p->to, start);
    bool paper = p->view->draft.is.manual;
    struct str left = paper ? STR("source") : STR("printed");
    review_page_paint(p, PAINT_FAINT, left);
    review_page_pad(p, left.n, half + GAP);
    review_page_paint(p, PAINT_FAINT, paper ? STR("value") : STR("read"));
    buf_char(&p->to, '\n');
    for (size_t i = 0; i < d->count; i++)
        put_row(p, &d->items[i]);
}
