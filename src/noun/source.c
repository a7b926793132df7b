/* The tables of where trades and filings come from; see source.h. */
#include "noun/source.h"

#include "base/hidden.h"
#include "noun/details.h"
#include "noun/filing.h"
#include "noun/lists.h"
#include "noun/rows.h"
#include "noun/trade.h"

#define REVIEW(of, in)                                                                             \
    {LISTED("review", of, in review, &shape_reviews),                                              \
     SAYS("row: a person compared each row with the document: each row was opened, and its page "  \
          "was on screen. page: each page with rows was on screen. unseen: a person accepted the " \
          "filing without that, or before the service recorded it. batch: the filing passed all "  \
          "checks, and was accepted with others after a person had looked at some of them, drawn " \
          "at random. bulk: a person vouched for a collection as a whole. The server measures it " \
          "by what it has shown.")},                                                               \
    {                                                                                              \
        SECONDS("reviewSeconds", of, in looked_ms), OR_NULL,                                       \
            SAYS("How long the document was shown to the person who accepted it, breaks of more "  \
                 "than five minutes counted as five; null where it is not known.")                 \
    }

static const struct shape_field reviewer_rows[] = {
    {NUMBERED("name", shape_reviewer, number, "reviewer "),
     SAYS("reviewer 1, reviewer 2: numbered within the filing. People are not named here.")},
    {INSTANT("at", shape_reviewer, at), SAYS("When this person accepted or vouched for it.")},
};

SHAPE(reviewer, "Reviewer", "One of the people who looked at a filing.", shape_reviewer);

static const struct shape_field filing_source_rows[] = {
    {DIGEST("sha256", shape_filing_source, sha256), OR_NULL,
     SAYS("Digest of the document that was read, in hexadecimal digits; null when there is no "
          "file.")},
    REVIEW(shape_filing_source, ),
    {LIST("reviewers", shape_filing_source, reviewers, reviewer_count, &shape_reviewer),
     SAYS("Who accepted the filing, in order of time.")},
    {TEXT("amends", shape_filing_source, amends), OR_NULL,
     SAYS("Id of the filing that this one amends.")},
    {TEXT("amendedBy", shape_filing_source, amended_by), OR_NULL,
     SAYS("Id of the newest filing that amends this one.")},
    {COUNT("corrections", shape_filing_source, corrections),
     SAYS("How many entries of [/corrections](#corrections) are about the filing or its trades.")},
};

SHAPE(
    filing_source, "FilingSource", "The document of a filing and its review.", shape_filing_source);

static const struct shape_field confirmed_company_rows[] = {
    {TEXT("symbol", shape_confirmed_company, symbol),
     SAYS("The company's symbol on the day of the trade.")},
    {TEXT("basis", shape_confirmed_company, basis),
     SAYS("reviewer: a person read the name in the document and confirmed the company.")},
};

SHAPE(
    confirmed_company, "ConfirmedCompany",
    "The company of an asset whose symbol the document does not print.", shape_confirmed_company);

