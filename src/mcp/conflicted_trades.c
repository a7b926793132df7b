/* get_conflicted_trades; see conflicted_trades.h. */
#include "mcp/conflicted_trades.h"

#include <inttypes.h>

#include "mcp/about.h"
#include "mcp/feed_scan.h"
#include "mcp/note.h"
#include "mcp/parameters.h"
#include "rule/page.h"

struct conflicted_trades_found {
    struct feed_scan scan;
    bool indexed; /* every trade that is read has a signal and matches the filters */
    struct about about;
    struct buf trades; /* JSON objects, separated by commas */
    size_t count, enough;
    size_t page_rows; /* asked for in each page */
    bool full;        /* the page that is read is the last one */
};

void conflicted_trades_finish(void *state)
{
    struct conflicted_trades_found *found = state;
    feed_scan_finish(&found->scan);
    about_finish(&found->about);
    buf_finish(&found->trades);
    mem_free(found);
}

/* --- what is asked */

static bool is_true(const struct call *call, struct str name)
{
    return str_eq(call_value(call, name)->text, STR("true"));
}

/* Asks for the next page with this many rows. */
static void ask(struct conflicted_trades_found *found, struct call *call, size_t rows)
{
    struct buf *query = &found->scan.query;
    char sep = '&';
    found->page_rows = rows;
    buf_reset(query);
    buf_fmt(query, "?limit=%zu", rows);
    if (found->indexed)
        buf_str(query, STR("&conflict=true"));
    parameters_put(query, call, ARGUMENT_FILTERS, &sep);
    parameters_put(query, call, ARGUMENT_PAGES, &sep);
    feed_scan_ask(&found->scan, call);
}

void conflicted_trades_start(struct call *call)
{
    struct conflicted_trades_found *found = MEM_NEW(struct conflicted_trades_found);
    struct str about = call_value(call, STR("about"))->text;
    int64_t limit = call_value(call, STR("limit"))->number;
    int64_t pages = call_value(call, STR("max_pages"))->number;
    call->state = found;
    buf_init(&found->trades, SIZE_MAX);
    about_init(&found->about, about);
    found->indexed =
        is_true(call, STR("everywhere")) || !str_is_null(about) || parameters_filter(call);
    found->enough = found->indexed ? (size_t)limit : CONFLICTED_ENOUGH;
    bool one_page = found->indexed && found->about.count == 0;
    feed_scan_init(&found->scan, one_page ? 1 : pages, call_value(call, STR("cursor"))->text);
    ask(found, call, one_page ? (size_t)limit : PAGE_LIMIT_MAX);
}

/* --- what is kept */

static bool fits(const struct conflicted_trades_found *found, const struct api_item *trade)
{
    return trade->conflict && about_fits(&found->about, trade);
}

/* The rows of the page up to the last trade that the limit and the size of a result allow; all, if
 * they allow all. */
static size_t rows_within_limit(
    const struct conflicted_trades_found *found, const struct api_page *page)
{
    size_t count = found->count, size = found->trades.n, rows = 0;
    for (size_t i = 0; i < page->count; i++)
        if (fits(found, &page->items[i])) {
            size += page->items[i].json.n;
            if (count++ == found->enough || (count > 1 && size > RESULT_ROWS_SIZE_MAX))
                return rows;
            rows = i + 1;
        }
    return page->count;
}

static void add_trade(void *state, const struct api_item *trade)
{
    struct conflicted_trades_found *found = state;
    if (!fits(found, trade))
        return;
    if (found->count++ > 0)
        buf_char(&found->trades, ',');
    api_answer_put_line(&found->trades, trade->json);
}

/* --- the result */

static void put_unfit(struct buf *b, const struct call *call, bool more)
{
    const struct conflicted_trades_found *found = call->state;
    buf_fmt(
        b, "None of %" PRId64 " trades with a signal fits what about says.%s", found->scan.trades,
        more ? " nextCursor continues." : "");
    about_put_nearest(b, &found->about);
    note_waiting(b, call);
}

static void put_note(struct buf *b, const struct call *call)
{
    const struct conflicted_trades_found *found = call->state;
    const struct feed_scan *scan = &found->scan;
    bool more = scan->next_cursor.n > 0;
    if (!found->indexed && more)
        buf_fmt(
            b,
            "Only %" PRId64
            " trades were scanned. everywhere: true searches all trades with a signal.",
            scan->trades);
    else if (found->count == 0 && found->about.count > 0)
        put_unfit(b, call, more);
    else if (found->count == 0)
        note_nothing(b, call, buf_view(&scan->next_cursor));
}

void conflicted_trades_end(struct call *call, struct str cut_short)
{
    struct conflicted_trades_found *found = call->state;
    struct str cursor = buf_view(&found->scan.next_cursor);
    if (!str_is_null(cut_short) && found->scan.pages == 0) { /* the first page, cut, failed */
        call_failed(call, cut_short);
        return;
    }
    BUF_SCOPED(note, SIZE_MAX);
    BUF_SCOPED(b, SIZE_MAX);
    struct json_out j;
    buf_str(&b, STR("\"data\":["));
    buf_str(&b, buf_view(&found->trades));
    buf_str(&b, STR("],\"nextCursor\":"));
    json_init(&j, &b);
    json_str(&j, cursor.n > 0 ? cursor : STR_NULL);
    if (!str_is_null(cut_short)) {
        buf_str(&b, STR(",\"cutShort\":"));
        json_init(&j, &b);
        json_str(&j, cut_short);
    } else {
        put_note(&note, call);
    }
    note_put(&b, buf_view(&note));
    call_result(call, buf_view(&b));
}

void conflicted_trades_answered(struct call *call, const struct api_answer *page)
{
    struct conflicted_trades_found *found = call->state;
    size_t rows = rows_within_limit(found, &page->page);
    if (rows == 0 && page->page.count > 0) { /* no room: its first trade is of the next result */
        conflicted_trades_end(call, STR_NULL);
        return;
    }
    if (rows < page->page.count && rows < found->page_rows) {
        found->full = true;
        ask(found, call, rows); /* the same page, cut: its nextCursor continues right behind it */
        return;
    }
    feed_scan_take(&found->scan, call, page, add_trade);
    if (feed_scan_may_go_on(&found->scan) && !found->full && found->count < found->enough)
        feed_scan_ask(&found->scan, call);
    else
        conflicted_trades_end(call, STR_NULL);
}
