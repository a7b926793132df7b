/* The line that an import reports for each document. */
#pragma once

#include "base/str.h"

enum ingest_status {
    INGEST_DRAFT,
    INGEST_NEEDS_MANUAL,
    INGEST_REFUSED,
    INGEST_UNCHANGED,
    INGEST_INDEXED,           /* an index file was imported */
    INGEST_AWAITING_DOCUMENT, /* an index row names a report that is not imported yet */
    INGEST_SKIPPED,           /* in a folder, but neither a file nor a folder; no entry */
    INGEST_STATUS_COUNT
};

struct str ingest_status_name(enum ingest_status status);

/* The result for one document. Valid during the call. */
struct ingest_line {
    struct str document;
    enum ingest_status status;
    struct str filing_id; /* null: none */
    size_t rows;          /* of a report its rows, of an index its entries */
    struct str reason;    /* null: none */
};

typedef void ingest_line_fn(void *ctx, const struct ingest_line *line);
