/*
 * What the read model (feed/feed.h) tells of a politician and of a symbol, and the tables by which
 * the API prints it (decisions 9, 10, 40).
 */
#pragma once

#include "market/company.h"
#include "market/conflict.h"
#include "market/member_term.h"
#include "noun/field.h"

struct feed_counts {
    int64_t trades, buys, sells, exchanges, conflicts;
    int64_t conflicts_later;               /* of the conflicts: on a list later than the trade */
    int64_t grades[CONFLICT_GRADE_COUNT];  /* of the conflicts; [0]: of none, and trades without */
    int64_t late;                          /* reported late (rule/lateness.h) */
    int64_t late_unknown;                  /* not known whether reported late; the rest is known */
    int64_t first_activity, last_activity; /* disclosedAt; INSTANT_NONE: no trades */
};

/* The facts that GET /politicians/{slug} adds to recent trades. */
struct feed_politician {
    struct str id; /* Bioguide */
    struct str slug;
    struct str name;
    enum chamber chamber; /* current, like party and state */
    struct str party;     /* or null */
    struct str state;     /* or null */
    int district;         /* 0: at large; -1: null */
    bool in_office;
    const struct member_service *service; /* the newest first */
    size_t service_count;
    struct str committees_json; /* a JSON array */
    struct feed_counts counts;
    int64_t filings;
    int64_t indexed; /* trade reports that an official index names; -1: none covers the member */
    int64_t waiting; /* known reports that are not public (store/public/known.h), as of now */
};

struct feed_ticker_row {
    struct str symbol;
    struct str company_name; /* or null, like the industry: those of feed_ticker.company */
    struct str industry;
    struct feed_counts counts;
    int64_t politicians; /* how many disclosed these trades */
};

/* What GET /tickers/{symbol} adds to recent trades. */
struct feed_ticker_shown {
    struct feed_ticker_row row;
    const struct company *companies;
    size_t company_count;
};

extern const struct shape_object shape_politician_activity, shape_politician_profile,
    shape_politician_summary, shape_politician_counts, shape_committee, shape_service;
extern const struct shape_object shape_ticker_activity, shape_ticker_summary, shape_ticker_company,
    shape_ticker_aggregates;
