/*
 * Trades. A row is inserted by the transaction that publishes it and never deleted; a withdrawn
 * trade keeps its reason. Each row stores its source: document, page, row and the cells as printed.
 */
#pragma once

#include "db/db.h"
#include "db/row_digest.h"
#include "store/row/row_values.h"

struct trade_row {
    int64_t no;
    int64_t filing_no;
    int64_t publication_no;
    /* trade_find fills politician, filing_url and conflict_reason; trade_each_* leave them empty,
     * because the caller has filings by filing_no and findings by no. */
    struct trade trade;
    int64_t withdrawn_at;  /* INSTANT_NONE: public */
    int32_t notified_date; /* DAY_NONE: not stated */
    int page;              /* 0: the document has no pages, or it is not known */
    /* Its columns do not give its digest (db/row_digest.h): do not serve it. trade_find also
     * looks at the columns of the source, the filing and the signal. */
    bool damaged;
};

/* The source of a trade (decision 40); strings live in the arena of the call. */
struct trade_source {
    struct str filing_id;
    int row;
    int page;              /* 0: the document has no pages, or it is not known */
    int32_t notified_date; /* DAY_NONE: not stated */
    struct str printed;    /* JSON object by the names of paper/cell/cell.h; null: none kept */
    struct str document_kind;
    uint8_t document_sha256[32]; /* zeros: no document */
    struct str company;          /* symbol that a reviewer confirmed; null: none */
    struct str withdrawn_reason; /* null: public */
    /* Of the filing. */
    struct str document_id, politician_id; /* the number at the official site; Bioguide */
    int64_t filed_at;
};

/* The member as the list of members has it, for trade_each_source. */
struct trade_filer {
    struct str first, last; /* or null */
    int district;           /* at the filing date; -1: not known */
};

struct trade_new {
    int64_t filing_no;
    struct str filing_id;
    int row; /* with the filing's id it makes the trade's id (decision 3) */
    int page;
    struct row_values values;
    int32_t notified_date;
    enum cap_gains cap_gains;
    struct str company; /* null: none */
    struct str printed;
    int64_t document_version; /* 0: none */
    int64_t publication_no;
    int64_t disclosed_at;
};

enum { TRADE_ID_SIZE_MAX = 64 };

/* "<filing id>-<row, four digits>"; returns its length. */
size_t trade_id_make(struct str filing_id, int row, char ret[static TRADE_ID_SIZE_MAX]);

/* The filing id in a trade id; the null string for the null string. */
struct str trade_id_filing(struct str trade_id);
/* And of the row in the document; 0: not the id of a trade. */
int64_t trade_id_row(struct str trade_id);

/* The functions that change a trade renew its digests and append to the chain over publications.
 * They return ERR_CORRUPT if the row is damaged, except trade_withdraw. */

/* ERR_EXISTS: the filing has that row already. */
enum err trade_insert(struct db *db, const struct trade_new *trade, struct fail *fail);

/* The same for many trades that are all new, with one request on PostgreSQL. ERR_EXISTS: one is not
 * new; then the transaction must be rolled back. */
enum err trade_insert_all(
    struct db *db, const struct trade_new *trades, size_t count, struct fail *fail);

/* The trade's number, for tables that refer to it. Separate from trade_insert, because few trades
 * need it and returning it would halve the speed of inserts. ERR_NOT_FOUND: none. */
enum err trade_number(struct db *db, struct str id, int64_t *ret, struct fail *fail);
/* The same for many, with one request on PostgreSQL. */
enum err trade_numbers(
    struct db *db, const struct str *ids, size_t n, int64_t *ret, struct fail *fail);

/* A result other than OK ends the walk. Strings are valid during the call; run no query on this
 * connection inside it. */
typedef enum err trade_visit(void *ctx, const struct trade_row *row);

/* Visits every trade in feed order: by disclosed_at and id (bytewise), ascending. Withdrawn ones
 * too, because damage can make a public trade look withdrawn. */
enum err trade_each(struct db *db, trade_visit *visit, void *ctx, struct fail *fail);
/* Visits the trades of one publication, in the same order. */
enum err trade_each_of_publication(
    struct db *db, int64_t publication_no, trade_visit *visit, void *ctx, struct fail *fail);
/* Visits the trades of one filing by row, including withdrawn ones. */
enum err trade_each_of_filing(
    struct db *db, int64_t filing_no, trade_visit *visit, void *ctx, struct fail *fail);

/* Visits the public trades of a filing, complete like those of trade_find, newest first as in the
 * feed, at most `limit`. */
