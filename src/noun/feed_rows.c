/* The tables of politicians and symbols; see feed_rows.h. */
#include "noun/feed_rows.h"

#include "noun/lists.h"
#include "noun/rows.h"
#include "noun/trade.h"

#define LATE_COUNTS(of)                                                                            \
    {COUNT("late", of, counts.late), SAYS("Of the trades, those [reported late](#due).")},         \
    {                                                                                              \
        COUNT("lateUnknown", of, counts.late_unknown),                                             \
            SAYS("Of the trades, those of which it is not known whether they were reported late. " \
                 "The number of late is of the others.")                                           \
    }

#define GRADE_COUNTS(of)                                                                           \
    {COUNT("conflictsA", of, counts.grades[CONFLICT_GRADE_A]),                                     \
     SAYS("Of the conflicts, those of [grade](/docs/conflict#grades) A.")},                        \
        {COUNT("conflictsB", of, counts.grades[CONFLICT_GRADE_B]), SAYS("Those of grade B.")},     \
    {                                                                                              \
        COUNT("conflictsC", of, counts.grades[CONFLICT_GRADE_C]), SAYS("Those of grade C.")        \
    }

static const struct shape_field service_rows[] = {
    {LISTED("chamber", member_service, chamber, &shape_chambers), SAYS("The chamber.")},
    {DAY("from", member_service, from), SAYS("The first day of unbroken service there.")},
    {DAY("to", member_service, until), OR_NULL,
     SAYS("The first day without it; null while in office.")},
};

SHAPE(service, "Service", "Unbroken service in one chamber.", member_service);

static const struct shape_field committee_rows[] = {
    {TOLD(SHAPE_STRING, "id"), SAYS("Committee id of the congressional data set.")},
    {TOLD(SHAPE_STRING, "name"), SAYS("Name of the committee or subcommittee.")},
    {TOLD(SHAPE_STRING, "role"), SAYS("chair, ranking_member, vice_chair or member.")},
};

SHAPE_TOLD(committee, "Committee", "A seat on a committee.");

static const struct shape_field politician_counts_rows[] = {
    {COUNT("trades", feed_politician, counts.trades), SAYS("All published trades.")},
    {COUNT("buys", feed_politician, counts.buys), SAYS("Purchases among them.")},
    {COUNT("sells", feed_politician, counts.sells), SAYS("Full and partial sales among them.")},
    {COUNT("exchanges", feed_politician, counts.exchanges), SAYS("Exchanges among them.")},
    {COUNT("conflicts", feed_politician, counts.conflicts),
     SAYS("Those with a [conflict signal](/docs/conflict).")},
    {COUNT("conflictsLater", feed_politician, counts.conflicts_later),
     SAYS("Of these, those whose committee list is later than the trade.")},
    GRADE_COUNTS(feed_politician),
    LATE_COUNTS(feed_politician),
    {COUNT("filings", feed_politician, filings),
     SAYS("Published filings, those without trades included.")},
    {COUNT("indexed", feed_politician, indexed), OR_NULL,
     SAYS("Trade reports that an official index names, published or not. Null without an index of "
          "the politician's time: then the number of reports is not known.")},
    {COUNT("waiting", feed_politician, waiting),
     SAYS("Known reports that are not published: an index names them, or they wait for review. "
          "Their trades are in no other count.")},
};

SHAPE(
    politician_counts, "PoliticianCounts", "Counts over all trades of a politician.",
    feed_politician);

static const struct shape_field politician_summary_rows[] = {
    {TEXT("id", feed_politician, id), SAYS("Bioguide id; demo-NNNN for invented members.")},
    {TEXT("slug", feed_politician, slug), SAYS("Identifier used in the path; never changes.")},
    {TEXT("name", feed_politician, name), SAYS("Display name.")},
    {LISTED("chamber", feed_politician, chamber, &shape_chambers),
     SAYS("The current one, or the last one served in.")},
    {TEXT("party", feed_politician, party), OR_NULL,
     SAYS("Today's party: Democrat, Republican, Independent and others.")},
    {TEXT("state", feed_politician, state), OR_NULL, SAYS("Two-letter code.")},
    {INTEGER("district", feed_politician, district), OR_NULL,
     SAYS("House district, 0 at large; null for senators.")},
    {BOOLEAN("inOffice", feed_politician, in_office), SAYS("Serving today.")},
    {LIST("service", feed_politician, service, service_count, &shape_service),
     SAYS("By chamber, the newest first, until a successor begins.")},
    {JSON_LIST("committees", feed_politician, committees_json, &shape_committee),
     SAYS("Today's seats, as far as they were imported.")},
    {SELF("counts", &shape_politician_counts), SAYS("Over all trades.")},
    {INSTANT("lastActivity", feed_politician, counts.last_activity), OR_NULL,
     SAYS("Newest disclosedAt; null when nothing was disclosed.")},
};

SHAPE(
    politician_summary, "PoliticianSummary",
    "A member of Congress as of today, with counts: a row of the list.", feed_politician);

