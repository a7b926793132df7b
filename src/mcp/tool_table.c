/* The tools (spec 4.6, 8.8); see tool.h. */
#include "core/page.h"
#include "mcp/conflicted_trades.h"
#include "mcp/find_politician.h"
#include "mcp/relay.h"
#include "shape/lists.h"

enum { TICKER_MAX = 32, SLUG_MAX = 120, ID_MAX = 80, CURSOR_MAX = 500 };

#define NAME(text) .name = STR_INIT(text)
#define SAYS(text) .description = STR_INIT(text)
#define END                                                                                        \
    {                                                                                              \
        .name = { NULL, 0 }                                                                        \
    }

#define LIMIT                                                                                      \
    {                                                                                              \
        NAME("limit"), .kind = ARGUMENT_INTEGER, .min = 1, .max = PAGE_LIMIT_MAX,                  \
                       .if_absent = PAGE_LIMIT_DEFAULT, SAYS("Maximum number of rows to return.")  \
    }
#define CURSOR                                                                                     \
    {                                                                                              \
        NAME("cursor"),                                                                            \
            .length_max = CURSOR_MAX,                                                              \
            SAYS("To continue after a result: its nextCursor, unchanged, with the same other "     \
                 "arguments. Leave it out to begin with the newest.")                              \
    }
#define CHAMBER                                                                                    \
    {                                                                                              \
        NAME("chamber"), .kind = ARGUMENT_LISTED, .list = &shape_chambers,                         \
                         SAYS("Only documents filed in this chamber of Congress.")                 \
    }
#define FIELDS                                                                                     \
    {                                                                                              \
        NAME("fields"), .kind = ARGUMENT_LISTED, .list = &shape_fields,                            \
                        SAYS("details adds to each trade what was traded beyond the asset's "      \
                             "name: type, strike and expiry of an option, coupon and maturity of " \
                             "a bond, company and description of a private asset, and both sides " \
                             "of an exchange.")                                                    \
    }
#define MAX_PAGES(most, absent)                                                                    \
    {                                                                                              \
        NAME("max_pages"),                                                                         \
            .kind = ARGUMENT_INTEGER, .min = 1, .max = (most), .if_absent = (absent),              \
            SAYS("Maximum number of pages of 100 trades to scan. Each page counts as one "         \
                 "request for the rate limit.")                                                    \
    }

static const struct argument list_trades_arguments[] = {
    {NAME("ticker"), .length_max = TICKER_MAX,
     SAYS("Only trades in this exchange symbol, in any letter case. This excludes assets without "
          "a symbol."),
     .example = STR_INIT("AAPL")},
    {NAME("politician_slug"), .length_max = SLUG_MAX,
     SAYS("Only trades of this politician. find_politician finds the slug for a name. An unknown "
          "slug is not an error; the result is empty."),
     .example = STR_INIT("jane-doe")},
    CHAMBER,
    {NAME("since"), .kind = ARGUMENT_INSTANT,
     SAYS("Only trades disclosed at or after this instant, given with Z or an offset. The trade "
          "itself is often weeks older."),
     .example = STR_INIT("2026-11-01T00:00:00Z")},
    LIMIT,
    CURSOR,
    FIELDS,
    END,
};

static const struct argument get_politician_arguments[] = {
    {NAME("slug"), .required = true, .length_max = SLUG_MAX,
     SAYS("The politician's slug, as in trades. find_politician finds it by name."),
     .example = STR_INIT("jane-doe")},
    FIELDS,
    END,
};

static const struct argument get_ticker_arguments[] = {
    {NAME("symbol"), .required = true, .length_max = TICKER_MAX,
     SAYS("An exchange symbol, in any letter case and class spelling (BRK.B, BRK-B)."),
     .example = STR_INIT("AAPL")},
    FIELDS,
    END,
};

static const struct argument list_filings_arguments[] = {CHAMBER, LIMIT, CURSOR, END};

static const struct argument find_politician_arguments[] = {
    {NAME("name"), .required = true, .length_max = FIND_NAME_MAX,
     SAYS("A name as people type it. Nicknames, initials, missing accents, other word orders and "
          "typing errors match too."),
     .example = STR_INIT("Bob Smith")},
    MAX_PAGES(FIND_PAGES_MAX, FIND_PAGES_DEFAULT),
    END,
};

static const struct argument conflicted_trades_arguments[] = {
    CURSOR,
    MAX_PAGES(CONFLICTED_PAGES_MAX, CONFLICTED_PAGES_DEFAULT),
    END,
};

static const struct argument get_trade_arguments[] = {
    {NAME("id"), .required = true, .length_max = ID_MAX,
     SAYS("The id of a trade, from another tool's result."),
     .example = STR_INIT("house-20026590-0003")},
    END,
};

static const struct argument get_coverage_arguments[] = {END};

/* Ends the description of every tool that returns trades; docs/mcp.md quotes it. */
#define OF_TRADES                                                                                  \
    " Amounts are known as ranges only: amountRange.min to max in dollars (max null: no upper "    \
    "end). tradeDate is the day of the trade, disclosedAt when it became public here (bulk "       \
    "history: when it was filed). ownerType is the owner of the asset: self, spouse, joint or "    \
    "child. Where assetType is option, a purchase may be of a put, a bet that the price falls: "   \
    "get the type with fields details or get_trade before saying that it was bought. "             \
    "A value that the filing does not state is null. conflictSignal means that a "                 \
    "committee of the politician oversees the asset's industry: it is editorial and not an "       \
    "allegation of wrongdoing."

