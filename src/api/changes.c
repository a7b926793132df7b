/* GET /api/v1/changes: the sequence of everything that changed, oldest first, for callers that keep
 * a copy (decision 47). Unlike the other lists it has no end: every page says where to continue, in
 * lastSeq and lastCursor. A cursor holds number and instant of an entry, so that a restored backup
 * is noticed. */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "base/log.h"
#include "noun/change.h"
#include "store/public/change_log.h"

enum { FILTER_AFTER };

static const struct param filters[] = {
    [FILTER_AFTER] =
        {
            .name = STR_INIT("after"),
            .type = PARAM_TYPE_INTEGER,
            .min = 0,
            .max = INT64_C(9007199254740991), /* the largest integer of every JSON parser */
            .absent_text = STR_INIT("0"),
            .description =
                STR_INIT("Only entries with a larger seq. To keep a copy, pass lastCursor as "
                         "cursor instead: it also notices a restored backup."),
            .example = STR_INIT("1041"),
        },
};

const struct param_table changes_params = PARAM_TABLE(filters);

/* The page being written. The query asks for one entry more, to detect a next page. */
struct page_of_changes {
    struct buf *body;
    int64_t limit, count;
    struct change_place last;
    bool damaged; /* an entry leaves out what does not match its digest */
};

/* The id in a cursor is the number of the entry. */
static struct cursor cursor_of(const struct change_place *place)
{
    char id[DIGITS_MAX_U64];
    struct buf b = buf_over(id, sizeof id);
    buf_i64(&b, place->seq);
    return cursor_at(CURSOR_CHANGES, place->at, buf_view(&b));
}

static enum err put_row(void *ctx, const struct change_entry *e)
{
    struct page_of_changes *page = ctx;
    if (page->count++ == page->limit)
        return OK;
    if (page->count > 1)
        buf_char(page->body, ',');
    shape_object_json(page->body, &shape_change, e);
    page->damaged |= e->damaged;
    page->last = (struct change_place){e->seq, e->at};
    return OK;
}

/* The entry that the cursor names. No entry has a number that is not one, or -1. */
static struct change_place place_of(const struct cursor *cursor)
{
    struct change_place place = {-1, cursor->at_ms};
    if (!str_to_i64(cursor_id(cursor), &place.seq))
        place.seq = -1;
    return place;
}

/* {"data": [...], "nextCursor": text or null, "lastSeq": number, "lastCursor": text} */
static void put_end(struct api_call *call, const struct page_of_changes *page)
{
    struct list_end end;
    struct cursor last = cursor_of(&page->last);
    list_end(page->count > page->limit ? &last : NULL, &end);
    buf_str(page->body, str_slice(end.after, 0, end.after.n - 1));
    buf_text(page->body, ",\"lastSeq\":");
    buf_i64(page->body, page->last.seq);
    buf_text(page->body, ",\"lastCursor\":\"");
    cursor_encode(page->body, &last);
    buf_text(page->body, "\"}");
    list_link(call, &end);
}

enum err changes_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    struct page_of_changes page = {
        .body = http_body(call->x), .limit = (int64_t)list_limit(&call->params)};
    const struct cursor *cursor = list_after(&call->params);
    int64_t after = call->params.filters[FILTER_AFTER].number;
    if (cursor) {
        struct change_place place = place_of(cursor);
        bool known = false;
        TRY(change_log_has(db, &place, &known, fail));
        if (!known) {
            reply_error(call, ERROR_HISTORY_REPLACED, STR_NULL);
            return OK;
        }
        after = place.seq > after ? place.seq : after;
    }
    buf_str(page.body, STR("{\"data\":["));
    TRY(change_log_each(db, after, page.limit + 1, put_row, &page, fail));
    /* smaller than `after` if an older database was restored */
    if (page.count == 0)
        TRY(change_log_last(db, &page.last, fail));
    if (page.damaged)
        log_line(
            LOG_ERROR, "rows of changes are damaged and left out: run `stockact check`",
            LOG_I("last_seq", page.last.seq));
    put_end(call, &page);
    return OK;
}
