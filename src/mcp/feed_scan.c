/* Reads pages of the feed; see feed_scan.h. */
#include "mcp/feed_scan.h"

#include <inttypes.h>

#include "rule/query.h"

void feed_scan_init(struct feed_scan *s, int64_t pages_max, struct str cursor)
{
    *s = (struct feed_scan){.pages_max = pages_max};
    buf_init(&s->next_cursor, SIZE_MAX);
    buf_str(&s->next_cursor, cursor);
    buf_init(&s->query, SIZE_MAX);
}

void feed_scan_finish(struct feed_scan *s)
{
    buf_finish(&s->next_cursor);
    buf_finish(&s->query);
}

void feed_scan_ask(struct feed_scan *s, struct call *call)
{
    BUF_SCOPED(target, SIZE_MAX);
    buf_str(&target, call->tool->path);
    buf_str(&target, buf_view(&s->query));
    if (s->next_cursor.n > 0) {
        buf_str(&target, STR("&cursor="));
        query_encode(&target, buf_view(&s->next_cursor));
    }
    call_get(call, buf_view(&target));
}

void feed_scan_take(
    struct feed_scan *s, struct call *call, const struct api_answer *page, feed_scan_trade *fn)
{
    char text[64];
    s->pages++;
    s->trades += (int64_t)page->page.count;
    for (size_t i = 0; i < page->page.count; i++)
        fn(call->state, &page->page.items[i]);
    buf_reset(&s->next_cursor);
    buf_str(&s->next_cursor, page->page.next_cursor);
    struct buf b = buf_over(text, sizeof text);
    buf_fmt(&b, "%" PRId64 " trades scanned", s->trades);
    buf_char(&b, '\0');
    call_progress(call, s->pages, s->pages_max, text);
}

bool feed_scan_may_go_on(const struct feed_scan *s)
{
    return s->next_cursor.n > 0 && s->pages < s->pages_max;
}
