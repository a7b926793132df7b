/*
 * Digests of rows that are shown or give access: SHA-256 over their columns (base/digest.h). If the
 * columns of a row do not match its stored digest, something other than this program changed the
 * row: it is not served, and opens nothing.
 *
 * A statement selects the columns of one of the macros below, in their order; row_digest reads them
 * from there. Aliases: `t` trade, `f` filing, `m` the filing's member, `c` correction, `p`
 * publication, `e` endpoint; others are called like their table.
 *
 * Of a published row, the functions that write it renew the digest (store/public/reseal.h). Of any
 * other kind, a trigger takes the digest away from a row whose columns change without it, and
 * whoever changed the row calls row_seal in the same transaction. So a row that an older program
 * changed has no digest until it is changed again, and is used as it is.
 */
#pragma once

#include "base/buf.h"
#include "base/digest.h"
#include "db/db.h"
#include "paper/cell/row_field.h"

enum row_digest {
    ROW_DIGEST_TRADE,
    ROW_DIGEST_TRADE_SOURCE,
    ROW_DIGEST_FILING,
    ROW_DIGEST_CORRECTION,
    ROW_DIGEST_PUBLICATION,
    ROW_DIGEST_SEALED, /* row_seal is for this one and those after it */
    ROW_DIGEST_ACCOUNT = ROW_DIGEST_SEALED,
    ROW_DIGEST_API_KEY,
    ROW_DIGEST_SESSION,
    ROW_DIGEST_TOKEN,
    ROW_DIGEST_RECOVERY_CODE,
    ROW_DIGEST_ENDPOINT,
    ROW_DIGEST_EVENT,
    ROW_DIGEST_DOCUMENT_VERSION,
    ROW_DIGEST_ALERT,
    ROW_DIGEST_ALERT_PERSON,
    ROW_DIGEST_ACCOUNT_ADDRESS,
    ROW_DIGEST_TICKER,
    ROW_DIGEST_MEMBER,
    ROW_DIGEST_MEMBER_NAME,
    ROW_DIGEST_MEMBER_TERM,
    ROW_DIGEST_COMMITTEE,
    ROW_DIGEST_COMMITTEE_VERSION,
    ROW_DIGEST_COMMITTEE_LISTED,
    ROW_DIGEST_COMMITTEE_SEAT,
    ROW_DIGEST_COMMITTEE_SPAN,
    ROW_DIGEST_COMMITTEE_SPAN_LIST,
    ROW_DIGEST_COMMITTEE_SPAN_NAME,
    ROW_DIGEST_COUNT
};

#define ROW_DIGEST_TRADE_COLUMNS                                                                   \
    "t.id, t.disclosed_at, t.ticker, t.asset_name, t.asset_type, t.side, t.amount_bucket,"         \
    " t.trade_day, t.owner_type, t.details, t.filing_no, t.publication_no, t.withdrawn_at,"        \
    " t.source_digest"
#define ROW_DIGEST_TRADE_SOURCE_COLUMNS                                                            \
    "t.position, t.page, t.notified_day, t.document_version_no, t.printed, t.withdrawn_reason,"    \
    " t.withdrawn_with_filing"
#define ROW_DIGEST_FILING_COLUMNS                                                                  \
    "f.no, f.id, f.chamber, f.source_doc_id, f.url, m.id, m.slug, f.member_name, f.member_party,"  \
    " f.member_state, f.filed_at, f.state, f.reason, f.review, f.reviewed_by, f.reviewed_at,"      \
    " f.amends_no, f.document_version_no, f.publication_no, f.published_at, f.withdrawn_at,"       \
    " f.created_at"
#define ROW_DIGEST_CORRECTION_COLUMNS                                                              \
    "c.no, c.kind, c.trade_id, c.filing_id, c.at, c.field, c.old_value, c.new_value, c.reason,"    \
    " c.by_email, c.range_start, c.range_end, c.entries"
