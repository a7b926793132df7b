/* A filing as a view; see filing_view.h. */
#include "site/data/filing_view.h"

#include "noun/filing.h"
#include "noun/trade_read.h"
#include "site/frame/day_view.h"
#include "site/frame/known_view.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"
#include "store/public/filing.h"

enum { LOOKED_AT = 20, SYMBOLS_MAX = 6 };

/* Each symbol of the first trades once. */
static void put_symbols(struct view *row, const struct trade *trades, size_t count)
{
    struct view *list = view_list(row, "symbols");
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        struct str symbol = trades[i].values.ticker;
        bool seen = !symbol.n;
        for (size_t k = 0; k < i && !seen; k++)
            seen = str_eq(trades[k].values.ticker, symbol);
        if (seen || shown++ >= SYMBOLS_MAX)
            continue;
        struct view *item = view_item(list);
        view_str(item, "symbol", symbol);
        trade_path_put(item, "href", "/tickers/", symbol);
    }
    view_bool(row, "moreSymbols", shown > SYMBOLS_MAX);
}

/* The filer as the trades show him, or the member of today if all trades are withdrawn. Returns the
 * name; null: not known. */
static struct str put_politician(
    struct page_call *call, struct view *row, const struct filing *filing,
    const struct trade *trades, size_t count)
{
    struct feed_politician member;
    struct politician_ref ref;
    int32_t today = instant_day_utc(call->now_ms);
    if (count) {
        ref = trades[0].politician;
    } else if (feed_politician(
                   call->config->feed, filing->politician_id, today, INSTANT_NONE, &member)) {
        ref = (struct politician_ref){
            member.slug, member.name, filing->chamber, member.party, member.state};
    } else {
        view_null(row, "politician");
        return STR_NULL;
    }
    trade_politician_put(view_object(row, "politician"), &ref);
    page_surrogate(call, "p", ref.slug);
    return arena_str(call->arena, ref.name);
}

struct filing_seen filing_view_put(
    struct page_call *call, struct view *row, const struct feed_row *filing_row)
{
    MEM_UNFILLED struct feed_page page;
    struct trade trades[LOOKED_AT];
    struct feed_filing published;
    struct feed_counts counts;
    struct filing filing;
    struct feed_filter filter = FEED_FILTER_NONE;
    const struct feed *feed = call->config->feed;
    shape_filing_read(filing_row->head, call->arena, &filing);
    filter.filing = filing.id;
    filter.line_ms = reader_until(call);
    feed_counts(feed, &filter, &counts);
    feed_trades(feed, &filter, NULL, LOOKED_AT, &page);
    for (size_t i = 0; i < page.count; i++)
        shape_trade_read(page.rows[i].head, page.rows[i].tail, call->arena, &trades[i]);
    bool found = feed_filing(feed, filing.id, INSTANT_NONE, &published);
    view_str(row, "id", filing.id);
    trade_path_put(row, "href", "/filings/", filing.id);
    view_str(row, "chamber", chamber_name(filing.chamber));
    view_str(row, "chamberText", words_chamber(filing.chamber));
    view_str(row, "sourceDocId", filing.source_doc_id);
    view_str(row, "url", filing.url);
    day_view_put(row, "filedOn", instant_day_new_york(filing.filed_at));
    view_instant(row, "publishedAt", found ? published.published_at : INSTANT_NONE);
    day_view_put(
        row, "publishedOn", found ? instant_day_new_york(published.published_at) : DAY_NONE);
    struct str name = put_politician(call, row, &filing, trades, page.count);
    view_count(row, "trades", counts.trades);
    view_bool(row, "anyTrade", counts.trades > 0);
    view_bool(row, "oneTrade", counts.trades == 1);
    trade_flag_counts_put(row, &counts);
    trade_late_counts_put(row, &counts);
    put_symbols(row, trades, page.count);
    page_surrogate(call, "f", filing.id);
    return (struct filing_seen){name, counts.trades, instant_day_new_york(filing.filed_at)};
}

enum err filing_answer_absent(struct page_call *call, struct str id, struct fail *fail)
{
    struct filing_row row;
    enum err err = filing_find(call->db, id, call->arena, &row, fail);
    if (err == ERR_NOT_FOUND || (!err && row.filing.published_at == INSTANT_NONE)) {
        if (!call->page->drawn)
            return known_page_show(call, id, fail);
        page_problem(call, PROBLEM_NOT_FOUND, STR_NULL); /* a picture of what is not public */
        return OK;
    }
    if (err)
        return err;
    if (!reader_sees(call, row.filing.published_at))
        reader_answer_delayed(call, "filing", row.filing.published_at);
    else if (row.state == FILING_WITHDRAWN)
        reader_answer_withdrawn(call, "filing", row.withdrawn_at, row.withdrawn_reason);
    else
        page_problem(call, PROBLEM_NOT_FOUND, STR_NULL);
    return OK;
}