static const struct shape_field trade_source_rows[] = {
    {TEXT("filingId", shape_trade_source, filing_id),
     SAYS("Id of the filing: [/filings/{id}](#filing) has it.")},
    {TEXT("url", shape_trade_source, url), URI, OR_NULL, SAYS("The official document.")},
    {DIGEST("sha256", shape_trade_source, from.sha256), OR_NULL,
     SAYS("Digest of the document that was read, in hexadecimal digits; null when the row was "
          "entered without a file.")},
    {ORDINAL("page", shape_trade_source, page), OR_NULL,
     SAYS("Page of the document, from 1; null when it has none.")},
    {INTEGER("row", shape_trade_source, row),
     SAYS("Number of the row in the document; it ends the trade's id.")},
    {JSON("printed", shape_trade_source, printed), OR_NULL,
     SAYS("The cells of the row as the document prints them, as text: id, owner, ticker, "
          "ticker_two, asset, asset_stored, asset_detail, asset_type, type, date, notified, "
          "amount, cap_gains, status, subholding_of, location, description, comment. Absent: not "
          "printed. asset_stored: the text in the file where its letter case is not the page's. "
          "Null when no cells were kept.")},
    {LISTED("tickerBasis", shape_trade_source, ticker_basis, &shape_ticker_bases), OR_NULL,
     SAYS("Where the document prints the trade's ticker. filed: in a cell of its own. name: in the "
          "text of the asset, as the House's form does. Null: there is none, or the cells as they "
          "are printed do not show it.")},
    {POINTER("company", shape_trade_source, company, &shape_confirmed_company), OR_NULL,
     SAYS("The company that a reviewer confirmed where the document prints no symbol: ticker stays "
          "null, and the [conflict signal](/docs/conflict) may rest on it. Null: the symbol is "
          "printed, or nobody has confirmed a company.")},
    {MAYBE("capGainsOver200", shape_trade_source, cap_gains), OR_NULL, SAYS(SHAPE_CAP_GAINS)},
    REVIEW(shape_trade_source, from.),
    {LISTED("entry", shape_trade_source, entry, &shape_entries), OR_NULL,
     SAYS("Of a filing on paper, how it was entered. single: one person typed it. double: a second "
          "person typed it from the page alone, and differences were decided. Null: it was read "
          "from its document.")},
    {LIST("reviewers", shape_trade_source, from.reviewers, from.reviewer_count, &shape_reviewer),
     SAYS("Who accepted the filing, in order of time.")},
    {TEXT("amends", shape_trade_source, from.amends), OR_NULL,
     SAYS("Id of the filing that this trade's filing amends.")},
    {TEXT("amendedBy", shape_trade_source, from.amended_by), OR_NULL,
     SAYS("Id of the newest filing that amends this trade's filing.")},
    {COUNT("corrections", shape_trade_source, from.corrections),
     SAYS("How many entries of [/corrections](#corrections) are about this trade.")},
    {NAMES("doubts", shape_trade_source, doubts, doubt_count, &shape_date_doubts),
     SAYS(
         "Dates that cannot be right; they are published as filed. notified_before_traded: the "
         "filer was notified before the trade. notified_after_filed, traded_after_filed: after the "
         "report was filed. traded_long_before_filed: more than ten years before. date_unreadable, "
         "notified_unreadable: what is printed is no date, and none is published. Empty: none.")},
};

const struct shape_object shape_trade_source = {
    STR_INIT("TradeSource"),
    STR_INIT("The way from the official document to a trade."),
    sizeof(struct shape_trade_source),
    sizeof trade_source_rows / sizeof *trade_source_rows,
    trade_source_rows,
    .more = &shape_dates,
    .more_at = offsetof(struct shape_trade_source, dates),
};

static const struct shape_field conflict_committee_rows[] = {
    {TOLD(SHAPE_STRING, "id"), SAYS("Committee id of the congressional data set.")},
    {TOLD(SHAPE_STRING, "name"), SAYS("Name of the committee or subcommittee.")},
    {TOLD(SHAPE_STRING, "role"), SAYS("chair, ranking_member, vice_chair or member.")},
    {TOLD(SHAPE_STRING, "strength"), SAYS("full_committee, subcommittee or appropriations.")},
    {TOLD(SHAPE_STRING, "grade"), SAYS("The grade of this seat alone.")},
    {TOLD(SHAPE_DAY, "from"), .format = STR_INIT("date"),
     SAYS("Start of the seat: the day of the first committee list that has it, with no list of "
          "that Congress without it since. The seat may have begun earlier.")},
    {TOLD(SHAPE_DAY, "to"), .format = STR_INIT("date"), OR_NULL,
     SAYS("End of the seat: the day of the first later list without it, or the day on which the "
          "next Congress began. null if the newest list has the seat.")},
};

SHAPE_TOLD(
    conflict_committee, "ConflictCommittee",
    "A seat that a [conflict signal](/docs/conflict) rests on.");

