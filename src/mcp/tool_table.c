/* The tools (spec 4.6, 8.8); see tool.h. */

#include "mcp/call.h"
#include "mcp/conflicted_trades.h"
#include "mcp/find_politician.h"
#include "mcp/note.h"
#include "mcp/parameters.h"
#include "noun/group.h"
#include "noun/lists.h"
#include "rule/page.h"
#include "rule/query.h"

/* Tools that make one request. */

static void relay_start(struct call *call)
{
    const struct tool *tool = call->tool;
    BUF_SCOPED(target, SIZE_MAX);
    char sep = str_find_char(tool->path, '?') < 0 ? '?' : '&';
    buf_str(&target, tool->path);
    if (!str_is_null(tool->in_path))
        query_encode(&target, call_value(call, tool->in_path)->text);
    parameters_put(&target, call, ARGUMENT_FILTERS, &sep);
    parameters_put(&target, call, ARGUMENT_PAGES, &sep);
    if (str_eq(buf_view(&target), STR("/api/v1/trades/stream"))) /* no trade, and without an end */
        call_failed(call, str_from(call->tool->unknown));
    else
        call_get(call, buf_view(&target));
}

/* How many rows a result has room for: one at least. */
static size_t rows_that_fit(const struct api_page *page)
{
    size_t size = 0, rows = 0;
    while (rows < page->count && (size += page->items[rows].json.n) <= RESULT_ROWS_SIZE_MAX)
        rows++;
    return rows ? rows : 1;
}

/* Asks for the same page with fewer rows: its nextCursor continues right behind them. False: the
 * server does not heed a limit. */
static bool relay_shorter(struct call *call, size_t rows, const struct api_answer *answer)
{
    const struct argument *a = call->tool->arguments;
    size_t i = 0;
    while (!str_is_null(a[i].name) && !str_eq(a[i].name, STR("limit")))
        i++;
    if (str_is_null(a[i].name) || (int64_t)answer->page.count > call->values[i].number)
        return false;
    call->values[i].number = (int64_t)rows;
    relay_start(call);
    return true;
}

static void relay_answered(struct call *call, const struct api_answer *answer)
{
    size_t rows = rows_that_fit(&answer->page);
    if (answer->page.is_list && rows < answer->page.count && relay_shorter(call, rows, answer))
        return;
    BUF_SCOPED(note, SIZE_MAX);
    BUF_SCOPED(members, SIZE_MAX);
    buf_str(&members, str_slice(answer->text, 1, answer->text.n - 1));
    if (answer->page.is_list && answer->page.count == 0)
        note_nothing(&note, call, answer->page.next_cursor);
    else if (answer->page.no_recent && call->tool->nothing)
        buf_text(&note, call->tool->nothing);
    if (!answer->page.is_list)
        note_waiting(&note, call);
    note_put(&members, buf_view(&note));
    call_result(call, buf_view(&members));
}

enum {
    TICKER_MAX = 32,
    SLUG_MAX = 120,
    ID_MAX = 80,
    CURSOR_MAX = 500,
    PARTY_MAX = 100,
    STATE_MAX = 2,
    COMMITTEE_MAX = 6,
    AMOUNT_MAX = 1000000000,
};

#define NAME(text) .name = STR_INIT(text)
#define SAYS(text) .description = STR_INIT(text)
#define END                                                                                        \
    {                                                                                              \
        .name = { NULL, 0 }                                                                        \
    }

#define NOTHING(text) .if_nothing = STR_INIT(text)
#define LIMIT(used, ...)                                                                           \
    {                                                                                              \
        NAME("limit"), .kind = ARGUMENT_INTEGER, .min = 1, .max = PAGE_LIMIT_MAX,                  \
                       .if_absent = PAGE_LIMIT_DEFAULT, .use = (used), __VA_ARGS__                 \
    }
#define ROWS_MAX LIMIT(ARGUMENT_PAGES, SAYS("Maximum number of rows to return."))
#define CURSOR_FOR(used)                                                                           \
    {                                                                                              \
        NAME("cursor"), .length_max = CURSOR_MAX, .use = (used),                                   \
                        SAYS("To continue after a result: its nextCursor, unchanged, with the "    \
                             "same other arguments. Leave it out to begin with the newest.")       \
    }
