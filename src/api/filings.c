/* GET /api/v1/filings: the source documents (spec 4.4, decision 6). */
#include "api/context.h"
#include "api/list.h"
#include "api/resources.h"
#include "noun/lists.h"

enum { FILTER_POLITICIAN, FILTER_CHAMBER, FILTER_STATUS };

static const struct param filters[] = {
    PARAM(
        FILTER_POLITICIAN, PARAM_TYPE_SLUG, "politician_slug",
        "Only filings of this politician, by slug or id. `politician` is another name for it.",
        "ada-lindqvist", .alias = STR_INIT("politician")),
    PARAM(
        FILTER_CHAMBER, PARAM_TYPE_LISTED, "chamber", "Only filings that this chamber received.",
        "senate", .list = &shape_chambers),
    /* Every filing in the list has this status, so the filter changes nothing. */
    PARAM(
        FILTER_STATUS, PARAM_TYPE_LISTED, "status", "The status of the filings; there is only one.",
        "published", .list = &shape_filing_states, .absent_text = STR_INIT("published")),
};

const struct param_table filings_params = PARAM_TABLE(filters);

void filings_answer(struct api_call *call)
{
    const struct param_values *params = &call->params;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    MEM_UNFILLED struct feed_page page;
    struct list_end end;

    filter.politician = params->filters[FILTER_POLITICIAN].text;
    filter.chamber = (enum chamber)params->filters[FILTER_CHAMBER].number;
    feed_filings(call->api->config.feed, &filter, list_after(params), list_limit(params), &page);
    list_end(page.more ? &page.next : NULL, &end);
    list_reply(call, &page, &end);
    if (!page.count)
        list_waiting(call, filter.politician);
}
