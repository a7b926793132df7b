/* The table of objects; see schema.h. */
#include "noun/schema_parts.h"

#include "noun/dates.h"
#include "noun/details.h"
#include "noun/filing.h"
#include "noun/lists.h"
#include "noun/trade.h"

/* decision 9 */
static const struct schema_member committee[] = {
    {MEMBER("id"), .description = STR_INIT("Committee id of the congressional data set.")},
    {MEMBER("name"), .description = STR_INIT("Name of the committee or subcommittee.")},
    {MEMBER("role"), .description = STR_INIT("chair, ranking_member, vice_chair or member.")},
    END,
};

static const struct schema_member service[] = {
    {MEMBER("chamber"), .list = &shape_chambers, .description = STR_INIT("The chamber.")},
    {MEMBER("from"), .format = STR_INIT("date"),
     .description = STR_INIT("The first day of unbroken service there.")},
    {MEMBER("to"), .nullable = true, .format = STR_INIT("date"),
     .description = STR_INIT("The first day without it; null while in office.")},
    END,
};

#define PROFILE_MEMBERS                                                                            \
    {MEMBER("id"), .description = STR_INIT("Bioguide id; demo-NNNN for invented members.")},       \
        {MEMBER("slug"), .description = STR_INIT("Identifier used in the path; never changes.")},  \
        {MEMBER("name"), .description = STR_INIT("Display name.")},                                \
        {MEMBER("chamber"), .list = &shape_chambers,                                               \
         .description = STR_INIT("The current one, or the last one served in.")},                  \
        {MEMBER("party"), .nullable = true,                                                        \
         .description = STR_INIT("Today's party: Democrat, Republican, Independent and others.")}, \
        {MEMBER("state"), .nullable = true, .description = STR_INIT("Two-letter code.")},          \
        {MEMBER("district"), .type = SCHEMA_INTEGER, .nullable = true,                             \
         .description = STR_INIT("House district, 0 at large; null for senators.")},               \
        {MEMBER("inOffice"), .type = SCHEMA_BOOLEAN, .description = STR_INIT("Serving today.")},   \
        {MEMBER("service"), .type = SCHEMA_LIST, .ref = STR_INIT("Service"),                       \
         .description = STR_INIT("By chamber, the newest first, until a successor begins.")},      \
    {                                                                                              \
        MEMBER("committees"),                                                                      \
            .type = SCHEMA_LIST, .ref = STR_INIT("Committee"),                                     \
            .description = STR_INIT("Today's seats, as far as they were imported.")                \
    }

static const struct schema_member profile[] = {
    PROFILE_MEMBERS,
    END,
};