#define CURSOR CURSOR_FOR(ARGUMENT_PAGES)
#define FIELDS                                                                                     \
    {                                                                                              \
        NAME("fields"), .kind = ARGUMENT_SET, .list = &shape_fields, .use = ARGUMENT_PAGES,        \
                        SAYS("details adds to each trade type, strike and expiry of an option, "   \
                             "coupon and maturity of a bond, what a private asset is, both sides " \
                             "of an exchange. dates adds when it was filed, first published and "  \
                             "due, and whether it was late.")                                      \
    }
#define MAX_PAGES(most, absent)                                                                    \
    {                                                                                              \
        NAME("max_pages"), .kind = ARGUMENT_INTEGER, .min = 1, .max = (most),                      \
                           .if_absent = (absent), .use = ARGUMENT_IS_OWN,                          \
                           SAYS("Maximum number of pages of 100 trades to read. Each page counts " \
                                "as one request for the rate limit.")                              \
    }

/* The filters of the API's list of trades, but for `conflict`. */
#define TRADE_FILTERS                                                                              \
    {NAME("ticker"), .length_max = 50 * TICKER_MAX,                                                \
     SAYS("Only trades in this symbol; up to 50 with commas."), .example = STR_INIT("AAPL"),       \
     NOTHING(                                                                                      \
         "ticker is a symbol, not the name of a company: get_ticker says whether it is known.")},  \
        {NAME("politician_slug"),                                                                  \
         .kind = ARGUMENT_SLUG,                                                                    \
         .several = true,                                                                          \
         .length_max = 50 * SLUG_MAX,                                                              \
         SAYS("Only trades of this politician: a slug, which "                                     \
              "find_politician finds; up to 50 with commas."),                                     \
         .example = STR_INIT("jane-doe"),                                                          \
         NOTHING("Check the slug with find_politician; get_politician says how many trades a "     \
                 "politician has.")},                                                              \
        {NAME("chamber"), .kind = ARGUMENT_LISTED, .list = &shape_chambers,                        \
         SAYS("Only trades of politicians who were in this chamber when "                          \
              "they filed.")},                                                                     \
        {NAME("party"), .length_max = PARTY_MAX,                                                   \
         SAYS("Only trades of politicians of this party when they filed: "                         \
              "Democrat, Republican or Independent."),                                             \
         .example = STR_INIT("Republican"),                                                        \
         NOTHING("Spell the party as politician.party does: Democrat, Republican, Independent.")}, \
        {NAME("state"), .length_max = STATE_MAX, .form = STR_INIT("a two-letter code"),            \
         SAYS("Only trades of politicians of this state when they filed: a "                       \
              "two-letter code."),                                                                 \
         .example = STR_INIT("VT")},                                                               \
        {NAME("side"), .kind = ARGUMENT_LISTED, .list = &shape_side_filters,                       \
         SAYS("Only purchases (buy), exchanges, or sales: sell is sell_full and sell_partial "     \
              "together.")},                                                                       \
        {NAME("owner"), .kind = ARGUMENT_LISTED, .list = &shape_owners,                            \
         SAYS("Only trades of assets of the politician (self), the spouse, "                       \
              "both (joint) or a dependent child. Trades without an owner "                        \
              "never match."),                                                                     \
         NOTHING("Many filings state no owner: leave owner out.")},                                \
        {NAME("asset_type"), .kind = ARGUMENT_LISTED, .list = &shape_asset_types,                  \
         SAYS("Only trades in assets of this type. bond is a corporate bond, fund also an ETF. "   \
              "Trades that state no type never match."),                                           \
         NOTHING("Some filings state no type: leave asset_type out.")},                            \
        {NAME("amount_min"),                                                                       \
         .kind = ARGUMENT_INTEGER,                                                                 \
         .min = 0,                                                                                 \
         .max = AMOUNT_MAX,                                                                        \
         .if_absent = ARGUMENT_NO_NUMBER,                                                          \
         SAYS("Only trades whose range of amounts begins at this many dollars or above. Ranges "   \
              "begin at 1001, 15001, 50001, 100001, 250001, 500001, 1000001, 5000001."),           \
         .example = STR_INIT("250001"),                                                            \
         NOTHING("amount_min is compared with the lower end of the range: lower it.")},            \
        {NAME("traded_from"), .kind = ARGUMENT_DAY,                                                \
         SAYS("Only trades made on this day or later."), .example = STR_INIT("2020-03-01"),        \
         NOTHING("The data may not reach these days: get_coverage says which years are known.")},  \
        {NAME("traded_to"), .kind = ARGUMENT_DAY, .begin = STR_INIT("traded_from"),                \
         SAYS("Only trades made on this day or earlier."), .example = STR_INIT("2020-03-31")},     \
        {NAME("since"), .kind = ARGUMENT_WHEN,                                                     \
         SAYS("Only trades disclosed on this day (UTC) or later, or since "                        \
              "an instant."),                                                                      \
         .example = STR_INIT("2026-11-01"),                                                        \
         NOTHING("since and until are about the disclosure: for the day of the trade use "         \
                 "traded_from and traded_to.")},                                                   \
        {NAME("until"),                                                                            \
         .kind = ARGUMENT_WHEN,                                                                    \
         .to_end = true,                                                                           \
         .begin = STR_INIT("since"),                                                               \
         SAYS("Only trades disclosed up to the end of this day (UTC), or before an instant."),     \
         .example = STR_INIT("2026-11-30")},                                                       \
        {NAME("late"), .kind = ARGUMENT_LISTED, .list = &shape_late_filters,                       \
         SAYS("true: only trades reported after the day that the law "                             \
              "allows. false: by then. unknown: neither is known.")},                              \
        {NAME("basis"), .kind = ARGUMENT_LISTED, .list = &shape_bases,                             \
         SAYS("Only trades with a conflict signal by a committee list of "                         \
              "before the trade (in_force) or of after it (later_list), "                          \
              "which is weaker.")},                                                                \
        {NAME("grade"), .kind = ARGUMENT_LISTED, .list = &shape_grades,                            \
         SAYS("Only trades with a conflict signal of this grade: A is the most direct, C the "     \
              "weakest.")},                                                                        \
        {NAME("sector"), .kind = ARGUMENT_LISTED, .list = &shape_industries,                       \
         SAYS("Only trades in assets of this industry, with or without a conflict signal.")},      \
        {NAME("seat"), .length_max = COMMITTEE_MAX, .form = STR_INIT("an id such as HSBA"),        \
         SAYS("Only trades of members who sat on this committee or a subcommittee on the day of "  \
              "the trade."),                                                                       \
         .example = STR_INIT("HSBA")},                                                             \
        {NAME("flag_industry"), .alias = STR_INIT("industry"), .kind = ARGUMENT_LISTED,            \
         .list = &shape_industries,                                                                \
         SAYS("Only trades with a conflict signal about this industry, as in sector.")},           \
        {NAME("flag_committee"),                                                                   \
         .alias = STR_INIT("committee"),                                                           \
         .length_max = COMMITTEE_MAX,                                                              \
         .form = STR_INIT("an id such as HSBA"),                                                   \
         SAYS("Only trades with a conflict signal because of a seat on this "                      \
              "committee or a subcommittee, by id."),                                              \
         .example = STR_INIT("HSBA")},                                                             \
    {                                                                                              \
        NAME("filing"), .length_max = ID_MAX,                                                      \
                        SAYS("Only trades of the filing with this id, as list_filings shows it."), \
                        .example = STR_INIT("house-20026590"),                                     \
                        NOTHING("list_filings has the ids of filings.")                            \
    }

