/* /trades.csv: the whole filtered list as CSV, for plans that have it, guarded against formulas of
 * spreadsheets. The loop writes it page by page from the feed, so it may be of any length. */
#include "site/handlers.h"

#include "core/cursor.h"
#include "core/plan.h"
#include "shape/csv.h"
#include "site/page_call_parts.h"
#include "site/reader.h"
#include "site/trade_query.h"

struct download {
    const struct feed *feed;
    struct trade_query query;
    bool begun;
};

static enum http_stream_next turn(struct http_exchange *x, struct buf *out)
{
    MEM_UNFILLED struct feed_page page;
    struct download *download = page_stream_ctx(x);
    struct trade_query *query = &download->query;
    if (!download->begun)
        shape_trade_csv_header(out);
    download->begun = true;
    rcu_read_begin();
    feed_trades(download->feed, &query->filter, trade_query_after(query), FEED_PAGE_MAX, &page);
    for (size_t i = 0; i < page.count; i++)
        shape_trade_csv_guarded(out, page.rows[i].head);
    rcu_read_end();
    query->has_cursor = true;
    query->cursor = page.next;
    return page.more ? HTTP_STREAM_MORE : HTTP_STREAM_END;
}

static void ended(struct http_exchange *x)
{
}

static const struct http_streamer streamer = {.turn = turn, .ended = ended, .finite = true};

enum err trades_csv_load(struct page_call *call, struct fail *fail)
{
    char day[DAY_TEXT_SIZE];
    struct download *download = ARENA_NEW(call->arena, struct download);
    if (!reader_has_csv(call)) {
        page_problem(
            call, PROBLEM_FORBIDDEN,
            STR("CSV downloads come with the Wolf, Pack and Den plans. Everybody can read the list "
                "as JSON: see the documentation."));
        return OK;
    }
    /* A query with faults is shown by the page of the list, beside the fields. */
    if (!trade_query_read(call, STR("/trades.csv"), &download->query)) {
        if (call->query_form)
            page_template(call, 200, STR("trades_page"), STR("Trades"));
        return OK;
    }
    download->feed = call->config->feed;
    day_print(instant_day_new_york(call->now_ms), day);
    page_stream(
        call, &streamer, download, STR("text/csv; charset=utf-8; header=present"),
        arena_fmt(call->arena, "stockact-trades-%.*s.csv", DAY_TEXT_SIZE, day));
    return OK;
}
