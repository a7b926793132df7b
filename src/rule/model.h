/*
 * The nouns of the service as values: trade, filing and politician, and the closed lists of their
 * fields, each as one table (spec 2). Strings are borrowed; the maker of a value defines their
 * lifetime.
 */
#pragma once

#include "base/err.h"
#include "base/instant.h"

/* Closed lists. 0 is always "not stated"; _COUNT is one past the last. The names are the API's, and
 * the store keeps them. */

enum chamber { CHAMBER_NONE, CHAMBER_HOUSE, CHAMBER_SENATE, CHAMBER_COUNT };

enum side { SIDE_NONE, SIDE_BUY, SIDE_SELL_FULL, SIDE_SELL_PARTIAL, SIDE_EXCHANGE, SIDE_COUNT };

enum owner { OWNER_NONE, OWNER_SELF, OWNER_SPOUSE, OWNER_JOINT, OWNER_CHILD, OWNER_COUNT };

enum asset_type {
    ASSET_NONE,
    ASSET_STOCK,
    ASSET_OPTION,
    ASSET_BOND,
    ASSET_MUNICIPAL_BOND,
    ASSET_GOVERNMENT_SECURITY,
    ASSET_FUND,
    ASSET_PRIVATE_EQUITY,
    ASSET_CRYPTO,
    ASSET_REAL_ESTATE,
    ASSET_COMMODITY,
    ASSET_ANNUITY_OR_INSURANCE,
    ASSET_RETIREMENT_ACCOUNT,
    ASSET_OTHER,
    ASSET_COUNT
};

/* How a filing was reviewed before publication (decisions 1 and 46). */
enum filing_review {
    FILING_REVIEW_NONE,
    FILING_REVIEW_ROW,    /* each row was opened, and its page shown */
    FILING_REVIEW_PAGE,   /* each page with rows was shown */
    FILING_REVIEW_UNSEEN, /* accepted without evidence of that */
    FILING_REVIEW_BATCH,  /* of a batch, some filings were looked at */
    FILING_REVIEW_BULK,
    FILING_REVIEW_COUNT
};

/* How many people typed a paper filing. */
enum filing_entry {
    FILING_ENTRY_NONE, /* no person typed it: it was read from its document */
    FILING_ENTRY_SINGLE,
    FILING_ENTRY_DOUBLE,
    FILING_ENTRY_COUNT
};

/* The kind of an entry of the corrections log (decision 29). */
enum correction_kind {
    CORRECTION_NONE,
    CORRECTION_FIELD,      /* a published field changed */
    CORRECTION_WITHDRAWN,  /* a trade or a filing was removed from the lists */
    CORRECTION_REINSTATED, /* a withdrawal was taken back */
    CORRECTION_BACKFILL,   /* bulk history arrived: callers that sync must reload */
    CORRECTION_KIND_COUNT
};

/* The kind of an entry of the sequence of changes (decision 47). */
enum change_kind {
    CHANGE_NONE,
    CHANGE_PUBLISHED,
    CHANGE_CORRECTED,
    CHANGE_WITHDRAWN,
    CHANGE_REINSTATED,
    CHANGE_SIGNAL, /* the conflict signal or its reason changed */
    CHANGE_KIND_COUNT
};

/* The box "Cap. gains > $200?" of a row of a House report. */
enum cap_gains {
    CAP_GAINS_NONE, /* not read, or the form has none */
    CAP_GAINS_NO,
    CAP_GAINS_YES,
    CAP_GAINS_COUNT
};

/* spec 2.3 */
enum bracket {
    BRACKET_NONE,
    BRACKET_1K_15K,
    BRACKET_15K_50K,
    BRACKET_50K_100K,
    BRACKET_100K_250K,
    BRACKET_250K_500K,
    BRACKET_500K_1M,
    BRACKET_1M_5M,
    BRACKET_5M_25M,
    BRACKET_25M_50M,
    BRACKET_OVER_50M,
    BRACKET_OVER_1M_SPOUSE,
    BRACKET_COUNT
};

