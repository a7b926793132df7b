/* The page of a draft: its head, checks and history; see review_page.h. */
#include "cmd/review/review_page.h"

#include <stdlib.h>

#include "base/hidden.h"
#include "cmd/review/review_obstacle.h"
#include "cmd/term/command.h"
#include "cmd/term/layout.h"
#include "cmd/term/next_steps.h"
#include "paper/cell/cells.h"
#include "review/desk/suggested_symbol.h"
#include "review/review_words.h"
#include "review/desk/row_look.h"
#include "store/desk/draft_history.h"
#include "store/public/document.h"

enum {
    PAGE_MAX = 256 << 20,
    MARGIN = 2,
    LABEL = 15, /* "filed (public)" and a blank */
    GAP = 2,
    DOUBTS_MAX = 32,
    COLUMNS_MAX = 140, /* of a line that is read */
    HALF_MAX = 48,
    NO_ROW = -1,
};

struct review_page {
    const struct desk_view *view;
    const struct terminal *terminal;
    struct buf to;
    struct arena arena;
    size_t columns;
};

enum { PAGES_TOLD_MAX = 10 };

/* --- parts of a line */

static struct str page_text(struct review_page *p, struct str text)
{
    BUF_SCOPED(b, PAGE_MAX);
    hidden_show(&b, text);
    return arena_str(&p->arena, buf_view(&b));
}

static void page_paint(struct review_page *p, enum paint paint, struct str text)
{
    terminal_paint(p->terminal, &p->to, paint, text);
}

static void page_heading(struct review_page *p, const char *text)
{
    buf_char(&p->to, '\n');
    page_paint(p, PAINT_STRONG, str_from(text));
    buf_char(&p->to, '\n');
}

/* Pads a text that was just printed. */
static void page_pad(struct review_page *p, size_t printed, size_t columns)
{
    layout_spaces(&p->to, printed < columns ? columns - printed : 0);
}

/* Wraps behind what stands on the line already, each line in the paint. */
static void page_wrap(struct review_page *p, enum paint how, struct str text, size_t indent)
{
    struct str rest = text, line;
    size_t room = p->columns > indent + LABEL ? p->columns - indent : LABEL;
    for (bool first = true; layout_next_line(&rest, room, &line); first = false) {
        layout_spaces(&p->to, first ? 0 : indent);
        page_paint(p, how, line);
        buf_char(&p->to, '\n');
    }
}

/* "  label         value", wrapped; nothing for a null value. */
static void page_fact(struct review_page *p, const char *label, struct str value, enum paint how)
{
    if (!value.n)
        return;
    layout_spaces(&p->to, MARGIN);
    page_paint(p, PAINT_FAINT, str_from(label));
    page_pad(p, layout_columns(str_from(label)), LABEL);
    page_wrap(p, how, page_text(p, value), MARGIN + LABEL);
}

static void page_mark(struct review_page *p, enum glyph glyph, enum paint how, size_t margin)
{
    struct str mark = str_from(terminal_glyph(p->terminal, glyph));
    layout_spaces(&p->to, margin);
    page_paint(p, how, mark);
    page_pad(p, layout_columns(mark), p->terminal->utf8 ? 2 : 3);
}

static size_t page_mark_columns(const struct review_page *p)
{
    return p->terminal->utf8 ? 2 : 3;
}

static struct str instant_text(struct review_page *p, int64_t ms)
{
    BUF_SCOPED(b, 256);
    instant_put_new_york_date(&b, ms);
    return arena_str(&p->arena, buf_view(&b));
}

