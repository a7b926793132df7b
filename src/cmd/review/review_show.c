/* Prints drafts; see review_show.h. */
#include "cmd/review/review_show.h"

#include "cmd/review/review_page.h"
#include "review/desk/suggested_symbol.h"
#include "store/desk/draft_history.h"
#include "store/public/document.h"

enum { TEXT_SIZE_MAX = 64 * 1024 * 1024 };

enum err review_show_line(void *ctx, const struct draft *draft)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "filingId", draft->is.filing_id);
    out_str(out, "state", report_state_name(draft->shown));
    out_str(out, "member", draft->slug);
    out_str(out, "filer", draft->is.filer);
    out_instant(out, "filedAt", draft->is.filed_at);
    out_str(out, "claimedBy", draft->claimed_by);
    out_str(out, "reason", draft->is.reason);
    out_i64(out, "doubts", draft->doubts);
    out_end(out);
    return OK;
}

/* --- rows as JSON */

static void put_read(struct json_out *j, const struct draft_row_stored *row)
{
    char space[ROW_FIELD_TEXT_MAX];
    struct row_values v = row->values;
    JSON_KEY_OBJECT(j, "read");
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        json_key(j, row_field_name((enum row_field)f));
        json_str(j, row_field_text(&v, (enum row_field)f, space));
    }
    JSON_KEY_STR(j, "company", row->company);
    JSON_KEY_DAY(j, "notifiedDate", row->notified_date);
    JSON_KEY_RAW(
        j, "capGainsOver200", row->cap_gains ? cap_gains_name(row->cap_gains) : STR("null"));
    json_object_end(j);
}

static void put_source(struct json_out *j, struct str field, const struct cell_source *source)
{
    json_key(j, field);
    json_object_begin(j);
    JSON_KEY_STR(j, "how", cell_source_name(source));
    JSON_KEY_STR(j, "reason", source->reason);
    json_object_end(j);
}

/* In ten-thousandths of the upright page; null: its page is not that of the draft any more. */
static void put_place(struct json_out *j, const struct page_place *place)
{
    json_key(j, STR("place"));
    if (!place->width) {
        json_no_value(j);
        return;
    }
    json_object_begin(j);
    JSON_KEY_I64(j, "left", place->left);
    JSON_KEY_I64(j, "top", place->top);
    JSON_KEY_I64(j, "width", place->width);
    JSON_KEY_I64(j, "height", place->height);
    json_object_end(j);
}

/* Of a row on a scanned page: its place, and how each field was read. */
static void put_scanned(struct json_out *j, const struct draft_row_stored *row)
{
    ARENA_SCOPED(arena);
    struct cell_source sources[CELL_COUNT];
    if (cell_sources_read(row->sources, &arena, sources)) {
        put_place(j, &row->place);
        JSON_KEY_OBJECT(j, "sources");
        for (int f = 0; f < ROW_FIELD_COUNT; f++)
            put_source(
                j, row_field_name((enum row_field)f), &sources[row_field_cell((enum row_field)f)]);
        put_source(j, STR("notifiedDate"), &sources[CELL_NOTIFIED]);
        put_source(j, STR("capGainsOver200"), &sources[CELL_CAP_GAINS]);
        json_object_end(j);
    }
}

/* The company that the name of a row without a symbol suggests. */
static void put_suggestion(struct json_out *j, const struct suggested_company *is)
{
    json_key(j, STR("suggestedCompany"));
    if (!is || is->several) {
        json_no_value(j);
        return;
    }
    json_object_begin(j);
    JSON_KEY_STR(j, "symbol", is->company.symbol);
    JSON_KEY_STR(j, "name", is->company.name);
    JSON_KEY_STR(j, "assetType", asset_type_name(is->type));
    JSON_KEY_STR(j, "from", is->from_own ? STR("own") : STR("list"));
    json_object_end(j);
}

static void put_row(
    struct json_out *j, const struct desk_view *view, const struct difference_item *item)
{
    const struct draft_row_stored *row = item->row;
    json_object_begin(j);
    JSON_KEY_I64(j, "row", row->row);
    json_key(j, STR("page"));
    if (row->page)
        json_i64(j, row->page);
    else
        json_no_value(j);
    JSON_KEY_STR(j, "status", draft_row_status_name(row->status));
    json_key(j, STR("printed"));
    if (str_is_null(row->printed))
        json_no_value(j);
    else
        json_raw(j, row->printed);
    put_read(j, row);
    put_suggestion(j, suggested_company_of(view, row->row));
    put_scanned(j, row);
    JSON_KEY_RAW(j, "doubts", row->doubts);
    JSON_KEY_STR(j, "held", row->held);
    JSON_KEY_BOOL(j, "removed", row->removed);
    JSON_KEY_STR(j, "does", difference_kind_name(item->kind));
    JSON_KEY_STR(j, "tradeId", item->trade ? item->trade->id : STR_NULL);
    json_object_end(j);
}

static void put_rows(struct buf *b, const struct desk_view *view)
{
    const struct difference *d = &view->difference;
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].row)
            put_row(&j, view, &d->items[i]);
    json_array_end(&j);
}

/* Public trades no longer backed by a row: publishing withdraws them. */
static void put_missing(struct buf *b, const struct difference *d)
{
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    for (size_t i = 0; i < d->count; i++)
        if (!d->items[i].row)
            json_str(&j, d->items[i].trade->id);
    json_array_end(&j);
}

