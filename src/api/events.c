/* GET /api/v1/events: the events that webhooks deliver, oldest first, for callers that cannot
 * receive requests (decision 40; `stockact listen`). A page says where to continue, in lastCursor,
 * also when it is empty. Without a cursor it has the newest events, so that a follower need not
 * read history.
 *
 * A page reads a bounded part of the events and has a bounded size, so it may be short or empty
 * while nextCursor is set. */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "noun/change.h"
#include "noun/lists.h"
#include "rule/event_type.h"
#include "store/public/event.h"

enum {
    PAGE_BYTES = 256 * 1024,           /* a page ends before the body that would pass this */
    BODY_SIZE_MAX = 15 * 1024 * 1024,  /* a reply has HTTP_REPLY_MAX in all */
    EXAMINED_MAX = EVENT_SEARCHED_MAX, /* events read for a page, of all types */
};

enum { FILTER_EVENTS };

static const struct param filters[] = {
    PARAM(
        FILTER_EVENTS, PARAM_TYPE_SET, "events", "Only events of these types.",
        "trade.published,trade.corrected", .list = &shape_event_types),
};

const struct param_table events_params = PARAM_TABLE(filters);

/* The page being written. The query asks for one event more, to detect a next page. */
struct page_of_events {
    struct buf *body;
    int64_t limit, count;
    bool full;
    struct event_place last;
};

/* The id in a cursor is the number of the event. */
static struct cursor cursor_of(const struct event_place *place)
{
    char id[DIGITS_MAX_U64];
    struct buf b = buf_over(id, sizeof id);
    buf_i64(&b, place->no);
    return cursor_at(CURSOR_EVENTS, place->at, buf_view(&b));
}

/* The event that the cursor names. No event has a number that is not one, or -1. */
static struct event_place place_of(const struct cursor *cursor)
{
    struct event_place place = {-1, cursor->at_ms};
    if (!str_to_i64(cursor_id(cursor), &place.no))
        place.no = -1;
    return place;
}

static void put_event(struct buf *b, const struct event_row *row)
{
    const struct shape_event shown = {
        .id = row->id,
        .type = row->type,
        .at = row->place.at,
        .body = row->body.n <= BODY_SIZE_MAX ? row->body : STR_NULL,
    };
    shape_object_json(b, &shape_event, &shown);
}

static bool put_row(void *ctx, const struct event_row *row)
{
    struct page_of_events *page = ctx;
    page->full =
        page->count == page->limit || (page->count > 0 && page->body->n + row->body.n > PAGE_BYTES);
    if (page->full)
        return false;
    if (page->count++ > 0)
        buf_char(page->body, ',');
    put_event(page->body, row);
    page->last = row->place;
    return true;
}

/* {"data": [...], "nextCursor": text or null, "lastCursor": text} */
static void put_end(struct api_call *call, const struct page_of_events *page, bool more)
{
    struct list_end end;
    struct cursor last = cursor_of(&page->last);
    list_end(more ? &last : NULL, &end);
    buf_str(page->body, str_slice(end.after, 0, end.after.n - 1));
    buf_text(page->body, ",\"lastCursor\":\"");
    cursor_encode(page->body, &last);
    buf_text(page->body, "\"}");
    list_link(call, &end);
}

static enum err begin_after(
    const struct api_call *call, struct db *db, int64_t types, int64_t *ret, struct fail *fail)
{
    const struct cursor *cursor = list_after(&call->params);
    if (!cursor)
        return event_before_newest(db, types, (int64_t)list_limit(&call->params), ret, fail);
    const struct event_place place = place_of(cursor);
    return event_continue(db, &place, ret, fail);
}

enum err events_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    const struct param_value *events = &call->params.filters[FILTER_EVENTS];
    struct page_of_events page = {
        .body = http_body(call->x), .limit = (int64_t)list_limit(&call->params)};
    struct event_range range = {
        .types = str_is_null(events->text) ? EVENT_TYPES_ALL : events->number,
        .count = page.limit + 1,
    };
    struct event_place newest, end;
    enum err err = event_place_at(db, INT64_MAX, &newest, fail);
    if (!err)
        err = begin_after(call, db, range.types, &range.after, fail);
    if (err)
        return err;
    end = newest;
    if (newest.no - range.after > EXAMINED_MAX)
        err = event_place_after(db, range.after, EXAMINED_MAX, &end, fail);
    range.last = end.no;
    buf_text(page.body, "{\"data\":[");
    if (!err)
        err = event_each(db, &range, put_row, &page, fail);
    if (err)
        return err;
    if (!page.full)
        page.last = end; /* the others up to here are of other types */
    put_end(call, &page, page.last.no < newest.no);
    return OK;
}