#define CONFLICT                                                                                   \
    {                                                                                              \
        NAME("conflict"), .kind = ARGUMENT_TRUTH,                                                  \
                          SAYS("true: only trades with a conflict signal. false: only trades "     \
                               "without one.")                                                     \
    }

static const struct argument list_trades_arguments[] = {
    TRADE_FILTERS, CONFLICT, ROWS_MAX, CURSOR, FIELDS, END,
};

static const struct argument count_trades_arguments[] = {
    {NAME("group_by"), .kind = ARGUMENT_SET, .list = &shape_group_dimensions, .required = true,
     .use = ARGUMENT_PAGES,
     SAYS("One or two dimensions, with a comma between them. month and year are of the trade, "
          "late_status is late, on time or unknown, bracket the range of amounts."),
     .example = STR_INIT("party,year")},
    {NAME("sort"), .kind = ARGUMENT_LISTED, .list = &shape_group_sorts, .use = ARGUMENT_PAGES,
     SAYS("The column to rank by; trades if left out.")},
    {NAME("order"), .kind = ARGUMENT_LISTED, .list = &shape_group_orders, .use = ARGUMENT_PAGES,
     SAYS("desc, the most first, if left out.")},
    TRADE_FILTERS,
    CONFLICT,
    ROWS_MAX,
    CURSOR,
    END,
};

static const struct argument find_ticker_arguments[] = {
    {NAME("name"), .required = true, .length_max = FIND_NAME_MAX,
     SAYS("The name of a company, or a part of it, or a symbol."),
     .example = STR_INIT("Lockheed Martin"),
     NOTHING("Try fewer or other words of the name; a private company has no symbol: look for its "
             "trades with list_trades and asset_type.")},
    ROWS_MAX,
    CURSOR,
    END,
};