/* --- rows, and the effect of publishing them */

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
    struct str left = cell_is_empty(printed) ? STR_NULL : page_text(p, printed);
    struct str right = read.n ? page_text(p, read) : STR_NULL, line;
    bool first = true;
    if (str_is_null(left) && str_is_null(right))
        return;
    while (!str_is_null(left) || !str_is_null(right)) {
        size_t used = 0;
        layout_spaces(&p->to, 2 * MARGIN);
        if (first)
            page_paint(p, PAINT_FAINT, label);
        page_pad(p, first ? layout_columns(label) : 0, LABEL);
        first = false;
        if (layout_next_line(&left, half, &line)) {
            buf_str(&p->to, line);
            used = layout_columns(line);
        }
        if (layout_next_line(&right, half, &line)) {
            page_pad(p, used, half + GAP);
            if (used >= half + GAP)
                layout_spaces(&p->to, 1);
            page_paint(p, how, line);
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

/* The confirmed company of a row without a symbol, or the one that its name suggests. */
static void put_company(struct review_page *p, const struct draft_row_stored *row)
{
    const struct suggested_company *is = suggested_company_of(p->view, row->row);
    if (row->company.n || is)
        put_pair(
            p, STR("company"), is ? suggested_company_words(is, &p->arena) : STR_NULL, row->company,
            PAINT_STRONG);
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
    cell_sources_read(row->sources, &p->arena, sources);
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        put_scanned_field(p, row, shown[i], sources, cells);
        if (shown[i] == ROW_ASSET_NAME)
            put_text(p, cells[CELL_ASSET], row->values.asset_name);
        if (shown[i] == ROW_TRADE_DATE && p->view->draft.is.chamber == CHAMBER_HOUSE)
            put_scanned(
                p, STR("notifiedDate"), &sources[CELL_NOTIFIED], cells[CELL_NOTIFIED],
                day_str(&p->arena, row->notified_date));
    }
    put_company(p, row);
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
        if (f == ROW_TRADE_DATE)
            put_pair(
                p, STR("notifiedDate"), cells[CELL_NOTIFIED],
                day_str(&p->arena, item->row->notified_date), PAINT_STRONG);
    }
    put_company(p, item->row);
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
        page_mark(p, GLYPH_DOUBT, PAINT_DOUBT, 2 * MARGIN);
        page_wrap(
            p, PAINT_DOUBT, page_text(p, review_doubt_words(doubts[i], &p->arena)),
            2 * MARGIN + page_mark_columns(p));
    }
    if (row->held.n) {
        page_mark(p, GLYPH_CROSS, PAINT_BAD, 2 * MARGIN);
        page_wrap(
            p, PAINT_BAD,
            page_text(p, arena_fmt(&p->arena, "not published yet: %.*s", STR_ARG(row->held))),
            2 * MARGIN + page_mark_columns(p));
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
    BUF_SCOPED(title, PAGE_MAX);
    buf_char(&p->to, '\n');
    layout_spaces(&p->to, MARGIN);
    if (is_doubtful(p, item))
        page_mark(p, GLYPH_DOUBT, PAINT_DOUBT, 0);
    if (row)
        buf_fmt(&title, "Row %d", row->row);
    else
        buf_text(&title, "No row");
    page_paint(p, PAINT_STRONG, buf_view(&title));
    if (row && row->page)
        buf_fmt(&p->to, ", page %d", row->page);
    if (row && row->status != DRAFT_ROW_NEW)
        buf_fmt(&p->to, ", %.*s", STR_ARG(draft_row_status_name(row->status)));
    if (row && row->removed)
        buf_text(&p->to, ", deleted");
    buf_fmt(&p->to, " %s ", terminal_glyph(p->terminal, GLYPH_DOT));
    page_paint(p, paint_of_kind(item->kind), review_does_words(item->kind));
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
    BUF_SCOPED(text, PAGE_MAX);
    for (size_t i = 0; i < d->count; i++) {
        const struct draft_row_stored *row = d->items[i].row;
        if (is_doubtful(p, &d->items[i]))
            buf_fmt(&text, "%s%d", text.n ? ", " : "", row->row);
    }
    page_fact(p, "doubtful rows", buf_view(&text), PAINT_DOUBT);
}

