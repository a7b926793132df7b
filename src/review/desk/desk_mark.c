/* Marks of drafts; see desk_mark.h. */
#include "review/desk/desk_mark.h"

#include "base/codec.h"
#include "base/hash.h"

enum { TEXT_SIZE_MAX = 64 * 1024 * 1024 };

static void put_row(struct buf *b, const struct draft_row_stored *row)
{
    char space[ROW_FIELD_TEXT_MAX];
    buf_fmt(
        b, "row %d %d %d %d %d %d", row->row, row->page, (int)row->status, row->notified_date,
        (int)row->cap_gains, row->removed);
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        buf_char(b, '\n');
        buf_str(b, row_field_text(&row->values, (enum row_field)f, space));
    }
    buf_fmt(
        b, "\n%.*s\n%.*s\n%.*s\n%.*s\n", STR_ARG(row->doubts), STR_ARG(row->held),
        STR_ARG(row->trade_id), STR_ARG(row->company));
}

static void finish(struct buf *b, char ret[static DESK_MARK_SIZE])
{
    uint64_t hash = hash_str(buf_view(b));
    hex_encode((const uint8_t *)&hash, sizeof hash, ret);
    buf_finish(b);
}

void desk_mark_row(const struct draft_row_stored *row, char ret[static DESK_MARK_SIZE])
{
    struct buf b;
    buf_init(&b, TEXT_SIZE_MAX);
    put_row(&b, row);
    finish(&b, ret);
}

void desk_mark(const struct desk_view *view, char ret[static DESK_MARK_SIZE])
{
    const struct draft *d = &view->draft;
    struct buf b;
    buf_init(&b, TEXT_SIZE_MAX);
    buf_fmt(
        &b, "%lld %.*s %lld %.*s %lld\n", (long long)d->no, STR_ARG(d->is.politician_id),
        (long long)d->is.filed_at, STR_ARG(d->is.url), (long long)d->is.document_version);
    if (!str_is_null(d->is.reason)) /* such as a fault that somebody reported */
        buf_fmt(&b, "reason %.*s\n", STR_ARG(d->is.reason));
    if (d->is.manual)
        buf_fmt(&b, "manual\n");
    for (size_t i = 0; i < view->check_count; i++)
        buf_fmt(&b, "%.*s %d\n", STR_ARG(view->checks[i].name), view->checks[i].passed);
    for (size_t i = 0; i < view->rows.count; i++)
        put_row(&b, &view->rows.items[i]);
    difference_put(&b, &view->difference);
    for (size_t i = 0; i < view->difference.after_count; i++)
        buf_fmt(&b, "after %.*s\n", STR_ARG(view->difference.after[i]));
    finish(&b, ret);
}