static const struct shape_field conflict_jurisdiction_rows[] = {
    {TOLD(SHAPE_STRING, "id"), SAYS("Committee id of the congressional data set.")},
    {TOLD(SHAPE_STRING, "industry"), SAYS("Name of the industry that it oversees.")},
    {TOLD(SHAPE_STRING, "ground"),
     SAYS("rule: a rule of the chamber, a resolution or a statute names the industry. panel: the "
          "jurisdiction of a subcommittee does. part: such a text names a part of the industry. "
          "appropriations: it decides on money. act: the committee heard, wrote to, subpoenaed or "
          "reported on the company.")},
    {TOLD(SHAPE_STRING, "jurisdiction"),
     SAYS("What it oversees of the industry, in a few words; of an act, what it did and when.")},
    {TOLD(SHAPE_STRING, "source"), SAYS("The rule, statement or official page that says so.")},
};

SHAPE_TOLD(
    conflict_jurisdiction, "ConflictJurisdiction",
    "A line of the map from committees to industries.");

static const struct shape_field conflict_map_entry_rows[] = {
    {TOLD(SHAPE_STRING, "symbol"), OR_NULL,
     SAYS("The symbol that was looked up; null where the asset itself counts, as with "
          "cryptocurrency.")},
    {TOLD(SHAPE_STRING, "symbolBasis"), OR_NULL,
     SAYS("filing: the document prints the symbol. reviewer: a person confirmed the company of the "
          "printed name. null without a symbol.")},
    {TOLD(SHAPE_STRING, "company"), SAYS("What it stood for on the day of the trade.")},
    {TOLD(SHAPE_STRING, "business"), OR_NULL,
     SAYS("What the company does, in a few words; null where only an imported symbol list names "
          "its industry.")},
    {TOLD(SHAPE_STRING, "source"), OR_NULL, SAYS("What the line can be checked against.")},
    {TOLD_LIST("committees", &shape_conflict_jurisdiction),
     SAYS("The lines of the committee map and the acts of oversight, in the order of the seats.")},
};

SHAPE_TOLD(
    conflict_map_entry, "ConflictMapEntry",
    "Why the asset belongs to the industry, and why the committees oversee it.");

static const struct shape_field conflict_industry_rows[] = {
    {TOLD(SHAPE_STRING, "code"), SAYS("[Code](/docs/industries) of the industry.")},
    {TOLD(SHAPE_INTEGER, "share"), OR_NULL,
     SAYS("Percent of the company's revenue; null where no list has it.")},
    {TOLD(SHAPE_STRING, "kind"),
     SAYS("primary: where the company earns the most, or the asset itself. secondary: another "
          "business of at least a fifth of revenue. minor: under a fifth or unknown: not judged. "
          "asset: what a fund holds or a future delivers. sector: of a fund of one sector.")},
    {TOLD(SHAPE_STRING, "source"), OR_NULL, SAYS("What the line can be checked against.")},
};

SHAPE_TOLD(
    conflict_industry, "ConflictIndustry", "An industry of the traded asset, and how it belongs.");

static const struct shape_field conflict_rows[] = {
    {TOLD(SHAPE_STRING, "industry"),
     SAYS("Name of the industry that the reason names: the first of industries.")},
    {TOLD_LIST("industries", &shape_conflict_industry),
     SAYS("All industries of the asset that the lists have.")},
    {TOLD(SHAPE_STRING, "basis"),
     SAYS("How the list of seats that was used relates to the day of the trade. in_force: dated on "
          "or before it. later_list: dated after it, because no earlier list of that Congress has "
          "the member; treat these signals as weaker.")},
    {TOLD(SHAPE_STRING, "strength"),
     SAYS("The strongest kind of seat among the committees: full_committee, subcommittee, or "
          "appropriations, which decides on money only.")},
    {TOLD(SHAPE_STRING, "grade"),
     SAYS("How directly the lists meet, by the best seat. A: primary business, seat in force, "
          "jurisdiction by rule or a subcommittee's own. B: a secondary business, or the whole "
          "committee by a subcommittee's jurisdiction. C: a later list, a fund of one sector, a "
          "part of the industry, or Appropriations.")},
    {TOLD(SHAPE_DAY, "seatsAsOf"), .format = STR_INIT("date"),
     SAYS("Day of the list of seats that was used.")},
    {TOLD_LIST("committees", &shape_conflict_committee),
     SAYS("The seats that count: those that the reason names first; among them whole committees, "
          "then chairs, ranking members, vice chairs and members.")},
    {TOLD_OBJECT("mapEntry", &shape_conflict_map_entry),
     SAYS("The entries of the curated lists that were used.")},
    {TEXT("ruleVersion", shape_conflict, rule_version),
     SAYS(
         "The rule's number, and a digest of the lists, with which exactly this was first found.")},
    {INSTANT("since", shape_conflict, since), SAYS("When the trade got its current signal.")},
};

