/* The tables of what GET /coverage returns; see coverage.h. */
#include "noun/coverage.h"

#include "noun/change.h"
#include "noun/lists.h"
#include "noun/rows.h"

static const struct shape_field coverage_index_rows[] = {
    {LISTED("chamber", shape_coverage_index, chamber, &shape_chambers),
     SAYS("Whose reports it names.")},
    {INTEGER("year", shape_coverage_index, year), SAYS("Its year.")},
    {INSTANT("asOf", shape_coverage_index, as_of), OR_NULL, SAYS("When it was imported last.")},
};

SHAPE(
    coverage_index, "CoverageIndex", "An official list of all reports of a year.",
    shape_coverage_index);

/* "awaiting_document: an index names it. gone_from_index: ...": the states that are counted. */
#define REPORT_STATE_TEXT(constant, name, words, meaning, moves) "" name ": " meaning ". "
#define REPORT_STATES_TEXT REPORT_STATES_COUNTED(REPORT_STATE_TEXT)

static const struct shape_field coverage_count_rows[] = {
    {LISTED("chamber", shape_coverage_count, chamber, &shape_chambers), OR_NULL,
     SAYS("Null for files that are of neither.")},
    {ORDINAL("year", shape_coverage_count, year), OR_NULL,
     SAYS("Year of the index or of the filing; null when not known.")},
    {LISTED("state", shape_coverage_count, state, &shape_report_states),
     SAYS(REPORT_STATES_TEXT "A report that is public counts as draft, in_review or accepted while "
                             "a new version of it is in review.")},
    {COUNT("count", shape_coverage_count, count), SAYS("How many reports.")},
};

SHAPE(
    coverage_count, "CoverageCount", "How many reports of one kind there are.",
    shape_coverage_count);

static const struct shape_field coverage_review_rows[] = {
    {COUNT("row", shape_coverage_review, of[FILING_REVIEW_ROW]),
     SAYS("A person compared each row with the document.")},
    {COUNT("page", shape_coverage_review, of[FILING_REVIEW_PAGE]),
     SAYS("A person saw each page with rows, and did not open each row.")},
    {COUNT("unseen", shape_coverage_review, of[FILING_REVIEW_UNSEEN]),
     SAYS("A person accepted it, and not each page with rows was shown.")},
    {COUNT("batch", shape_coverage_review, of[FILING_REVIEW_BATCH]),
     SAYS("Accepted together with others, of which some were looked at.")},
    {COUNT("bulk", shape_coverage_review, of[FILING_REVIEW_BULK]),
     SAYS("A person vouched for a collection as a whole.")},
    {COUNT("unrecorded", shape_coverage_review, unrecorded),
     SAYS("Of the unseen: accepted before the service recorded what was shown, so that it is not "
          "known.")},
    {SECONDS("rowSeconds", shape_coverage_review, row_ms[FILING_REVIEW_ROW]), OR_NULL,
     SAYS("Median seconds for each row of the reports under `row`; null where no time is known.")},
    {SECONDS("pageSeconds", shape_coverage_review, row_ms[FILING_REVIEW_PAGE]), OR_NULL,
     SAYS("Median seconds for each row of the reports under `page`; null where no time is known.")},
    {SECONDS("unseenSeconds", shape_coverage_review, row_ms[FILING_REVIEW_UNSEEN]), OR_NULL,
     SAYS("Median seconds for each row of the reports under `unseen`; null where no time is "
          "known.")},
};

SHAPE(
    coverage_review, "CoverageReview", "Public filings by how they were reviewed.",
    shape_coverage_review);

static const struct shape_field coverage_document_rows[] = {
    {LISTED("chamber", shape_coverage_document, chamber, &shape_chambers), OR_NULL,
     SAYS("Where it was filed.")},
    {TEXT("sourceDocId", shape_coverage_document, source_id), SAYS("Its official identifier.")},
    {TEXT("url", shape_coverage_document, url), URI, OR_NULL,
     SAYS("Its official address; null when not known.")},
    {DIGEST("sha256", shape_coverage_document, sha256),
     SAYS("Digest of its bytes, in hexadecimal digits.")},
    {INSTANT("seenAt", shape_coverage_document, seen_at),
     SAYS("When these bytes were first seen.")},
};

