/* /filings/{id}: one filing with all its trades. */

#include <stdlib.h>

#include "feed/feed.h"
#include "html/table.h"
#include "noun/trade_read.h"
#include "paper/row_picture.h"
#include "review/held_rows.h"
#include "rule/cursor.h"
#include "rule/model.h"
#include "site/data/filing_view.h"
#include "site/data/list_query.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_source_view.h"
#include "site/frame/trade_view.h"
#include "store/public/kept_document.h"
#include "store/public/provenance.h"
#include "store/public/trade.h"

struct document_row {
    struct trade trade;
    struct lateness lateness;
};

struct filing_rows {
    struct document_row *items; /* in the arena of the call */
    size_t count;
    bool more; /* there are rows after these: hand out `next` */
    struct cursor next;
};

/* Trades in the order of the document. */

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

/* At most `limit` trades that the visitor sees, after the row `after` (0: from the first). Call it
 * inside a read of the feed. Looks at every trade of the filing: 10 ms of CPU for 10,000. */
static void filing_rows_read(
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

enum { ROWS_MAX = 50, PAGES_MAX = 100 };

/* What the page shows of the document. */
struct filing_paper {
    struct kept_row *rows; /* that the visitor sees, by row */
    size_t row_count;
    bool kept; /* there are pictures */
    bool lies; /* its pages are wider than high: the first one is a scan that was turned */
    int64_t first, last; /* the rows that the page of the list shows; 0: none */
};

static enum err find_paper(
    struct page_call *call, struct str id, struct filing_paper *ret, struct fail *fail)
{
    struct kept_document document;
    struct kept_scan first = {.known = false};
    enum err err = kept_document_of_filing(call->db, id, &document, fail);
    ret->kept = !err;
    if (!err)
        err = kept_scan_page(call->db, &document, 1, &first, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    ret->lies = first.turn % 180 != 0;
    return kept_document_rows(
        call->db, id, reader_before(call), call->arena, &ret->rows, &ret->row_count, fail);
}

/* --- its heading */

/* The rows of an amendment that repeat or correct trades of the earlier filing are trades of that
 * filing, so the heading of an amendment has no number. */
static void put_heading(
    struct page_call *call, const struct filing_seen *seen, const struct provenance *provenance)
{
    char day[DAY_TEXT_SIZE];
    day_print(seen->filed, day);
    struct str what = call->reply->lacking ? STR("report") : STR("amendment");
    if (str_is_null(provenance->amends) && !call->reply->lacking)
        what = arena_fmt(
            call->arena, "%lld %s", (long long)seen->trades,
            seen->trades == 1 ? "trade" : "trades");
    struct str heading = arena_fmt(
        call->arena, "%.*s: %.*s filed on %.*s",
        STR_ARG(seen->name.n ? seen->name : STR("Unknown filer")), STR_ARG(what), DAY_TEXT_SIZE,
        day);
    view_str(call->view, "heading", heading);
    view_str(call->view, "review", trade_review_words(provenance->review));
    page_title(call, heading);
}

/* --- its rows */

static int by_row(const void *row, const void *item)
{
    return *(const int *)row - ((const struct kept_row *)item)->row;
}

/* 0: not known. */
static int page_of(const struct filing_paper *paper, struct str trade_id)
{
    int row = (int)trade_id_row(trade_id);
    const struct kept_row *found =
        paper->row_count ? bsearch(&row, paper->rows, paper->row_count, sizeof *paper->rows, by_row)
                         : NULL;
    return found ? found->page : 0;
}

/* Members as in trade_view.h, and: page (null: not known), paper (its strip is shown there). */
static void put_row(
    struct page_call *call, struct view *v, const struct document_row *row,
    const struct filing_paper *paper)
{
    trade_view_put(call, v, &row->trade);
    trade_late_put(v, &row->lateness);
    int page = page_of(paper, row->trade.id);
    if (page)
        view_int(v, "page", page);
    else
        view_null(v, "page");
    view_bool(v, "paper", paper->kept && page);
}

/* In the order of the document. */
static void put_trades(
    struct page_call *call, struct str id, struct str path, int64_t after,
    const struct provenance *provenance, struct filing_paper *paper)
{
    const char *empty = "All trades of this filing were withdrawn.";
    if (!str_is_null(provenance->amends) || call->reply->lacking)
        empty = "This amendment added no trade, or what it added was withdrawn.";
    if (after)
        empty = "No row of this filing follows.";
    struct filing_rows rows;
    filing_rows_read(call, id, after, ROWS_MAX, &rows);
    struct view *table =
        table_begin(call->view, "trades", "Traded|Asset|Side|Amount|In the document", empty);
    for (size_t i = 0; i < rows.count; i++)
        put_row(call, table_row(table), &rows.items[i], paper);
    if (rows.count) {
        paper->first = trade_id_row(rows.items[0].trade.id);
        paper->last = trade_id_row(rows.items[rows.count - 1].trade.id);
    }
    page_cursor_links(call, table, path, NULL, 0, rows.more ? &rows.next : NULL);
}

/* The row that the cursor names; 0: there is none. False: the query is faulty, or the reply is a
 * redirect. */
static bool read_query(struct page_call *call, struct str id, struct str path, int64_t *ret)
{
    static const struct param_table no_filters;
    struct list_query query;
    *ret = 0;
    if (!list_query_read(call, path, &no_filters, CURSOR_TRADES, &query))
        return false;
    if (!query.has_cursor)
        return true;
    struct str trade_id = cursor_id(&query.cursor);
    if (!str_eq(trade_id_filing(trade_id), id)) {
        list_query_damaged(call->query_form);
        return false;
    }
    *ret = trade_id_row(trade_id);
    return true;
}

/* --- the pages of the document */

static bool is_shown(const struct filing_paper *paper, const struct kept_row *row)
{
    return row->page && row->row >= paper->first && row->row <= paper->last;
}

static void put_page(
    struct view *pages, struct str id, int number, const struct filing_paper *paper)
{
    struct view *page = view_item(pages);
    view_int(page, "number", number);
    view_fmt(page, "src", "/filings/%.*s/pages/%d.png", STR_ARG(id), number);
    struct view *list = view_list(page, "rows");
    int found = 0;
    for (size_t i = 0; i < paper->row_count; i++) {
        if (paper->rows[i].page != number || !is_shown(paper, &paper->rows[i]))
            continue;
        struct view *row = view_item(list);
        view_int(row, "row", paper->rows[i].row);
        view_fmt(row, "href", "/trades/%.*s-%04d#paper", STR_ARG(id), paper->rows[i].row);
        found++;
    }
    view_bool(page, "any", found > 0);
    view_bool(page, "one", found == 1);
}

/* The pages of the rows that are shown; before the first row from page 1 on. Without a stored
 * document: none. `more`: the last of them, if it is not shown. */
static void put_pages(
    struct page_call *call, struct str id, int64_t after, const struct filing_paper *paper)
{
    int first = 0, last = 0;
    for (size_t i = 0; i < paper->row_count && paper->kept; i++) {
        const struct kept_row *row = &paper->rows[i];
        if (!is_shown(paper, row))
            continue;
        if (!first || row->page < first)
            first = row->page;
        if (row->page > last)
            last = row->page;
    }
    if (!after)
        first = 1;
    int shown = last < first + PAGES_MAX ? last : first + PAGES_MAX - 1;
    view_null(call->view, "pictures");
    if (!last)
        return;
    struct view *pictures = view_object(call->view, "pictures");
    view_int(pictures, "width", paper->lies ? PAGE_PICTURE_HEIGHT : PAGE_PICTURE_WIDTH);
    view_int(pictures, "height", paper->lies ? PAGE_PICTURE_WIDTH : PAGE_PICTURE_HEIGHT);
    view_int(pictures, "shown", shown - first + 1);
    view_null(pictures, "more");
    if (last > shown)
        view_int(pictures, "more", last);
    struct view *pages = view_list(pictures, "pages");
    for (int number = first; number <= shown; number++)
        put_page(pages, id, number, paper);
}

static enum err put_held(struct page_call *call, struct str id, struct fail *fail)
{
    int64_t held = 0;
    TRY(page_part(call, held_rows_count(call->db, id, reader_before(call), &held, fail)));
    view_count(call->view, "held", held);
    view_bool(call->view, "anyHeld", held > 0);
    view_bool(call->view, "oneHeld", held == 1);
    return OK;
}

static void put_link(struct page_call *call, const char *name, struct str id)
{
    if (str_is_null(id)) {
        view_null(call->view, name);
        return;
    }
    struct view *link = view_object(call->view, name);
    view_str(link, "id", id);
    trade_path_put(link, "href", "/filings/", id);
}

enum err filing_page_load(struct page_call *call, struct fail *fail)
{
    struct feed_filing filing;
    struct filing_seen seen = {0};
    struct provenance provenance = {.review = FILING_REVIEW_NONE};
    struct filing_paper paper = {.row_count = 0};
    struct str id = call->segments[0];
    struct str path = arena_fmt(call->arena, "/filings/%.*s", STR_ARG(id));
    int64_t after;
    rcu_read_begin();
    bool found = feed_filing(call->config->feed, id, reader_until(call), &filing);
    if (found)
        seen = filing_view_put(call, view_object(call->view, "filing"), &filing.row);
    rcu_read_end();
    if (!found)
        return filing_answer_absent(call, id, fail);
    bool valid = read_query(call, id, path, &after);
    if (!call->query_form)
        return OK; /* sent to another address */
    enum err err =
        provenance_find(call->db, id, reader_before(call), call->arena, &provenance, fail);
    err = page_part(call, err);
    if (err)
        return err;
    TRY(page_part(call, find_paper(call, id, &paper, fail)));
    TRY(put_held(call, id, fail));
    view_null(call->view, "trades");
    rcu_read_begin();
    if (valid)
        put_trades(call, id, path, after, &provenance, &paper);
    rcu_read_end();
    put_pages(call, id, after, &paper);
    put_heading(call, &seen, &provenance);
    struct feed_filter own = FEED_FILTER_NONE;
    own.filing = id;
    reader_delay_put(call, &own);
    put_link(call, "amends", provenance.amends);
    put_link(call, "amendedBy", provenance.amended_by);
    page_alternate(
        call, "application/json", arena_fmt(call->arena, "/api/v1/filings/%.*s", STR_ARG(id)),
        "This filing as JSON");
    return OK;
}