#define ROW_DIGEST_PUBLICATION_COLUMNS                                                             \
    "p.no, p.kind, p.at, p.by_email, p.range_start, p.range_end, p.filings, p.trades"
#define ROW_DIGEST_ACCOUNT_COLUMNS                                                                 \
    "account.no, account.id, account.email, account.plan, account.role, account.created_at,"       \
    " account.disabled_at, account.password_hash, account.deleted_at, account.password_at,"        \
    " account.totp_at, account.totp_step, account.totp_sealed, account.totp_pending,"              \
    " account.confirmed_at, account.email_folded"
#define ROW_DIGEST_API_KEY_COLUMNS                                                                 \
    "api_key.no, api_key.id, api_key.account_no, api_key.sha256, api_key.prefix, api_key.name,"    \
    " api_key.created_at, api_key.revoked_at"
#define ROW_DIGEST_SESSION_COLUMNS                                                                 \
    "session.no, session.id, session.created_at, session.seen_at, session.expires_at,"             \
    " session.proved_at, session.place, session.browser, session.account_no, session.sha256"
#define ROW_DIGEST_TOKEN_COLUMNS                                                                   \
    "token.no, token.account_no, token.email, token.password_hash, token.plan, token.role,"        \
    " token.by_id, token.tries, token.created_at, token.expires_at, token.used_at, token.sha256,"  \
    " token.purpose, token.email_folded"
#define ROW_DIGEST_RECOVERY_CODE_COLUMNS                                                           \
    "recovery_code.no, recovery_code.account_no, recovery_code.sha256, recovery_code.created_at,"  \
    " recovery_code.used_at"
#define ROW_DIGEST_ENDPOINT_COLUMNS                                                                \
    "e.no, e.id, e.account_no, e.url, e.secret_sealed, e.old_secret_sealed, e.old_secret_until,"   \
    " e.state, e.created_at, e.changed_at, e.events, e.description, e.gone"
#define ROW_DIGEST_EVENT_COLUMNS                                                                   \
    "event.no, event.id, event.type, event.filing_no, event.publication_no, event.created_at,"     \
    " event.body"
#define ROW_DIGEST_DOCUMENT_VERSION_COLUMNS                                                        \
    "document_version.no, document_version.document_no, document_version.sha256,"                  \
    " document_version.bytes, document_version.seen_at, document_version.reading,"                 \
    " document_version.content_sha256"
#define ROW_DIGEST_ALERT_COLUMNS                                                                   \
    "alert.no, alert.id, alert.account_no, alert.state, alert.pace, alert.member_no,"              \
    " alert.ticker, alert.chamber, alert.committee, alert.industry, alert.flagged,"                \
    " alert.amount_bucket, alert.grade, alert.created_at, alert.changed_at"
#define ROW_DIGEST_ALERT_PERSON_COLUMNS                                                            \
    "alert_person.account_no, alert_person.end_key, alert_person.confirm_sha256,"                  \
    " alert_person.confirm_folded, alert_person.confirm_until"
#define ROW_DIGEST_ACCOUNT_ADDRESS_COLUMNS "account_address.email, account_address.account_no"

enum {
    ROW_DIGEST_TRADE_COUNT = 14,
    ROW_DIGEST_TRADE_SOURCE_COUNT = 7,
    ROW_DIGEST_FILING_COUNT = 22,
    ROW_DIGEST_CORRECTION_COUNT = 13,
    ROW_DIGEST_PUBLICATION_COUNT = 8,
    ROW_DIGEST_ACCOUNT_COUNT = 16,
    ROW_DIGEST_API_KEY_COUNT = 8,
    ROW_DIGEST_SESSION_COUNT = 10,
    ROW_DIGEST_TOKEN_COUNT = 14,
    ROW_DIGEST_ENDPOINT_COUNT = 13,
};

/* One column, read once for its digest and for its value. */
struct row_cell {
    struct str text; /* or bytes. An integer: null if the column is, otherwise not */
    int64_t number;
};