struct bracket_info {
    struct str key;   /* amountBucket */
    struct str label; /* amountRange.label, with an en dash */
    int64_t min;      /* dollars */
    int64_t max;      /* dollars; BRACKET_OPEN for no upper bound, printed as null */
};

#define BRACKET_OPEN INT64_MAX

const struct bracket_info *bracket_info(enum bracket bracket);

/* The printed names; the null string for "not stated". */
struct str chamber_name(enum chamber chamber);
struct str side_name(enum side side);
struct str owner_name(enum owner owner);
struct str asset_type_name(enum asset_type type);
struct str bracket_key(enum bracket bracket);
struct str filing_review_name(enum filing_review review);
struct str filing_entry_name(enum filing_entry entry);
struct str cap_gains_name(enum cap_gains gains); /* "false", "true" */
struct str correction_kind_name(enum correction_kind kind);
struct str change_kind_name(enum change_kind kind);

/* The exact printed name (case-sensitive, decision 17); _NONE for any other text. */
enum chamber chamber_from_name(struct str name);
enum side side_from_name(struct str name);
enum owner owner_from_name(struct str name);
enum asset_type asset_type_from_name(struct str name);
enum bracket bracket_from_key(struct str key);
enum filing_review filing_review_from_name(struct str name);
enum filing_entry filing_entry_from_name(struct str name);
enum cap_gains cap_gains_from_name(struct str name);
enum correction_kind correction_kind_from_name(struct str name);
enum change_kind change_kind_from_name(struct str name);

/* The bracket that contains an exact dollar amount; BRACKET_NONE under $1,001 (decision 14). */
enum bracket bracket_of_amount(int64_t dollars);

/* spec 2.2; chamber, party and state are those at the filing date (decision 7) */
struct politician_ref {
    struct str slug;
    struct str name;
    enum chamber chamber;
    struct str party; /* null: not known */
    struct str state; /* two letters; null: not known */
};

/* What one row of a filing states. The one list of the fields that drafts, corrections and
 * published trades have in common; row_field.h names them. */
struct row_values {
    struct str ticker;     /* as filed, upper case, class shares with a dot; null: not resolved */
    struct str asset_name; /* null: not read; a trade has it */
    enum asset_type asset_type;
    enum side side;
    enum bracket bracket;
    int32_t trade_date; /* DAY_NONE: the filing does not state it */
    enum owner owner;
    struct str details; /* a line of paper/cell/details.h (decision 48); null: none */
};

/* spec 2.1 */
struct trade {
    struct str id; /* <filing id>-<row, four digits> (decision 3) */
    struct politician_ref politician;
    struct row_values values;
    enum cap_gains cap_gains; /* not a member of the Trade: it is one of its details */
    int64_t disclosed_at;
    struct str filing_url;      /* null: none */
    struct str conflict_reason; /* null: no signal; otherwise conflictSignal is true */
};

/* spec 2.4; only published filings exist outside review */
struct filing {
    struct str id;
    enum chamber chamber;
    struct str source_doc_id;
    struct str url;
    struct str politician_id; /* Bioguide id (decision 7) */
    int64_t filed_at;
    int64_t published_at; /* orders the list (decision 6); not shown */
};

/* Where the document prints the symbol of a trade: in a cell of its own, or in the asset's text. */
enum ticker_basis { TICKER_BASIS_NONE, TICKER_BASIS_FILED, TICKER_BASIS_NAME, TICKER_BASIS_COUNT };

struct str ticker_basis_name(enum ticker_basis basis); /* as the API prints it; null: NONE */

enum { TICKER_SIZE_MAX = 32 };

/* Normal form of a symbol in any letter case and class spelling: upper case, class shares with a
 * dot
 * (`brk-b`, `BRK/B` give `BRK.B`) (decision 13). Writes at most TICKER_SIZE_MAX bytes; returns the
 * length, 0 when the text is not 1 to 32 of A-Z 0-9 . - / ^ $ (decision 17). */
size_t ticker_normalize(struct str text, char ret[static TICKER_SIZE_MAX]);