static const struct argument get_politician_arguments[] = {
    {NAME("slug"), .required = true, .length_max = SLUG_MAX,
     SAYS("The politician's slug, as in trades, or Bioguide id. find_politician finds it by name."),
     .example = STR_INIT("jane-doe")},
    FIELDS,
    END,
};

static const struct argument get_committee_arguments[] = {
    {NAME("id"), .required = true, .length_max = COMMITTEE_MAX,
     .form = STR_INIT("an id such as SSBK"),
     SAYS("Four letters (SSBK Senate Banking, HSAS House Armed Services), two digits more for a "
          "subcommittee.")},
    {NAME("on"), .kind = ARGUMENT_DAY, SAYS("The day; today if left out.")},
    END,
};

static const struct argument get_ticker_arguments[] = {
    {NAME("symbol"), .required = true, .length_max = TICKER_MAX,
     SAYS("A ticker symbol, in any letter case and class spelling (BRK.B, BRK-B)."),
     .example = STR_INIT("AAPL")},
    FIELDS,
    END,
};

static const struct argument list_filings_arguments[] = {
    {NAME("politician_slug"), .kind = ARGUMENT_SLUG, .length_max = SLUG_MAX,
     SAYS("Only documents of this politician: a slug."), .example = STR_INIT("jane-doe"),
     NOTHING("Check the slug with find_politician; get_politician says how many filings a "
             "politician has.")},
    {NAME("chamber"), .kind = ARGUMENT_LISTED, .list = &shape_chambers,
     SAYS("Only documents filed in this chamber of Congress.")},
    ROWS_MAX,
    CURSOR,
    END,
};

static const struct argument list_corrections_arguments[] = {
    {NAME("politician_slug"), .kind = ARGUMENT_SLUG, .length_max = SLUG_MAX,
     SAYS("Only corrections of this politician's filings: a slug, not a name."),
     .example = STR_INIT("jane-doe"),
     NOTHING("Nothing of this politician was corrected, or the slug is wrong: find_politician "
             "finds slugs.")},
    {NAME("since"), .kind = ARGUMENT_WHEN,
     SAYS("Only corrections recorded on this day (UTC) or later, or at or after an instant."),
     .example = STR_INIT("2026-11-01"), NOTHING("Take an earlier since.")},
    {NAME("until"), .kind = ARGUMENT_WHEN, .to_end = true, .begin = STR_INIT("since"),
     SAYS("Only corrections recorded up to the end of this day (UTC), or before an instant."),
     .example = STR_INIT("2026-11-30")},
    {NAME("kind"), .kind = ARGUMENT_LISTED, .list = &shape_correction_kinds,
     SAYS("Only entries of this kind; backfill is an import of bulk history."),
     NOTHING("There are entries of other kinds only: leave kind out.")},
    {NAME("ticker"), .length_max = TICKER_MAX, SAYS("Only corrections of trades in this symbol."),
     .example = STR_INIT("AAPL"),
     NOTHING("Nothing of this symbol was corrected, or it is the name of a company: get_ticker "
             "says whether it is known.")},
    {NAME("trade_id"), .length_max = ID_MAX, SAYS("Only corrections of the trade with this id."),
     .example = STR_INIT("house-20026590-0003"),
     NOTHING("Nothing of this trade was corrected, or the id is wrong.")},
    {NAME("filing"), .length_max = ID_MAX,
     SAYS("Only corrections of the filing with this id, and of its trades."),
     .example = STR_INIT("house-20026590"),
     NOTHING("Nothing of this filing was corrected, or the id is wrong.")},
    ROWS_MAX,
    CURSOR,
    END,
};

static const struct argument find_politician_arguments[] = {
    {NAME("name"), .required = true, .length_max = FIND_NAME_MAX,
     SAYS("A name as people type it. Nicknames, initials, missing accents, other word orders and "
          "typing errors match too."),
     .example = STR_INIT("Bob Smith")},
    MAX_PAGES(FIND_PAGES_MAX, FIND_PAGES_DEFAULT),
    END,
};

