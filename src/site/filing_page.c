/* /filings/{id}: one filing with all its trades. */
#include "site/handlers.h"

#include "site/filing_view.h"
#include "site/page_call_parts.h"
#include "site/reader.h"
#include "site/trade_view.h"
#include "store/filing.h"
#include "store/provenance.h"

enum { ROWS = 100 };

/* Why the feed does not have the filing, or not for this visitor yet. */
static enum err answer_absent(struct page_call *call, struct str id, struct fail *fail)
{
    struct filing_row row;
    enum err err = filing_find(call->db, id, call->arena, &row, fail);
    if (err)
        return err;
    if (row.filing.published_at != INSTANT_NONE && !reader_sees(call, row.filing.published_at))
        reader_answer_delayed(call, "filing", row.filing.published_at);
    else if (row.state == FILING_WITHDRAWN)
        reader_answer_withdrawn(call, "filing", row.withdrawn_at, row.withdrawn_reason);
    else
        page_problem(call, PROBLEM_NOT_FOUND, STR_NULL);
    return OK;
}

static void put_trades(struct page_call *call, struct str id)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct cursor cursor;
    struct str text = page_query(call, STR("cursor"));
    bool after = !str_is_null(text) && cursor_decode(text, CURSOR_TRADES, &cursor);
    filter.filing = id;
    filter.until_ms = reader_until(call);
    feed_trades(call->config->feed, &filter, after ? &cursor : NULL, ROWS, &page);
    trade_table_put(
        call, "trades", &page, arena_fmt(call->arena, "/filings/%.*s", STR_ARG(id)), NULL, 0,
        "All trades of this filing were withdrawn.");
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
    struct str id = call->segments[0];
    rcu_read_begin();
    bool found = feed_filing(call->config->feed, id, reader_until(call), &filing);
    if (found) {
        filing_view_put(call, view_object(call->view, "filing"), &filing.row);
        put_trades(call, id);
    }
    rcu_read_end();
    if (!found)
        return answer_absent(call, id, fail);
    enum err err = provenance_find(call->db, id, call->arena, &provenance, fail);
    if (err)
        return err;
    put_link(call, "amends", provenance.amends);
    put_link(call, "amendedBy", provenance.amended_by);
    page_title(call, arena_fmt(call->arena, "Filing %.*s", STR_ARG(id)));
    page_alternate(
        call, "application/json", arena_fmt(call->arena, "/api/v1/filings/%.*s", STR_ARG(id)),
        "This filing as JSON");
    return OK;
}
