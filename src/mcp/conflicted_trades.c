/* get_conflicted_trades; see conflicted_trades.h. */
#include "mcp/conflicted_trades.h"

#include "base/mem.h"
#include "mcp/feed_scan.h"

struct conflicted_trades_found {
    struct feed_scan scan;
    struct buf trades; /* JSON objects, separated by commas */
    size_t count;
};

void conflicted_trades_finish(void *state)
{
    struct conflicted_trades_found *found = state;
    feed_scan_finish(&found->scan);
    buf_finish(&found->trades);
    mem_free(found);
}

void conflicted_trades_start(struct call *call)
{
    struct conflicted_trades_found *found = MEM_NEW(struct conflicted_trades_found);
    feed_scan_init(
        &found->scan, call_value(call, STR("max_pages"))->number,
        call_value(call, STR("cursor"))->text);
    buf_init(&found->trades, SIZE_MAX);
    call->state = found;
    feed_scan_ask(&found->scan, call);
}

static void add_trade(void *state, const struct api_trade *trade)
{
    struct conflicted_trades_found *found = state;
    if (!trade->conflict)
        return;
    if (found->count++ > 0)
        buf_char(&found->trades, ',');
    api_answer_put_line(&found->trades, trade->json);
}

void conflicted_trades_end(struct call *call, struct str cut_short)
{
    struct conflicted_trades_found *found = call->state;
    struct str cursor = buf_view(&found->scan.next_cursor);
    struct buf b;
    struct json_out j;
    buf_init(&b, SIZE_MAX);
    buf_str(&b, STR("\"data\":["));
    buf_str(&b, buf_view(&found->trades));
    buf_str(&b, STR("],\"nextCursor\":"));
    json_init(&j, &b);
    json_str(&j, cursor.n > 0 ? cursor : STR_NULL);
    if (!str_is_null(cut_short)) {
        buf_str(&b, STR(",\"cutShort\":"));
        json_init(&j, &b);
        json_str(&j, cut_short);
    }
    call_result(call, buf_view(&b));
    buf_finish(&b);
}

void conflicted_trades_answered(struct call *call, const struct api_answer *page)
{
    struct conflicted_trades_found *found = call->state;
    feed_scan_take(&found->scan, call, page, add_trade);
    if (feed_scan_may_go_on(&found->scan) && found->count < CONFLICTED_ENOUGH)
        feed_scan_ask(&found->scan, call);
    else
        conflicted_trades_end(call, STR_NULL);
}