/* "130 rows: 128 add a trade, ..." */
static void page_effect(struct review_page *p)
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
    BUF_SCOPED(text, PAGE_MAX);
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
    page_fact(
        p, "publishing", text.n ? buf_view(&text) : STR("does nothing: there are no rows"),
        PAINT_NONE);
    put_doubtful_rows(p);
}

static void page_rows(struct review_page *p)
{
    const struct difference *d = &p->view->difference;
    if (d->count == 0)
        return;
    page_heading(p, "Rows");
    size_t start = 2 * MARGIN + LABEL;
    size_t half = half_columns(p);
    layout_spaces(&p->to, start);
    bool paper = p->view->draft.is.manual;
    struct str left = paper ? STR("source") : STR("printed");
    page_paint(p, PAINT_FAINT, left);
    page_pad(p, left.n, half + GAP);
    page_paint(p, PAINT_FAINT, paper ? STR("value") : STR("read"));
    buf_char(&p->to, '\n');
    for (size_t i = 0; i < d->count; i++)
        put_row(p, &d->items[i]);
}

/* --- the head */

static enum paint paint_of_state(enum report_state state)
{
    switch (state) {
    case REPORT_NEEDS_MANUAL:
    case REPORT_DRAFT:
    case REPORT_IN_REVIEW:
        return PAINT_DOUBT;
    case REPORT_REJECTED:
    case REPORT_WITHDRAWN:
    case REPORT_REFUSED:
        return PAINT_BAD;
    default:
        return PAINT_GOOD;
    }
}

static void put_claim(struct review_page *p)
{
    const struct draft *d = &p->view->draft;
    char until[INSTANT_TEXT_SIZE];
    if (d->claimed_by.n) {
        instant_print(d->claimed_until, until);
        page_fact(
            p, "claimed by",
            arena_fmt(
                &p->arena, "%.*s, until %.10s %.5sZ", STR_ARG(d->claimed_by), until, until + 11),
            PAINT_NONE);
    }
    page_fact(p, "accepted by", d->accepted_by, PAINT_NONE);
    page_fact(p, "second", d->second_by, PAINT_NONE);
}

/* Accepted drafts that are published first. */
static void put_after(struct review_page *p)
{
    const struct difference *d = &p->view->difference;
    for (size_t i = 0; i < d->after_count; i++)
        page_fact(
            p, "after",
            arena_fmt(
                &p->arena, "%.*s, which is accepted but not public yet", STR_ARG(d->after[i])),
            PAINT_DOUBT);
}

static void put_head(struct review_page *p)
{
    const struct draft *d = &p->view->draft;
    const struct report_state_info *state = report_state_info(d->shown);
    page_paint(p, PAINT_STRONG, page_text(p, d->is.filing_id));
    layout_spaces(&p->to, GAP);
    page_paint(p, paint_of_state(d->shown), state->name);
    if (d->revision > 1)
        buf_fmt(&p->to, "  revision %d", d->revision);
    buf_char(&p->to, '\n');
    page_fact(p, "filer", d->is.filer.n ? d->is.filer : STR("not known"), PAINT_NONE);
    if (d->slug.n)
        page_fact(
            p, "member", arena_fmt(&p->arena, "%.*s (%.*s)", STR_ARG(d->name), STR_ARG(d->slug)),
            PAINT_NONE);
    else
        page_fact(p, "member", STR("not known: set it with `review set-filer`"), PAINT_BAD);
    if (d->is.filed_at != INSTANT_NONE)
        page_fact(p, "filed", instant_text(p, d->is.filed_at), PAINT_NONE);
    else
        page_fact(
            p, "filed", STR("not known: set it with `review set ID 0 filed DATE`"), PAINT_BAD);
    if (p->view->public_filed_at != INSTANT_NONE && p->view->public_filed_at != d->is.filed_at)
        page_fact(p, "filed (public)", instant_text(p, p->view->public_filed_at), PAINT_DOUBT);
    page_fact(p, "document", d->is.url.n ? d->is.url : STR("not known"), PAINT_NONE);
    page_fact(p, "amends", d->is.amends, PAINT_NONE);
    page_fact(p, "amended by", p->view->difference.overtaken_by, PAINT_NONE);
    put_after(p);
    put_claim(p);
    page_fact(p, "look at", d->is.reason, PAINT_DOUBT);
}