static const struct argument conflicted_trades_arguments[] = {
    {NAME("about"), .length_max = CONFLICTED_ABOUT_MAX, .use = ARGUMENT_IS_OWN,
     SAYS("Only signals that fit all of these words, as people say them: industries (defense "
          "contractors, pharma, crypto, big tech, oil, banks), committees (HELP, Judiciary, armed "
          "services), members, companies or symbols."),
     .example = STR_INIT("pharma on HELP")},
    {NAME("everywhere"), .kind = ARGUMENT_TRUTH, .use = ARGUMENT_IS_OWN,
     SAYS("true: search all published trades, not only the newest. Any filter does this too.")},
    TRADE_FILTERS,
    LIMIT(
        ARGUMENT_IS_OWN,
        SAYS("With filters, about or everywhere: maximum number of trades to return.")),
    CURSOR_FOR(ARGUMENT_IS_OWN),
    MAX_PAGES(CONFLICTED_PAGES_MAX, CONFLICTED_PAGES_DEFAULT),
    FIELDS,
    END,
};

static const struct argument get_trade_arguments[] = {
    {NAME("id"), .required = true, .length_max = ID_MAX,
     SAYS("The id of a trade, from another tool's result."),
     .example = STR_INIT("house-20026590-0003")},
    END,
};

static const struct argument get_coverage_arguments[] = {END};

/* Ends the description of the first tool that returns trades; docs/mcp.md quotes it. */
#define OF_TRADES                                                                                  \
    " Amounts are known as ranges only: amountRange.min to max in dollars (max null: no upper "    \
    "end). tradeDate is the day of the trade, disclosedAt when it became public here (bulk "       \
    "history: when it was filed). ownerType is the owner of the asset: self, spouse, joint or "    \
    "child. Where assetType is option, a purchase may be of a put, a bet that the price falls: "   \
    "get the type with fields details or get_trade before saying that it was bought. "             \
    "A value that the filing does not state is null. conflictSignal means that a "                 \
    "committee of the politician oversees the asset's industry: it is editorial and not an "       \
    "allegation of wrongdoing."

#define RELAY .start = relay_start, .answered = relay_answered
#define OWN(begins, takes_answer, cut, ends)                                                       \
    .start = (begins), .answered = (takes_answer), .cut_short = (cut), .finish = (ends)
#define TOOL(what, called, heads, asks, takes, says, ...)                                          \
    {                                                                                              \
        NAME(called), SAYS(says), .title = STR_INIT(heads), .path = STR_INIT(asks),                \
                                  .arguments = (takes), .answers = TOOL_ANSWER_##what, __VA_ARGS__ \
    }

