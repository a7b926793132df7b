/* /tickers.csv: the symbols of published trades, with what was done. */
#include "site/frame/handlers.h"

#include "site/data/list_csv.h"
#include "site/data/list_forms.h"
#include "site/data/tickers_query.h"

static void put_header(struct buf *b)
{
    buf_text(
        b, "ticker,company_name,industry,trades,bought,sold,exchanged,flagged,late,late_unknown,"
           "politicians,flagged_later,flagged_a,flagged_b,flagged_c\r\n");
}

static void put_row(struct buf *b, const struct feed_ticker_row *row)
{
    struct list_csv_line line = {.to = b};
    const struct feed_counts *counts = &row->counts;
    const int64_t numbers[] = {
        counts->trades,
        counts->buys,
        counts->sells,
        counts->exchanges,
        counts->conflicts,
        counts->late,
        counts->late_unknown,
        row->politicians,
        counts->conflicts_later,
        counts->grades[CONFLICT_GRADE_A],
        counts->grades[CONFLICT_GRADE_B],
        counts->grades[CONFLICT_GRADE_C]};
    list_csv_text(&line, row->symbol);
    list_csv_text(&line, row->company_name);
    list_csv_text(&line, row->industry);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        list_csv_number(&line, numbers[i]);
    list_csv_end(&line);
}

static bool put(
    const struct list_csv *csv, const struct cursor *after, struct buf *b, struct cursor *ret_next)
{
    MEM_UNFILLED struct feed_tickers_page page;
    feed_tickers(csv->feed, csv->filter, after, FEED_PAGE_MAX, &page);
    for (size_t i = 0; i < page.count; i++)
        put_row(b, &page.rows[i]);
    if (page.more)
        *ret_next = page.next;
    return page.more;
}

enum err tickers_csv_load(struct page_call *call, struct fail *fail)
{
    struct feed_tickers_filter *filter = ARENA_NEW(call->arena, struct feed_tickers_filter);
    struct list_query query;
    if (!list_csv_may(call, fail))
        return OK;
    if (!tickers_query_read(call, STR("/tickers.csv"), &query, filter))
        return list_forms_fault(call, STR("/tickers"), fail);
    list_csv_reply(
        call, &(struct list_csv){
                  .name = "tickers",
                  .feed = call->config->feed,
                  .filter = filter,
                  .put_header = put_header,
                  .put = put,
              });
    return OK;
}