/* --- pages of a scan that were not read, or not in full */

static enum err put_pages(struct review_page *p, struct db *db, struct fail *fail)
{
    struct document_page_list pages = {.count = 0};
    int64_t version = p->view->draft.is.document_version;
    size_t told = 0, more = 0;
    if (version)
        TRY(document_page_load(db, version, &p->arena, &pages, fail));
    for (size_t i = 0; i < pages.count; i++) {
        const struct document_page *page = &pages.items[i];
        if (str_is_null(page->reason))
            continue;
        if (told++ >= PAGES_TOLD_MAX)
            more++;
        else
            page_fact(p, arena_fmt(&p->arena, "page %d", page->page).p, page->reason, PAINT_DOUBT);
    }
    if (more)
        page_fact(
            p, "more pages", arena_fmt(&p->arena, "%zu were not read in full", more), PAINT_DOUBT);
    return OK;
}

/* --- checks */

static void put_check(struct review_page *p, const struct self_check *check)
{
    bool ok = check->passed;
    struct str words = review_check_words(check->name);
    page_mark(p, ok ? GLYPH_TICK : GLYPH_CROSS, ok ? PAINT_GOOD : PAINT_BAD, MARGIN);
    struct str text = words;
    if (check->detail.n)
        text = arena_fmt(&p->arena, "%.*s: %.*s", STR_ARG(text), STR_ARG(check->detail));
    if (!ok)
        text = arena_fmt(&p->arena, "%.*s (%.*s)", STR_ARG(text), STR_ARG(check->name));
    page_wrap(p, ok ? PAINT_NONE : PAINT_BAD, page_text(p, text), MARGIN + page_mark_columns(p));
}

static void put_checks(struct review_page *p)
{
    const struct desk_view *v = p->view;
    if (v->check_count == 0)
        return;
    page_heading(p, "Checks");
    for (int passed = 0; passed <= 1; passed++)
        for (size_t i = 0; i < v->check_count; i++)
            if (v->checks[i].passed == passed)
                put_check(p, &v->checks[i]);
}

/* --- history */

/* The id of a member; of the draft's present one with the name. */
static struct str member_text(struct review_page *p, struct str id)
{
    const struct draft *d = &p->view->draft;
    if (!str_eq(id, d->is.politician_id) || !d->name.n)
        return id.n ? id : STR("no member");
    return arena_fmt(&p->arena, "%.*s (%.*s)", STR_ARG(d->name), STR_ARG(id));
}

static void put_event(void *ctx, const struct draft_event *event)
{
    struct review_page *p = ctx;
    struct arena *a = &p->arena;
    char at[INSTANT_TEXT_SIZE];
    instant_print(event->at, at);
    struct str text = arena_fmt(
        a, "%.*s %.*sZ  %.*s  %.*s", 10, at, 5, at + 11, STR_ARG(event->by),
        STR_ARG(event->action));
    if (event->row)
        text = arena_fmt(a, "%.*s row %d", STR_ARG(text), event->row);
    if (event->field.n)
        text = arena_fmt(
            a, "%.*s %.*s: \"%.*s\" %s \"%.*s\"", STR_ARG(text), STR_ARG(event->field),
            STR_ARG(event->old), terminal_glyph(p->terminal, GLYPH_ARROW), STR_ARG(event->new));
    if (str_eq(event->action, STR("set_filer")))
        text = arena_fmt(a, "%.*s %.*s", STR_ARG(text), STR_ARG(member_text(p, event->new)));
    if (event->reason.n)
        text = arena_fmt(a, "%.*s (%.*s)", STR_ARG(text), STR_ARG(event->reason));
    layout_spaces(&p->to, MARGIN);
    page_wrap(p, PAINT_NONE, page_text(p, text), 2 * MARGIN);
}