enum err trade_each_shown(
    struct db *db, int64_t filing_no, int64_t limit, trade_visit *visit, void *ctx,
    struct fail *fail);

/* Also finds withdrawn trades; withdrawn_at tells. ret_source may be NULL. ERR_NOT_FOUND: none. */
enum err trade_find(
    struct db *db, struct str id, struct arena *arena, struct trade_row *ret,
    struct trade_source *ret_source, struct fail *fail);

/* Visits every public trade that was published before before_ms (INT64_MAX: all), in feed order,
 * as trade_find gives it. Everything is valid during the call. */
typedef enum err trade_source_visit(
    void *ctx, const struct trade_row *row, const struct trade_source *source,
    const struct trade_filer *filer);
enum err trade_each_source(
    struct db *db, int64_t before_ms, trade_source_visit *visit, void *ctx, struct fail *fail);

/* Visits the distinct names of assets of the member's public trades that have a symbol, or a
 * company that a reviewer confirmed, each with it. Strings are valid during the call. */
typedef void trade_symbol_visit(void *ctx, struct str asset_name, struct str symbol);
enum err trade_each_symbol_of(
    struct db *db, struct str politician_id, trade_symbol_visit *visit, void *ctx,
    struct fail *fail);

/* When the newest of these was published; INSTANT_NONE: there is none. */
enum err trade_newest(struct db *db, int64_t before_ms, int64_t *ret, struct fail *fail);

/* Sets the fields that can be corrected. ERR_NOT_FOUND: no public trade with that id. The caller
 * adds corrections and notice. */
enum err trade_correct(
    struct db *db, struct str id, const struct row_values *values, struct fail *fail);

/* Sets the trade's source, which is not a published field and needs no correction. */
enum err trade_set_source(
    struct db *db, struct str id, int page, int32_t notified_date, enum cap_gains cap_gains,
    struct str printed, int64_t document_version, struct fail *fail);

/* Sets the company that a reviewer confirmed, a symbol; null: none. The caller judges the trade
 * again if *ret_changed. */
enum err trade_set_company(
    struct db *db, struct str id, struct str company, bool *ret_changed, struct fail *fail);

/* Whether the column is not what this program wrote. `digest` null: none was. */
bool trade_company_damaged(struct str id, struct str company, struct str digest);

/* `with_filing`: its filing is withdrawn too, in this transaction. ERR_NOT_FOUND: none. ERR_EXISTS:
 * already withdrawn. The caller adds correction and notice. */
enum err trade_withdraw(
    struct db *db, struct str id, bool with_filing, int64_t now_ms, struct str reason,
    struct fail *fail);

/* Makes a withdrawn trade public again. ERR_NOT_FOUND: no withdrawn trade with that id.
 * ERR_REFUSED: its row was damaged when it was withdrawn. The caller adds correction and notice. */
enum err trade_reinstate(struct db *db, struct str id, struct fail *fail);

/* Visits the ids of the trades that were withdrawn together with the filing, by id. */
typedef void trade_id_visit(void *ctx, struct str id);
enum err trade_each_withdrawn_with(
    struct db *db, int64_t filing_no, trade_id_visit *visit, void *ctx, struct fail *fail);

/* The instant at which the public trade was published, or reinstated last. ERR_NOT_FOUND: none. */
enum err trade_public_since(struct db *db, struct str id, int64_t *ret, struct fail *fail);

/* The columns of a trade and of what it takes from its filing, for statements that read both.
 * Tables: `t` trade, `f` its filing, `m` the filing's member. */

/* id, disclosed_at, the values, filing_no, publication_no, withdrawn_at and the digests. */
#define TRADE_COLUMNS ROW_DIGEST_TRADE_COLUMNS ", t.digest"
#define TRADE_FILING_COLUMNS                                                                       \
    "f.url, f.chamber, f.member_party, f.member_state, m.slug, f.member_name"

enum { TRADE_COLUMN_COUNT = ROW_DIGEST_TRADE_COUNT + 1, TRADE_FILING_COLUMN_COUNT = 6 };

struct trade_others {
    int64_t filing_no, publication_no;
    int64_t withdrawn_at; /* INSTANT_NONE: public */
    bool damaged;         /* the columns do not give the digest */
};

/* Set the members that the columns from `at` on have. Strings belong to the query's row. */
void trade_columns_read(
    const struct query *q, int at, struct trade *t, struct trade_others *ret_others);
void trade_columns_read_filing(const struct query *q, int at, struct trade *t);
