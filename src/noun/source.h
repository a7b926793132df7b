/* Where a trade and a filing come from (decisions 29, 40, 48), as the API prints it. */
#pragma once

#include "base/crypto.h"
#include "noun/dates.h"
#include "rule/model.h"
#include "rule/report_state.h"

struct shape_reviewer {
    int64_t number; /* within the filing, from 1 */
    int64_t at;
};

struct shape_filing_source {
    uint8_t sha256[SHA256_SIZE]; /* zeros: there is no file */
    enum filing_review review;
    int64_t looked_ms; /* -1: not known */
    const struct shape_reviewer *reviewers;
    size_t reviewer_count;
    struct str amends, amended_by; /* ids of filings, or null */
    int64_t corrections;
};

struct shape_confirmed_company {
    struct str symbol;
    struct str basis;
};

struct shape_trade_source {
    struct shape_filing_source from;
    struct str filing_id;
    struct str url;
    int page; /* 0: none */
    int row;
    struct str printed; /* a JSON object; null: none kept */
    enum cap_gains cap_gains;
    enum ticker_basis ticker_basis;
    const struct shape_confirmed_company *company; /* NULL: none */
    enum filing_entry entry;
    const int *doubts; /* enum date_doubt */
    size_t doubt_count;
    struct shape_dates dates;
};

/* The stored evidence of a signal, an object as market/conflict_text.c writes it, and the rest. */
struct shape_conflict {
    struct str evidence;
    struct str rule_version;
    int64_t since;
};

struct shape_trade_detail {
    const struct trade *trade;
    struct str details; /* JSON, like the conflict; null: none */
    struct shape_trade_source source;
    struct str conflict;
};

struct shape_filing_detail {
    const struct filing *filing;
    const struct politician_ref *politician;
    struct shape_filing_source source;
    struct str next_cursor; /* or null */
};

struct shape_known_report {
    enum report_state state;
    struct str filer; /* or null, like the address */
    int32_t filed_day;
    struct str url;
};

extern const struct shape_object shape_trade_detail, shape_trade_source, shape_filing_detail,
    shape_filing_source, shape_reviewer, shape_known_report;

extern const struct shape_object shape_confirmed_company, shape_conflict, shape_conflict_committee,
    shape_conflict_map_entry, shape_conflict_jurisdiction, shape_conflict_industry;

void shape_conflict_json(struct buf *b, const struct shape_conflict *conflict);
