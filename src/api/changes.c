/* GET /api/v1/changes: the sequence of everything that changed, oldest first, for callers that keep
 * a copy (decision 47). Unlike the other lists it has no end: the last page also says where to
 * continue, in lastSeq. */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "base/json_out.h"
#include "store/change_log.h"
#include "shape/change.h"

enum { FILTER_AFTER };

static const struct param filters[] = {
    [FILTER_AFTER] =
        {
            .name = STR_INIT("after"),
            .type = PARAM_TYPE_INTEGER,
            .min = 0,
            .max = INT64_C(9007199254740991), /* the largest integer of every JSON parser */
            .absent_text = STR_INIT("0"),
            .description = STR_INIT(
                "Only entries with a larger seq. Pass the lastSeq of the previous response; leave "
                "it out to begin a copy."),
            .example = STR_INIT("1041"),
        },
};

const struct param_table changes_params = PARAM_TABLE(filters);

/* The page being written. The query asks for one entry more, to detect a next page. */
struct page_of_changes {
    struct buf *body;
    int64_t limit, count;
    int64_t last_seq;
    struct cursor last;
};

/* The id in a cursor is the number of the entry. */
static struct cursor cursor_of(const struct change_entry *e)
{
    char id[DIGITS_MAX_U64];
    struct buf b = buf_over(id, sizeof id);
    buf_i64(&b, e->seq);
    return cursor_at(CURSOR_CHANGES, e->at, buf_view(&b));
}

static enum err put_row(void *ctx, const struct change_entry *e)
{
    struct page_of_changes *page = ctx;
    if (page->count++ == page->limit)
        return OK;
    if (page->count > 1)
        buf_char(page->body, ',');
    shape_change_json(page->body, e);
    page->last = cursor_of(e);
    page->last_seq = e->seq;
    return OK;
}

/* The later of both positions; a cursor with a malformed id begins at 0. */
static int64_t position(const struct param_values *params)
{
    const struct cursor *cursor = list_after(params);
    int64_t after = params->filters[FILTER_AFTER].number, seq = 0;
    if (cursor && str_to_i64(cursor_id(cursor), &seq) && seq > after)
        after = seq;
    return after;
}

/* {"data": [...], "nextCursor": text or null, "lastSeq": number} */
static void put_end(struct api_call *call, const struct page_of_changes *page)
{
    struct list_end end;
    list_end(page->count > page->limit ? &page->last : NULL, &end);
    buf_str(page->body, str_slice(end.after, 0, end.after.n - 1));
    buf_text(page->body, ",\"lastSeq\":");
    buf_i64(page->body, page->last_seq);
    buf_char(page->body, '}');
    list_link(call, &end);
}

enum err changes_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    struct page_of_changes page = {
        .body = http_body(call->x), .limit = (int64_t)list_limit(&call->params)};
    buf_str(page.body, STR("{\"data\":["));
    enum err err =
        change_log_each(db, position(&call->params), page.limit + 1, put_row, &page, fail);
    if (!err && page.count == 0) /* smaller than `after` if an older database was restored */
        err = change_log_last(db, &page.last_seq, fail);
    if (!err)
        put_end(call, &page);
    return err;
}