enum { ROW_CELLS_MAX = 22 };

/* Reads the current row's columns from `at` on. Texts belong to the query's row. */
void row_cells_read(
    const struct query *q, int at, enum row_digest kind, struct row_cell ret[ROW_CELLS_MAX]);
void row_cells_digest(
    const struct row_cell *cells, enum row_digest kind, uint8_t ret[static SHA256_SIZE]);

static inline int64_t row_cell_number(const struct row_cell *cell, int64_t none)
{
    return str_is_null(cell->text) ? none : cell->number;
}

/* row_cells_read and row_cells_digest. */
void row_digest(
    const struct query *q, int at, enum row_digest kind, uint8_t ret[static SHA256_SIZE]);

/* Whether the cells do not match the digest in the column after them. A missing digest is a
 * mismatch. */
bool row_digest_differs(const struct query *q, int at, enum row_digest kind);

/* The same of a sealed kind, where a missing digest is none. */
bool row_is_damaged(const struct query *q, int at, enum row_digest kind);

/* Of a sealed kind, the rows that meet the condition, which names each column with its table and
 * has these values. row_seal gives a digest to those that have none. row_look, before a change of
 * what was not read, fails with ERR_CORRUPT if one is damaged. */
#define row_seal(db, fail, KIND, table, where, ...)                                                \
    row_seal_values(                                                                               \
        db, ROW_DIGEST_##KIND,                                                                     \
        "SELECT " ROW_DIGEST_##KIND##_COLUMNS " FROM " table " WHERE digest IS NULL AND " where,   \
        QUERY_VALUES(__VA_ARGS__), fail)
#define row_look(db, fail, KIND, table, where, ...)                                                \
    row_look_values(                                                                               \
        db, ROW_DIGEST_##KIND,                                                                     \
        "SELECT " ROW_DIGEST_##KIND##_COLUMNS ", digest FROM " table " WHERE " where,              \
        QUERY_VALUES(__VA_ARGS__), fail)
enum err row_look_values(
    struct db *db, enum row_digest kind, const char *sql, const struct query_value *values,
    size_t n, struct fail *fail);
enum err row_seal_values(
    struct db *db, enum row_digest kind, const char *sql, const struct query_value *values,
    size_t n, struct fail *fail);
/* All of the kinds from `first` to `last`. */
enum err row_seal_all(
    struct db *db, enum row_digest first, enum row_digest last, struct fail *fail);

/* Of a sealed kind. */
struct row_table {
    const char *name;
    const char *select;   /* its rows with their digests */
    const char *unsealed; /* how many have none */
    size_t keys;          /* so many columns, the first, name a row */
};
const struct row_table *row_table(enum row_digest kind);
/* How a person finds the row: "17", "412 3". */
void row_key_put(struct buf *b, const struct query *q, int at, enum row_digest kind);

/* Whether a column has these bytes; null never does. */
bool row_digest_equals(const struct query *q, int column, const uint8_t digest[static SHA256_SIZE]);

/* Both digests of a stored trade from its columns: TRADE_COLUMNS at `at`, SOURCE_COLUMNS at
 * `source_at`. The stored source_digest does not count. */
void row_digest_stored_trade(
    const struct query *q, int at, int source_at, uint8_t ret[static SHA256_SIZE],
    uint8_t ret_source[static SHA256_SIZE]);

/* The digests of a trade that is about to be inserted, so that it need not be read again. */
struct row_digest_trade {
    struct str id;
    int64_t filing_no, publication_no, disclosed_at;
    const struct row_values *values;
    int position;
    int page;              /* 0: none */
    int32_t notified_date; /* DAY_NONE: none */
    int64_t document_version;
    struct str printed;
};

void row_digest_new_trade(
    const struct row_digest_trade *trade, uint8_t ret[static SHA256_SIZE],
    uint8_t ret_source[static SHA256_SIZE]);
