/*
 * A filing read from a document and matched to a member, before it is public: ingest makes it and
 * review publishes it. Strings are borrowed; the maker of a draft defines their lifetime.
 */
#pragma once

#include "rule/model.h"

enum { DRAFT_ROW_MAX = 9999 }; /* a trade's id has four digits for the row (decision 3) */

/* The document that the rows were read from. */
struct draft_document {
    uint8_t sha256[32];
    struct str kind; /* "senate-stock-watcher", "house-ptr-pdf", "demo", ... */
    struct str name; /* file name, without folders */
    int64_t bytes;
};

struct draft_row {
    int row;  /* number in the document, 1 to DRAFT_ROW_MAX; part of the trade's id */
    int page; /* 0: the document has no pages */
    struct row_values values;
    int32_t notified_date; /* DAY_NONE: not stated */
    enum cap_gains cap_gains;
    struct str company; /* of a row without a symbol, as a reviewer confirmed it; null: none */
    struct str printed; /* the cells as printed: one JSON object */
};

struct draft_filing {
    struct str id; /* decision 3 */
    enum chamber chamber;
    struct str source_doc_id;
    struct str url;
    struct str politician_id;
    struct str party; /* at the filing date; null: not known */
    struct str state;
    int64_t filed_at;
    struct str amends;                     /* id of the filing that this one amends; null: none */
    const struct draft_document *document; /* recorded with the filing; NULL: see the next */
    int64_t document_version;              /* without `document`: a stored version; 0: none */
    const struct draft_row *rows;          /* any order; numbers are distinct */
    size_t row_count;                      /* 0: a filing without readable rows */
};
