/* /filings/{id}: one filing with all its trades. */
#include "site/handlers.h"

#include "html/table.h"
#include "paper/row_picture.h"
#include "shape/trade_read.h"
#include "site/filing_view.h"
#include "site/page_call_parts.h"
#include "site/page_query.h"
#include "site/reader.h"
#include "site/trade_view.h"
#include "store/kept_document.h"
#include "store/provenance.h"
#include "store/trade.h"

enum { ROWS_MAX = 1000, CHUNK = 100, PAGES_MAX = 100 };

/* What the page shows of the document. */
struct filing_paper {
    struct kept_row *rows; /* by row */
    size_t row_count;
    bool kept; /* there are pictures */
};

static enum err find_paper(
    struct page_call *call, struct str id, struct filing_paper *ret, struct fail *fail)
{
    struct kept_document document;
    enum err err = kept_document_of_filing(call->db, id, &document, fail);
    ret->kept = !err;
    if (err && err != ERR_NOT_FOUND)
        return err;
    return kept_document_rows(call->db, id, call->arena, &ret->rows, &ret->row_count, fail);
}

/* --- its rows */

/* By the row's number, which ends the trade's id. */
static int page_of(const struct filing_paper *paper, struct str trade_id)
{
    int64_t row = 0;
    size_t filing_n = trade_id_filing(trade_id).n;
    (void)str_to_i64(str_slice(trade_id, filing_n + 1, trade_id.n), &row);
    for (size_t i = 0; i < paper->row_count; i++)
        if (paper->rows[i].row == row)
            return paper->rows[i].page;
    return 0;
}

/* Members as in trade_view.h, and: page (null: not known), paper (its strip is shown there). */
static void put_row(
    struct page_call *call, struct view *v, const struct trade *trade,
    const struct filing_paper *paper)
{
    trade_view_put(call, v, trade);
    int page = page_of(paper, trade->id);
    if (page)
        view_int(v, "page", page);
    else
        view_null(v, "page");
    view_bool(v, "paper", paper->kept && page);
}

/* At most ROWS_MAX trades in the order of the feed, which has the last row first. */
static size_t read_trades(
    struct page_call *call, struct str id, struct trade *ret, struct cursor *ret_next,
    bool *ret_more)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct str text = page_query(call, STR("cursor"));
    bool after = !str_is_null(text) && cursor_decode(text, CURSOR_TRADES, ret_next);
    size_t count = 0;
    filter.filing = id;
    filter.until_ms = reader_until(call);
    do {
        feed_trades(call->config->feed, &filter, after ? ret_next : NULL, CHUNK, &page);
        for (size_t i = 0; i < page.count; i++)
            shape_trade_read(page.rows[i].head, page.rows[i].tail, call->arena, &ret[count++]);
        *ret_next = page.next;
        after = true;
    } while (page.more && count < ROWS_MAX);
    *ret_more = page.more;
    return count;
}

/* In the order of the document. */
static void put_trades(struct page_call *call, struct str id, const struct filing_paper *paper)
{
    static const struct table_column columns[] = {
        {"Traded", false},
        {"Asset", false},
        {"Side", false},
        {"Amount", false},
        {"In the document", false}};
    struct trade *trades = ARENA_ARRAY(call->arena, struct trade, ROWS_MAX + CHUNK);
    struct cursor next;
    bool more;
    size_t count = read_trades(call, id, trades, &next, &more);
    struct view *table = table_begin(
        call->view, "trades", columns, sizeof columns / sizeof *columns,
        "All trades of this filing were withdrawn.");
    while (count > 0)
        put_row(call, table_row(table), &trades[--count], paper);
    page_cursor_links(
        call, table, arena_fmt(call->arena, "/filings/%.*s", STR_ARG(id)), NULL, 0,
        more ? &next : NULL);
}

/* --- the pages of the document */

static int last_page(const struct filing_paper *paper)
{
    int last = 0;
    for (size_t i = 0; i < paper->row_count; i++)
        if (paper->rows[i].page > last)
            last = paper->rows[i].page;
    return last < PAGES_MAX ? last : PAGES_MAX;
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
        if (paper->rows[i].page != number)
            continue;
        struct view *row = view_item(list);
        view_int(row, "row", paper->rows[i].row);
        view_fmt(row, "href", "/trades/%.*s-%04d#paper", STR_ARG(id), paper->rows[i].row);
        found++;
    }
    view_bool(page, "any", found > 0);
    view_bool(page, "one", found == 1);
}

/* From the first page to the last one that has a row. Without a stored document: none. */
static void put_pages(struct page_call *call, struct str id, const struct filing_paper *paper)
{
    int last = paper->kept ? last_page(paper) : 0;
    view_null(call->view, "pictures");
    if (!last)
        return;
    struct view *pictures = view_object(call->view, "pictures");
    view_int(pictures, "width", PAGE_PICTURE_WIDTH);
    view_int(pictures, "height", PAGE_PICTURE_HEIGHT);
    struct view *pages = view_list(pictures, "pages");
    for (int number = 1; number <= last; number++)
        put_page(pages, id, number, paper);
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
    struct provenance provenance;
    struct filing_paper paper;
    struct str id = call->segments[0];
    rcu_read_begin();
    bool found = feed_filing(call->config->feed, id, reader_until(call), &filing);
    if (found)
        filing_view_put(call, view_object(call->view, "filing"), &filing.row);
    rcu_read_end();
    if (!found)
        return filing_answer_absent(call, id, fail);
    enum err err = provenance_find(call->db, id, call->arena, &provenance, fail);
    if (err)
        return err;
    err = find_paper(call, id, &paper, fail);
    if (err)
        return err;
    rcu_read_begin();
    put_trades(call, id, &paper);
    rcu_read_end();
    put_pages(call, id, &paper);
    put_link(call, "amends", provenance.amends);
    put_link(call, "amendedBy", reader_filing(call, provenance.amended_by));
    page_title(call, arena_fmt(call->arena, "Filing %.*s", STR_ARG(id)));
    page_alternate(
        call, "application/json", arena_fmt(call->arena, "/api/v1/filings/%.*s", STR_ARG(id)),
        "This filing as JSON");
    return OK;
}