enum { PROFILE_MEMBERS = 10 }; /* those of the profile, before the counts */

SHAPE_PART(
    politician_profile, "PoliticianProfile", "A member of Congress as of today.", feed_politician,
    politician_summary_rows, 0, PROFILE_MEMBERS);

static const struct shape_field politician_activity_rows[] = {
    {SELF("profile", &shape_politician_profile), SAYS("Who the politician is today.")},
    {TOLD_LIST("recentTrades", &shape_trade), SAYS("The newest 25.")},
    {SELF("counts", &shape_politician_counts), SAYS("Over all trades.")},
    {INSTANT("lastActivity", feed_politician, counts.last_activity), OR_NULL,
     SAYS("Newest disclosedAt; null when nothing was disclosed.")},
};

SHAPE(
    politician_activity, "PoliticianActivity", "What one member of Congress disclosed.",
    feed_politician);

static const struct shape_field ticker_aggregates_rows[] = {
    {COUNT("trades", feed_ticker_row, counts.trades), SAYS("All published trades.")},
    {COUNT("buys", feed_ticker_row, counts.buys), SAYS("Purchases among them.")},
    {COUNT("sells", feed_ticker_row, counts.sells), SAYS("Full and partial sales among them.")},
    {COUNT("exchanges", feed_ticker_row, counts.exchanges), SAYS("Exchanges among them.")},
    {COUNT("politicians", feed_ticker_row, politicians),
     SAYS("How many politicians disclosed them.")},
    {COUNT("conflicts", feed_ticker_row, counts.conflicts),
     SAYS("Of the trades, those with a [conflict signal](/docs/conflict).")},
    {COUNT("conflictsLater", feed_ticker_row, counts.conflicts_later),
     SAYS("Of these, those whose committee list is later than the trade.")},
    GRADE_COUNTS(feed_ticker_row),
    LATE_COUNTS(feed_ticker_row),
    {INSTANT("firstActivity", feed_ticker_row, counts.first_activity), OR_NULL,
     SAYS("Oldest disclosedAt; null when nothing was traded.")},
    {INSTANT("lastActivity", feed_ticker_row, counts.last_activity), OR_NULL,
     SAYS("Newest disclosedAt; null when nothing was traded.")},
};

SHAPE(
    ticker_aggregates, "TickerAggregates", "Counts over all trades in a symbol.", feed_ticker_row);

static const struct shape_field ticker_summary_rows[] = {
    {TEXT("ticker", feed_ticker_row, symbol), SAYS("The symbol in its normal form.")},
    {TEXT("companyName", feed_ticker_row, company_name), OR_NULL,
     SAYS("The company that had the symbol on the day of its newest trade; without a trade, the "
          "company that has it now. Null when no list names one.")},
    {TEXT("industry", feed_ticker_row, industry), OR_NULL,
     SAYS("The industry of that company; null when not known.")},
    {SELF("aggregates", &shape_ticker_aggregates),
     SAYS("Over all trades, also under former symbols of the company.")},
};

SHAPE(
    ticker_summary, "TickerSummary", "A symbol with its company and counts: a row of the list.",
    feed_ticker_row);

static struct str industry_of(const void *value)
{
    const struct company *company = value;
    return company->industry ? industry_get(company->industry)->name : STR_NULL;
}

static const struct shape_field ticker_company_rows[] = {
    {TEXT("name", company, name), OR_NULL,
     SAYS("The company, under its name of that time where that is known.")},
    {TEXT_OF("industry", industry_of), OR_NULL,
     SAYS("The company's industry; null when not known.")},
    {DAY("from", company, from), OR_NULL,
     SAYS("First day on which the symbol certainly meant this company; null when no earlier "
          "company is known.")},
    {DAY("to", company, to), OR_NULL,
     SAYS("Last day; null when it still has the symbol, as far as is known.")},
};

SHAPE(
    ticker_company, "TickerCompany",
    "A company that had a symbol, and when. Exchanges reuse symbols.", company);

static const struct shape_field ticker_activity_rows[] = {
    {TEXT("ticker", feed_ticker_shown, row.symbol), SAYS("The symbol in its normal form.")},
    {TEXT("companyName", feed_ticker_shown, row.company_name), OR_NULL,
     SAYS("The company that had the symbol on the day of its newest trade; without a trade, the "
          "company that has it now. Null when no list names one: `companies` has those of other "
          "days.")},
    {TEXT("industry", feed_ticker_shown, row.industry), OR_NULL,
     SAYS("The industry of that company; null when not known.")},
    {LIST("companies", feed_ticker_shown, companies, company_count, &shape_ticker_company),
     SAYS("All companies that had the symbol, in order of time.")},
    {TOLD_LIST("recentTrades", &shape_trade), SAYS("The newest 25.")},
    {OBJECT("aggregates", feed_ticker_shown, row, &shape_ticker_aggregates),
     SAYS("Over all trades.")},
};

SHAPE(ticker_activity, "TickerActivity", "What was disclosed in one symbol.", feed_ticker_shown);