static enum err put_history(struct review_page *p, struct db *db, struct fail *fail)
{
    size_t at = p->to.n;
    page_heading(p, "History");
    size_t empty = p->to.n;
    TRY(draft_history_each(db, p->view->draft.no, put_event, p, fail));
    if (p->to.n == empty)
        p->to.n = at;
    return OK;
}

/* The commands that a draft's page ends with. */

static void put_next(struct review_page *p, const char *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put_next(struct review_page *p, const char *why, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        return;
    next_steps_put_below(&p->to, p->terminal, &(struct next_step){str_of(text, (size_t)n), why});
    free(text);
}

/* The failed checks, as --despite takes them. */
static struct str failed_checks(struct review_page *p)
{
    BUF_SCOPED(names, PAGE_MAX);
    for (size_t i = 0; i < p->view->check_count; i++)
        if (!p->view->checks[i].passed)
            buf_fmt(&names, "%s%.*s", names.n ? "," : "", STR_ARG(p->view->checks[i].name));
    return arena_str(&p->arena, buf_view(&names));
}

static int first_scanned_row(const struct review_page *p)
{
    const struct draft_row_list *rows = &p->view->rows;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].place.width && !rows->items[i].removed)
            return rows->items[i].row;
    return NO_ROW;
}

/* The first obstacle of each kind but checks, with the command that removes it; true: there is one.
 */
static bool put_remedies(struct review_page *p, struct str id, struct str by)
{
    /* `accept` names the checks, and "Enter a row" stands below. */
    bool any = false,
         put[OBSTACLE_KIND_COUNT] = {[OBSTACLE_CHECK] = true, [OBSTACLE_NO_ROW] = true};
    for (size_t i = 0; i < p->view->obstacles.count; i++) {
        const struct obstacle *o = &p->view->obstacles.items[i];
        struct str command = review_obstacle_command(o, id, by, &p->arena);
        any |= o->kind != OBSTACLE_CHECK;
        if (put[o->kind] || str_is_null(command))
            continue;
        put[o->kind] = true;
        struct str why = arena_fmt(
            &p->arena, "%c%.*s: %.*s", ascii_upper(o->what.p[0]),
            STR_ARG(str_slice(o->what, 1, o->what.n)), STR_ARG(o->remedy));
        put_next(p, why.p, "%.*s", STR_ARG(command));
        struct str answer = review_obstacle_answer(o, id, by, &p->arena);
        if (answer.n)
            put_next(p, "Or, if the page states none", "%.*s", STR_ARG(answer));
    }
    return any;
}

/* The steps that must come before `accept`; false: none but checks. */
static bool put_obstacles(struct review_page *p, struct str id, struct str by)
{
    const struct draft *d = &p->view->draft;
    if (!d->is.url.n && d->is.chamber == CHAMBER_HOUSE && !d->claimed_by.n)
        put_next(
            p, "Import the Clerk's index of its year: it has the filer, the date and the address",
            "stockact ingest YYYYFD.zip");
    bool blocked = put_remedies(p, id, by);
    if (d->is.manual && d->is.document_version)
        put_next(
            p, "Look at a page", "stockact review picture %.*s 1 --output page-1.png", STR_ARG(id));
    if (first_scanned_row(p) != NO_ROW)
        put_next(
            p, "Look at a row on its page",
            "stockact review picture %.*s --row %d --output row.png", STR_ARG(id),
            first_scanned_row(p));
    if (d->is.manual)
        put_next(
            p, "Enter a row",
            "stockact review add-row %.*s assetName=\"...\" side=buy amountBucket=1k_15k "
            "tradeDate=YYYY-MM-DD ownerType=self --by %.*s",
            STR_ARG(id), STR_ARG(by));
    if (!p->view->rows.count)
        put_next(
            p, "Close it, if its document has nothing to report",
            "stockact review nothing-reported %.*s --by %.*s", STR_ARG(id), STR_ARG(by));
    if (d->entry == DRAFT_ENTRY_SECOND)
        put_next(
            p, "Another person types each row from the page, without seeing this",
            "stockact review enter %.*s ROW FIELD=VALUE... --by EMAIL", STR_ARG(id));
    if (d->entry == DRAFT_ENTRY_THIRD)
        put_next(
            p, "A person who typed neither entry decides", "stockact review differences %.*s",
            STR_ARG(id));
    return blocked;
}