static const struct tool tools[] = {
    TOOL(
        PAGE, "list_trades", "List trades", "/api/v1/trades", list_trades_arguments,
        "Who in the U.S. Congress traded what, and when: disclosed trades, newest disclosure "
        "first, that match all given filters. To count, rank or sum use count_trades. If "
        "nextCursor is not null, there are more: call again with it as cursor and the same "
        "filters." OF_TRADES,
        RELAY, .nothing = "No published trade matches all these filters."),
    TOOL(
        GROUPS, "count_trades", "Count and rank trades", "/api/v1/stats", count_trades_arguments,
        "How many, how much, who most: counts and sums of all trades that match the filters (those "
        "of list_trades), in groups, and in totals. One call answers \"the most active senator\" "
        "(group_by politician, chamber senate), \"which party traded more in 2020\", \"the average "
        "delay by chamber\" (medianDays, p90Days). amountMin and amountMax are sums of the lower "
        "and upper ends of ranges; amountOpen trades have no upper end. A group of null has no "
        "value. overlaps true: a trade is in several groups, which do not add up to totals.",
        RELAY, .nothing = "No published trade matches all these filters."),
    TOOL(
        PAGE, "find_ticker", "Find a symbol by a company's name",
        "/api/v1/tickers?q=", find_ticker_arguments,
        "The symbols of companies by name, best match first, each with the company, its industry "
        "and the counts of its trades. A former symbol is a row of its own; get_ticker counts "
        "trades under both.",
        RELAY, .in_path = STR_INIT("name"), .nothing = "No known symbol or company has this name."),
    TOOL(
        ONE, "get_politician", "One politician", "/api/v1/politicians/", get_politician_arguments,
        "One member of Congress: name, party, state, today's committees, counts of all disclosed "
        "trades (buys, sells, exchanges, conflict signals, filings), and the newest 25 trades. "
        "Needs the slug: find_politician finds it by name. For older or filtered trades use "
        "list_trades with politician_slug.",
        RELAY, .in_path = STR_INIT("slug"),
        .unknown = "There is no politician with this slug. find_politician finds slugs by name.",
        .nothing = "No trade of this politician is published here. That is not proof of none: "
                   "get_coverage says how many reports are known and not read yet."),
    TOOL(
        ONE, "get_committee", "A committee on a day", "/api/v1/committees/",
        get_committee_arguments,
        "Who sat on a committee on a day, with roles and party, its subcommittees and what it "
        "oversees. What its members traded: count_trades or list_trades with seat.",
        RELAY, .in_path = STR_INIT("id"),
        .unknown = "No list of seats has a committee with this id."),
    TOOL(
        ONE, "get_ticker", "One symbol", "/api/v1/tickers/", get_ticker_arguments,
        "How members of Congress traded one ticker symbol: the company and its industry, counts of "
        "buys, sells (full and partial), exchanges and politicians, firstActivity and "
        "lastActivity, and the newest 25 trades. For older or filtered trades use list_trades with "
        "ticker.",
        RELAY, .in_path = STR_INIT("symbol"),
        .unknown = "This symbol is unknown, and no disclosed trade has it. Check that it is "
                   "spelled as on the exchange.",
        .nothing = "No published trade has this symbol. Assets without a symbol, such as bonds and "
                   "private companies, are in list_trades with asset_type or politician_slug."),
    TOOL(
        PAGE, "list_filings", "List filings", "/api/v1/filings", list_filings_arguments,
        "The official disclosure documents that trades were read from, newest publication first, "
        "each with its URL at the House or the Senate. filedAt is the time of filing. For the "
        "document of a trade use filingUrl in list_trades, or get_trade. If nextCursor is not "
        "null, there are more: call again with it as cursor and the same filters.",
        RELAY, .nothing = "No published filing matches."),
    TOOL(
        PAGE, "list_corrections", "List corrections", "/api/v1/corrections",
        list_corrections_arguments,
        "What changed after publication, newest first: corrected fields with the old and the new "
        "value, withdrawals, reinstatements and imports of bulk history, each with the reason. Use "
        "it to learn why a trade looks different than before or is gone.",
        RELAY, .nothing = "No correction matches."),
    TOOL(
        MATCHES, "find_politician", "Find a politician by name", "/api/v1/trades",
        find_politician_arguments,
        "Finds the slug of a member of Congress, serving or former, by name: at most 10 matches, "
        "best first, each with a score from 1 to 100 and why. Call it first whenever a question "
        "names a person. It looks among the newest trades, and in all members if no match is sure. "
        "Compare name, chamber and state, and ask which one is meant if several fit.",
        OWN(find_politician_start, find_politician_answered, find_politician_end,
            find_politician_finish)),
    TOOL(
        SCAN, "get_conflicted_trades", "Trades with a conflict signal", "/api/v1/trades",
        conflicted_trades_arguments,
        "Trades by members whose committees oversee the industry of what they traded, such as "
        "defense stocks bought while on Armed Services. conflictReason names the committee, the "
        "industry and the company. Without filters it reads the newest max_pages times 100 trades; "
        "with about, any filter, or everywhere true it asks the index of all trades with a signal. "
        "If nextCursor is not null, call again with it as cursor and the same other arguments. "
        "get_trade returns the evidence.",
        OWN(conflicted_trades_start, conflicted_trades_answered, conflicted_trades_end,
            conflicted_trades_finish),
        .nothing = "No trade with a conflict signal matches all these filters."),
    TOOL(
        ONE, "get_trade", "One trade with its source", "/api/v1/trades/", get_trade_arguments,
        "One trade with its source (the official document, page, row and its cells as printed, the "
        "review, when it was due, whether it was late and why) and, if it has a conflict signal, "
        "the evidence: industry, committee seats on that day and the lists they come from. Use it "
        "to check, explain or cite a trade.",
        RELAY, .in_path = STR_INIT("id"),
        .unknown =
            "There is no trade with this id. Pass an id exactly as another tool returned it."),
    TOOL(
        ONE, "get_coverage", "What the data covers", "/api/v1/coverage", get_coverage_arguments,
        "How complete the data is: known disclosure reports by chamber, year and state (published, "
        "in review, refused and others). Use it before saying that somebody did not trade, and "
        "when a search finds nothing.",
        RELAY),
};

const struct tool *tool_at(size_t i)
{
    return i < sizeof tools / sizeof *tools ? &tools[i] : NULL;
}

const struct tool *tool_named(struct str name)
{
    const struct tool *tool;
    for (size_t i = 0; (tool = tool_at(i)) && !str_eq(tool->name, name);)
        i++;
    return tool;
}
