/* The front page: what this is, the newest publications by day, and how much there is. */
#include "site/data/filing_view.h"
#include "site/data/trade_query.h"
#include "site/frame/day_view.h"
#include "site/frame/handlers.h"
#include "site/frame/known_view.h"
#include "site/frame/page_call.h"
#include "site/frame/page_rules.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"

enum { FILINGS = 12 };

static void put_day(struct page_call *call, const char *name, int64_t at)
{
    day_view_put(call->view, name, at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(at));
}

static void put_total(struct page_call *call)
{
    struct feed_counts counts;
    struct feed_filter filter = FEED_FILTER_NONE;
    filter.line_ms = reader_until(call);
    feed_counts(call->config->feed, &filter, &counts);
    view_bool(call->view, "anyTrades", counts.trades > 0);
    view_text(call->view, "empty", reader_empty(call, &filter, "Nothing is published yet."));
    view_count(call->view, "trades", counts.trades);
    trade_flag_counts_put(call->view, &counts);
    trade_late_counts_put(call->view, &counts);
    put_day(call, "firstDay", counts.first_activity);
    put_day(call, "lastDay", counts.last_activity);
}

/* "All of the last 7 days", with the begin of the period that /trades offers. */
static void put_week(struct page_call *call)
{
    enum { WEEK = 7 };
    const struct link_param since = {STR("since"), trade_query_since(call, WEEK)};
    view_str(call->view, "week", link_make(call->arena, STR("/trades"), &since, 1));
}

/* A list of days, each with its filings, newest first. */
static void put_days(struct page_call *call)
{
    MEM_UNFILLED struct feed_page page;
    struct view *days = view_list(call->view, "days"), *filings = NULL;
    int32_t current = DAY_NONE;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    filter.until_ms = reader_until(call);
    feed_filings(call->config->feed, &filter, NULL, FILINGS, &page);
    for (size_t i = 0; i < page.count; i++) {
        int32_t day = filing_published_day(call, &page.rows[i]);
        if (!filings || day != current) {
            struct view *item = view_item(days);
            day_view_put(item, "day", day);
            filings = view_list(item, "filings");
            current = day;
        }
        filing_view_put(call, view_item(filings), &page.rows[i]);
    }
}

enum err home_load(struct page_call *call, struct fail *fail)
{
    bool reads = page_may(call, PAGE_READER);
    view_str(call->view, "baseUrl", call->config->base_url);
    view_bool(call->view, "reads", reads);
    if (!reads)
        return OK;
    rcu_read_begin();
    put_total(call);
    put_days(call);
    put_week(call);
    rcu_read_end();
    reader_delay_put(call, NULL);
    known_note_put(call);
    page_surrogate(call, "list", STR("filings"));
    return OK;
}