static void put_review_commands(struct review_page *p, struct str id, struct str by)
{
    struct str failed = failed_checks(p);
    bool blocked = put_obstacles(p, id, by);
    if (p->view->rows.count)
        put_next(
            p, "Change a value", "stockact review set %.*s ROW FIELD VALUE --by %.*s", STR_ARG(id),
            STR_ARG(by));
    if (!blocked && failed.n)
        put_next(
            p, "Accept it despite the failed checks, if the draft is right",
            "stockact review accept %.*s --despite %.*s --reason TEXT --by %.*s", STR_ARG(id),
            STR_ARG(failed), STR_ARG(by));
    else if (!blocked)
        put_next(
            p,
            p->view->draft.is.manual ? "Accept it when you have checked every field"
                                     : "Accept it as it is",
            "stockact review accept %.*s --by %.*s", STR_ARG(id), STR_ARG(by));
    put_next(
        p, "Keep it from being published", "stockact review reject %.*s --reason TEXT --by %.*s",
        STR_ARG(id), STR_ARG(by));
}

static void page_commands(struct review_page *p)
{
    const struct draft *d = &p->view->draft;
    struct str id = page_text(p, d->is.filing_id);
    struct str by = d->claimed_by.n ? page_text(p, d->claimed_by) : STR(COMMANDS_YOU);
    next_steps_title(&p->to, p->terminal);
    switch (d->shown) {
    case REPORT_NEEDS_MANUAL:
    case REPORT_DRAFT:
    case REPORT_IN_REVIEW:
        put_review_commands(p, id, by);
        break;
    case REPORT_ACCEPTED:
        put_next(p, "Publish it", "stockact publish %.*s --by %.*s", STR_ARG(id), STR_ARG(by));
        break;
    case REPORT_WITHDRAWN:
        put_next(
            p, "Undo the withdrawal", "stockact reinstate %.*s --reason TEXT --by %.*s",
            STR_ARG(id), STR_ARG(by));
        break;
    case REPORT_PUBLISHED:
    case REPORT_AMENDED:
        put_next(
            p, "Correct a trade", "stockact correct TRADE FIELD VALUE --reason TEXT --by %.*s",
            STR_ARG(by));
        break;
    default:
        put_next(
            p, "Claim it to open it again", "stockact review claim %.*s --by %.*s", STR_ARG(id),
            STR_ARG(by));
    }
}

enum err review_page(
    struct out *out, struct db *db, const struct desk_view *view, struct fail *fail)
{
    size_t columns = (size_t)out->terminal.columns;
    struct review_page p = {
        .view = view,
        .terminal = &out->terminal,
        .columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX,
    };
    buf_init(&p.to, PAGE_MAX);
    arena_init(&p.arena);
    put_head(&p);
    enum err err = put_pages(&p, db, fail);
    page_effect(&p);
    put_checks(&p);
    page_rows(&p);
    if (!err)
        err = put_history(&p, db, fail);
    if (!err) {
        page_commands(&p);
        out_page(out, &p.to);
    }
    arena_finish(&p.arena);
    buf_finish(&p.to);
    return err;
}
