/* The table of operations; see operation.h. */
#include "api/operation.h"

#include <assert.h>

#include "api/resources.h"
#include "feed/feed.h"
#include "feed/trade_filter.h"

/* An operation of the reference, with its address, name, summary and description. */
#define OPERATION(id, at, called, says, describes, ...)                                            \
    [id] = {                                                                                       \
        .path = (at),                                                                              \
        .name = STR_INIT(called),                                                                  \
        .summary = STR_INIT(says),                                                                 \
        .description = STR_INIT(describes),                                                        \
        __VA_ARGS__}

static const struct operation operations[OPERATION_COUNT] = {
    OPERATION(
        OPERATION_TRADES, "/api/v1/trades", "listTrades", "The trades feed",
        "Published trades, newest first: by disclosedAt descending, then id descending. sort and "
        "order choose another order. Filters combine with AND; an unknown ticker or politician "
        "gives an empty page.",
        .metered = true, .answer = trades_answer, .tells_waiting = true,
        .params =
            {&trade_filter_params, .paged = true, .csv = true, .fields = true, .sorted = true},
        .resource = CURSOR_TRADES, .shape = SHAPE_PAGE, .schema = STR_INIT("Trade")),
    OPERATION(
        OPERATION_TRADE_STREAM, "/api/v1/trades/stream", "streamTrades",
        "New trades, as they are published",
        "A stream of server-sent events: each trade that is published, oldest first, as soon as it "
        "is public. The response does not end. Filters combine as in the list. A client that "
        "connects again with Last-Event-ID misses no trade and gets none twice, on every server.",
        .metered = true, .answer = trade_stream_answer,
        .params = {&trade_filter_params, .fields = true}, .shape = SHAPE_STREAM,
        .schema = STR_INIT("Trade")),
    OPERATION(
        OPERATION_EXPORT, "/api/v1/export", "exportTrades", "All trades of the filters in one file",
        "Every published trade of the filters, newest first, as CSV or lines of JSON with the rows "
        "and columns of the [files of a snapshot](/data), without an end at 100. Needs a plan that "
        "includes CSV. Each 1,000 rows count as a request: at the limit of the minute the response "
        "waits for the next one. A response that ends early is cut, and never looks complete: go "
        "on with after.",
        .metered = true, .answer = trade_export_answer,
        .params = {&trade_filter_params, .exported = true}, .shape = SHAPE_EXPORT,
        .schema = STR_INIT("Trade")),
    OPERATION(
        OPERATION_TRADE, "/api/v1/trades/{id}", "getTrade", "One trade with its source",
        "The trade with its source: the official document and its digest, page and row, the cells "
        "as printed, how it was reviewed, and when the report was due; and with the evidence for "
        "its [conflict signal](/docs/conflict). A withdrawn trade returns 410 gone, with the time "
        "and the reason.",
        .metered = true, .fetch = trade_fetch, .withdrawable = true,
        .segment =
            {STR_INIT("id"), STR_INIT("The trade's id."),
             STR_INIT("senate-5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40-0002")},
        .shape = SHAPE_SINGLE, .schema = STR_INIT("TradeDetail")),
    OPERATION(
        OPERATION_STATS, "/api/v1/stats", "getStats", "Trades, grouped and summed",
        "What the trades of the filters add up to, in groups of one or two dimensions and in "
        "total. The trades of a group are those of the list with its value as a filter. With "
        "overlaps true, a trade can be in several groups; else groups add up to the totals. More "
        "than 100,000 groups are an error: add a filter.",
        .metered = true, .small = true, .answer = stats_answer, .tells_waiting = true,
        .params = {&trade_filter_params, .paged = true, .csv = true, .grouped = true},
        .resource = CURSOR_STATS, .shape = SHAPE_GROUPS, .schema = STR_INIT("TradeGroup"),
        .other_schema = STR_INIT("TradeSums")),
    OPERATION(
        OPERATION_POLITICIANS, "/api/v1/politicians", "listPoliticians", "Politicians",
        "Today's profiles of members of Congress with the counts of their trades, including those "
        "who disclosed nothing, ordered by slug; with q, the best match first.",
        .metered = true, .answer = people_answer, .params = {&feed_people_params, .paged = true},
        .resource = CURSOR_POLITICIANS, .shape = SHAPE_PAGE,
        .schema = STR_INIT("PoliticianSummary")),
    OPERATION(
        OPERATION_POLITICIAN, "/api/v1/politicians/{slug}", "getPolitician", "One politician",
        "Profile, newest 25 trades and counts of one member of Congress. A member who disclosed "
        "nothing has zero counts and no trades.",
        .metered = true, .answer = politicians_answer, .tells_waiting = true,
        .params = {.fields = true},
        .segment =
            {STR_INIT("slug"),
             STR_INIT("The politician's slug, in any letter case, or Bioguide id."),
             STR_INIT("ada-lindqvist")},
        .shape = SHAPE_SINGLE, .schema = STR_INIT("PoliticianActivity")),
    OPERATION(
        OPERATION_TICKERS, "/api/v1/tickers", "listTickers", "Tickers",
        "The symbols of imported lists and of trades, with their companies and aggregates over all "
        "their trades, ordered by symbol; with q, the best match first.",
        .metered = true, .answer = symbols_answer, .params = {&feed_tickers_params, .paged = true},
        .resource = CURSOR_TICKERS, .shape = SHAPE_PAGE, .schema = STR_INIT("TickerSummary")),
    OPERATION(
        OPERATION_TICKER, "/api/v1/tickers/{symbol}", "getTicker", "One ticker",
        "The newest 25 trades in one symbol and aggregates over all its trades, including trades "
        "under former symbols of the company.",
        .metered = true, .answer = tickers_answer, .tells_waiting = true,
        .params = {.fields = true},
        .segment =
            {STR_INIT("symbol"),
             STR_INIT("A ticker symbol, in any letter case and class spelling."), STR_INIT("NWTB")},
        .shape = SHAPE_SINGLE, .schema = STR_INIT("TickerActivity")),
    OPERATION(
        OPERATION_COMMITTEES, "/api/v1/committees", "listCommittees", "Committees",
        "The committees and subcommittees that have members on a day, by id: a subcommittee "
        "follows its committee.",
        .metered = true, .small = true, .answer = committees_answer,
        .params = {&committees_params, .paged = true}, .resource = CURSOR_COMMITTEES,
        .shape = SHAPE_PAGE, .schema = STR_INIT("CommitteeSummary")),
    OPERATION(
        OPERATION_COMMITTEE, "/api/v1/committees/{id}", "getCommittee", "One committee on a day",
        "Who sat on a committee on a day, with roles and the party of that day, its subcommittees, "
        "what it oversaw and by which rule, and the Congresses in which it has members. A day of "
        "another Congress is an error that names them.",
        .metered = true, .small = true, .answer = committee_answer, .params = {&committee_params},
        .segment =
            {STR_INIT("id"), STR_INIT("The committee's id, in any letter case."), STR_INIT("SSEG")},
        .shape = SHAPE_SINGLE, .schema = STR_INIT("CommitteeDetail")),
    OPERATION(
        OPERATION_INDUSTRIES, "/api/v1/industries", "listIndustries", "Industries",
        "The project's [industries](/docs/industries), by code.", .metered = true, .small = true,
        .answer = industries_answer, .params = {&industries_params, .paged = true},
        .resource = CURSOR_INDUSTRIES, .shape = SHAPE_PAGE, .schema = STR_INIT("IndustrySummary")),
    OPERATION(
        OPERATION_INDUSTRY, "/api/v1/industries/{code}", "getIndustry", "One industry",
        "An industry, and which committees oversee it, when and by which rule.", .metered = true,
        .small = true, .answer = industry_answer, .params = {&committee_params},
        .segment =
            {STR_INIT("code"), STR_INIT("The industry's code, in any letter case."),
             STR_INIT("electric_power")},
        .shape = SHAPE_SINGLE, .schema = STR_INIT("IndustryDetail")),
    OPERATION(
        OPERATION_FILINGS, "/api/v1/filings", "listFilings", "Source filings",
        "The published source documents with their official URLs, ordered by time of publication "
        "descending, then id descending. Filings without trades are included.",
        .metered = true, .answer = filings_answer, .tells_waiting = true,
        .params = {&filings_params, .paged = true}, .resource = CURSOR_FILINGS, .shape = SHAPE_PAGE,
        .schema = STR_INIT("Filing")),
    OPERATION(
        OPERATION_FILING, "/api/v1/filings/{id}", "getFiling", "One filing with its trades",
        "The filing, its politician at the filing date, its source, and its trades, newest first. "
        "A withdrawn filing returns 410 gone, with the time and the reason. A report that is known "
        "and not published returns 200 with data of four members: state, filer, filedOn and url.",
        .metered = true, .fetch = filing_fetch, .params = {.fields = true}, .withdrawable = true,
        .segment =
            {STR_INIT("id"), STR_INIT("The filing's id."),
             STR_INIT("senate-5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40")},
        .shape = SHAPE_SINGLE, .schema = STR_INIT("FilingDetail"),
        .other_schema = STR_INIT("KnownReport")),
    OPERATION(
        OPERATION_CORRECTIONS, "/api/v1/corrections", "listCorrections",
        "Changes after publication",
        "Every change of a published field except the two of the [conflict "
        "signal](/docs/conflict), every withdrawal and its reinstatement, and every import of bulk "
        "history, newest first. Entries are never modified.",
        .metered = true, .fetch = corrections_fetch, .params = {&corrections_params, .paged = true},
        .resource = CURSOR_CORRECTIONS, .shape = SHAPE_PAGE, .schema = STR_INIT("Correction")),
    OPERATION(
        OPERATION_CHANGES, "/api/v1/changes", "listChanges", "Everything that changed",
        "One sequence of everything that was published, corrected, withdrawn or reinstated, and of "
        "every changed [conflict signal](/docs/conflict), oldest first, each with the trade as it "
        "is now: to [keep a copy](#sync). Entries are never modified, and new ones come at the "
        "end.",
        .metered = true, .fetch = changes_fetch, .params = {&changes_params, .paged = true},
        .resource = CURSOR_CHANGES, .shape = SHAPE_SEQUENCE, .schema = STR_INIT("Change")),
    OPERATION(
        OPERATION_EVENTS, "/api/v1/events", "listEvents", "Events of webhooks",
        "The events that [webhooks](/docs/webhooks) deliver, with their bodies, oldest first: for "
        "[development](/docs/webhooks#develop-on-your-machine), and for receivers that missed "
        "some. Needs a key. Without a cursor the page has the newest events.",
        .metered = true, .keyed = true, .fetch = events_fetch,
        .params = {&events_params, .paged = true}, .resource = CURSOR_EVENTS, .shape = SHAPE_EVENTS,
        .schema = STR_INIT("Event")),
    OPERATION(
        OPERATION_COVERAGE, "/api/v1/coverage", "getCoverage", "Coverage",
        "The number of known reports by chamber, year and state. A report is known if an official "
        "index names it or it was imported. Each report is in exactly one count, including refused "
        "reports and reports that await review.",
        .metered = true, .fetch = coverage_fetch, .shape = SHAPE_SINGLE,
        .schema = STR_INIT("Coverage")),
    OPERATION(
        OPERATION_USAGE, "/api/v1/usage", "getUsage", "What your key was used for",
        "What the key of the request has used of its minute and its month, its responses per UTC "
        "day over 30 days, and its latest errors. The call needs a key. It counts as no request; "
        "each key may make one a second, and gets 429 rate_limited for more.",
        .metered = true, .keyed = true, .about_key = true, .fetch = usage_fetch,
        .shape = SHAPE_SINGLE, .schema = STR_INIT("Usage")),
    OPERATION(
        OPERATION_OPENAPI, "/api/v1/openapi.json", "getOpenapi", "The OpenAPI description",
        "The OpenAPI 3.1 document of the API.", .metered = true, .is_text = true,
        .shape = SHAPE_OTHER),
    [OPERATION_LLMS] = {.path = "/llms.txt", .is_text = true},
    [OPERATION_LLMS_FULL] = {.path = "/llms-full.txt", .is_text = true},
    [OPERATION_REGISTRY] = {.path = "/server.json", .is_text = true},
    [OPERATION_HEALTHZ] = {.path = "/healthz", .watched = true, .answer = healthz_answer},
    [OPERATION_READYZ] = {.path = "/readyz", .watched = true, .answer = readyz_answer},
    [OPERATION_MCP] = {.path = "/mcp", .metered = true, .run = mcp_run, .shape = SHAPE_OTHER},
    [OPERATION_METRICS] = {.path = "/metrics", .watched = true, .answer = metrics_answer},
};