SHAPE(coverage_document, "CoverageDocument", "A document that was seen.", shape_coverage_document);

/* --- the sample of published trades (docs/adr/0036-sample.md) */

#define SHARES(of)                                                                                 \
    {SHARE("rate", of, share.rate),                                                                \
     SAYS("The estimated share of wrong trades, from 0 to 1; null while none was checked. Never "  \
          "give it without low and high.")},                                                       \
        {SHARE("low", of, share.low), SAYS("The lower end of its 95 % Wilson interval.")},         \
    {                                                                                              \
        SHARE("high", of, share.high), SAYS("The upper end.")                                      \
    }

#define MISSING(of)                                                                                \
    {COUNT("documentsCounted", of, missing.documents),                                             \
     SAYS("Documents whose rows a person counted, without seeing how many are known here.")},      \
        {COUNT("rowsCounted", of, missing.rows), SAYS("Rows of these documents, by that count.")}, \
        {COUNT("rowsMissing", of, missing.missing),                                                \
         SAYS("Of these, rows that are not known here: neither published nor held.")},             \
        {SHARE("missingPerThousand", of, missing.rate),                                            \
         SAYS("The estimated number of missing rows in a thousand; null while no row was "         \
              "counted. Never give it without missingLow and missingHigh.")},                      \
        {SHARE("missingLow", of, missing.low),                                                     \
         SAYS("The lower end of its 95 % Wilson interval, in which all rows of a document are "    \
              "one check: they may be missing together.")},                                        \
    {                                                                                              \
        SHARE("missingHigh", of, missing.high), SAYS("The upper end.")                             \
    }

#define GROUP(of)                                                                                  \
    {LISTED("chamber", of, chamber, &shape_chambers), SAYS("Where the report was filed.")},        \
    {                                                                                              \
        LISTED("kind", of, kind, &shape_sample_kinds),                                             \
            SAYS("electronic: a program read the document. paper: the document is a scan, or a "   \
                 "person entered it.")                                                             \
    }

static const struct shape_field coverage_sample_field_rows[] = {
    {TEXT("field", shape_sample_field, name),
     SAYS("Name of the member of the Trade, or notifiedDate.")},
    {COUNT("differences", shape_sample_field, differences),
     SAYS("Checked trades in which both readings differ in it.")},
    {COUNT("wrong", shape_sample_field, wrong),
     SAYS("Of these, how many were published wrong. In the others the entry was wrong, or the "
          "value cannot be read.")},
};

SHAPE(
    coverage_sample_field, "CoverageSampleField", "Differences in one field.", shape_sample_field);

static const struct shape_field coverage_sample_month_rows[] = {
    {MONTH("month", shape_sample_month, month), SAYS("YYYY-MM, in UTC.")},
    GROUP(shape_sample_month),
    {COUNT("checked", shape_sample_month, share.checked), SAYS("Checked trades.")},
    {COUNT("wrong", shape_sample_month, share.wrong), SAYS("Wrong ones among these.")},
    SHARES(shape_sample_month),
};

SHAPE(coverage_sample_month, "CoverageSampleMonth", "The checks of one month.", shape_sample_month);

static const struct shape_field coverage_sample_group_rows[] = {
    GROUP(shape_sample_group),
    {COUNT("trades", shape_sample_group, trades),
     SAYS("Public trades that could be drawn, at the last draw.")},
    {COUNT("withoutDocument", shape_sample_group, unstored),
     SAYS("Public trades that could not be drawn: their document is not stored here.")},
    {COUNT("checked", shape_sample_group, share.checked), SAYS("Checked trades.")},
    {COUNT("wrong", shape_sample_group, share.wrong), SAYS("Wrong ones among these.")},
    SHARES(shape_sample_group),
    {COUNT("documents", shape_sample_group, documents),
     SAYS("Public documents that could be drawn, at the last draw.")},
    MISSING(shape_sample_group),
};

SHAPE(
    coverage_sample_group, "CoverageSampleGroup", "The sample of one chamber and kind of document.",
    shape_sample_group);