/* decision 40 */
static const struct schema_member politician_summary[] = {
    PROFILE_MEMBERS,
    {MEMBER("counts"), .type = SCHEMA_REF, .ref = STR_INIT("PoliticianCounts"),
     .description = STR_INIT("Over all trades.")},
    {MEMBER("lastActivity"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("Newest disclosedAt; null when nothing was disclosed.")},
    END,
};

#define LATE_COUNTS                                                                                \
    COUNT("late", "Of the trades, those [reported late](#due)."),                                  \
        COUNT(                                                                                     \
            "lateUnknown", "Of the trades, those of which it is not known whether they were "      \
                           "reported late. The number of late is of the others.")

static const struct schema_member politician_counts[] = {
    COUNT("trades", "All published trades."),
    COUNT("buys", "Purchases among them."),
    COUNT("sells", "Full and partial sales among them."),
    COUNT("exchanges", "Exchanges among them."),
    COUNT("conflicts", "Those with a [conflict signal](/docs/conflict)."),
    COUNT("conflictsLater", "Of these, those whose committee list is later than the trade."),
    LATE_COUNTS,
    COUNT("filings", "Published filings, those without trades included."),
    {MEMBER("indexed"), .type = SCHEMA_INTEGER, .nullable = true,
     .description = STR_INIT("Trade reports that an official index names, published or not. Null "
                             "without an index of the politician's time: then the number of "
                             "reports is not known.")},
    COUNT(
        "waiting", "Known reports that are not published: an index names them, or they wait for "
                   "review. Their trades are in no other count."),
    END,
};

static const struct schema_member politician_activity[] = {
    {MEMBER("profile"), .type = SCHEMA_REF, .ref = STR_INIT("PoliticianProfile"),
     .description = STR_INIT("Who the politician is today.")},
    {MEMBER("recentTrades"), .type = SCHEMA_LIST, .ref = STR_INIT("Trade"),
     .description = STR_INIT("The newest 25.")},
    {MEMBER("counts"), .type = SCHEMA_REF, .ref = STR_INIT("PoliticianCounts"),
     .description = STR_INIT("Over all trades.")},
    {MEMBER("lastActivity"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("Newest disclosedAt; null when nothing was disclosed.")},
    END,
};

/* decision 40 */
static const struct schema_member trade_detail[] = {
    {MEMBER("trade"), .type = SCHEMA_REF, .ref = STR_INIT("Trade"),
     .description = STR_INIT("The trade as in the feed.")},
    {MEMBER("details"), .type = SCHEMA_REF, .ref = STR_INIT("AssetDetails"), .nullable = true,
     .description = STR_INIT("Terms of an option or a bond, and whatever else the filing states "
                             "about what was traded; null where it states nothing of the kind.")},
    {MEMBER("source"), .type = SCHEMA_REF, .ref = STR_INIT("TradeSource"),
     .description = STR_INIT("Where it comes from.")},
    {MEMBER("conflict"), .type = SCHEMA_REF, .ref = STR_INIT("Conflict"), .nullable = true,
     .description = STR_INIT("What the [conflict signal](/docs/conflict) was made from; null "
                             "without a signal.")},
    END,
};

#define REVIEW                                                                                     \
    {MEMBER("review"), .list = &shape_reviews,                                                     \
     .description =                                                                                \
         STR_INIT("row: a person compared each row with the document: each row was opened, "       \
                  "and its page was on screen. page: each page with rows was on screen. "          \
                  "unseen: a person accepted the filing without that, or before the "              \
                  "service recorded it. batch: the filing passed all checks, and was "             \
                  "accepted with others after a person had looked at some of them, drawn "         \
                  "at random. bulk: a person vouched for a collection as a whole. The "            \
                  "server measures it by what it has shown.")},                                    \
    {                                                                                              \
        MEMBER("reviewSeconds"),                                                                   \
            .type = SCHEMA_NUMBER, .nullable = true,                                               \
            .description = STR_INIT("How long the document was shown to the person who accepted "  \
                                    "it, breaks of more than five minutes counted as five; null "  \
                                    "where it is not known.")                                      \
    }

static const struct schema_member trade_source[] = {
    {MEMBER("filingId"),
     .description = STR_INIT("Id of the filing: [/filings/{id}](#filing) has it.")},
    {MEMBER("url"), .nullable = true, .format = STR_INIT("uri"),
     .description = STR_INIT("The official document.")},
    {MEMBER("sha256"), .nullable = true,
     .description = STR_INIT("Digest of the document that was read, in hexadecimal digits; null "
                             "when the row was entered without a file.")},
    {MEMBER("page"), .type = SCHEMA_INTEGER, .nullable = true,
     .description = STR_INIT("Page of the document, from 1; null when it has none.")},
    {MEMBER("row"), .type = SCHEMA_INTEGER,
     .description = STR_INIT("Number of the row in the document; it ends the trade's id.")},
    {MEMBER("printed"), .type = SCHEMA_OPEN, .nullable = true,
     .description = STR_INIT(
         "The cells of the row as the document prints them, as text: id, owner, ticker, "
         "ticker_two, asset, asset_stored, asset_detail, asset_type, type, date, notified, "
         "amount, cap_gains, status, subholding_of, location, description, comment. Absent: not "
         "printed. asset_stored: the text in the file where its letter case is not the page's. "
         "Null when no cells were kept.")},
    {MEMBER("capGainsOver200"), .type = SCHEMA_BOOLEAN, .nullable = true,
     .description = STR_INIT(SHAPE_CAP_GAINS)},
    REVIEW,
    {MEMBER("entry"), .list = &shape_entries, .nullable = true,
     .description = STR_INIT("Of a filing on paper, how it was entered. single: one person typed "
                             "it. double: a second person typed it from the page alone, and "
                             "differences were decided. Null: it was read from its document.")},
    {MEMBER("reviewers"), .type = SCHEMA_LIST, .ref = STR_INIT("Reviewer"),
     .description = STR_INIT("Who accepted the filing, in order of time.")},
    {MEMBER("amends"), .nullable = true,
     .description = STR_INIT("Id of the filing that this trade's filing amends.")},
    {MEMBER("amendedBy"), .nullable = true,
     .description = STR_INIT("Id of the newest filing that amends this trade's filing.")},
    COUNT("corrections", "How many entries of [/corrections](#corrections) are about this trade."),
    {MEMBER("doubts"), .type = SCHEMA_LIST, .list = &shape_date_doubts,
     .description =
         STR_INIT("Dates that cannot be right; they are published as filed. "
                  "notified_before_traded: the filer was notified before the trade. "
                  "notified_after_filed, traded_after_filed: after the report was filed. "
                  "traded_long_before_filed: more than ten years before. date_unreadable, "
                  "notified_unreadable: what is printed is no date, and none is published. "
                  "Empty: none.")},
    END,
};

static const struct schema_member filing_detail[] = {
    {MEMBER("filing"), .type = SCHEMA_REF, .ref = STR_INIT("Filing"),
     .description = STR_INIT("The filing as in the list.")},
    {MEMBER("politician"), .type = SCHEMA_REF, .ref = STR_INIT("PoliticianRef"),
     .description = STR_INIT("Who filed it, as of the filing date.")},
    {MEMBER("source"), .type = SCHEMA_REF, .ref = STR_INIT("FilingSource"),
     .description = STR_INIT("Where it comes from.")},
    {MEMBER("trades"), .type = SCHEMA_LIST, .ref = STR_INIT("Trade"),
     .description = STR_INIT("The newest 100 trades of the filing, in the order of the feed. A "
                             "filing without trades has none.")},
    {MEMBER("nextCursor"), .nullable = true,
     .description = STR_INIT("Pass it as cursor to /api/v1/trades?filing=id to get the other "
                             "trades; null if these are all.")},
    END,
};

static const struct schema_member filing_source[] = {
    {MEMBER("sha256"), .nullable = true,
     .description = STR_INIT("Digest of the document that was read, in hexadecimal digits; null "
                             "when there is no file.")},
    REVIEW,
    {MEMBER("reviewers"), .type = SCHEMA_LIST, .ref = STR_INIT("Reviewer"),
     .description = STR_INIT("Who accepted the filing, in order of time.")},
    {MEMBER("amends"), .nullable = true,
     .description = STR_INIT("Id of the filing that this one amends.")},
    {MEMBER("amendedBy"), .nullable = true,
     .description = STR_INIT("Id of the newest filing that amends this one.")},
    COUNT(
        "corrections",
        "How many entries of [/corrections](#corrections) are about the filing or its trades."),
    END,
};

static const struct schema_member reviewer[] = {
    {MEMBER("name"),
     .description = STR_INIT("reviewer 1, reviewer 2: numbered within the filing. People are not "
                             "named here.")},
    {MEMBER("at"), .format = STR_INIT("date-time"),
     .description = STR_INIT("When this person accepted or vouched for it.")},
    END,
};

static const struct schema_member conflict[] = {
    {MEMBER("industry"), .description = STR_INIT("Name of the traded asset's industry.")},
    {MEMBER("basis"),
     .description =
         STR_INIT("How the list of seats that was used relates to the day of the trade. in_force: "
                  "dated on or before it. later_list: dated after it, because no earlier list of "
                  "that Congress has the member; treat these signals as weaker.")},
    {MEMBER("strength"),
     .description =
         STR_INIT("The strongest kind of seat among the committees: full_committee, subcommittee, "
                  "or appropriations, which decides on money only.")},
    {MEMBER("seatsAsOf"), .format = STR_INIT("date"),
     .description = STR_INIT("Day of the list of seats that was used.")},
    {MEMBER("committees"), .type = SCHEMA_LIST, .ref = STR_INIT("ConflictCommittee"),
     .description =
         STR_INIT("The seats that count: whole committees first, then chairs, ranking members, "
                  "vice chairs and members.")},
    {MEMBER("mapEntry"), .type = SCHEMA_REF, .ref = STR_INIT("ConflictMapEntry"),
     .description = STR_INIT("The entries of the curated lists that were used.")},
    {MEMBER("ruleVersion"),
     .description = STR_INIT(
         "The rule's number, and a digest of the lists, with which exactly this was first found.")},
    {MEMBER("since"), .format = STR_INIT("date-time"),
     .description = STR_INIT("When the trade got its current signal.")},
    END,
};

static const struct schema_member conflict_committee[] = {
    {MEMBER("id"), .description = STR_INIT("Committee id of the congressional data set.")},
    {MEMBER("name"), .description = STR_INIT("Name of the committee or subcommittee.")},
    {MEMBER("role"), .description = STR_INIT("chair, ranking_member, vice_chair or member.")},
    {MEMBER("strength"),
     .description = STR_INIT("full_committee, subcommittee or appropriations.")},
    {MEMBER("from"), .format = STR_INIT("date"),
     .description = STR_INIT("Start of the seat: the day of the first committee list that has it, "
                             "with no list of that Congress without it since. The seat may have "
                             "begun earlier.")},
    {MEMBER("to"), .nullable = true, .format = STR_INIT("date"),
     .description = STR_INIT("End of the seat: the day of the first later list without it, or "
                             "the day on which the next Congress began. null if the newest list "
                             "has the seat.")},
    END,
};

static const struct schema_member conflict_map_entry[] = {
    {MEMBER("symbol"), .nullable = true,
     .description = STR_INIT("The symbol that was looked up; null where the asset itself counts, "
                             "as with cryptocurrency.")},
    {MEMBER("company"), .description = STR_INIT("What it stood for on the day of the trade.")},
    {MEMBER("business"), .nullable = true,
     .description = STR_INIT("What the company does, in a few words; null where only an imported "
                             "symbol list names its industry.")},
    {MEMBER("source"), .nullable = true,
     .description = STR_INIT("What the line can be checked against.")},
    {MEMBER("committees"), .type = SCHEMA_LIST, .ref = STR_INIT("ConflictJurisdiction"),
     .description = STR_INIT("The lines of the committee map, in the order of the seats.")},
    END,
};

static const struct schema_member conflict_jurisdiction[] = {
    {MEMBER("id"), .description = STR_INIT("Committee id of the congressional data set.")},
    {MEMBER("jurisdiction"),
     .description = STR_INIT("What it oversees of the industry, in a few words.")},
    {MEMBER("source"), .description = STR_INIT("The rule or statement that says so.")},
    END,
};

static const struct schema_member correction[] = {
    {MEMBER("id"), .description = STR_INIT("Stable identifier of the entry.")},
    {MEMBER("tradeId"), .nullable = true,
     .description = STR_INIT("The trade; null for an entry about a filing as a whole, and for one "
                             "of kind backfill.")},
    {MEMBER("filingId"), .nullable = true,
     .description = STR_INIT("The filing, also of an entry about one of its trades; null for an "
                             "entry of kind backfill.")},
    {MEMBER("at"), .format = STR_INIT("date-time"), .description = STR_INIT("When it was made.")},
    {MEMBER("kind"), .list = &shape_correction_kinds,
     .description = STR_INIT(
         "field: a published field changed. withdrawn: the trade or filing left lists and counts. "
         "reinstated: it is back, as it was. backfill: bulk history was imported.")},
    {MEMBER("field"), .nullable = true,
     .description = STR_INIT("Name of the member of the Trade or Filing that changed; null for "
                             "other kinds.")},
    {MEMBER("old"), .nullable = true, .description = STR_INIT("Its value before, as text.")},
    {MEMBER("new"), .nullable = true, .description = STR_INIT("Its value since, as text.")},
    {MEMBER("reason"), .nullable = true, .description = STR_INIT("Why.")},
    {MEMBER("backfill"), .type = SCHEMA_REF, .ref = STR_INIT("BackfillRange"), .nullable = true,
     .description = STR_INIT("What was imported; null for other kinds.")},
    END,
};

static const struct schema_member backfill_range[] = {
    {MEMBER("from"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("disclosedAt of its oldest filing.")},
    {MEMBER("to"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("disclosedAt of its newest filing.")},
    COUNT("trades", "How many trades it has."),
    END,
};

static const struct schema_member backfill[] = {
    {MEMBER("at"), .format = STR_INIT("date-time"),
     .description = STR_INIT("When it was imported.")},
    {MEMBER("from"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("disclosedAt of its oldest filing.")},
    {MEMBER("to"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("disclosedAt of its newest filing.")},
    COUNT("trades", "How many trades it has."),
    END,
};

/* decision 10 */
static const struct schema_member ticker_aggregates[] = {
    COUNT("trades", "All published trades."),
    COUNT("buys", "Purchases among them."),
    COUNT("sells", "Full and partial sales among them."),
    COUNT("exchanges", "Exchanges among them."),
    COUNT("politicians", "How many politicians disclosed them."),
    COUNT("conflicts", "Of the trades, those with a [conflict signal](/docs/conflict)."),
    COUNT("conflictsLater", "Of these, those whose committee list is later than the trade."),
    LATE_COUNTS,
    {MEMBER("firstActivity"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("Oldest disclosedAt; null when nothing was traded.")},
    {MEMBER("lastActivity"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("Newest disclosedAt; null when nothing was traded.")},
    END,
};

static const struct schema_member ticker_activity[] = {
    {MEMBER("ticker"), .description = STR_INIT("The symbol in its normal form.")},
    {MEMBER("companyName"), .nullable = true,
     .description = STR_INIT(
         "The company that had the symbol on the day of its newest trade; without a trade, "
         "the company that has it now. Null when no list names one: `companies` has those "
         "of other days.")},
    {MEMBER("industry"), .nullable = true,
     .description = STR_INIT("The industry of that company; null when not known.")},
    {MEMBER("companies"), .type = SCHEMA_LIST, .ref = STR_INIT("TickerCompany"),
     .description = STR_INIT("All companies that had the symbol, in order of time.")},
    {MEMBER("recentTrades"), .type = SCHEMA_LIST, .ref = STR_INIT("Trade"),
     .description = STR_INIT("The newest 25.")},
    {MEMBER("aggregates"), .type = SCHEMA_REF, .ref = STR_INIT("TickerAggregates"),
     .description = STR_INIT("Over all trades.")},
    END,
};

static const struct schema_member ticker_summary[] = {
    {MEMBER("ticker"), .description = STR_INIT("The symbol in its normal form.")},
    {MEMBER("companyName"), .nullable = true,
     .description = STR_INIT(
         "The company that had the symbol on the day of its newest trade; without a trade, the "
         "company that has it now. Null when no list names one.")},
    {MEMBER("industry"), .nullable = true,
     .description = STR_INIT("The industry of that company; null when not known.")},
    {MEMBER("aggregates"), .type = SCHEMA_REF, .ref = STR_INIT("TickerAggregates"),
     .description = STR_INIT("Over all trades, also under former symbols of the company.")},
    END,
};

static const struct schema_member ticker_company[] = {
    {MEMBER("name"), .nullable = true,
     .description = STR_INIT("The company, under its name of that time where that is known.")},
    {MEMBER("industry"), .nullable = true,
     .description = STR_INIT("The company's industry; null when not known.")},
    {MEMBER("from"), .nullable = true, .format = STR_INIT("date"),
     .description =
         STR_INIT("First day on which the symbol certainly meant this company; null when "
                  "no earlier company is known.")},
    {MEMBER("to"), .nullable = true, .format = STR_INIT("date"),
     .description = STR_INIT("Last day; null when it still has the symbol, as far as is known.")},
    END,
};

/* decision 48 */
static const struct schema_member trade_optional[] = {
    {MEMBER("details"), .type = SCHEMA_REF, .ref = STR_INIT("AssetDetails"), .nullable = true,
     .description = STR_INIT("Present only with fields=details. What the filing states beyond the "
                             "asset's name; null where it states nothing of the kind.")},
    {MEMBER("dates"), .type = SCHEMA_REF, .ref = STR_INIT("TradeDates"),
     .description = STR_INIT("Present only with fields=dates. When the trade was reported, when "
                             "its report was due, and whether it was late.")},
    END,
};

static const struct schema schemas[] = {
    {.closed = true, .shape = &shape_trade, .optional = trade_optional},
    {.closed = true, .shape = &shape_politician_ref},
    {.closed = true, .shape = &shape_amount_range},
    {.closed = true, .shape = &shape_filing},
    {.shape = &shape_details},
    {.shape = &shape_dates},
    {STR_INIT("PoliticianActivity"), STR_INIT("What one member of Congress disclosed."),
     .own = politician_activity},
    {STR_INIT("PoliticianProfile"), STR_INIT("A member of Congress as of today."), .own = profile},
    {STR_INIT("PoliticianSummary"),
     STR_INIT("A member of Congress as of today, with counts: a row of the list."),
     .own = politician_summary},
    {STR_INIT("Committee"), STR_INIT("A seat on a committee."), .own = committee},
    {STR_INIT("Service"), STR_INIT("Unbroken service in one chamber."), .own = service},
    {STR_INIT("PoliticianCounts"), STR_INIT("Counts over all trades of a politician."),
     .own = politician_counts},
    {STR_INIT("TickerActivity"), STR_INIT("What was disclosed in one symbol."),
     .own = ticker_activity},
    {STR_INIT("TickerSummary"),
     STR_INIT("A symbol with its company and counts: a row of the list."), .own = ticker_summary},
    {STR_INIT("TickerCompany"),
     STR_INIT("A company that had a symbol, and when. Exchanges reuse symbols."),
     .own = ticker_company},
    {STR_INIT("TickerAggregates"), STR_INIT("Counts over all trades in a symbol."),
     .own = ticker_aggregates},
    {STR_INIT("TradeDetail"), STR_INIT("A trade and where it comes from."), .own = trade_detail},
    {STR_INIT("TradeSource"), STR_INIT("The way from the official document to a trade."),
     .own = trade_source, .more = &shape_dates},
    {STR_INIT("FilingDetail"), STR_INIT("A filing, where it comes from, and its trades."),
     .own = filing_detail},
    {STR_INIT("KnownReport"),
     STR_INIT("A report that is known and not published: an official index names it, or it waits "
              "for review. It is no Filing and has no trades here."),
     .own = schema_known_report},
    {STR_INIT("FilingSource"), STR_INIT("The document of a filing and its review."),
     .own = filing_source},
    {STR_INIT("Reviewer"), STR_INIT("One of the people who looked at a filing."), .own = reviewer},
    {STR_INIT("Conflict"),
     STR_INIT("What a conflict signal was made from, so that anyone can check it: "
              "[how it is made](/docs/conflict)."),
     .own = conflict},
    {STR_INIT("ConflictCommittee"),
     STR_INIT("A seat that a [conflict signal](/docs/conflict) rests on."),
     .own = conflict_committee},
    {STR_INIT("ConflictMapEntry"),
     STR_INIT("Why the asset belongs to the industry, and why the committees oversee it."),
     .own = conflict_map_entry},
    {STR_INIT("ConflictJurisdiction"), STR_INIT("A line of the map from committees to industries."),
     .own = conflict_jurisdiction},
    {STR_INIT("Correction"), STR_INIT("One entry of the log of what changed after publication."),
     .own = correction},
    {STR_INIT("Change"), STR_INIT("One entry of the sequence of everything that changed."),
     .own = schema_change},
    {STR_INIT("Event"), STR_INIT("An event that webhooks deliver."), .own = schema_event},
    {STR_INIT("EventFiling"), STR_INIT("The filing in the body of an event."),
     .own = schema_event_filing},
    {STR_INIT("EventChange"),
     STR_INIT("One of the changes in the body of an event: a Change without trade and filing."),
     .own = schema_event_change},
    {STR_INIT("BackfillRange"),
     STR_INIT("The part of the feed that an import of bulk history fills."), .own = backfill_range},
    {STR_INIT("Coverage"), STR_INIT("The reports that the service knows, and their state."),
     .own = schema_coverage},
    {STR_INIT("CoverageCount"), STR_INIT("How many reports of one kind there are."),
     .own = schema_coverage_count},
    {STR_INIT("CoverageIndex"), STR_INIT("An official list of all reports of a year."),
     .own = schema_coverage_index},
    {STR_INIT("CoverageReview"), STR_INIT("Public filings by how they were reviewed."),
     .own = schema_coverage_review},
    {STR_INIT("CoverageDocument"), STR_INIT("A document that was seen."),
     .own = schema_coverage_document},
    {STR_INIT("CoverageSample"),
     STR_INIT("Published trades that were drawn at random and checked again."),
     .own = schema_sample},
    {STR_INIT("CoverageSampleGroup"), STR_INIT("The sample of one chamber and kind of document."),
     .own = schema_sample_group},
    {STR_INIT("CoverageSampleMonth"), STR_INIT("The checks of one month."),
     .own = schema_sample_month},
    {STR_INIT("CoverageSampleField"), STR_INIT("Differences in one field."),
     .own = schema_sample_field},
    {STR_INIT("Backfill"), STR_INIT("An import of bulk history."), .own = backfill},
    {STR_INIT("Usage"), STR_INIT("What a key was used for."), .own = schema_usage},
    {STR_INIT("UsageKey"), STR_INIT("A key, without its secret."), .own = schema_usage_key},
    {STR_INIT("UsageWindow"), STR_INIT("One of the windows that limit a key."),
     .own = schema_usage_window},
    {STR_INIT("UsageDay"), STR_INIT("Responses to a key on one day."), .own = schema_usage_day},
    {STR_INIT("UsageError"), STR_INIT("A response to a key with an error."),
     .own = schema_usage_error},
};

#define SCHEMA_COUNT (sizeof schemas / sizeof *schemas)

_Static_assert(SCHEMA_COUNT <= SCHEMA_COUNT_MAX, "a set of schemas is one number");

const struct schema *schema_at(size_t i)
{
    return i < SCHEMA_COUNT ? &schemas[i] : NULL;
}