const struct operation *operation_info(enum operation_id id)
{
    assert(id < OPERATION_COUNT);
    return &operations[id];
}

enum operation_id operation_id_of(const struct operation *operation)
{
    return (enum operation_id)(operation - operations);
}

void operation_routes(struct route ret[static OPERATION_COUNT])
{
    for (int id = 0; id < OPERATION_COUNT; id++)
        ret[id] = (struct route){
            .pattern = operations[id].path,
            .methods = OPERATION_METHODS,
            .target = &operations[id],
        };
}

bool operation_has_error(const struct operation *operation, enum error_code error)
{
    switch (error_info(error)->scope) {
    case ERROR_SCOPE_REQUEST:
    case ERROR_SCOPE_OPERATION:
        return true;
    case ERROR_SCOPE_CURSOR:
        return operation->params.paged || operation->shape == SHAPE_STREAM;
    case ERROR_SCOPE_CSV:
        return operation->params.csv || operation->params.exported;
    case ERROR_SCOPE_ITEM:
        return !str_is_null(operation->segment.name);
    case ERROR_SCOPE_GONE:
        return operation->withdrawable;
    case ERROR_SCOPE_SEQUENCE:
        return operation->shape == SHAPE_SEQUENCE;
    case ERROR_SCOPE_DATA:
        return operation->shape != SHAPE_OTHER && !operation_is_streamed(operation) &&
               !operation->small;
    case ERROR_SCOPE_COMMAND:
        break;
    }
    return false;
}
