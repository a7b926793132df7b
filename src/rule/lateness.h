/*
 * Whether a trade was reported late (5 U.S.C. 13105(l)): after the earlier of 30 days after the
 * filer was notified of it and 45 days after the trade. Weekends and holidays extend neither. This
 * is the only place that decides it; pages, counts, filters and e-mails show the result.
 *
 * A report is late only if it is late in every possible case (decision 40, docs/adr/0014): the
 * rest is not known. If a report does not state the notice, the trade alone gives the latest day
 * that the law can allow. Nothing is derived from dates that cannot be right
 * (rule/date_doubt.h).
 */
#pragma once

#include "base/instant.h"

enum late_status {
    LATE_STATUS_NONE,
    LATE_LATE,
    LATE_ON_TIME, /* no later than the latest day that the law can allow */
    LATE_UNKNOWN,
    LATE_STATUS_COUNT
};

/* Why: each reason has one status. */
enum late_reason {
    LATE_REASON_NONE,
    LATE_AFTER_DUE,
    LATE_BY_DUE,
    LATE_NO_TRADE_DATE,
    LATE_DATE_DOUBTED,     /* a date that cannot be right */
    LATE_NO_FILING_DAY,    /* history whose day of filing is not known */
    LATE_ORIGINAL_MISSING, /* a row of an amendment whose original is not public */
    LATE_ORIGINAL_DIFFERS, /* the original has a row that the amendment's row may correct */
    LATE_REASON_COUNT
};

struct str late_status_name(enum late_status status); /* "on_time" */
struct str late_reason_name(enum late_reason reason); /* "original_missing" */
/* One sentence about the report, for people. */
struct str late_reason_sentence(enum late_reason reason);
enum late_status late_reason_status(enum late_reason reason);

/* Which report disclosed a trade first. */
enum first_report {
    FIRST_REPORT_KNOWN,
    FIRST_REPORT_MISSING, /* an earlier report is not public */
    FIRST_REPORT_DIFFERS, /* an earlier report has rows that this trade may correct */
};

/* What is known of the report of a trade, besides the trade. Days are in Washington. A publication
 * after that of the trade can tell more of it: `settled_at` is when the last one did. Readers who
 * see publications later know less until then (lateness_known). */
struct trade_report {
    int64_t filed_at;
    int64_t first_published_at; /* when this service showed it first */
    int32_t filed;              /* DAY_NONE: not known */
    int32_t first_filed;        /* the report that disclosed it first, as far as is known */
    int32_t notified;           /* DAY_NONE: not stated */
    uint16_t page;              /* of the document; 0: none, or not known */
    uint8_t first;              /* enum first_report */
    uint8_t first_before;       /* the same before settled_at */
    int32_t first_filed_before;
    int64_t settled_at; /* 0: known since the trade is public */
};

/* What readers know who see the publications before this instant; INSTANT_NONE: all. */
struct trade_report lateness_known(const struct trade_report *report, int64_t line_ms);

enum { LATE_DAYS_NONE = -1 };

struct lateness {
    enum late_reason reason;
    int32_t due;            /* DAY_NONE: not known */
    int32_t first_filed;    /* DAY_NONE: not known */
    int32_t days_to_report; /* from the trade to its first report; LATE_DAYS_NONE: not known */
    int32_t days_late;      /* 0: on time; LATE_DAYS_NONE: not known */
};

/* traded: DAY_NONE if not stated. */
struct lateness lateness_of(int32_t traded, const struct trade_report *report);

static inline enum late_status lateness_status(const struct lateness *lateness)
{
    return late_reason_status(lateness->reason);
}
