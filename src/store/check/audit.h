/*
 * What `stockact audit` reads: public trades, filings, answers about filers and entries of the log,
 * in batches, each with the instant since which readers could see it. Strings are valid during the
 * call; run no query on this connection inside a visit.
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"

/* A position in the order of a walk; all zeros: before the first. */
struct audit_place {
    int64_t filing_no, no;
};

struct audit_trade {
    struct audit_place place; /* no: of the trade */
    struct str id;
    struct row_values values;
    int position; /* number of its row in the document */
    int64_t filed_at;
    int64_t public_at; /* instant of its publication; that of a backfill, not of the filing */
};

typedef void audit_trade_visit(void *ctx, const struct audit_trade *trade);

struct audit_shown_trade {
    struct str id;
    struct str politician_id;
    int64_t public_at;
};

/* One trade as readers see it; strings live in the arena. ERR_NOT_FOUND: no such number. */
enum err audit_trade_of(
    struct db *db, int64_t trade_no, struct arena *arena, struct audit_shown_trade *ret,
    struct fail *fail);

/* Visits at most `limit` public trades after `after`. */
enum err audit_each_trade(
    struct db *db, struct audit_place after, int64_t limit, audit_trade_visit *visit, void *ctx,
    struct fail *fail);

struct audit_filing {
    int64_t no;
    struct str id;
    enum chamber chamber;
    int64_t member_no;
    struct str politician_id;
    struct str name, party, state; /* as its trades show them; null: no value */
    int64_t filed_at;
    int64_t public_at;
    int64_t version_no; /* of its document, whose bytes are kept; 0: none */
};

typedef void audit_filing_visit(void *ctx, const struct audit_filing *filing);

/* Visits at most `limit` public filings with a number above `after`. */
enum err audit_each_filing(
    struct db *db, int64_t after, int64_t limit, audit_filing_visit *visit, void *ctx,
    struct fail *fail);

enum err audit_count_filings(struct db *db, int64_t *ret, struct fail *fail);

/* One public trade of a filing, if it was read from that version of the document. */
enum err audit_each_trade_of(
    struct db *db, int64_t filing_no, int64_t version_no, audit_trade_visit *visit, void *ctx,
    struct fail *fail);

/* Visits the numbers of the rows in the filing's newest draft, removed ones included. */
typedef void audit_row_visit(void *ctx, int position);
enum err audit_each_draft_row(
    struct db *db, struct str filing_id, audit_row_visit *visit, void *ctx, struct fail *fail);

/* Whether the log has a correction of the field, or a reviewer changed it in the row's draft. */
enum err audit_is_edited(
    struct db *db, struct str trade_id, struct str field, int position, bool *ret,
    struct fail *fail);

/* Disagreements that a statement finds by itself. */
enum audit_lines {
    AUDIT_LINES_ANSWERS, /* answers of reviewers for a printed filer name whose member had no term
                            in that chamber, state and district at any time */
    AUDIT_LINES_CORRECTIONS,     /* corrections of a trade's field whose new value the public trade
                                    does not have: `is` is the public value */
    AUDIT_LINES_NEWER_DOCUMENTS, /* public filings whose document has a newer version with another
                                    content; `is` and `other` are null */
    AUDIT_LINES_GONE, /* public filings whose document is no longer in the official index; `is` and
                         `other` are null */
    AUDIT_LINES_COUNT
};

struct audit_line {
    struct str subject; /* of a trade, a filing or a filer */
    struct str is, other;
    int64_t since;
};

typedef void audit_line_visit(void *ctx, const struct audit_line *line);

enum err audit_each_line(
    struct db *db, enum audit_lines lines, audit_line_visit *visit, void *ctx, struct fail *fail);
