/* Descriptions of the objects of the sample of published trades (docs/adr/0036-sample.md). */
#include "noun/lists.h"
#include "noun/schema_parts.h"

#define SHARE(text, what)                                                                          \
    {                                                                                              \
        MEMBER(text), .type = SCHEMA_NUMBER, .nullable = true, .description = STR_INIT(what)       \
    }

#define SHARES                                                                                     \
    SHARE(                                                                                         \
        "rate", "The estimated share of wrong trades, from 0 to 1; null while none was checked."   \
                " Never give it without low and high."),                                           \
        SHARE("low", "The lower end of its 95 % Wilson interval."),                                \
        SHARE("high", "The upper end.")

#define PER_THOUSAND(text, what)                                                                   \
    {                                                                                              \
        MEMBER(text), .type = SCHEMA_NUMBER, .nullable = true, .description = STR_INIT(what)       \
    }

#define MISSING                                                                                    \
    COUNT(                                                                                         \
        "documentsCounted", "Documents whose rows a person counted, without seeing how many are "  \
                            "known here."),                                                        \
        COUNT("rowsCounted", "Rows of these documents, by that count."),                           \
        COUNT(                                                                                     \
            "rowsMissing", "Of these, rows that are not known here: neither published nor "        \
                           "held."),                                                               \
        PER_THOUSAND(                                                                              \
            "missingPerThousand",                                                                  \
            "The estimated number of missing rows in a thousand; null while "                      \
            "no row was counted. Never give it without missingLow and "                            \
            "missingHigh."),                                                                       \
        PER_THOUSAND(                                                                              \
            "missingLow", "The lower end of its 95 % Wilson interval, in which all rows of a "     \
                          "document are one check: they may be missing together."),                \
        PER_THOUSAND("missingHigh", "The upper end.")

const struct schema_member schema_sample[] = {
    {MEMBER("from"), .description = STR_INIT("The first month, YYYY-MM.")},
    {MEMBER("to"), .description = STR_INIT("The last month: the present one. The sample has the "
                                           "checks of these twelve months.")},
    COUNT(
        "checked", "Trades that a person typed again from the document, without seeing what is "
                   "published."),
    COUNT(
        "wrong", "Of these, how many were published with a value that the document does not "
                 "state."),
    SHARES,
    COUNT("waiting", "Drawn trades that no person has typed yet."),
    COUNT(
        "undecided", "Drawn trades that were typed and differ from what is published. Until a "
                     "person decides which is wrong, they do not count as checked: if all of them "
                     "are published wrong, wrong is higher by this number."),
    COUNT(
        "unreadable", "Drawn trades of which a value cannot be read in the document. They do not "
                      "count as checked."),
    COUNT("skipped", "Drawn trades that a person could not check, with a reason."),
    COUNT("expired", "Drawn trades that were not checked within 30 days."),
    MISSING,
    COUNT("documentsWaiting", "Drawn documents whose rows no person has counted yet."),
    COUNT(
        "documentsUndecided", "Drawn documents whose count differs from the known rows, until a "
                              "second count. They are not in documentsCounted."),
    COUNT("documentsSkipped", "Drawn documents whose rows a person could not count."),
    COUNT("documentsExpired", "Drawn documents that were not counted within 30 days, ever."),
    {MEMBER("drawnAt"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("The last draw; null: none yet.")},
    {MEMBER("groups"), .type = SCHEMA_LIST, .ref = STR_INIT("CoverageSampleGroup"),
     .description = STR_INIT("By chamber and kind of document; empty before the first draw. Each "
                             "group is drawn from on its own. The rate above weighs each group by "
                             "its trades.")},
    {MEMBER("months"), .type = SCHEMA_LIST, .ref = STR_INIT("CoverageSampleMonth"),
     .description = STR_INIT("By month of the check, newest first, and by group; without months "
                             "and groups in which nothing was checked.")},
    {MEMBER("fields"), .type = SCHEMA_LIST, .ref = STR_INIT("CoverageSampleField"),
     .description = STR_INIT("Fields of checked trades in which both readings differed.")},
    END,
};

#define GROUP                                                                                      \
    {MEMBER("chamber"), .list = &shape_chambers,                                                   \
     .description = STR_INIT("Where the report was filed.")},                                      \
    {                                                                                              \
        MEMBER("kind"),                                                                            \
            .list = &shape_sample_kinds,                                                           \
            .description =                                                                         \
                STR_INIT("electronic: a program read the document. paper: the document "           \
                         "is a scan, or a person entered it.")                                     \
    }

const struct schema_member schema_sample_group[] = {
    GROUP,
    COUNT("trades", "Public trades that could be drawn, at the last draw."),
    COUNT(
        "withoutDocument", "Public trades that could not be drawn: their document is not stored "
                           "here."),
    COUNT("checked", "Checked trades."),
    COUNT("wrong", "Wrong ones among these."),
    SHARES,
    COUNT("documents", "Public documents that could be drawn, at the last draw."),
    MISSING,
    END,
};

const struct schema_member schema_sample_month[] = {
    {MEMBER("month"), .description = STR_INIT("YYYY-MM, in UTC.")},
    GROUP,
    COUNT("checked", "Checked trades."),
    COUNT("wrong", "Wrong ones among these."),
    SHARES,
    END,
};

const struct schema_member schema_sample_field[] = {
    {MEMBER("field"), .description = STR_INIT("Name of the member of the Trade, or notifiedDate.")},
    COUNT("differences", "Checked trades in which both readings differ in it."),
    COUNT(
        "wrong",
        "Of these, how many were published wrong. In the others the entry was wrong, or the "
        "value cannot be read."),
    END,
};