static const struct shape_field coverage_sample_rows[] = {
    {MONTH("from", shape_sample, from), SAYS("The first month, YYYY-MM.")},
    {MONTH("to", shape_sample, to),
     SAYS("The last month: the present one. The sample has the checks of these twelve months.")},
    {COUNT("checked", shape_sample, share.checked),
     SAYS("Trades that a person typed again from the document, without seeing what is published.")},
    {COUNT("wrong", shape_sample, share.wrong),
     SAYS("Of these, how many were published with a value that the document does not state.")},
    SHARES(shape_sample),
    {COUNT("waiting", shape_sample, waiting), SAYS("Drawn trades that no person has typed yet.")},
    {COUNT("undecided", shape_sample, undecided),
     SAYS("Drawn trades that were typed and differ from what is published. Until a person decides "
          "which is wrong, they do not count as checked: if all of them are published wrong, wrong "
          "is higher by this number.")},
    {COUNT("unreadable", shape_sample, unreadable),
     SAYS("Drawn trades of which a value cannot be read in the document. They do not count as "
          "checked.")},
    {COUNT("skipped", shape_sample, skipped),
     SAYS("Drawn trades that a person could not check, with a reason.")},
    {COUNT("expired", shape_sample, expired),
     SAYS("Drawn trades that were not checked within 30 days.")},
    MISSING(shape_sample),
    {COUNT("documentsWaiting", shape_sample, documents_waiting),
     SAYS("Drawn documents whose rows no person has counted yet.")},
    {COUNT("documentsUndecided", shape_sample, documents_undecided),
     SAYS("Drawn documents whose count differs from the known rows, until a second count. They are "
          "not in documentsCounted.")},
    {COUNT("documentsSkipped", shape_sample, documents_skipped),
     SAYS("Drawn documents whose rows a person could not count.")},
    {COUNT("documentsExpired", shape_sample, documents_expired),
     SAYS("Drawn documents that were not counted within 30 days, ever.")},
    {INSTANT("drawnAt", shape_sample, drawn_at), OR_NULL, SAYS("The last draw; null: none yet.")},
    {LIST("groups", shape_sample, groups, group_count, &shape_coverage_sample_group),
     SAYS("By chamber and kind of document; empty before the first draw. Each group is drawn from "
          "on its own. The rate above weighs each group by its trades.")},
    {LIST("months", shape_sample, months, month_count, &shape_coverage_sample_month),
     SAYS("By month of the check, newest first, and by group; without months and groups in which "
          "nothing was checked.")},
    {LIST("fields", shape_sample, fields, field_count, &shape_coverage_sample_field),
     SAYS("Fields of checked trades in which both readings differed.")},
};

SHAPE(
    coverage_sample, "CoverageSample",
    "Published trades that were drawn at random and checked again.", shape_sample);

static const struct shape_field coverage_rows[] = {
    {LISTED("data", shape_coverage, data, &shape_data_kinds), OR_NULL,
     SAYS("real, or invented: made up by `stockact demo`. Null while the server has no data.")},
    {ROWS("counts", shape_coverage, counts, &shape_coverage_count),
     SAYS("By chamber, year and state.")},
    {COUNT("total", shape_coverage, total), SAYS("The sum of counts.")},
    {ROWS("indexes", shape_coverage, indexes, &shape_coverage_index),
     SAYS("The official indexes. Counts of any other chamber and year are of the reports that are "
          "known here: their total is not known.")},
    {POINTER("newestDocument", shape_coverage, newest, &shape_coverage_document), OR_NULL,
     SAYS("The newest official document; null when there is none.")},
    {OBJECT("review", shape_coverage, review, &shape_coverage_review),
     SAYS("Public filings by how they were reviewed.")},
    {ROWS("backfills", shape_coverage, backfills, &shape_backfill),
     SAYS("Imports of bulk history, newest first, at most 100.")},
    {OBJECT("sample", shape_coverage, sample, &shape_coverage_sample),
     SAYS("How accurate the published trades are, by a daily random sample.")},
};

SHAPE(coverage, "Coverage", "The reports that the service knows, and their state.", shape_coverage);