SHAPE(
    conflict, "Conflict",
    "What a conflict signal was made from, so that anyone can check it: [how it is "
    "made](/docs/conflict).",
    shape_conflict);

void shape_conflict_json(struct buf *b, const struct shape_conflict *conflict)
{
    hidden_json(b, str_slice(conflict->evidence, 0, conflict->evidence.n - 1));
    buf_char(b, ',');
    shape_members_json(
        b, &shape_conflict, shape_conflict.count - 2, shape_conflict.count, conflict);
    buf_char(b, '}');
}

static const struct shape_field trade_detail_rows[] = {
    {POINTER("trade", shape_trade_detail, trade, &shape_trade), SAYS("The trade as in the feed.")},
    {JSON_OF("details", shape_trade_detail, details, &shape_details), OR_NULL,
     SAYS("Terms of an option or a bond, and whatever else the filing states about what was "
          "traded; null where it states nothing of the kind.")},
    {OBJECT("source", shape_trade_detail, source, &shape_trade_source),
     SAYS("Where it comes from.")},
    {JSON_OF("conflict", shape_trade_detail, conflict, &shape_conflict), OR_NULL,
     SAYS("What the [conflict signal](/docs/conflict) was made from; null without a signal.")},
};

SHAPE(trade_detail, "TradeDetail", "A trade and where it comes from.", shape_trade_detail);

static const struct shape_field filing_detail_rows[] = {
    {POINTER("filing", shape_filing_detail, filing, &shape_filing),
     SAYS("The filing as in the list.")},
    {POINTER("politician", shape_filing_detail, politician, &shape_politician_ref),
     SAYS("Who filed it, as of the filing date.")},
    {OBJECT("source", shape_filing_detail, source, &shape_filing_source),
     SAYS("Where it comes from.")},
    {TOLD_LIST("trades", &shape_trade), SAYS("The newest 100 trades of the filing, in the order of "
                                             "the feed. A filing without trades has none.")},
    {TEXT("nextCursor", shape_filing_detail, next_cursor), OR_NULL,
     SAYS("Pass it as cursor to /api/v1/trades?filing=id to get the other trades; null if these "
          "are all.")},
};

SHAPE(
    filing_detail, "FilingDetail", "A filing, where it comes from, and its trades.",
    shape_filing_detail);

static const struct shape_field known_report_rows[] = {
    {LISTED("state", shape_known_report, state, &shape_report_states),
     SAYS("Where it is on its way to publication: the states of [coverage](/docs/coverage).")},
    {TEXT("filer", shape_known_report, filer), OR_NULL,
     SAYS("The filer as printed by the index or the document; null when not known.")},
    {DAY("filedOn", shape_known_report, filed_day), OR_NULL,
     SAYS("The day of filing; null when not known.")},
    {TEXT("url", shape_known_report, url), URI, OR_NULL,
     SAYS("The official document; null when not known.")},
};

SHAPE(
    known_report, "KnownReport",
    "A report that is known and not published: an official index names it, or it waits for review. "
    "It is no Filing and has no trades here.",
    shape_known_report);
