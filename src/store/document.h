/*
 * Documents: every official paper or data file ever seen, with a state and a reason, and each
 * content it had (version), by SHA-256. What was read from it, draft or published, names the
 * version.
 */
#pragma once

#include "base/crypto.h"
#include "base/mem.h"
#include "core/model.h"
#include "store/db.h"

enum document_state {
    DOCUMENT_INDEXED,           /* named by an index row that needs nothing else */
    DOCUMENT_AWAITING_DOCUMENT, /* named by an index; its content has not been seen */
    DOCUMENT_DRAFT,             /* read; its filing is in review or published */
    DOCUMENT_NEEDS_MANUAL,      /* a person must read it */
    DOCUMENT_REFUSED,
    DOCUMENT_BULK, /* a data file that a backfill took in */
    DOCUMENT_STATE_COUNT
};

struct document {
    struct str kind;      /* "house-ptr-pdf", "senate-ptr-html", "senate-stock-watcher", "demo" */
    struct str source_id; /* unique per kind: the official document id, or the file's name */
    struct str url;       /* null: none */
    enum chamber chamber; /* CHAMBER_NONE: several or none */
    enum document_state state;
    struct str reason; /* null: none */
    uint8_t sha256[SHA256_SIZE];
    int64_t bytes;
};

/* Records the document (found by kind and source id) and this content; *ret_version is the
 * version's number, the stored one when this content was seen before. */
enum err document_put(
    struct db *db, const struct document *document, int64_t now_ms, int64_t *ret_version,
    struct fail *fail) MUST_CHECK;
