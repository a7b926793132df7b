/* /trades.csv and /conflicts.csv: the whole filtered list of trades, or of flagged trades, as CSV,
 * with the columns of the API's, its dates, and where the trade and its signal come from. */
#include "site/frame/handlers.h"

#include "feed/topics.h"
#include "noun/csv.h"
#include "noun/lists.h"
#include "noun/trade_read.h"
#include "site/data/list_csv.h"
#include "site/data/list_forms.h"
#include "site/data/trade_query.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/reader.h"
#include "store/public/trade.h"

enum { FIELDS = 1 << SHAPE_FIELDS_DATES };

static void put_header(struct buf *b)
{
    shape_trade_csv_header(b, FIELDS);
    buf_text(b, ",url,filing_id,page,row,committees,conflict_reason");
    shape_csv_end(b);
}

/* Ids with a space between them. */
static struct str committees_of(
    const struct feed *feed, const struct signal_topic *topic, struct arena *arena)
{
    BUF_SCOPED(b, SIZE_MAX);
    for (uint32_t i = 0; topic && i < topic->committee_count; i++) {
        const struct topic_committee *committee =
            topics_committee(feed_topics(feed), topic->committees[i]);
        buf_fmt(&b, "%s%.*s", i ? " " : "", STR_ARG(committee->id));
    }
    return arena_str(arena, buf_view(&b));
}

static void put_row(
    const struct list_csv *csv, struct buf *b, const struct feed_row *row, struct arena *arena)
{
    const struct shape_extra extra = feed_row_extra(row, FIELDS);
    struct list_csv_line line = {.to = b, .any = true};
    struct trade trade;
    shape_trade_csv(b, row->head, &extra, true);
    shape_trade_read(row->head, row->tail, arena, &trade);
    list_csv_text(
        &line, arena_fmt(arena, "%.*s/trades/%.*s", STR_ARG(csv->base_url), STR_ARG(trade.id)));
    list_csv_text(&line, trade_id_filing(trade.id));
    if (row->report.page)
        list_csv_number(&line, row->report.page);
    else
        list_csv_text(&line, STR_NULL);
    list_csv_number(&line, trade_id_row(trade.id));
    list_csv_text(&line, committees_of(csv->feed, row->topic, arena));
    list_csv_text(&line, trade.conflict_reason);
    list_csv_end(&line);
}

static bool put(
    const struct list_csv *csv, const struct cursor *after, struct buf *b, struct cursor *ret_next)
{
    MEM_UNFILLED struct feed_page page;
    ARENA_SCOPED(arena);
    feed_trades(csv->feed, csv->filter, after, FEED_PAGE_MAX, &page);
    for (size_t i = 0; i < page.count; i++)
        put_row(csv, b, &page.rows[i], &arena);
    if (page.more)
        *ret_next = page.next;
    return page.more;
}

/* A file that ended early would look whole. */
static bool is_short_enough(struct page_call *call, const struct feed_filter *filter)
{
    BUF_SCOPED(count, 64);
    rcu_read_begin();
    int64_t trades = feed_trade_count(call->config->feed, filter);
    rcu_read_end();
    if (trades <= reader_csv_rows(call))
        return true;
    view_count_put(&count, trades);
    page_problem(
        call, PROBLEM_FORBIDDEN,
        arena_fmt(
            call->arena,
            "The list has %.*s trades, and files for everybody have at most 100,000. Choose a "
            "filter, such as a member, or days (traded_from, traded_to). The Wolf, Pack and Den "
            "plans have the whole list.",
            STR_ARG(buf_view(&count))));
    return false;
}

static enum err load(struct page_call *call, const char *name, bool flagged, struct fail *fail)
{
    struct trade_query *query = ARENA_NEW(call->arena, struct trade_query);
    if (!list_csv_may(call, fail))
        return OK;
    if (!trade_query_read(call, str_from(call->page->path), query))
        return list_forms_fault(call, arena_fmt(call->arena, "/%s", name), fail);
    query->filter.conflicts_only |= flagged;
    if (!is_short_enough(call, &query->filter))
        return OK;
    list_csv_reply(
        call, &(struct list_csv){
                  .name = name,
                  .feed = call->config->feed,
                  .filter = &query->filter,
                  .base_url = call->config->base_url,
                  .put_header = put_header,
                  .put = put,
              });
    return OK;
}

enum err trades_csv_load(struct page_call *call, struct fail *fail)
{
    return load(call, "trades", false, fail);
}

enum err conflicts_csv_load(struct page_call *call, struct fail *fail)
{
    return load(call, "conflicts", true, fail);
}
