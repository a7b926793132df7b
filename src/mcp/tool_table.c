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
                       .if_absent = PAGE_LIMIT_DEFAULT, SAYS("How many rows to return at most.")   \
    }
#define CURSOR                                                                                     \
    {                                                                                              \
        NAME("cursor"),                                                                            \
            .length_max = CURSOR_MAX,                                                              \
            SAYS("The nextCursor of the previous result, exactly as it was, to go on behind it; "  \
                 "the other arguments stay the same. Leave it out to begin with the newest.")      \
    }
#define CHAMBER                                                                                    \
    {                                                                                              \
        NAME("chamber"), .kind = ARGUMENT_LISTED, .list = &shape_chambers,                         \
                         SAYS("Only what was filed in this chamber of Congress.")                  \
    }
#define MAX_PAGES(most, absent)                                                                    \
    {                                                                                              \
        NAME("max_pages"),                                                                         \
            .kind = ARGUMENT_INTEGER, .min = 1, .max = (most), .if_absent = (absent),              \
            SAYS("How many pages of 100 trades to look through at most; each counts "              \
                 "as one request of the rate limit.")                                              \
    }

static const struct argument list_trades_arguments[] = {
    {NAME("ticker"), .length_max = TICKER_MAX,
     SAYS("Only trades in this exchange symbol, in any letter case. Assets without a symbol are "
          "never among them."),
     .example = STR_INIT("AAPL")},
    {NAME("politician_slug"), .length_max = SLUG_MAX,
     SAYS("Only trades of this politician. find_politician finds the slug of a name; one that "
          "nobody has is no error, but finds nothing."),
     .example = STR_INIT("jane-doe")},
    CHAMBER,
    {NAME("since"), .kind = ARGUMENT_INSTANT,
     SAYS("Only trades disclosed at this instant, given with Z or an offset, or later. The trade "
          "itself is often weeks older."),
     .example = STR_INIT("2026-11-01T00:00:00Z")},
    LIMIT,
    CURSOR,
    END,
};

static const struct argument get_politician_arguments[] = {
    {NAME("slug"), .required = true, .length_max = SLUG_MAX,
     SAYS("The politician's identifier, as it stands in trades; find_politician finds it."),
     .example = STR_INIT("jane-doe")},
    END,
};

static const struct argument get_ticker_arguments[] = {
    {NAME("symbol"), .required = true, .length_max = TICKER_MAX,
     SAYS("An exchange symbol, in any letter case and class spelling (BRK.B, BRK-B)."),
     .example = STR_INIT("AAPL")},
    END,
};

static const struct argument list_filings_arguments[] = {CHAMBER, LIMIT, CURSOR, END};

static const struct argument find_politician_arguments[] = {
    {NAME("name"), .required = true, .length_max = FIND_NAME_MAX,
     SAYS("A name as somebody would type it: nicknames, initials, accents, word order and typing "
          "errors are taken into account."),
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
     SAYS("The id of a trade, as other tools return it."),
     .example = STR_INIT("house-20026590-0003")},
    END,
};

static const struct argument get_coverage_arguments[] = {END};

/* What a model must know of a trade, in the tools that return some. */
#define OF_TRADES                                                                                  \
    " Amounts are known as ranges only: amountRange.min to max in dollars (max null: no upper "    \
    "end). tradeDate is the day of the trade, disclosedAt when it became public here (bulk "       \
    "history: when it was filed). ownerType says whose asset it is: self, spouse, joint or "       \
    "child. What the filing does not say is null, not guessed. conflictSignal means that a "       \
    "committee of the politician oversees the asset's industry: it is editorial and no "           \
    "allegation of wrongdoing."

static const struct tool tools[] = {
    {
        NAME("list_trades"),
        .title = STR_INIT("List trades"),
        SAYS("Stock trades that members of the U.S. Congress disclosed, newest disclosure first; "
             "all filters that are given must match. Where nextCursor is not null there are more: "
             "call again with it as cursor and the same filters." OF_TRADES),
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
        SAYS("One member of Congress: who they are and on which committees they sit today, counts "
             "over all disclosed trades, and the newest 25 of them. More come from list_trades "
             "with politician_slug." OF_TRADES),
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
        SAYS("What members of Congress disclosed in one exchange symbol: counts of buys, sells "
             "(full and partial) and exchanges, by how many politicians, firstActivity and "
             "lastActivity, and the newest 25 trades. More come from list_trades with "
             "ticker." OF_TRADES),
        .arguments = get_ticker_arguments,
        .path = STR_INIT("/api/v1/tickers/"),
        .in_path = STR_INIT("symbol"),
        .unknown = "This symbol is not known, and nobody disclosed a trade in it. Is it spelled as "
                   "on the exchange?",
        .answers = TOOL_ANSWER_ONE,
        .schema = "TickerActivity",
        .start = relay_start,
        .answered = relay_answered,
    },
    {
        NAME("list_filings"),
        .title = STR_INIT("List filings"),
        SAYS("The official disclosure documents that trades were read from, newest publication "
             "first, each with the address of the document at the House or the Senate. filedAt is "
             "when it was filed. Where nextCursor is not null there are more: call again with it "
             "as cursor."),
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
        SAYS("Finds the slug of a politician by name: at most 10 matches, the best first, each "
             "with a score of 1 to 100 and why it matches. It looks at the politicians of the "
             "newest trades only (max_pages times 100), so a member without recent trades may be "
             "missing: then raise max_pages, or try get_politician with the slug first-last. "
             "Compare name, chamber and state before relying on a match."),
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
        SAYS("The trades with a conflict signal among the newest max_pages times 100; "
             "conflictReason is one sentence that explains each. data can be empty although older "
             "ones exist: where nextCursor is not null, call again with it as cursor to look "
             "further. get_trade has the evidence of one." OF_TRADES),
        .arguments = conflicted_trades_arguments,
        .path = STR_INIT("/api/v1/trades"),
        .answers = TOOL_ANSWER_STRETCH,
        .schema = "Trade",
        .start = conflicted_trades_start,
        .answered = conflicted_trades_answered,
        .cut_short = conflicted_trades_end,
        .finish = conflicted_trades_finish,
    },
    {
        NAME("get_trade"),
        .title = STR_INIT("One trade with its source"),
        SAYS("One trade with where it comes from (the official document, page, row and its cells "
             "as printed, who reviewed it, whether it was filed late) and, where it has a conflict "
             "signal, the evidence: industry, committee seats and the lists that say so. Use it to "
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
        SAYS("How many disclosure reports are known, by chamber, year and state of processing "
             "(published, in review, refused and others), the newest document seen, and when bulk "
             "history arrived. Use it to judge how complete the data is."),
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
