/* Trades in the order of the document; see filing_rows.h. */
#include "site/data/filing_rows.h"

#include <stdlib.h>

#include "feed/feed.h"
#include "noun/trade_read.h"
#include "site/frame/reader.h"
#include "store/public/trade.h"

/* A trade that may be among the first. Both texts point into the feed. */
struct row {
    int64_t number;
    struct str head, tail;
    struct lateness lateness;
};

/* The first rows of those seen so far; the array has room for twice as many. */
struct first_rows {
    struct row *items;
    size_t count, limit;
};

static int by_number(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static void keep_first(struct first_rows *first)
{
    qsort(first->items, first->count, sizeof *first->items, by_number);
    if (first->count > first->limit)
        first->count = first->limit;
}

static void add(struct first_rows *first, struct row row)
{
    if (first->count == 2 * first->limit)
        keep_first(first);
    first->items[first->count++] = row;
}

static void add_page(struct first_rows *first, const struct feed_page *page, int64_t after)
{
    ARENA_SCOPED(arena);
    struct trade trade;
    for (size_t i = 0; i < page->count; i++) {
        const struct feed_row *row = &page->rows[i];
        shape_trade_read(row->head, row->tail, &arena, &trade);
        int64_t number = trade_id_row(trade.id);
        if (number > after)
            add(first, (struct row){number, row->head, row->tail, feed_row_lateness(row)});
    }
}

static void walk(
    struct page_call *call, struct str filing_id, int64_t after, struct first_rows *first)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct cursor place;
    const struct cursor *from = NULL;
    filter.filing = filing_id;
    filter.line_ms = reader_until(call);
    do {
        feed_trades(call->config->feed, &filter, from, FEED_PAGE_MAX, &page);
        add_page(first, &page, after);
        place = page.next;
        from = &place;
    } while (page.more);
    keep_first(first);
}

void filing_rows_read(
    struct page_call *call, struct str filing_id, int64_t after, size_t limit,
    struct filing_rows *ret)
{
    struct first_rows first = {.limit = limit + 1};
    first.items = ARENA_ARRAY(call->arena, struct row, 2 * first.limit);
    walk(call, filing_id, after, &first);
    *ret = (struct filing_rows){.more = first.count > limit};
    ret->count = ret->more ? limit : first.count;
    ret->items = ARENA_ARRAY(call->arena, struct document_row, ret->count + 1);
    for (size_t i = 0; i < ret->count; i++) {
        const struct row *row = &first.items[i];
        ret->items[i] = (struct document_row){.lateness = row->lateness};
        shape_trade_read(row->head, row->tail, call->arena, &ret->items[i].trade);
    }
    if (ret->more) {
        const struct trade *last = &ret->items[ret->count - 1].trade;
        ret->next = cursor_at(CURSOR_TRADES, last->disclosed_at, last->id);
    }
}