/* Accepted drafts that are published first. */
static void put_after(struct buf *b, const struct difference *d)
{
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    for (size_t i = 0; i < d->after_count; i++)
        json_str(&j, d->after[i]);
    json_array_end(&j);
}

static void put_event(void *ctx, const struct draft_event *event)
{
    struct json_out *j = ctx;
    json_object_begin(j);
    JSON_KEY_INSTANT(j, "at", event->at);
    JSON_KEY_STR(j, "by", event->by);
    JSON_KEY_STR(j, "action", event->action);
    json_key(j, STR("row"));
    if (event->row)
        json_i64(j, event->row);
    else
        json_no_value(j);
    JSON_KEY_STR(j, "field", event->field);
    JSON_KEY_STR(j, "old", event->old);
    JSON_KEY_STR(j, "new", event->new);
    JSON_KEY_STR(j, "reason", event->reason);
    json_object_end(j);
}

static enum err put_history(struct buf *b, struct db *db, int64_t draft_no, struct fail *fail)
{
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    enum err err = draft_history_each(db, draft_no, put_event, &j, fail);
    json_array_end(&j);
    return err;
}

/* The pages of a scan, as they were read. */
static enum err put_pages(struct buf *b, struct db *db, int64_t version, struct fail *fail)
{
    struct document_page_list pages = {.count = 0};
    struct json_out j;
    ARENA_SCOPED(arena);
    enum err err = version ? document_page_load(db, version, &arena, &pages, fail) : OK;
    json_init(&j, b);
    json_array_begin(&j);
    for (size_t i = 0; i < pages.count; i++) {
        json_object_begin(&j);
        JSON_KEY_I64(&j, "page", pages.items[i].page);
        JSON_KEY_I64(&j, "turn", pages.items[i].turn);
        JSON_KEY_STR(&j, "form", pages.items[i].form);
        JSON_KEY_STR(&j, "reason", pages.items[i].reason);
        json_object_end(&j);
    }
    json_array_end(&j);
    return err;
}

static void show_head(struct out *out, const struct desk_view *view)
{
    const struct draft *d = &view->draft;
    out_str(out, "filingId", d->is.filing_id);
    out_i64(out, "revision", d->revision);
    out_str(out, "state", report_state_name(d->shown));
    out_str(out, "member", d->slug);
    out_str(out, "filer", d->is.filer);
    out_instant(out, "filedAt", d->is.filed_at);
    out_instant(out, "publicFiledAt", view->public_filed_at);
    out_str(out, "url", d->is.url);
    out_str(out, "reason", d->is.reason);
    out_str(out, "amends", d->is.amends);
    out_str(out, "amendedBy", view->difference.overtaken_by);
    out_str(out, "claimedBy", d->claimed_by);
    out_instant(out, "claimedUntil", d->claimed_until);
    out_str(out, "acceptedBy", d->accepted_by);
    out_str(out, "secondBy", d->second_by);
    out_str(out, "entry", draft_entry_name(d->entry));
}

/* --- rows as a table */

static void show_row(struct out *out, const struct difference_item *item)
{
    char space[ROW_FIELD_TEXT_MAX];
    struct row_values v = {.trade_date = DAY_NONE};
    if (item->row)
        v = item->row->values;
    out_begin(out, OUT_TABLE);
    if (item->row)
        out_i64(out, "row", item->row->row);
    else
        out_str(out, "row", STR_NULL);
    out_str(out, "does", difference_kind_name(item->kind));
    for (int f = 0; f < ROW_FIELD_COUNT; f++)
        out_str(
            out, row_field_name((enum row_field)f).p, row_field_text(&v, (enum row_field)f, space));
    out_str(out, "trade", item->trade ? item->trade->id : STR_NULL);
    out_str(out, "doubts", item->row ? item->row->doubts : STR_NULL);
    out_str(out, "held", item->row ? item->row->held : STR_NULL);
    out_end(out);
}

static void put_checks(struct buf *b, const struct desk_view *view)
{
    struct json_out j;
    json_init(&j, b);
    self_check_put(&j, view->checks, view->check_count);
}

enum err review_show(
    struct out *out, struct db *db, const struct desk_view *view, struct fail *fail)
{
    if (out_is_page(out))
        return review_page(out, db, view, fail);
    BUF_SCOPED(history, TEXT_SIZE_MAX);
    BUF_SCOPED(after, TEXT_SIZE_MAX);
    BUF_SCOPED(pages, TEXT_SIZE_MAX);
    BUF_SCOPED(missing, TEXT_SIZE_MAX);
    BUF_SCOPED(rows, TEXT_SIZE_MAX);
    BUF_SCOPED(checks, TEXT_SIZE_MAX);
    put_checks(&checks, view);
    put_rows(&rows, view);
    put_missing(&missing, &view->difference);
    put_after(&after, &view->difference);
    enum err err = put_pages(&pages, db, view->draft.is.document_version, fail);
    if (!err)
        err = put_history(&history, db, view->draft.no, fail);
    if (!err) {
        out_begin(out, OUT_BLOCK);
        show_head(out, view);
        out_raw(out, "checks", buf_view(&checks));
        if (out->json) {
            out_raw(out, "rows", buf_view(&rows));
            out_raw(out, "missing", buf_view(&missing));
            out_raw(out, "after", buf_view(&after));
            out_raw(out, "pages", buf_view(&pages));
            out_raw(out, "history", buf_view(&history));
        }
        out_end(out);
    }
    for (size_t i = 0; i < view->difference.count && !err && !out->json; i++)
        show_row(out, &view->difference.items[i]);
    return err;
}