static const struct tool tools[] = {
    {
        NAME("list_trades"),
        .title = STR_INIT("List trades"),
        SAYS("Stock trades that members of the U.S. Congress disclosed, newest disclosure first. "
             "Trades must match all given filters. If nextCursor is not null, there are more: call "
             "again with it as cursor and the same filters." OF_TRADES),
        .arguments = list_trades_arguments,
        .path = STR_INIT("/api/v1/trades"),
        .answers = TOOL_ANSWER_PAGE,
        .schema = "Trade",
        .start = relay_start,
        .answered = relay_answered,
    },
    {
        NAME("get_politician"),
        .title = STR_INIT("One politician"),
        SAYS("One member of Congress: name, party, state, today's committees, counts of all "
             "disclosed trades, and the newest 25 trades. Get more with list_trades and "
             "politician_slug." OF_TRADES),
        .arguments = get_politician_arguments,
        .path = STR_INIT("/api/v1/politicians/"),
        .in_path = STR_INIT("slug"),
        .unknown = "There is no politician with this slug. find_politician finds slugs by name.",
        .answers = TOOL_ANSWER_ONE,
        .schema = "PoliticianActivity",
        .start = relay_start,
        .answered = relay_answered,
    },
    {
        NAME("get_ticker"),
        .title = STR_INIT("One symbol"),
        SAYS("Trades of members of Congress in one exchange symbol: counts of buys, sells (full "
             "and partial), exchanges and politicians, firstActivity and lastActivity, and the "
             "newest 25 trades. Get more with list_trades and ticker." OF_TRADES),
        .arguments = get_ticker_arguments,
        .path = STR_INIT("/api/v1/tickers/"),
        .in_path = STR_INIT("symbol"),
        .unknown = "This symbol is unknown, and no disclosed trade has it. Check that it is "
                   "spelled as on the exchange.",
        .answers = TOOL_ANSWER_ONE,
        .schema = "TickerActivity",
        .start = relay_start,
        .answered = relay_answered,
    },
    {
        NAME("list_filings"),
        .title = STR_INIT("List filings"),
        SAYS("The official disclosure documents that trades were read from, newest publication "
             "first, each with its URL at the House or the Senate. filedAt is the time of filing. "
             "If nextCursor is not null, there are more: call again with it as cursor."),
        .arguments = list_filings_arguments,
        .path = STR_INIT("/api/v1/filings"),
        .answers = TOOL_ANSWER_PAGE,
        .schema = "Filing",
        .start = relay_start,
        .answered = relay_answered,
    },
    {
        NAME("find_politician"),
        .title = STR_INIT("Find a politician by name"),
        SAYS("Finds the slug of a politician by name: at most 10 matches, best first, each with a "
             "score from 1 to 100 and the reason for it. It searches the politicians of the newest "
             "trades only (max_pages times 100), so a member without recent trades may be missing: "
             "then raise max_pages, or try get_politician with the slug first-last. Compare name, "
             "chamber and state before relying on a match."),
        .arguments = find_politician_arguments,
        .path = STR_INIT("/api/v1/trades"),
        .answers = TOOL_ANSWER_MATCHES,
        .own_schema = &find_politician_match,
        .own_scan_schema = &find_politician_scan,
        .start = find_politician_start,
        .answered = find_politician_answered,
        .cut_short = find_politician_end,
        .finish = find_politician_finish,
    },
    {
        NAME("get_conflicted_trades"),
        .title = STR_INIT("Trades with a conflict signal"),
        SAYS("The trades with a conflict signal among the newest max_pages times 100 trades. "
             "conflictReason is one sentence that explains the signal. data can be empty although "
             "older trades have a signal: if nextCursor is not null, call again with it as cursor "
             "to continue. get_trade returns the evidence for one trade." OF_TRADES),
        .arguments = conflicted_trades_arguments,
        .path = STR_INIT("/api/v1/trades"),
        .answers = TOOL_ANSWER_SCAN,
        .schema = "Trade",
        .start = conflicted_trades_start,
        .answered = conflicted_trades_answered,
        .cut_short = conflicted_trades_end,
        .finish = conflicted_trades_finish,
    },
    {
        NAME("get_trade"),
        .title = STR_INIT("One trade with its source"),
        SAYS("One trade with its source (the official document, page, row and its cells as "
             "printed, the review, whether it was filed late) and, if it has a conflict signal, "
             "the evidence: industry, committee seats and the lists they come from. Use it to "
             "check or to cite a trade." OF_TRADES),
        .arguments = get_trade_arguments,
        .path = STR_INIT("/api/v1/trades/"),
        .in_path = STR_INIT("id"),
        .unknown =
            "There is no trade with this id. Pass an id exactly as another tool returned it.",
        .answers = TOOL_ANSWER_ONE,
        .schema = "TradeDetail",
        .start = relay_start,
        .answered = relay_answered,
    },
    {
        NAME("get_coverage"),
        .title = STR_INIT("What the data covers"),
        SAYS("The number of known disclosure reports by chamber, year and state (published, in "
             "review, refused and others), the newest known document, and the times of bulk "
             "imports. Use it to judge how complete the data is."),
        .arguments = get_coverage_arguments,
        .path = STR_INIT("/api/v1/coverage"),
        .answers = TOOL_ANSWER_ONE,
        .schema = "Coverage",
        .start = relay_start,
        .answered = relay_answered,
    },
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
