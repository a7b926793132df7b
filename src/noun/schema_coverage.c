/* The members of what GET /coverage returns. */
#include "noun/lists.h"
#include "noun/schema_parts.h"
#include "rule/report_state.h"

/* "awaiting_document: an index names it. gone_from_index: ...": the states that are counted. */
#define REPORT_STATE_TEXT(constant, name, words, meaning, moves) "" name ": " meaning ". "
#define REPORT_STATES_TEXT REPORT_STATES_COUNTED(REPORT_STATE_TEXT)

const struct schema_member schema_coverage[] = {
    {MEMBER("data"), .list = &shape_data_kinds, .nullable = true,
     .description = STR_INIT("real, or invented: made up by `stockact demo`. Null while the server "
                             "has no data.")},
    {MEMBER("counts"), .type = SCHEMA_LIST, .ref = STR_INIT("CoverageCount"),
     .description = STR_INIT("By chamber, year and state.")},
    COUNT("total", "The sum of counts."),
    {MEMBER("indexes"), .type = SCHEMA_LIST, .ref = STR_INIT("CoverageIndex"),
     .description =
         STR_INIT("The official indexes. Counts of any other chamber and year are of the "
                  "reports that are known here: their total is not known.")},
    {MEMBER("newestDocument"), .type = SCHEMA_REF, .ref = STR_INIT("CoverageDocument"),
     .nullable = true,
     .description = STR_INIT("The newest official document; null when there is none.")},
    {MEMBER("review"), .type = SCHEMA_REF, .ref = STR_INIT("CoverageReview"),
     .description = STR_INIT("Public filings by how they were reviewed.")},
    {MEMBER("backfills"), .type = SCHEMA_LIST, .ref = STR_INIT("Backfill"),
     .description = STR_INIT("Imports of bulk history, newest first, at most 100.")},
    {MEMBER("sample"), .type = SCHEMA_REF, .ref = STR_INIT("CoverageSample"),
     .description = STR_INIT("How accurate the published trades are, by a daily random sample.")},
    END,
};

const struct schema_member schema_coverage_index[] = {
    {MEMBER("chamber"), .list = &shape_chambers,
     .description = STR_INIT("Whose reports it names.")},
    {MEMBER("year"), .type = SCHEMA_INTEGER, .description = STR_INIT("Its year.")},
    {MEMBER("asOf"), .format = STR_INIT("date-time"), .nullable = true,
     .description = STR_INIT("When it was imported last.")},
    END,
};

const struct schema_member schema_coverage_count[] = {
    {MEMBER("chamber"), .list = &shape_chambers, .nullable = true,
     .description = STR_INIT("Null for files that are of neither.")},
    {MEMBER("year"), .type = SCHEMA_INTEGER, .nullable = true,
     .description = STR_INIT("Year of the index or of the filing; null when not known.")},
    {MEMBER("state"), .list = &shape_report_states,
     .description =
         STR_INIT(REPORT_STATES_TEXT "A report that is public counts as draft, in_review or "
                                     "accepted while a new version of it is in review.")},
    COUNT("count", "How many reports."),
    END,
};

#define SECONDS(text, review)                                                                      \
    {                                                                                              \
        MEMBER(text),                                                                              \
            .type = SCHEMA_NUMBER, .nullable = true,                                               \
            .description = STR_INIT("Median seconds for each row of the reports under `" review    \
                                    "`; null where no time is known.")                             \
    }

const struct schema_member schema_coverage_review[] = {
    COUNT("row", "A person compared each row with the document."),
    COUNT("page", "A person saw each page with rows, and did not open each row."),
    COUNT("unseen", "A person accepted it, and not each page with rows was shown."),
    COUNT("batch", "Accepted together with others, of which some were looked at."),
    COUNT("bulk", "A person vouched for a collection as a whole."),
    COUNT(
        "unrecorded",
        "Of the unseen: accepted before the service recorded what was shown, so that it is not "
        "known."),
    SECONDS("rowSeconds", "row"),
    SECONDS("pageSeconds", "page"),
    SECONDS("unseenSeconds", "unseen"),
    END,
};

const struct schema_member schema_coverage_document[] = {
    {MEMBER("chamber"), .list = &shape_chambers, .nullable = true,
     .description = STR_INIT("Where it was filed.")},
    {MEMBER("sourceDocId"), .description = STR_INIT("Its official identifier.")},
    {MEMBER("url"), .nullable = true, .format = STR_INIT("uri"),
     .description = STR_INIT("Its official address; null when not known.")},
    {MEMBER("sha256"), .description = STR_INIT("Digest of its bytes, in hexadecimal digits.")},
    {MEMBER("seenAt"), .format = STR_INIT("date-time"),
     .description = STR_INIT("When these bytes were first seen.")},
    END,
};

const struct schema_member schema_known_report[] = {
    {MEMBER("state"), .list = &shape_report_states,
     .description = STR_INIT("Where it is on its way to publication: the states of "
                             "[coverage](/docs/coverage).")},
    {MEMBER("filer"), .nullable = true,
     .description = STR_INIT("The filer as printed by the index or the document; null when not "
                             "known.")},
    {MEMBER("filedOn"), .nullable = true, .format = STR_INIT("date"),
     .description = STR_INIT("The day of filing; null when not known.")},
    {MEMBER("url"), .nullable = true, .format = STR_INIT("uri"),
     .description = STR_INIT("The official document; null when not known.")},
    END,
};
